package laws

import (
	"tenet/core/call"
	"tenet/laws/law"
	"tenet/models/guard"
)

type guardLaw = law.Law[guard.State, guard.Op, guard.Out]

// Guard: one verdict for each call, the first block wins, always a record (seed 3).
var Guard = struct {
	// FirstBlockWins: of the rules that are against a call the first in the order decides, and no later rule and no later step un-blocks it.
	FirstBlockWins guardLaw `law:"first_block_wins" rule:"1"`
	// EveryVerdictRecorded: each call leaves one verdict record, and that of a refusal names its rule.
	EveryVerdictRecorded guardLaw `law:"every_verdict_recorded" rule:"1"`
	// UnknownPolicyToolDeniesAll: a policy that names a tool nobody registered, and a list of tools that cannot be read, deny every call.
	UnknownPolicyToolDeniesAll guardLaw `law:"unknown_policy_tool_denies_all" rule:"1"`
	// FloorChecksBeforeFirstCall: a call that is decided before the session's start was told is held against the tools all the same.
	FloorChecksBeforeFirstCall guardLaw `law:"floor_checks_before_first_call" rule:"1"`
	// AnalyzerFailureDenies: a call with a step that could not be planned is denied, whatever is switched off.
	AnalyzerFailureDenies guardLaw `law:"analyzer_failure_denies" rule:"1"`
	// DeniedInputUnchanged: a denied call's input is as it came, and an allowed command without a timeout gets one.
	DeniedInputUnchanged guardLaw `law:"denied_input_unchanged" rule:"1"`
	// KnowledgeFromResultsOnly: what is known of a file grows by a successful call alone, only by the version that stands there then, and an edit of what was not seen whole shows no whole.
	KnowledgeFromResultsOnly guardLaw `law:"knowledge_from_results_only" rule:"1"`
	// StaleRefusesBoth: a file that changed since the session saw it refuses write and edit, and the refusal says that it changed.
	StaleRefusesBoth guardLaw `law:"stale_refuses_both" rule:"1"`
	// PartialRefusesWrite: a file of which the session saw a part refuses a whole-file write, and no edit.
	PartialRefusesWrite guardLaw `law:"partial_refuses_write" rule:"1"`
	// RefusalIsAnErrorResult: a refused call's result is an error, when it ends and in the transcript.
	RefusalIsAnErrorResult guardLaw `law:"refusal_is_an_error_result" rule:"1"`
	// ReaderOfSecretDenied: a tool that is not of the roster is denied a path that is a secret, and the roster's tools are not denied by that rule.
	ReaderOfSecretDenied guardLaw `law:"reader_of_secret_denied" rule:"1"`
}{
	FirstBlockWins: guardLaw{Step: func(b guard.State, op guard.Op, out guard.Out, _ guard.State) law.Verdict {
		first := firstMark(op)
		if op.Kind != guard.Call || b.Policy != guard.Fits || first == 0 {
			return law.Idle
		}
		return law.Check(out.Denied && out.Rule == first.Rule(), "with the marks %b the first is %s, and the call ends %+v", op.Marks, first.Rule(), out)
	}},
	EveryVerdictRecorded: guardLaw{Step: func(b guard.State, op guard.Op, out guard.Out, a guard.State) law.Verdict {
		if op.Kind != guard.Call {
			return law.Idle
		}
		refusals := b.Refusals
		if out.Denied {
			refusals++
		}
		return law.Check(a.Verdicts == b.Verdicts+1 && a.Refusals == refusals && out.Denied == (out.Rule != ""), "the call ends %+v and the records go from %+v to %+v", out, b, a)
	}},
	UnknownPolicyToolDeniesAll: guardLaw{Step: func(b guard.State, op guard.Op, out guard.Out, _ guard.State) law.Verdict {
		if op.Kind != guard.Call || !b.Policy.Denies() {
			return law.Idle
		}
		return law.Check(out.Denied && out.Stage == "registration", "under a policy that does not fit the call ends %+v", out)
	}},
	FloorChecksBeforeFirstCall: guardLaw{Step: func(b guard.State, op guard.Op, out guard.Out, _ guard.State) law.Verdict {
		if op.Kind != guard.Call || b.Started {
			return law.Idle
		}
		return law.Check((out.Stage == "registration") == b.Policy.Denies(), "before any start the call ends %+v in %+v", out, b)
	}},
	AnalyzerFailureDenies: guardLaw{Step: func(_ guard.State, op guard.Op, out guard.Out, _ guard.State) law.Verdict {
		if op.Kind != guard.Call || op.Marks&guard.Failed == 0 {
			return law.Idle
		}
		return law.Check(out.Denied, "a call that could not be planned ends %+v", out)
	}},
	DeniedInputUnchanged: guardLaw{Step: func(_ guard.State, op guard.Op, out guard.Out, _ guard.State) law.Verdict {
		if op.Kind != guard.Call || op.Tool != guard.Shell {
			return law.Idle
		}
		want := guard.NoTimeout
		switch {
		case op.Timed:
			want = guard.OwnTimeout
		case !out.Denied:
			want = guard.DefaultTimeout
		}
		return law.Check(out.Timeout == want, "a call with its own timeout %v ends %+v", op.Timed, out)
	}},
	KnowledgeFromResultsOnly: guardLaw{Step: func(b guard.State, op guard.Op, out guard.Out, a guard.State) law.Verdict {
		same := a.Whole == b.Whole && a.Part == b.Part
		if op.Kind != guard.Call || out.Error {
			return law.Check(same, "a call that ended %+v changes what is known from %+v to %+v", out, b, a)
		}
		grown := (a.Whole|a.Part)&^(b.Whole|b.Part) | a.Whole&^b.Whole
		blind := op.Tool == guard.Peek || op.Tool == guard.Edit && b.Whole&(1<<b.Disk) == 0
		return law.Check(grown&^(1<<a.Disk) == 0 && (!blind || a.Whole&^b.Whole == 0), "the call leads from %+v to %+v", b, a)
	}},
	StaleRefusesBoth: guardLaw{Step: func(b guard.State, op guard.Op, out guard.Out, _ guard.State) law.Verdict {
		if !changes(op) || b.Policy != guard.Fits || b.Disk == 0 || b.Whole|b.Part == 0 || (b.Whole|b.Part)&(1<<b.Disk) != 0 {
			return law.Idle
		}
		return law.Check(out.Denied && (out.SaysChanged || op.Marks != 0), "the file changed since it was seen, and the call ends %+v", out)
	}},
	PartialRefusesWrite: guardLaw{Step: func(b guard.State, op guard.Op, out guard.Out, _ guard.State) law.Verdict {
		if !changes(op) || b.Policy != guard.Fits || b.Disk == 0 || b.Part&(1<<b.Disk) == 0 || op.Marks != 0 {
			return law.Idle
		}
		return law.Check(out.Denied == (op.Tool == guard.Write), "a part of the file was seen (%v), and the call ends %+v", b.Knows() == call.Partial, out)
	}},
	RefusalIsAnErrorResult: guardLaw{Step: func(b guard.State, op guard.Op, out guard.Out, a guard.State) law.Verdict {
		if op.Kind != guard.Call || !out.Denied {
			return law.Idle
		}
		return law.Check(out.Error && a.Errors == b.Errors+1 && a.Disk == b.Disk, "the refused call ends %+v; from %+v to %+v", out, b, a)
	}},
	ReaderOfSecretDenied: guardLaw{Step: func(b guard.State, op guard.Op, out guard.Out, _ guard.State) law.Verdict {
		if op.Kind != guard.Call || b.Policy != guard.Fits || op.Marks&guard.Secret == 0 {
			return law.Idle
		}
		if op.Tool == guard.Stranger {
			return law.Check(out.Denied, "a tool that nobody knows reads a secret: %+v", out)
		}
		return law.Check(out.Rule != "secret-reader", "a tool of the roster is taken for a stranger: %+v", out)
	}},
}

// GuardBook lists the laws of the guard.
var GuardBook = law.Book[guard.State, guard.Op, guard.Out]("guard", &Guard)

// changes reports whether the call writes or edits the file.
func changes(op guard.Op) bool {
	return op.Kind == guard.Call && (op.Tool == guard.Write || op.Tool == guard.Edit)
}

// firstMark is the first of the marks that a rule denies for, in the rules' order; 0
// for none. A secret is nothing against a tool of the roster.
func firstMark(op guard.Op) guard.Marks {
	for m := guard.Failed; m < guard.End; m <<= 1 {
		if op.Marks&m != 0 && (m != guard.Secret || op.Tool == guard.Stranger) {
			return m
		}
	}
	return 0
}
