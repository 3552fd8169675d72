package laws

import (
	"tenet/core/turn"
	"tenet/laws/law"
	"tenet/models/run"
)

type runLaw = law.Law[turn.State, turn.Input, turn.Act]

// Run: every user turn ends, and ends for a reason (H4).
var Run = struct {
	// Ends: every input that moves a live run lowers the measure, which starts at the bound; so a run has ended after that many.
	Ends runLaw `law:"run_ends" rule:"H4"`
	// EndStays: an ended run never changes.
	EndStays runLaw `law:"run_end_stays" rule:"H4.1"`
	// AbortEndsNow: an abort ends a live run as aborted at its next step.
	AbortEndsNow runLaw `law:"run_abort_ends_now" rule:"H4.6"`
	// RoundsCapped: a run that made the cap of rounds has failed, and none makes more.
	RoundsCapped runLaw `law:"run_rounds_capped" rule:"H4.2"`
	// RoundsFailAtCap: the round limit fails a run only at exactly the cap.
	RoundsFailAtCap runLaw `law:"run_rounds_fail_at_cap" rule:"H4.2"`
	// CallsNeverAnswer: a reply with a tool call never ends the run; its calls go to a round whatever text or stop reason comes with them.
	CallsNeverAnswer runLaw `law:"run_calls_never_answer" rule:"H4.1"`
	// TruncatedCallsNeverRun: no call of a reply that hit the output limit runs.
	TruncatedCallsNeverRun runLaw `law:"run_truncated_calls_never_run" rule:"H4.1"`
}{
	Ends: runLaw{Rank: func(b turn.State, in turn.Input, _ turn.Act, a turn.State) law.Verdict {
		if a == b {
			return law.Idle
		}
		from, to := run.Measure(b), run.Measure(a)
		return law.Check(to < from && from <= run.Bound, "%+v on %+v: the measure goes from %d to %d, bound %d", b, in, from, to, run.Bound)
	}},
	EndStays: runLaw{Step: func(b turn.State, in turn.Input, act turn.Act, a turn.State) law.Verdict {
		if b.End == turn.Live {
			return law.Idle
		}
		return law.Check(a == b && act == turn.Ignore, "ended %+v became %+v and did %v on %+v", b, a, act, in)
	}},
	AbortEndsNow: runLaw{Step: func(b turn.State, in turn.Input, act turn.Act, a turn.State) law.Verdict {
		if in.Kind != turn.Abort || b.End != turn.Live {
			return law.Idle
		}
		return law.Check(a.End == turn.Aborted && a.Phase == turn.Over && act == turn.Stop, "aborted %+v is %+v", b, a)
	}},
	RoundsCapped: runLaw{State: func(s turn.State) law.Verdict {
		if s.Rounds < run.Limits.Cap() {
			return law.Idle
		}
		return law.Check(s.Rounds == run.Limits.Cap() && s.End == turn.Failed, "%d rounds of %d made, and the run is %v", s.Rounds, run.Limits.Cap(), s.End)
	}},
	RoundsFailAtCap: runLaw{State: func(s turn.State) law.Verdict {
		if s.Cause != turn.RoundLimit {
			return law.Idle
		}
		return law.Check(s.End == turn.Failed && s.Rounds == run.Limits.Cap(), "failed for the round limit after %d rounds", s.Rounds)
	}},
	CallsNeverAnswer: runLaw{Step: func(b turn.State, in turn.Input, act turn.Act, a turn.State) law.Verdict {
		if in.Kind != turn.Replied || !in.Calls || b.Phase != turn.Calling {
			return law.Idle
		}
		return law.Check(a.Phase == turn.Tooling && (act == turn.Run || act == turn.Truncate), "a reply with calls (%+v) led to %v and %+v", in, act, a)
	}},
	TruncatedCallsNeverRun: runLaw{Step: func(b turn.State, in turn.Input, act turn.Act, a turn.State) law.Verdict {
		if in.Kind != turn.Replied || !in.Calls || b.Phase != turn.Calling {
			return law.Idle
		}
		return law.Check((act == turn.Truncate) == in.Length && (act == turn.Run) == !in.Length, "a reply with calls, cut %v, led to %v", in.Length, act)
	}},
}

// RunBook lists them.
var RunBook = law.Book[turn.State, turn.Input, turn.Act]("run", &Run)
