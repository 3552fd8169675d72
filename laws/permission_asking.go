package laws

import (
	core "tenet/core/approvals"
	"tenet/laws/law"
	"tenet/models/approvals"
)

// Asking: what a question does to its call and to the others (seed 4 §4.4, §5.2).
var Asking = struct {
	// OnePanelPerCall: one call never makes more than one question: while one is open a second is refused and nobody sees it, and no question is before the clients of two sessions.
	OnePanelPerCall askingLaw `law:"one_panel_per_call" rule:"2/4.4"`
	// SilenceIsNotConsent: no passage of time allows a call: it is allowed only by the yes of a client that has the question, by a grant that covers it, or by the gateway rule where only gateways are left.
	SilenceIsNotConsent askingLaw `law:"silence_is_not_consent" rule:"2/5.2"`
	// PendingSurvivesRestart: an unanswered question is asked again after a restart: it waits for the first client of its chain, and no settled one comes back.
	PendingSurvivesRestart askingLaw `law:"pending_survives_restart" rule:"2/5.2"`
	// DenySettlesTurnSiblings: a denial denies the other pending questions of the turn; an always grant settles those it covers, a session's grant those of its session, and neither one about a secret.
	DenySettlesTurnSiblings askingLaw `law:"deny_settles_turn_siblings" rule:"2/5.2"`
}{
	OnePanelPerCall: askingLaw{Step: func(b approvals.State, op approvals.Op, out approvals.Out, a approvals.State) law.Verdict {
		if op.Kind == approvals.AskAgain {
			return law.Check(out.Refused && a == b, "a second question about an open call: %+v, %+v", out, a)
		}
		v := law.Idle
		for q := range a.Places {
			var at [approvals.Sessions]bool
			n := 0
			for c, has := range a.Has {
				if s := approvals.Home[c]; has&(1<<q) != 0 && !at[s] {
					at[s] = true
					n++
				}
			}
			if n > 0 {
				v = law.Holds
			}
			if n > 1 {
				return law.Broken("question %d is before the clients of %d sessions", q, n)
			}
		}
		return v
	}},
	SilenceIsNotConsent: askingLaw{Step: func(b approvals.State, op approvals.Op, out approvals.Out, a approvals.State) law.Verdict {
		if op.Kind == approvals.Tick {
			return law.Check(out == approvals.Out{} && a == b, "time passed over %+v: %+v, %+v", b, out, a)
		}
		v := law.Idle
		for q, e := range out.Ended {
			if !e.Ended || e.Fate != core.Approved {
				continue
			}
			v = law.Holds
			if !consent(b, op, q, e) && !rule(a, q, e) {
				return law.Broken("question %d was allowed by %+v in %+v: %+v", q, op, b, e)
			}
		}
		return v
	}},
	PendingSurvivesRestart: askingLaw{Step: func(b approvals.State, op approvals.Op, out approvals.Out, a approvals.State) law.Verdict {
		if op.Kind != approvals.Restart {
			return law.Idle
		}
		v := law.Idle
		for q, p := range b.Places {
			open := p < approvals.Sessions || p == approvals.Held
			if open || p == approvals.Ended {
				v = law.Holds
			}
			if now := a.Places[q]; open && now != approvals.Held || !open && now != p {
				return law.Broken("question %d was at %d and is at %d after a restart", q, p, now)
			}
		}
		if out.Ended != [approvals.Questions]approvals.Verdict{} {
			return law.Broken("a restart gave a verdict: %+v", out)
		}
		return v
	}},
	DenySettlesTurnSiblings: askingLaw{Step: func(b approvals.State, op approvals.Op, out approvals.Out, a approvals.State) law.Verdict {
		if op.Kind != approvals.Answer || out.Outcome != core.Taken {
			return law.Idle
		}
		v := law.Idle
		for q, p := range b.Places {
			if p >= approvals.Sessions && p != approvals.Held || q == int(op.Question) {
				continue
			}
			v = law.Holds
			want, ends := sibling(b, op, q)
			if got := out.Ended[q]; got.Ended != ends || ends && got.Fate != want {
				return law.Broken("%+v leaves question %d of %+v as %+v", op, q, b, got)
			}
		}
		return v
	}},
}

// consent is true when the yes of a client that has the question is what allowed it,
// or a grant for another question that reaches this one.
func consent(b approvals.State, op approvals.Op, q int, e approvals.Verdict) bool {
	said := op.Kind == approvals.Answer && op.Choice != core.Deny && !op.Foreign && e.By == op.Client+1
	if !said || b.Has[op.Client]&(1<<op.Question) == 0 {
		return false
	}
	return int(op.Question) == q || op.Covers && !approvals.Secret[q]
}

// rule is true when the gateway rule may have allowed the question: a session that
// it passes has a gateway and nobody who looks, and it touches no secret.
func rule(a approvals.State, q int, e approvals.Verdict) bool {
	if e.Cause != core.Ruled || e.By != 0 || approvals.Secret[q] {
		return false
	}
	var looks, phone [approvals.Sessions]bool
	for c, is := range a.Clients {
		looks[approvals.Home[c]] = looks[approvals.Home[c]] || is == approvals.Looks
		phone[approvals.Home[c]] = phone[approvals.Home[c]] || is == approvals.OnlyGateway
	}
	for s := int(approvals.Origin[q]); s < approvals.Sessions; s++ {
		if phone[s] && !looks[s] {
			return true
		}
	}
	return false
}

// sibling says how another open question ends with the one that was answered.
func sibling(b approvals.State, op approvals.Op, q int) (core.Fate, bool) {
	session := approvals.Origin[q] == approvals.Origin[op.Question]
	switch op.Choice {
	case core.Deny:
		return core.Denied, session && !b.Later
	case core.AllowSession:
		return core.Approved, op.Covers && session && !approvals.Secret[q]
	case core.AllowAlways:
		return core.Approved, op.Covers && !approvals.Secret[q]
	case core.AllowOnce:
	}
	return core.Unanswered, false
}

// AskingBook lists them.
var AskingBook = law.Book[approvals.State, approvals.Op, approvals.Out]("permission", &Asking)
