// Package engine runs laws: on every state of a model, on every short history, on
// random histories, on bytes, and on production beside the model. The engines take
// no *testing.T: tests wrap them, and the shipped binary runs them. What needs the
// testing machinery (virtual time, schedules, linearizability, rapid) is in the
// package trial, and what a crash may leave behind is in the package crash, so that
// a binary links only what it runs.
//
// One area of the law files is tied in four short moves, which bridge/area_lease.go
// shows: a Machine over the model's State, Op and Step; Exhaust of that machine; a
// System that speaks the model's operations to production and shows production's
// state in the model's terms; Drive of both from a Source.
package engine

import (
	"fmt"
	"iter"
	"strings"
)

// Machine is the pure side: a comparable state and a total step. A pure function
// is a machine with one state whose operations are its inputs.
type Machine[S comparable, O, R any] struct {
	// Init is the only state a run starts in.
	Init S
	// Step is the whole rule: it never panics and never refuses an operation that
	// Ops lists.
	Step func(S, O) (S, R)
	// Ops lists what may happen next, always in the same order.
	Ops func(S) iter.Seq[O]
	// Progress says which law promises that the machine comes to rest; nil when
	// none does.
	Progress *Progress[S, O]
}

// Progress ties a law of kind rank to the machine it is about. Exhaust then shows
// liveness: in every state that is not Done the system has a step of its own, and
// the law judges (so: lowers its measure on) each such step. Together: with the
// adversary quiet, the system is done after as many steps as the measure says.
type Progress[S comparable, O any] struct {
	// Law is the catalogue's name of the rank law.
	Law string
	// System reports whether the step is the system's own, not the adversary's.
	System func(S, O) bool
	// Done reports whether nothing is left to do.
	Done func(S) bool
}

// Failure is a law that broke, with the run to it: a shortest one when Exhaust
// found it.
type Failure struct {
	// Law is the catalogue's name; "model" when production and the model differ.
	Law string
	// Err says what was seen.
	Err error
	// Steps is the run, one operation with its answer and state a line.
	Steps []string
}

// Error names the law, says what was seen and lists the run.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "law %s: %v", f.Law, f.Err)
	for i, s := range f.Steps {
		fmt.Fprintf(&b, "\n  %3d  %s", i, s)
	}
	return b.String()
}

// Unwrap is what was seen.
func (f *Failure) Unwrap() error { return f.Err }

func show[S, O, R any](op O, out R, to S) string {
	return fmt.Sprintf("%+v -> %+v => %+v", op, out, to)
}
