package laws

import (
	core "tenet/core/wait"
	"tenet/laws/law"
	"tenet/models/wait"
)

type waitLaw = law.Law[wait.State, wait.Op, core.End]

// Wait: every wait has an exit (H6).
var Wait = struct {
	// EndsOnce: a wait ends exactly once, on the first look at which its event, its cancel or its deadline is there; never otherwise.
	EndsOnce waitLaw `law:"wait_ends_once" rule:"H6"`
	// EndIsFinal: after the end nothing matters: the wait and its answer stay as they are.
	EndIsFinal waitLaw `law:"wait_end_is_final" rule:"H6"`
	// ArrivalWins: with the event there first, or at the same instant as anything else, the wait ends with the event.
	ArrivalWins waitLaw `law:"wait_arrival_wins" rule:"H6"`
	// CancelWins: with the cancel there first, or at the same instant as the deadline, the wait ends cancelled.
	CancelWins waitLaw `law:"wait_cancel_wins" rule:"H6"`
}{
	EndsOnce: waitLaw{Step: func(b wait.State, op wait.Op, out core.End, a wait.State) law.Verdict {
		if b.Wait.End != core.Waiting {
			return law.Idle
		}
		return law.Check(out == a.Wait.End && there(out, b, op), "%+v %v after the begin: it is %v", op, b.Elapsed, out)
	}},
	EndIsFinal: waitLaw{Step: func(b wait.State, op wait.Op, out core.End, a wait.State) law.Verdict {
		if b.Wait.End == core.Waiting {
			return law.Idle
		}
		return law.Check(a == b && out == b.Wait.End, "ended as %v, it became %+v on %+v", b.Wait.End, a, op)
	}},
	ArrivalWins: waitLaw{Step: func(b wait.State, op wait.Op, out core.End, _ wait.State) law.Verdict {
		if b.Wait.End != core.Waiting || !op.Seen.Event {
			return law.Idle
		}
		return law.Check(out == core.Event, "the event was there and the wait is %v", out)
	}},
	CancelWins: waitLaw{Step: func(b wait.State, op wait.Op, out core.End, _ wait.State) law.Verdict {
		if b.Wait.End != core.Waiting || !op.Seen.Cancel || op.Seen.Event {
			return law.Idle
		}
		return law.Check(out == core.Cancelled, "the cancel was there and the wait is %v", out)
	}},
}

// there is true when the look found what such an end needs. Late is measured by the
// adversary's clock, not by what core counts.
func there(end core.End, b wait.State, op wait.Op) bool {
	deadline := b.Deadline
	if op.Begin {
		deadline = op.Deadline
	}
	late := deadline != 0 && b.Elapsed+op.Seen.Passed >= deadline
	switch end {
	case core.Event:
		return op.Seen.Event
	case core.Cancelled:
		return op.Seen.Cancel
	case core.Deadline:
		return late
	case core.Waiting:
		return !op.Seen.Event && !op.Seen.Cancel && !late
	}
	return false
}

// WaitBook lists the laws of waiting.
var WaitBook = law.Book[wait.State, wait.Op, core.End]("wait", &Wait)
