package laws

import (
	"slices"

	core "tenet/core/recovery"
	"tenet/core/turn"
	"tenet/laws/law"
	"tenet/models/recovery"
)

type recoveryLaw = law.Law[recovery.State, recovery.Op, recovery.Out]

// Recovery: a stuck model gets a recovery, each with a cap (H4.8).
var Recovery = struct {
	// LengthRetriesWithANote: a reply still reasoning at the output limit is asked again with the next length note while fewer than the cap came in a row.
	LengthRetriesWithANote recoveryLaw `law:"rec_length_retries_with_a_note" rule:"H4.8"`
	// LengthGivesUp: after the cap of length notes in a row the run fails.
	LengthGivesUp recoveryLaw `law:"rec_length_gives_up" rule:"H4.8"`
	// LeakRebuiltIsCalls: leaked calls that all parse and are all offered are read as tool calls and leave the text; a leak that is cut anywhere is never one.
	LeakRebuiltIsCalls recoveryLaw `law:"rec_leak_rebuilt_is_calls" rule:"H4.8"`
	// LeakRetriesWithANote: a leak that cannot be rebuilt is asked again with the next leak note while fewer than the cap came in a row.
	LeakRetriesWithANote recoveryLaw `law:"rec_leak_retries_with_a_note" rule:"H4.8"`
	// LeakStands: after the cap of leak notes in a row the reply answers as text.
	LeakStands recoveryLaw `law:"rec_leak_stands" rule:"H4.8"`
	// CallsRun: calls that would not make the cap of same rounds in a row run, and changed results start a new row.
	CallsRun recoveryLaw `law:"rec_calls_run" rule:"H4.8"`
	// RepeatNeverRuns: calls that would make the cap of same rounds in a row do not run.
	RepeatNeverRuns recoveryLaw `law:"rec_repeat_never_runs" rule:"H4.8"`
	// RepeatRedirects: such calls are asked again with the next redirect note while fewer than the cap came in a row.
	RepeatRedirects recoveryLaw `law:"rec_repeat_redirects" rule:"H4.8"`
	// RepeatGivesUp: after the cap of redirect notes in a row the run fails.
	RepeatGivesUp recoveryLaw `law:"rec_repeat_gives_up" rule:"H4.8"`
	// UserBreaksTheRow: a person's message ends the row: no later call repeats an earlier one.
	UserBreaksTheRow recoveryLaw `law:"rec_user_breaks_the_row" rule:"H4.8"`
	// NotesCapped: notes of a recovery in a row never pass its cap.
	NotesCapped recoveryLaw `law:"rec_notes_capped" rule:"H4.8"`
	// NeverRunsARepeat: never as many same rounds run in a row as the cap says.
	NeverRunsARepeat recoveryLaw `law:"rec_never_runs_a_repeat" rule:"H4.3"`
	// StuckGetsHelp: a stuck reply always has an effect: its calls run, it is asked again with a note, it answers, or the run ends.
	StuckGetsHelp recoveryLaw `law:"rec_stuck_gets_help" rule:"H4.8"`
	// RedoIsNoted: what a recovery asks again is a noted error: it spends a note and no retry, and carries the next attempt's note; without a note left the run fails.
	RedoIsNoted recoveryLaw `law:"rec_redo_is_noted" rule:"H4.8"`
	// QuitFails: a recovery that gives up fails the run on the model at once.
	QuitFails recoveryLaw `law:"rec_quit_fails" rule:"H4.8"`
	// QuotedIsText: markup in a fence, a span or an indented block of code, in a quotation, between quotation marks, in a thought, in code of HTML or in a comment is never read as a leak, and what is beside it is read as if it were not there.
	QuotedIsText recoveryLaw `law:"leak_quoted_is_text" rule:"H4.8"`
}{
	LengthRetriesWithANote: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		return redone(b, out, a, op.Kind == recovery.AtLimit, core.Length, recovery.Caps.Length)
	}},
	LengthGivesUp: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		return atTheCap(b, out, op.Kind == recovery.AtLimit, core.Length, recovery.Caps.Length, core.Quit)
	}},
	LeakRebuiltIsCalls: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		switch want := out.Want; {
		case op.Kind == recovery.Leaked && b.Turn.Phase == turn.Calling && b.SameAs(op.Calls)+1 < int(recovery.Caps.Repeat):
			return law.Check(out.Turn == turn.Run && a.Runs == op.Calls, "rebuilt calls led to %v and %v", out.Act, out.Turn)
		case op.Kind != recovery.Scan || !op.Cut && len(want.Calls) == 0:
			return law.Idle
		case op.Cut:
			return law.Check(len(out.Leak.Calls) == 0, "%q was cut, and read as %+v", op.Text, out.Leak)
		default:
			return law.Check(slices.Equal(rebuilt(out), want.Calls) && out.Leak.Text == want.Text, "%q was read as %+v, want %+v", op.Text, out.Leak, want)
		}
	}},
	LeakRetriesWithANote: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		if op.Kind == recovery.Scan && !op.Cut && out.Want.Broken {
			return law.Check(len(out.Leak.Calls) == 0 && out.Leak.Reason != "" && out.Leak.Markup != core.NoMarkup, "%q was read as %+v", op.Text, out.Leak)
		}
		return redone(b, out, a, op.Kind == recovery.Leak, core.Leaked, recovery.Caps.Leak)
	}},
	LeakStands: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		v := atTheCap(b, out, op.Kind == recovery.Leak, core.Leaked, recovery.Caps.Leak, core.Stand)
		if v.Applies && v.Err == nil {
			return law.Check(a.Turn.End == turn.Answered, "a leak that stands led to %+v", a.Turn)
		}
		return v
	}},
	CallsRun: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		same, ok := repeated(b, op)
		if !ok || same+1 >= int(recovery.Caps.Repeat) {
			return law.Idle
		}
		runs := op.Kind == recovery.Look && out.Looked == same || out.Turn == turn.Run || out.Turn == turn.Truncate
		return law.Check(out.Act == core.Exec && runs, "calls after %d same rounds led to %v, %v, as if there were %d: %+v", same, out.Act, out.Turn, out.Looked, op)
	}},
	RepeatNeverRuns: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		same, ok := repeated(b, op)
		if !ok || same+1 < int(recovery.Caps.Repeat) {
			return law.Idle
		}
		return law.Check(out.Act != core.Exec && out.Turn != turn.Run && out.Turn != turn.Truncate, "calls after %d same rounds led to %v, %v: %+v", same, out.Act, out.Turn, op)
	}},
	RepeatRedirects: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		return redone(b, out, a, isRepeat(b, op), core.Redirect, recovery.Caps.Redirect)
	}},
	RepeatGivesUp: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		return atTheCap(b, out, isRepeat(b, op), core.Redirect, recovery.Caps.Redirect, core.Quit)
	}},
	UserBreaksTheRow: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		switch {
		case op.Kind == recovery.Look && op.Context.Person():
			return law.Check(out.Looked == 0 && out.Act == core.Exec, "a person spoke last in %v, and %d rounds repeat", op.Context, out.Looked)
		case op.Kind == recovery.Look && slices.Contains(op.Context[:], recovery.Harness):
			return law.Check(out.Looked == op.Context.Rounds(op.Calls), "in %v %d rounds repeat", op.Context, out.Looked)
		}
		return law.Idle
	}},
	NotesCapped: recoveryLaw{State: func(s recovery.State) law.Verdict {
		if s.Noted.Row == 0 {
			return law.Idle
		}
		ok := s.Noted.Of(core.Length) <= recovery.Caps.Length && s.Noted.Of(core.Leaked) <= recovery.Caps.Leak && s.Noted.Of(core.Redirect) <= recovery.Caps.Redirect
		return law.Check(ok && s.Row.Notes == s.Noted.Row && s.Row.Cause == s.Noted.Cause, "%d notes of %v in a row, and the row is %+v", s.Noted.Row, s.Noted.Cause, s.Row)
	}},
	NeverRunsARepeat: recoveryLaw{State: func(s recovery.State) law.Verdict {
		if s.Same == 0 {
			return law.Idle
		}
		return law.Check(s.Same < max(recovery.Caps.Repeat, 1), "%d same rounds ran in a row", s.Same)
	}},
	StuckGetsHelp: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		stuck := op.Kind == recovery.AtLimit || op.Kind == recovery.Leak || isRepeat(b, op)
		if !stuck || b.Turn.Phase != turn.Calling {
			return law.Idle
		}
		helped := out.Turn == turn.Redo && a.Turn.Note > b.Turn.Note || out.Turn == turn.Stop && a.Turn.End != turn.Live
		return law.Check(helped && out.Act != core.Pass, "a stuck reply (%v) led to %v, %v and %+v", op.Kind, out.Act, out.Turn, a.Turn)
	}},
	RedoIsNoted: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		switch {
		case out.Act != core.Redo || op.Kind == recovery.Look:
			return law.Idle
		case b.Turn.Notes == recovery.Limits.Notes:
			return law.Check(out.Turn == turn.Stop && a.Turn.End == turn.Failed, "a redo without a note left led to %v, %+v", out.Turn, a.Turn)
		}
		noted := a.Turn.Notes == b.Turn.Notes+1 && a.Turn.Note == b.Turn.Attempt()+1 && a.Turn.Retries == b.Turn.Retries
		return law.Check(out.Turn == turn.Redo && noted, "a redo of %+v led to %v, %+v", b.Turn, out.Turn, a.Turn)
	}},
	QuitFails: recoveryLaw{Step: func(b recovery.State, op recovery.Op, out recovery.Out, a recovery.State) law.Verdict {
		if out.Act != core.Quit {
			return law.Idle
		}
		return law.Check(out.Turn == turn.Stop && a.Turn.End == turn.Failed && a.Turn.Cause == turn.Stuck, "a recovery that gave up led to %v, %+v", out.Turn, a.Turn)
	}},
	QuotedIsText: recoveryLaw{Step: func(_ recovery.State, op recovery.Op, out recovery.Out, _ recovery.State) law.Verdict {
		if op.Kind != recovery.Scan || op.Cut {
			return law.Idle
		}
		want := out.Want
		switch {
		case !want.Quoted:
			return law.Idle
		case want.Broken:
			return law.Check(out.Leak.Reason != "", "%q was read as %+v", op.Text, out.Leak)
		case len(want.Calls) == 0:
			return law.Check(out.Leak.Markup == core.NoMarkup && len(out.Leak.Calls) == 0 && out.Leak.Reason == "", "%q is only told of, and was read as %+v", op.Text, out.Leak)
		}
		return law.Check(slices.Equal(rebuilt(out), want.Calls), "%q was read as %+v, want %+v", op.Text, out.Leak, want)
	}},
}

// RecoveryBook lists them.
var RecoveryBook = law.Book[recovery.State, recovery.Op, recovery.Out]("recovery", &Recovery)

// redone: under the cap the reply is asked again with the next note of its recovery.
func redone(b recovery.State, out recovery.Out, a recovery.State, stuck bool, c core.Cause, most uint8) law.Verdict {
	n := b.Noted.Of(c)
	if !stuck || b.Turn.Phase != turn.Calling || n >= most {
		return law.Idle
	}
	if b.Turn.Notes == recovery.Limits.Notes {
		return law.Check(out.Act == core.Redo, "after %d notes of %v: %v", n, c, out.Act)
	}
	next := recovery.Notes{Cause: c, Row: n + 1}
	return law.Check(out.Act == core.Redo && out.Turn == turn.Redo && a.Noted == next, "after %d notes of %v: %v, %v, and then %+v", n, c, out.Act, out.Turn, a.Noted)
}

// atTheCap: at the cap the recovery does what it does last.
func atTheCap(b recovery.State, out recovery.Out, stuck bool, c core.Cause, most uint8, last core.Act) law.Verdict {
	if !stuck || b.Turn.Phase != turn.Calling || b.Noted.Of(c) < most {
		return law.Idle
	}
	return law.Check(out.Act == last && out.Turn == turn.Stop, "after %d notes of %v: %v, %v", b.Noted.Of(c), c, out.Act, out.Turn)
}

// repeated is how many rounds in a row the calls of the operation would go on.
func repeated(b recovery.State, op recovery.Op) (same int, ok bool) {
	switch op.Kind {
	case recovery.Look:
		return op.Context.Rounds(op.Calls), true
	case recovery.Made, recovery.Leaked:
		return b.SameAs(op.Calls), b.Turn.Phase == turn.Calling
	case recovery.Ready, recovery.AtLimit, recovery.Leak, recovery.Answered, recovery.Silent, recovery.Cut, recovery.Stalled, recovery.Failed,
		recovery.Results, recovery.Spoke, recovery.Murmured, recovery.Scan:
	}
	return 0, false
}

func isRepeat(b recovery.State, op recovery.Op) bool {
	same, ok := repeated(b, op)
	return ok && op.Kind != recovery.Look && same+1 >= int(recovery.Caps.Repeat)
}

// rebuilt is the calls that were rebuilt, as the model writes them.
func rebuilt(out recovery.Out) (calls []string) {
	for _, c := range out.Leak.Calls {
		calls = append(calls, c.Tool+c.Args)
	}
	return calls
}
