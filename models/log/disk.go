// Package log says what a session's log must be. Three machines: a disk that
// crashes under a log (abstraction: what is visible, what is durable, what became
// of a submission), a chain under every edit (core/event itself), and a session
// whose calls a crash interrupts (core/event's fold and resumption themselves).
package log

import "iter"

// Commits is how many commits a process may submit in all, each of two records.
const (
	Commits = 3
	Records = 2 * Commits
)

// Mode is where the log's process stands.
type Mode uint8

// The modes.
const (
	Closed Mode = iota // no process holds the log
	Open               // one does, and may append
	Failed             // one does, and a write or a sync of it failed
)

// Tail is what a reader finds behind the last sound record.
type Tail uint8

// The tails.
const (
	NoTail Tail = iota
	Half        // half a record
	Zeros       // zeros instead of records
	Hole        // a record with a block of zeros in it, then a record that stands
)

// State is a disk with one log. Records have the numbers they were submitted with.
type State struct {
	Mode Mode
	// File is the numbers of the records that a reader finds sound, in order, Len how
	// many; Safe of them are certainly durable.
	File      [Records]uint8
	Len, Safe uint8
	Tail      Tail
	// Stuck is true when the tail is durable as well: a second power loss leaves it.
	Stuck bool
	// Sent counts the commits submitted; Acked is the set of those that were acknowledged.
	Sent, Acked uint8
	// Kept counts the tails that were put aside, Told those that the log tells of. Spare
	// is true when the tail in the log is put aside already.
	Kept, Told uint8
	Spare      bool
	// Holders counts the processes that may append.
	Holders uint8
}

// Kind is what happens to the disk.
type Kind uint8

// The kinds of operations.
const (
	Take    Kind = iota // a process opens the log for append
	TakeDie             // it is killed while it repairs the tail
	Append              // the holder commits two records
	Close               // the holder ends well
	Kill                // the holder is killed between two calls
	Power               // the machine loses power
)

// Fate is what becomes of an operation.
type Fate uint8

// The fates: of an append up to Durable, of a repair from AfterKeep.
const (
	Done      Fate = iota // all of it happens
	FullBack              // the disk is full in the second record; what was written is taken back
	FullStuck             // the same, and it cannot be taken back
	SyncBack              // the sync fails; what was written is taken back
	DieBefore             // killed before a byte is written
	DieHalf               // killed with half of the first record written
	DieMiddle             // killed with half of the second record written
	DieAll                // killed before the sync
	Durable               // killed after the sync, before the holder hears of it
	AfterKeep             // killed with the tail put aside and still in the log
	AfterCut              // killed with the tail cut off and the log not telling of it
)

// Op is one operation. Left and Tail are what a power loss leaves of the file.
type Op struct {
	Kind Kind
	Fate Fate
	Left uint8
	Tail Tail
}

// Out is the answer.
type Out uint8

// The answers.
const (
	OK      Out = iota // taken, acknowledged, or nothing to answer
	Refused            // another process holds the log
	Error              // the append failed
	Nobody             // the process that asked is gone
)

// Ops lists what may happen to a disk.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for _, op := range ops(s) {
			if !yield(op) {
				return
			}
		}
	}
}

func ops(s State) []Op {
	out := []Op{{Kind: Take}}
	if s.Mode == Closed {
		if s.Tail != NoTail {
			out = append(out, Op{Kind: TakeDie, Fate: AfterKeep}, Op{Kind: TakeDie, Fate: AfterCut})
		}
		return append(out, losses(s)...)
	}
	if s.Sent < Commits {
		for f := Done; f <= Durable; f++ {
			out = append(out, Op{Kind: Append, Fate: f})
		}
	}
	out = append(out, Op{Kind: Close}, Op{Kind: Kill})
	return append(out, losses(s)...)
}

// losses is every file that a power loss may leave: what is durable, any number of
// the other records, and behind them nothing, half a record, zeros, or a hole when
// two records or more are lost.
func losses(s State) []Op {
	if s.Stuck {
		return []Op{{Kind: Power, Left: s.Len, Tail: s.Tail}}
	}
	var out []Op
	for n := s.Safe; n <= s.Len; n++ {
		out = append(out, Op{Kind: Power, Left: n})
		switch {
		case n == s.Len && s.Tail != NoTail:
			out = append(out, Op{Kind: Power, Left: n, Tail: s.Tail})
		case n < s.Len:
			out = append(out, Op{Kind: Power, Left: n, Tail: Half}, Op{Kind: Power, Left: n, Tail: Zeros})
		}
		if n+1 < s.Len {
			out = append(out, Op{Kind: Power, Left: n, Tail: Hole})
		}
	}
	return out
}

// Step is the whole rule.
func Step(s State, op Op) (State, Out) {
	switch op.Kind {
	case Take:
		return s.take()
	case TakeDie:
		return s.takeDie(op.Fate), Nobody
	case Append:
		return s.append(op.Fate)
	case Close, Kill:
		return s.gone(), OK
	case Power:
		return s.power(op), OK
	}
	return s, OK
}

func (s State) take() (State, Out) {
	if s.Holders > 0 {
		return s, Refused
	}
	s.Mode, s.Holders = Open, 1
	if s.Tail != NoTail {
		s = s.takeDie(AfterCut)
		s.Mode, s.Holders = Open, 1
	}
	if s.Told < s.Kept {
		s.Told, s.Safe = s.Kept, s.Len
	}
	return s, OK
}

// takeDie puts the tail aside, once, and cuts it off when it comes to that.
func (s State) takeDie(f Fate) State {
	if !s.Spare {
		s.Kept++
	}
	s.Spare = true
	if f == AfterCut {
		s.Tail, s.Stuck, s.Spare, s.Safe = NoTail, false, false, s.Len
	}
	return s.gone()
}

func (s State) append(f Fate) (State, Out) {
	if s.Mode == Failed {
		s.Sent++
		return s, Error
	}
	first := 2*s.Sent + 1
	s.Sent++
	switch f {
	case Done:
		s = s.written(first, first+1)
		s.Safe = s.Len
		s.Acked |= 1 << (s.Sent - 1)
		return s, OK
	case FullBack, SyncBack:
		s.Mode = Failed
		return s, Error
	case FullStuck:
		s = s.written(first)
		s.Mode, s.Tail = Failed, Half
		return s, Error
	case DieBefore, AfterKeep, AfterCut:
	case DieHalf:
		s.Tail = Half
	case DieMiddle:
		s = s.written(first)
		s.Tail = Half
	case DieAll:
		s = s.written(first, first+1)
	case Durable:
		s = s.written(first, first+1)
		s.Safe = s.Len
	}
	return s.gone(), Nobody
}

func (s State) written(numbers ...uint8) State {
	for _, n := range numbers {
		s.File[s.Len] = n
		s.Len++
	}
	return s
}

func (s State) gone() State {
	s.Mode, s.Holders = Closed, 0
	return s
}

func (s State) power(op Op) State {
	if op.Left != s.Len || op.Tail != s.Tail {
		s.Spare = false
	}
	for i := op.Left; i < s.Len; i++ {
		s.File[i] = 0
	}
	s.Len, s.Safe, s.Tail = op.Left, op.Left, op.Tail
	s.Stuck = op.Tail != NoTail
	return s.gone()
}
