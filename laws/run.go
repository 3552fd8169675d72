package laws

import (
	"tenet/core/turn"
	"tenet/laws/law"
	"tenet/models/run"
)

type runLaw = law.Law[run.State, run.Op, turn.Act]

// Run: every user turn ends, and ends for a reason (H4).
var Run = struct {
	// Ends: every input that a live run acts on lowers the measure, which starts at the bound; so a run has ended after that many.
	Ends runLaw `law:"run_ends" rule:"H4"`
	// EndStays: an ended run never changes.
	EndStays runLaw `law:"run_end_stays" rule:"H4.1"`
	// AbortEndsNow: an abort ends a live run as aborted at its next step, and drops the provider's job if one is out.
	AbortEndsNow runLaw `law:"run_abort_ends_now" rule:"H4.6"`
	// RoundsCapped: a run that made the cap of rounds has failed, and none makes more.
	RoundsCapped runLaw `law:"run_rounds_capped" rule:"H4.2"`
	// RoundsFailAtCap: the round limit fails a run only at exactly the cap.
	RoundsFailAtCap runLaw `law:"run_rounds_fail_at_cap" rule:"H4.2"`
	// PollsNeedDefers: a deferred answer is late only when its deadline passed, or after one more still-deferred answer in a row than there are polls; and such an answer ends a row of failed polls.
	PollsNeedDefers runLaw `law:"run_polls_need_defers" rule:"H4.4"`
	// NoAnswerIsAnError: a reply without text and call never answers: it is asked again with a note while notes last, then the run fails.
	NoAnswerIsAnError runLaw `law:"run_no_answer_is_an_error" rule:"H4.7"`
	// CallsNeverAnswer: a reply with a tool call never ends the run; its calls go to a round whatever text or stop reason comes with them.
	CallsNeverAnswer runLaw `law:"run_calls_never_answer" rule:"H4.1"`
	// NoteSpendsNoRetry: a reply that is not taken spends a note and no retry, and is asked again whatever the retry policy says while notes last.
	NoteSpendsNoRetry runLaw `law:"run_note_spends_no_retry" rule:"H4.5"`
	// RetrySpendsNoNote: a transient failure spends a retry and no note, and the next request carries the note that this one did.
	RetrySpendsNoNote runLaw `law:"run_retry_spends_no_note" rule:"H4.5"`
	// RetrySendsANewRequest: no request that is sent equals one whose reply was not taken: its attempt is a later one, or the context has grown.
	RetrySendsANewRequest runLaw `law:"run_retry_sends_a_new_request" rule:"H4.7"`
	// CutNamesTheRequest: a reply that is not taken cuts the request that was sent; the next one carries the note of the next attempt.
	CutNamesTheRequest runLaw `law:"run_cut_names_the_request" rule:"H4.7"`
	// NoteIsNeverLogged: a note changes the model's input only: the context grows by rounds and compactions alone, and a compaction keeps the note.
	NoteIsNeverLogged runLaw `law:"run_note_is_never_logged" rule:"H4.7"`
	// TruncatedCallsNeverRun: no call of a reply that hit the output limit runs, and its round counts as every other.
	TruncatedCallsNeverRun runLaw `law:"run_truncated_calls_never_run" rule:"H4.1"`
	// FailedPollNeverResends: a failed poll polls the same job again, or drops it and fails.
	FailedPollNeverResends runLaw `law:"run_failed_poll_never_resends" rule:"H4.4"`
}{
	Ends: runLaw{Rank: func(b run.State, op run.Op, act turn.Act, a run.State) law.Verdict {
		if b.Limits == 0 || act == turn.Ignore && a.Turn == b.Turn {
			return law.Idle
		}
		c := b.Config()
		from, to, most := run.Measure(c, b.Turn), run.Measure(c, a.Turn), run.Bound(c)
		return law.Check(to < from && to >= 0 && from <= most, "%+v on %+v: the measure goes from %d to %d, bound %d", b.Turn, op.In, from, to, most)
	}},
	EndStays: runLaw{Step: func(b run.State, op run.Op, act turn.Act, a run.State) law.Verdict {
		if b.Turn.End == turn.Live {
			return law.Idle
		}
		return law.Check(a == b && act == turn.Ignore, "ended %+v became %+v and did %v on %+v", b, a, act, op.In)
	}},
	AbortEndsNow: runLaw{Step: func(b run.State, op run.Op, act turn.Act, a run.State) law.Verdict {
		if op.In.Kind != turn.Abort || b.Turn.End != turn.Live || b.Limits == 0 {
			return law.Idle
		}
		ended := a.Turn.End == turn.Aborted && a.Turn.Phase == turn.Over && act.Ends()
		return law.Check(ended && (act == turn.Cancel) == (b.Turn.Phase == turn.Polling), "aborted %+v is %+v, and does %v", b.Turn, a.Turn, act)
	}},
	RoundsCapped: runLaw{State: func(s run.State) law.Verdict {
		if s.Turn.Rounds < s.Config().Cap() {
			return law.Idle
		}
		return law.Check(s.Turn.Rounds == s.Config().Cap() && s.Turn.End == turn.Failed, "%d rounds of %d made, and the run is %v", s.Turn.Rounds, s.Config().Cap(), s.Turn.End)
	}},
	RoundsFailAtCap: runLaw{State: func(s run.State) law.Verdict {
		if s.Turn.Cause != turn.RoundLimit {
			return law.Idle
		}
		return law.Check(s.Turn.End == turn.Failed && s.Turn.Rounds == s.Config().Cap(), "failed for the round limit after %d rounds", s.Turn.Rounds)
	}},
	PollsNeedDefers: runLaw{Step: func(b run.State, op run.Op, _ turn.Act, a run.State) law.Verdict {
		switch {
		case a.Turn.Cause == turn.Late && b.Turn.Cause != turn.Late:
			spent := op.In.Kind == turn.Deferred && b.Defers == b.Config().Polls
			return law.Check(op.In.Late || spent, "late in time, after %d deferred answers: %+v on %+v", b.Defers+1, b.Turn, op.In)
		case op.In.Kind == turn.Deferred && a.Turn.Phase == turn.Polling:
			return law.Check(a.Turn.Failures == 0 && a.Turn.Polls == a.Defers && !op.In.Late, "after %d deferred answers: %+v on %+v", a.Defers, a.Turn, op.In)
		}
		return law.Idle
	}},
	NoAnswerIsAnError: runLaw{Step: func(b run.State, op run.Op, act turn.Act, a run.State) law.Verdict {
		if op.In.Kind != turn.Replied || op.In.Text || op.In.Calls || !run.Out(b.Turn) {
			return law.Idle
		}
		if b.Turn.Notes < b.Config().Notes {
			return law.Check(act == turn.Redo && a.Turn.Note > 0, "no answer, %d notes spent, led to %v and %+v", b.Turn.Notes, act, a.Turn)
		}
		return law.Check(a.Turn.End == turn.Failed && a.Turn.Cause == turn.NoAnswer, "no answer, and no note is left: %+v", a.Turn)
	}},
	CallsNeverAnswer: runLaw{Step: func(b run.State, op run.Op, act turn.Act, a run.State) law.Verdict {
		if op.In.Kind != turn.Replied || !op.In.Calls || !run.Out(b.Turn) {
			return law.Idle
		}
		return law.Check(a.Turn.Phase == turn.Tooling && (act == turn.Run || act == turn.Truncate), "a reply with calls (%+v) led to %v and %+v", op.In, act, a.Turn)
	}},
	NoteSpendsNoRetry: runLaw{Step: func(b run.State, op run.Op, act turn.Act, a run.State) law.Verdict {
		if !run.Refused(b.Turn, op.In) || b.Turn.Notes >= b.Config().Notes {
			return law.Idle
		}
		return law.Check(act == turn.Redo && a.Turn.Notes == b.Turn.Notes+1 && a.Turn.Retries == b.Turn.Retries, "%+v on %+v led to %v and %+v", b.Turn, op.In, act, a.Turn)
	}},
	RetrySpendsNoNote: runLaw{Step: func(b run.State, op run.Op, act turn.Act, a run.State) law.Verdict {
		if op.In.Kind != turn.Failure || !op.In.Transient || b.Turn.Phase != turn.Calling || b.Turn.Retries >= b.Config().Retries {
			return law.Idle
		}
		return law.Check(act == turn.Retry && a.Turn.Retries == b.Turn.Retries+1 && a.Turn.Notes == b.Turn.Notes && a.Turn.Note == b.Turn.Note, "%+v led to %v and %+v", b.Turn, act, a.Turn)
	}},
	RetrySendsANewRequest: runLaw{Step: func(b run.State, _ run.Op, act turn.Act, a run.State) law.Verdict {
		if act != turn.Send || b.Cut == 0 {
			return law.Idle
		}
		return law.Check(a.Sent > b.Cut, "attempt %d is sent after attempt %d was cut in the same generation", a.Sent, b.Cut)
	}},
	CutNamesTheRequest: runLaw{Step: func(b run.State, op run.Op, _ turn.Act, a run.State) law.Verdict {
		if !run.Refused(b.Turn, op.In) || a.Turn.End != turn.Live {
			return law.Idle
		}
		return law.Check(a.Cut == b.Sent && a.Turn.Note == b.Sent+1, "attempt %d was cut, and the next note names attempt %d", b.Sent, a.Turn.Note)
	}},
	NoteIsNeverLogged: runLaw{Step: func(b run.State, op run.Op, _ turn.Act, a run.State) law.Verdict {
		if a.Turn.End != turn.Live || a.Turn == b.Turn || max(a.Turn.Note, b.Turn.Note) == 0 {
			return law.Idle
		}
		same := a.Turn.Rounds == a.Context.Rounds && a.Turn.Compactions == a.Context.Summaries
		kept := op.In.Kind != turn.Compacted || a.Turn.Note == b.Turn.Note
		return law.Check(same && kept, "with a note %+v on %+v became %+v, and the log has %+v", b.Turn, op.In, a.Turn, a.Context)
	}},
	TruncatedCallsNeverRun: runLaw{Step: func(b run.State, op run.Op, act turn.Act, a run.State) law.Verdict {
		switch {
		case op.In.Kind == turn.Replied && op.In.Calls && run.Out(b.Turn):
			return law.Check((act == turn.Truncate) == op.In.Length && (act == turn.Run) == !op.In.Length, "a reply with calls, cut %v, led to %v", op.In.Length, act)
		case op.In.Kind == turn.RoundDone && !op.In.Ends && b.Turn.Phase == turn.Tooling:
			return law.Check(a.Turn.Rounds == b.Turn.Rounds+1, "a round after %d rounds makes %d", b.Turn.Rounds, a.Turn.Rounds)
		}
		return law.Idle
	}},
	FailedPollNeverResends: runLaw{Step: func(b run.State, op run.Op, act turn.Act, a run.State) law.Verdict {
		if !run.FailedPoll(b.Turn, op.In) {
			return law.Idle
		}
		again := act == turn.Poll && a.Turn.Phase == turn.Polling && a.Turn.Failures == b.Turn.Failures+1 && a.Turn.Failures <= b.Config().Retries && a.Turn.Polls == b.Turn.Polls
		dropped := act == turn.Cancel && a.Turn.End == turn.Failed
		return law.Check(again || dropped, "a failed poll, %+v on %+v, led to %v and %+v", b.Turn, op.In, act, a.Turn)
	}},
}

// RunBook lists them.
var RunBook = law.Book[run.State, run.Op, turn.Act]("run", &Run)
