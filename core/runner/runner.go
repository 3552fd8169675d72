// Package runner is what a tool that runs code says of itself when it is registered
// (G4): what its code can do, and how the gate covers it.
package runner

import (
	"tenet/core/approvals"
	"tenet/core/call"
)

// Gate is how the gate covers the code that a tool runs. There is no member for "not at
// all", and the zero value is the narrow one: a runner that nothing gates cannot be
// written down.
type Gate uint8

// The gates.
const (
	EachStep Gate = iota // each step of the code is judged before it runs
	EachCall             // the code of a call is judged as one step
)

var gateNames = [...]string{"each step", "each call"}

// String names the gate.
func (g Gate) String() string { return gateNames[g] }

// Runner is the declaration. A tool without one runs no code of its own.
type Runner struct {
	// Caps is every effect that its code can have.
	Caps call.Effects
	Gate Gate
}

// Cell is what becomes of one call whose code is judged as one step.
type Cell struct {
	// Asks is true when the call needs an answer first, Runs when it runs.
	Asks, Runs bool
}

// Cell judges a call by the auto set in force and by how its question ended. With
// everything the code can do in the auto set the question is not asked; else only a yes
// lets it run: a denial, silence and an absent client are the same.
func (r Runner) Cell(auto call.Effects, answer approvals.Fate) Cell {
	if approvals.Unasked(auto, r.Caps) {
		return Cell{Runs: true}
	}
	return Cell{Asks: true, Runs: answer == approvals.Approved}
}
