package approvals

import "tenet/core/call"

// Hop is what a session does with a question that reaches it.
type Hop uint8

// The hops.
const (
	Show Hop = iota // its interactive clients get it, and it waits for them
	Rule            // the gateway rule answers at once
	Hand            // its parent gets it
	Hold            // a patient question waits at the root for a client to come
	End             // nobody in the whole chain answers: it is unanswered
)

var hopNames = [...]string{"show", "rule", "hand", "hold", "end"}

// String names the hop.
func (h Hop) String() string { return hopNames[h] }

// Clients counts who is attached to a session.
type Clients struct{ Interactive, Gateway int }

// Next is the route of a question at one session (G5). It is asked again whenever the
// last interactive client left without an answer, so that such a question goes where
// it would have gone without them.
func Next(c Clients, root, patient bool) Hop {
	switch {
	case c.Interactive > 0:
		return Show
	case c.Gateway > 0:
		return Rule
	case !root:
		return Hand
	case patient:
		return Hold
	default:
		return End
	}
}

// Guarded is what the gateway rule never lets through: nobody has seen the step, and
// it would open a secret or change what decides over tenet, git or a program's name.
const Guarded = call.Effects(1<<call.Protected | 1<<call.Secret)

// ByGateway is the gateway rule: a protected write and a secret access are refused,
// the rest runs. A protected write is the only step with the effect protected.
func ByGateway(effects call.Effects) Verdict {
	if effects&Guarded != 0 {
		return Verdict{Fate: GatewayRefused, Cause: Ruled}
	}
	return Verdict{Fate: Approved, Cause: Ruled, Choice: AllowOnce}
}

// Auto is the auto set in force: the user's own where one is set, else every effect
// but secret. A secret in the user's set counts for nothing: the set may come from a
// file that nothing checked.
func Auto(named call.Effects, set bool) call.Effects {
	if !set {
		return call.Grantable
	}
	return named & call.Grantable
}

// Unasked reports whether effects run without a question under the auto set in force.
// Secret never does, whatever the set says (law never_auto_is_routed).
func Unasked(auto, effects call.Effects) bool { return effects.Within(auto & call.Grantable) }
