package laws

import (
	"strings"

	"tenet/core/gate"
	core "tenet/core/pathpolicy"
	"tenet/laws/law"
	"tenet/models/pathpolicy"
	"tenet/models/turn"
)

type (
	turnLaw  = law.Law[turn.State, turn.Op, turn.Out]
	reachLaw = law.Law[pathpolicy.World, turn.Named, turn.Reached]
)

// Turn: what an answer to a question of a turn is worth (seed 5).
var Turn = struct {
	// AllowSessionIsExact: a session allow covers one exact path or argv of one session: it alone runs unasked there, in no other session and not in the next, and never what touches a secret.
	AllowSessionIsExact turnLaw `law:"allow_session_is_exact" rule:"3"`
	// DigestSpendsAnswer: an answer about bytes that changed is spent, with the allow that came with it: nothing runs, and the call asks again with the new diff.
	DigestSpendsAnswer turnLaw `law:"digest_spends_answer" rule:"3"`
}{
	AllowSessionIsExact: turnLaw{Step: func(b turn.State, op turn.Op, out turn.Out, a turn.State) law.Verdict {
		switch op.Kind {
		case turn.Make:
			if op.Subject == turn.List || op.Subject == turn.Push || b.Standing.Has(op.Subject) {
				return law.Idle
			}
			unasked := unaskedCall(b, op.Subject, op.Version, op.Elsewhere)
			return law.Check(out.Asked == !unasked, "%v with %b allowed: asked %v", op, b.Granted, out.Asked)
		case turn.Answer:
			want := b.Granted
			if op.Answer == gate.AllowSession && answersWhatIs(b) && !b.Call.Subject.Secret(b.Call.Shown) {
				want = want.With(b.Call.Subject)
			}
			return law.Check(a.Granted == want, "%v to %v: %b allowed, then %b", op, b.Call.Subject, b.Granted, a.Granted)
		case turn.Renew:
			return law.Check(a.Granted == 0, "a new session begins with %b", a.Granted)
		case turn.Resume, turn.Change, turn.Neighbor, turn.Go, turn.Forget:
		}
		return law.Check(a.Granted == b.Granted, "%v made %b out of %b", op, a.Granted, b.Granted)
	}},
	DigestSpendsAnswer: turnLaw{Step: func(b turn.State, op turn.Op, out turn.Out, a turn.State) law.Verdict {
		c := b.Call
		switch {
		case op.Kind == turn.Answer && saysYes(op.Answer) && answersWhatIs(b):
			ok := saysYes(a.Call.Answer) && a.Call.Script.Phase == gate.Ready && a.Call.Script.Spent == c.Script.Spent
			return law.Check(ok, "a yes to what stands there led to %+v", a.Call)
		case op.Kind == turn.Answer && saysYes(op.Answer):
			ok := a.Granted == b.Granted && a.Standing == b.Standing && a.Call.Script.Spent == c.Script.Spent+1 &&
				a.Call.Script.Ran == 0 && a.Call.Shown == c.Now && a.Call.Answer == gate.Unanswered &&
				out.Asked == !unaskedCall(b, c.Subject, c.Now, c.Elsewhere) && out.Fresh == out.Asked
			return law.Check(ok, "%v to what changed led to %+v, %+v", op, out, a)
		case op.Kind == turn.Go && saysYes(c.Answer) && op.Subject == c.Subject && c.Subject.Edits() && c.Shown != c.Now:
			return law.Check(!out.Ran, "an edit of other bytes than the shown ones ran: %+v", c)
		}
		return law.Idle
	}},
}

// answersWhatIs is true when the open question shows what stands there now.
func answersWhatIs(s turn.State) bool { return s.Call.Shown == s.Call.Now }

// saysYes is true for the three ways to say yes.
func saysYes(a gate.Answer) bool {
	return a == gate.AllowOnce || a == gate.AllowSession || a == gate.AllowAlways
}

// unaskedCall says of what a person may let run unasked in a session whether it does.
func unaskedCall(s turn.State, of turn.Subject, v turn.Version, elsewhere bool) bool {
	switch {
	case of == turn.Push || of.Secret(v):
		return false
	case of == turn.List || s.Standing.Has(of):
		return true
	}
	return s.Granted.Has(of) && !elsewhere
}

// TurnBook lists them.
var TurnBook = law.Book[turn.State, turn.Op, turn.Out]("turn", &Turn)

// TurnReach: what leads out of the workspace does so because the call says so (seed 5).
var TurnReach = struct {
	// PathReachIsDeliberate: a path that leaves the workspace is refused when its name stands in the workspace, by link or dots, and so is a circle of links; an absolute path elsewhere is deliberate, and goes on to the gate.
	PathReachIsDeliberate reachLaw `law:"path_reach_is_deliberate" rule:"3"`
}{
	PathReachIsDeliberate: reachLaw{Func: func(op turn.Named, out turn.Reached) law.Verdict {
		if op.Bend {
			return law.Idle
		}
		asked := turn.Paths[op.Path]
		want := core.Escapes
		switch {
		case out.Real.Looped:
			want = core.Looped
		case out.Real.Path == out.Root || strings.HasPrefix(out.Real.Path, out.Root+"/"):
			want = core.Within
		case asked.Elsewhere:
			want = core.Deliberate
		}
		return law.Check(out.Reach == want, "%s leads to %s: %v, want %v", asked.Path, out.Real.Path, out.Reach, want)
	}},
}

// TurnReachBook lists it.
var TurnReachBook = law.Book[pathpolicy.World, turn.Named, turn.Reached]("turn", &TurnReach)
