package laws

import (
	"bytes"
	"slices"

	"tenet/core/event"
	"tenet/laws/law"
	"tenet/models/log"
)

type diskLaw = law.Law[log.State, log.Op, log.Out]

// LogDisk: a log under every crash and every failing call (DESIGN, "The flow").
var LogDisk = struct {
	// AckedSurvives: a record whose append returned is in the log from then on, whatever is killed and whenever the power goes.
	AckedSurvives diskLaw `law:"log_acked_survives" rule:"DESIGN flow"`
	// Prefix: a step only adds records at the end, as they were submitted, or takes the last ones away; none is altered or moved.
	Prefix diskLaw `law:"log_prefix" rule:"DESIGN flow"`
	// TornIsReported: once a log is open, nothing torn is in it, and every tail that was ever cut off is kept in a file that the log tells of.
	TornIsReported diskLaw `law:"log_torn_is_reported" rule:"DESIGN flow"`
	// OneWriter: while a process holds a log, another that wants to append is refused and changes nothing.
	OneWriter diskLaw `law:"log_one_writer" rule:"DESIGN flow"`
	// PoisonedStays: after a failed write or sync no append of that process succeeds or changes the file.
	PoisonedStays diskLaw `law:"log_poisoned_stays" rule:"DESIGN flow"`
}{
	AckedSurvives: diskLaw{State: func(s log.State) law.Verdict {
		if s.Acked == 0 {
			return law.Idle
		}
		for i := range uint8(log.Commits) {
			whole := slices.Contains(s.File[:s.Len], 2*i+1) && slices.Contains(s.File[:s.Len], 2*i+2)
			if s.Acked&(1<<i) != 0 && !whole {
				return law.Broken("commit %d was acknowledged and the log has %v", i+1, s.File[:s.Len])
			}
		}
		return law.Holds
	}},
	Prefix: diskLaw{Step: func(b log.State, op log.Op, _ log.Out, a log.State) law.Verdict {
		n := min(a.Len, b.Len)
		if a.Len == b.Len && n == 0 {
			return law.Idle
		}
		if a.File != b.File && !bytes.Equal(a.File[:n], b.File[:n]) {
			return law.Broken("%v became %v on %+v", b.File[:b.Len], a.File[:a.Len], op)
		}
		for i, r := range a.File[n:a.Len] {
			if want := 2*b.Sent + 1 + uint8(i); op.Kind != log.Append || r != want {
				return law.Broken("%+v added record %d, not %d", op, r, want)
			}
		}
		return law.Holds
	}},
	TornIsReported: diskLaw{State: func(s log.State) law.Verdict {
		if s.Mode != log.Open || s.Kept == 0 {
			return law.Idle
		}
		return law.Check(s.Told == s.Kept && s.Tail == log.NoTail, "%d tails were kept, the log tells of %d, and its own is %v", s.Kept, s.Told, s.Tail)
	}},
	OneWriter: diskLaw{Step: func(b log.State, op log.Op, out log.Out, a log.State) law.Verdict {
		if op.Kind != log.Take || b.Holders == 0 {
			return law.Idle
		}
		return law.Check(out == log.Refused && a == b && a.Holders == 1, "a held log was opened again: %v, %d holders", out, a.Holders)
	}},
	PoisonedStays: diskLaw{Step: func(b log.State, op log.Op, out log.Out, a log.State) law.Verdict {
		if op.Kind != log.Append || b.Mode != log.Failed {
			return law.Idle
		}
		return law.Check(out == log.Error && a.File == b.File && a.Tail == b.Tail && a.Mode == log.Failed, "an append after a failure answered %v: %v became %v", out, b.File[:b.Len], a.File[:a.Len])
	}},
}

// LogDiskBook is the laws of a log on a disk.
var LogDiskBook = law.Book[log.State, log.Op, log.Out]("log", &LogDisk)

type editLaw = law.Law[struct{}, log.Edit, log.Found]

// LogChain: what a check of the whole file finds (DESIGN, "The flow").
var LogChain = struct {
	// ChainDetects: any change of a byte, removal, swap or insertion is found at the record where it begins, a forged record with a sum of its own at the latest at the one behind it; an unchanged log passes whole.
	ChainDetects editLaw `law:"log_chain_detects" rule:"DESIGN flow"`
	// CrashNeverRefused: what a cut write or a lost block leaves is torn and never taken for an edit, with every record before it sound.
	CrashNeverRefused editLaw `law:"log_crash_never_refused" rule:"DESIGN flow"`
	// EditNeverCut: a log that was edited before its last commit is never taken for torn: cutting it would lose what was acknowledged.
	EditNeverCut editLaw `law:"log_edit_never_cut" rule:"DESIGN flow"`
}{
	ChainDetects: editLaw{Func: func(e log.Edit, f log.Found) law.Verdict {
		n, end := untouched(e)
		forged := (e.Kind == log.Reseal || e.Kind == log.Foreign) && e.At < len(log.Lines())-1
		if e.Kind == log.Reseal && !forged {
			return law.Idle // the last record has nothing behind it that vouches for it
		}
		exact := f.Good == n || forged && f.Good == n+1
		return law.Check(exact && (f.Tail == event.Whole) == end, "%+v: %d records before the edit, %d found sound, the tail %v", e, n, f.Good, f.Tail)
	}},
	CrashNeverRefused: editLaw{Func: func(e log.Edit, f log.Found) law.Verdict {
		if e.Kind != log.Truncate && e.Kind != log.ZeroTail && e.Kind != log.LostBlocks {
			return law.Idle
		}
		n, _ := untouched(e)
		return law.Check(f.Good == n && f.Tail != event.Broken, "%+v: %d whole records, %d found, the tail %v", e, n, f.Good, f.Tail)
	}},
	EditNeverCut: editLaw{Func: func(e log.Edit, f log.Found) law.Verdict {
		n, end := untouched(e)
		if end || n >= log.LastCommit || e.Kind == log.Truncate {
			return law.Idle
		}
		return law.Check(f.Tail == event.Broken, "%+v: record %d of %d was edited, the tail is %v", e, n+1, len(log.Lines()), f.Tail)
	}},
}

// untouched counts the records before the first byte that an edit changed; end is
// true when nothing follows them.
func untouched(e log.Edit) (n uint64, end bool) {
	rest := e.Bytes()
	for _, l := range log.Lines() {
		after, same := bytes.CutPrefix(rest, l)
		if !same {
			return n, len(rest) == 0
		}
		n, rest = n+1, after
	}
	return n, len(rest) == 0
}

// LogChainBook is the laws of the chain.
var LogChainBook = law.Book[struct{}, log.Edit, log.Found]("log", &LogChain)
