package laws

import (
	"tenet/core/gate"
	"tenet/laws/law"
	"tenet/models/turn"
)

// Bypass: nothing runs but what was allowed, and an allow is of one thing (seed 4 §7).
var Bypass = struct {
	// GrantIsExact: allow once covers exactly one call: that very step runs once, nothing else runs with it, and nothing is allowed afterwards that was not before.
	GrantIsExact turnLaw `law:"grant_is_exact" rule:"2/7.7"`
	// NoBypass: no tool runs without a recorded approval of that very call: an allow, or a yes to what runs, and only after it.
	NoBypass turnLaw `law:"no_bypass" rule:"2/7.1"`
}{
	GrantIsExact: turnLaw{Step: func(b turn.State, op turn.Op, out turn.Out, a turn.State) law.Verdict {
		c := b.Call
		switch {
		case op.Kind == turn.Answer && op.Answer == gate.AllowOnce:
			return law.Check(a.Granted == b.Granted && a.Standing == b.Standing, "once to %v left %b and %b, before %b and %b", c.Subject, a.Granted, a.Standing, b.Granted, b.Standing)
		case op.Kind != turn.Go || c.Answer != gate.AllowOnce:
			return law.Idle
		case c.Script.Phase != gate.Ready:
			return law.Check(!out.Ran && a.Call.Script.Ran == c.Script.Ran, "%v ran again: %+v", op, a.Call)
		case op.Subject == c.Subject && answersWhatIs(b):
			return law.Check(out.Ran && a.Call.Script.Ran == 1, "the call that was allowed did not run once: %+v", a.Call)
		case op.Subject == c.Subject:
			return law.Idle // what changed after the yes is for digest_spends_answer
		}
		return law.Check(out.Ran == unaskedCall(b, op.Subject, op.Version, c.Elsewhere), "%v with a yes to %v: ran %v", op, c.Subject, out.Ran)
	}},
	NoBypass: turnLaw{Step: func(b turn.State, op turn.Op, out turn.Out, a turn.State) law.Verdict {
		switch op.Kind {
		case turn.Go:
			return law.Check(!out.Ran || approved(b, op), "%v ran after %+v", op, b.Call)
		case turn.Make:
			free := a.Call.Script.Phase == gate.Ready
			return law.Check(!out.Ran && free == unaskedCall(b, op.Subject, op.Version, op.Elsewhere), "%v: %+v, %+v", op, out, a.Call)
		case turn.Answer:
			return law.Check(!out.Ran && (saysYes(op.Answer) || a.Call.Script.Phase == gate.Refused && a.Call.Answer == op.Answer), "%v: %+v, %+v", op, out, a.Call)
		case turn.Change, turn.Neighbor, turn.Forget, turn.Renew, turn.Resume:
		}
		return law.Check(!out.Ran, "something ran at %v", op)
	}},
}

// approved is true when what the tool goes on with is allowed in its session, or is what
// the recorded yes is about and does no more than was shown.
func approved(b turn.State, op turn.Op) bool {
	c := b.Call
	switch {
	case c.Script.Phase != gate.Ready || c.Verdict == gate.Deny || c.Verdict == gate.Ask && !saysYes(c.Answer):
		return false
	case unaskedCall(b, op.Subject, op.Version, c.Elsewhere):
		return true
	}
	same := op.Subject == c.Subject && saysYes(c.Answer)
	return same && (op.Version == c.Shown || !op.Subject.Edits() && op.Version < c.Shown)
}

// BypassBook lists them.
var BypassBook = law.Book[turn.State, turn.Op, turn.Out]("permission", &Bypass)
