package laws

import (
	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/laws/law"
	"tenet/models/approvals"
)

type routeLaw = law.Law[struct{}, approvals.Asked, approvals.Fared]

// Approvals: the route of a question up a chain of sessions (G5).
var Approvals = struct {
	// ChildAnsweredByRoot: when no session below the root answers, the root's clients get the question and their answer is the verdict.
	ChildAnsweredByRoot routeLaw `law:"child_answered_by_root" rule:"G5"`
	// NearestAnswerWins: the first session up the chain whose clients answer decides, and nothing above it is asked.
	NearestAnswerWins routeLaw `law:"nearest_answer_wins" rule:"G5"`
	// UnansweredOnlyWhenQuiet: a question is unanswered only if no session of the chain answers.
	UnansweredOnlyWhenQuiet routeLaw `law:"unanswered_only_when_quiet" rule:"G5"`
	// QuietIsUnanswered: when no session of the chain answers, the question is unanswered; no session invents an answer.
	QuietIsUnanswered routeLaw `law:"quiet_is_unanswered" rule:"G5"`
	// GatewayNeverWaits: a session with only a gateway sends no frame, asks nothing up the chain and answers at once by its rule.
	GatewayNeverWaits routeLaw `law:"gateway_never_waits" rule:"G5"`
	// GatewayRefusesProtected: the gateway rule refuses a protected write.
	GatewayRefusesProtected routeLaw `law:"gateway_refuses_protected" rule:"G5"`
	// GatewayRefusesSecret: the gateway rule refuses an access to a secret.
	GatewayRefusesSecret routeLaw `law:"gateway_refuses_secret" rule:"G5"`
	// GatewayRunsTheRest: the gateway rule runs every other step.
	GatewayRunsTheRest routeLaw `law:"gateway_runs_the_rest" rule:"G5"`
	// LeftToTheGateway: when the clients of a session leave a question unanswered and a gateway stays, the gateway rule answers it, not the chain above.
	LeftToTheGateway routeLaw `law:"left_to_the_gateway" rule:"G5"`
	// GatewayRulesASubagent: a subagent's question that reaches a session with only a gateway fares as that session's own step.
	GatewayRulesASubagent routeLaw `law:"gateway_rules_a_subagent" rule:"G5"`
	// DefaultAutoIsGrantable: without a user's setting the auto set is every effect but secret.
	DefaultAutoIsGrantable routeLaw `law:"default_auto_is_grantable" rule:"G5"`
	// NeverAutoIsRouted: a step that touches a secret never runs through the auto set; its question takes the route.
	NeverAutoIsRouted routeLaw `law:"never_auto_is_routed" rule:"G5"`
	// NeverAutoAsksTheClient: for such a step a client that answers is asked, and its answer decides.
	NeverAutoAsksTheClient routeLaw `law:"never_auto_asks_the_client" rule:"G5"`
	// OutsideRunsOnlyByTheGateway: with only a gateway and an auto set without outside, a write outside that is neither protected nor secret runs, and only by the gateway rule.
	OutsideRunsOnlyByTheGateway routeLaw `law:"outside_runs_only_by_the_gateway" rule:"G5"`
	// GuardedRefusedFromThePhone: with only a gateway, an access to a secret is refused at once under any auto set.
	GuardedRefusedFromThePhone routeLaw `law:"guarded_refused_from_the_phone" rule:"G5"`
}{
	ChildAnsweredByRoot: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		at, top := speaker(a), int(a.Len)-1
		yes, answers := a.Seats[top].Says()
		if f.Unasked || a.Len < 2 || at != top || !answers {
			return law.Idle
		}
		named := f.Shown&(1<<top) != 0 && f.Named&(1<<top) != 0
		return law.Check(named && answered(f, yes), "the root says %v to %+v: %+v", yes, a, f)
	}},
	NearestAnswerWins: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		at := speaker(a)
		if f.Unasked || at < 0 {
			return law.Idle
		}
		yes, answers := a.Seats[at].Says()
		if !answers {
			return law.Idle
		}
		return law.Check(answered(f, yes) && f.Reached == 1<<(at+1)-1, "session %d says %v to %+v: %+v", at, yes, a, f)
	}},
	UnansweredOnlyWhenQuiet: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		if f.Fate != core.Unanswered {
			return law.Idle
		}
		return law.Check(speaker(a) < 0, "session %d decides %+v: %+v", speaker(a), a, f)
	}},
	QuietIsUnanswered: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		if f.Unasked || speaker(a) >= 0 {
			return law.Idle
		}
		return law.Check(f.Fate == core.Unanswered && f.Cause == core.Quiet && f.Reached == 1<<a.Len-1, "nobody answers %+v: %+v", a, f)
	}},
	GatewayNeverWaits: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		at := speaker(a)
		if f.Unasked || at < 0 || a.Seats[at] != approvals.Phone {
			return law.Idle
		}
		ok := f.Shown&(1<<at) == 0 && f.Reached == 1<<(at+1)-1 && f.Cause == core.Ruled
		return law.Check(ok, "the phone of session %d rules %+v: %+v", at, a, f)
	}},
	GatewayRefusesProtected: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		if f.Unasked || !ruled(a) || !a.Effects.Has(call.Protected) {
			return law.Idle
		}
		return law.Check(f.Fate == core.GatewayRefused, "%+v: %+v", a, f)
	}},
	GatewayRefusesSecret: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		if f.Unasked || !ruled(a) || !a.Effects.Has(call.Secret) {
			return law.Idle
		}
		return law.Check(f.Fate == core.GatewayRefused, "%+v: %+v", a, f)
	}},
	GatewayRunsTheRest: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		if f.Unasked || !ruled(a) || guarded(a.Effects) {
			return law.Idle
		}
		return law.Check(f.Fate == core.Approved && f.Cause == core.Ruled, "%+v: %+v", a, f)
	}},
	LeftToTheGateway: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		at := speaker(a)
		if f.Unasked || at < 0 || a.Seats[at] != approvals.LeavesPhone {
			return law.Idle
		}
		ok := f.Shown&(1<<at) != 0 && f.Cause == core.Ruled && f.Reached == 1<<(at+1)-1
		return law.Check(ok, "the clients of session %d left, its gateway stayed: %+v: %+v", at, a, f)
	}},
	GatewayRulesASubagent: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		at := speaker(a)
		if f.Unasked || at < 1 || a.Seats[at] != approvals.Phone {
			return law.Idle
		}
		own := core.Approved
		if guarded(a.Effects) {
			own = core.GatewayRefused
		}
		return law.Check(f.Fate == own && f.Cause == core.Ruled, "session %d would end its own step as %v: %+v: %+v", at, own, a, f)
	}},
	DefaultAutoIsGrantable: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		if a.Set {
			return law.Idle
		}
		return law.Check(f.Unasked == !a.Effects.Has(call.Secret), "%v without a setting: %+v", a.Effects, f)
	}},
	NeverAutoIsRouted: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		if !a.Effects.Has(call.Secret) {
			return law.Idle
		}
		return law.Check(!f.Unasked && f.Reached&1 != 0, "%v under %v: %+v", a.Effects, a.Auto, f)
	}},
	NeverAutoAsksTheClient: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		at := speaker(a)
		if !a.Effects.Has(call.Secret) || at < 0 {
			return law.Idle
		}
		yes, answers := a.Seats[at].Says()
		if !answers {
			return law.Idle
		}
		return law.Check(f.Shown&(1<<at) != 0 && answered(f, yes), "session %d says %v to %+v: %+v", at, yes, a, f)
	}},
	OutsideRunsOnlyByTheGateway: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		outside := a.Effects.Has(call.Outside) && !guarded(a.Effects) && a.Set && !a.Auto.Has(call.Outside)
		if !outside || !phoneOnly(a) {
			return law.Idle
		}
		return law.Check(!f.Unasked && f.Fate == core.Approved && f.Cause == core.Ruled && f.Shown == 0, "%+v: %+v", a, f)
	}},
	GuardedRefusedFromThePhone: routeLaw{Func: func(a approvals.Asked, f approvals.Fared) law.Verdict {
		if !a.Effects.Has(call.Secret) || !phoneOnly(a) {
			return law.Idle
		}
		return law.Check(!f.Unasked && f.Fate == core.GatewayRefused && f.Shown == 0, "%+v: %+v", a, f)
	}},
}

// speaker is the first session of the chain that decides anything; -1 when all are
// quiet.
func speaker(a approvals.Asked) int {
	for i, seat := range a.Seats[:a.Len] {
		if !seat.Quiet() {
			return i
		}
	}
	return -1
}

// ruled is true when the gateway rule of some session decides.
func ruled(a approvals.Asked) bool {
	at := speaker(a)
	return at >= 0 && (a.Seats[at] == approvals.Phone || a.Seats[at] == approvals.LeavesPhone)
}

// phoneOnly is true when the first session with anybody at all has a gateway only.
func phoneOnly(a approvals.Asked) bool {
	for _, seat := range a.Seats[:a.Len] {
		if seat != approvals.Empty {
			return seat == approvals.Phone
		}
	}
	return false
}

func guarded(e call.Effects) bool { return e.Has(call.Protected) || e.Has(call.Secret) }

// answered is true when a client's yes or no is the verdict.
func answered(f approvals.Fared, yes bool) bool {
	return f.Cause == core.Answered && (f.Fate == core.Approved) == yes && (f.Fate == core.Denied) == !yes
}

// ApprovalsBook lists the laws of the route.
var ApprovalsBook = law.Book[struct{}, approvals.Asked, approvals.Fared]("approvals", &Approvals)
