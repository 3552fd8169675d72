package laws

import (
	"tenet/laws/law"
	"tenet/models/doccommit"
)

type commitLaw = law.Law[doccommit.State, doccommit.Op, doccommit.Out]

// DocCommit: a write of a document loses nothing that the session did not know (S8.3),
// and cleans up after dead writers only (S8.5).
var DocCommit = struct {
	// WriteNeverLosesUnseen: a write over a content that the session never saw is refused and changes nothing.
	WriteNeverLosesUnseen commitLaw `law:"write_never_loses_unseen" rule:"S8.3"`
	// WriteWritesSeen: a write over no file, or over a content that the session saw, is in place afterwards.
	WriteWritesSeen commitLaw `law:"write_writes_seen" rule:"S8.3"`
	// SweepNeverHeld: no write removes a temporary file that a live writer locks.
	SweepNeverHeld commitLaw `law:"temp_sweep_never_held" rule:"S8.5"`
	// SweepOnlyOwn: a write leaves the temporary files of every other file alone.
	SweepOnlyOwn commitLaw `law:"temp_sweep_only_own" rule:"S8.5"`
	// SweepRemovesFree: after a write that put new content in place, its file has no temporary file without a writer.
	SweepRemovesFree commitLaw `law:"temp_sweep_removes_free" rule:"S8.5"`
}{
	WriteNeverLosesUnseen: commitLaw{Step: func(b doccommit.State, op doccommit.Op, out doccommit.Out, a doccommit.State) law.Verdict {
		if op.Kind != doccommit.Write || b.Disk == 0 || b.Disk == op.Content || b.HasSeen(b.Disk) {
			return law.Idle
		}
		return law.Check(out.Refused && a == b, "content %d was never seen; the write of %d answers %+v and leaves %+v", b.Disk, op.Content, out, a)
	}},
	WriteWritesSeen: commitLaw{Step: func(b doccommit.State, op doccommit.Op, out doccommit.Out, a doccommit.State) law.Verdict {
		if op.Kind != doccommit.Write || b.Disk != 0 && !b.HasSeen(b.Disk) {
			return law.Idle
		}
		return law.Check(!out.Refused && a.Disk == op.Content && a.HasSeen(op.Content), "over content %d the write of %d answers %+v and leaves %+v", b.Disk, op.Content, out, a)
	}},
	SweepNeverHeld: commitLaw{Step: func(b doccommit.State, op doccommit.Op, _ doccommit.Out, a doccommit.State) law.Verdict {
		if op.Kind != doccommit.Write || b.Held == [doccommit.Names]bool{} {
			return law.Idle
		}
		return law.Check(a.Held == b.Held, "of the held temporary files %v the write leaves %v", b.Held, a.Held)
	}},
	SweepOnlyOwn: commitLaw{Step: func(b doccommit.State, op doccommit.Op, _ doccommit.Out, a doccommit.State) law.Verdict {
		if op.Kind != doccommit.Write || !b.Left[1] {
			return law.Idle
		}
		return law.Check(a.Left[1], "the other file's temporary file is gone")
	}},
	SweepRemovesFree: commitLaw{Step: func(b doccommit.State, op doccommit.Op, out doccommit.Out, a doccommit.State) law.Verdict {
		if op.Kind != doccommit.Write || !b.Left[0] || out.Refused || b.Disk == op.Content {
			return law.Idle
		}
		return law.Check(!a.Left[0], "the write left a dead writer's temporary file")
	}},
}

// DocCommitBook lists the laws of writing documents.
var DocCommitBook = law.Book[doccommit.State, doccommit.Op, doccommit.Out]("doccommit", &DocCommit)
