// Package wait closes the decision of core/wait with its adversary: any deadline, and
// any looks in any order, at which anything may be there at once and any time may
// have passed. The relation is same: the step below asks core and adds only what
// the laws measure it by, the time that really passed.
package wait

import (
	"iter"
	"time"

	core "tenet/core/wait"
)

// Longest is the longest deadline of the model, in ticks of one nanosecond.
const Longest = 12

// State is a wait with the adversary's own clock beside it.
type State struct {
	// Begun is false before the first operation.
	Begun bool
	// Deadline is what the wait began with: 0 is none, below 0 had passed already.
	Deadline time.Duration
	// Elapsed is the time since the begin, counted while a deadline can end the wait.
	Elapsed time.Duration
	// Wait is core's state.
	Wait core.Wait
}

// Op is one look; the first of a run begins the wait.
type Op struct {
	// Begin is true for the look that begins the wait: what is there then was there
	// before the wait.
	Begin bool
	// Deadline is what a wait begins with.
	Deadline time.Duration
	// Seen is what the look finds.
	Seen core.Seen
}

// Step asks core and counts the time.
func (s State) Step(op Op) (State, core.End) {
	if op.Begin {
		s = State{Begun: true, Deadline: op.Deadline, Wait: core.Begin(op.Deadline)}
	}
	s.Wait = s.Wait.Look(op.Seen)
	switch {
	case s.Wait.End != core.Waiting:
		s.Elapsed = 0
	case s.Deadline != 0:
		s.Elapsed += op.Seen.Passed
	}
	return s, s.Wait.End
}

// Passes are the times that may pass between two looks: none, a tick, some, and more
// than any deadline, as when a machine slept.
var Passes = [...]time.Duration{0, 1, 5, 2 * Longest}

// Ops lists what may happen next.
func Ops(s State) iter.Seq[Op] {
	if !s.Begun {
		return begins
	}
	return looks
}

func begins(yield func(Op) bool) {
	for d := time.Duration(-1); d <= Longest; d++ {
		for _, seen := range finds(0) {
			if !yield(Op{Begin: true, Deadline: d, Seen: seen}) {
				return
			}
		}
	}
}

func looks(yield func(Op) bool) {
	for _, passed := range Passes {
		for _, seen := range finds(passed) {
			if !yield(Op{Seen: seen}) {
				return
			}
		}
	}
}

// finds is all that a look may find after a time.
func finds(passed time.Duration) [4]core.Seen {
	return [...]core.Seen{
		{Passed: passed},
		{Passed: passed, Event: true},
		{Passed: passed, Cancel: true},
		{Passed: passed, Event: true, Cancel: true},
	}
}
