// Package run closes core/turn with its adversary: a model, a provider and a
// person who may do anything at any time (H4).
package run

import (
	"iter"

	"tenet/core/turn"
)

// Limits are the production limits, at which the model is searched whole.
var Limits = turn.Config{Rounds: turn.DefaultRounds, Retries: turn.DefaultRetries}

// Step is core's own rule: the relation is same.
func Step(s turn.State, in turn.Input) (turn.State, turn.Act) { return Limits.Step(s, in) }

// Ops is everything that can happen: each reply, each failure, each person's act.
func Ops(turn.State) iter.Seq[turn.Input] {
	return func(yield func(turn.Input) bool) {
		for _, in := range inputs {
			if !yield(in) {
				return
			}
		}
	}
}

var inputs = every()

func every() (out []turn.Input) {
	for _, k := range []turn.Kind{turn.Sent, turn.RoundDone, turn.Abort, turn.Break} {
		out = append(out, turn.Input{Kind: k})
	}
	for bits := range 8 {
		out = append(out, turn.Input{Kind: turn.Replied, Text: bits&1 != 0, Calls: bits&2 != 0, Length: bits&4 != 0})
	}
	return append(out, turn.Input{Kind: turn.Failure}, turn.Input{Kind: turn.Failure, Transient: true})
}

// Measure falls with every live input that moves the turn: rounds left, then
// retries left, then the phase, as one number. At the start it is Bound: a run
// has ended after so many inputs (law run_ends).
func Measure(s turn.State) int {
	if s.Phase == turn.Over {
		return 0
	}
	rounds := int(Limits.Cap()) - int(s.Rounds)
	retries := int(Limits.Retries) - int(s.Retries)
	phase := map[turn.Phase]int{turn.Preparing: 3, turn.Calling: 2, turn.Tooling: 1}[s.Phase]
	return (rounds*(int(Limits.Retries)+2)+retries)*3 + phase
}

// Bound is the measure of a new turn.
var Bound = Measure(turn.State{})
