package gate

import (
	"tenet/core/call"
	"tenet/core/floor"
	"tenet/core/guard"
)

// FloorPlace is where the floor finds the root and the home directory.
type FloorPlace = floor.Place

// GuardPolicy is what the guard goes by.
type GuardPolicy = guard.Policy

// floor denies what no configuration allows (law floor_unbypassable).
func (p *Policy) floor(s call.Step) (Decision, bool) {
	rule, why, hit := floor.Check(p.Floor, s)
	if !hit {
		return Decision{}, false
	}
	return Decision{Verdict: Deny, Stage: Floor, Rule: Ref{Name: rule, Source: "floor"}, Law: "floor_unbypassable", Over: s.Effects, Why: why,
		Next: "This cannot be allowed by configuration. Choose another way, or ask the user to do it outside tenet."}, true
}

// guard denies by the first of its rules that blocks (law first_block_wins).
func (p *Policy) guard(tool string, s call.Step) (Decision, bool) {
	b, blocked := guard.Check(p.Guard, tool, s)
	if !blocked {
		return Decision{}, false
	}
	return Decision{Verdict: Deny, Stage: Guard, Rule: Ref{Name: b.Rule, Source: "guard"}, Law: "first_block_wins", Over: s.Effects, Why: b.Why, Next: b.Next}, true
}
