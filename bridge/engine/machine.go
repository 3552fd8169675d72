// Package engine runs laws: on every state of a model, on random histories, on
// bytes, on schedules and crash points, and on production beside the model. The
// engines take no *testing.T: tests wrap them, and the shipped binary runs them.
package engine

import (
	"fmt"
	"iter"
	"strings"

	"tenet/laws/law"
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
}

// Premises is how often each law's premise held, by the law's catalogue name.
type Premises map[string]int

// judgement is a law that broke on an observation.
type judgement struct {
	Law string
	Err error
}

// judgeState judges the state laws on one state.
func judgeState[S, O, R any](book []law.Law[S, O, R], n Premises, s S) *judgement {
	for _, l := range book {
		if l.State == nil {
			continue
		}
		if j := count(l.Info, n, l.State(s)); j != nil {
			return j
		}
	}
	return nil
}

// judgeStep judges every law of one step: the step laws, the ranks and the laws of
// a function.
func judgeStep[S, O, R any](book []law.Law[S, O, R], n Premises, b S, op O, out R, a S) *judgement {
	for _, l := range book {
		var v law.Verdict
		switch {
		case l.Step != nil:
			v = l.Step(b, op, out, a)
		case l.Rank != nil:
			v = l.Rank(b, op, out, a)
		case l.Func != nil:
			v = l.Func(op, out)
		default:
			continue
		}
		if j := count(l.Info, n, v); j != nil {
			return j
		}
	}
	return nil
}

func count(l law.Info, n Premises, v law.Verdict) *judgement {
	if v.Applies {
		n[l.ID]++
	}
	if v.Err != nil {
		return &judgement{Law: l.ID, Err: v.Err}
	}
	return nil
}

// Unapplied lists the laws whose premise never held: about them a run says nothing.
func Unapplied[S, O, R any](book []law.Law[S, O, R], n Premises) []string {
	var out []string
	for _, l := range book {
		if n[l.ID] == 0 {
			out = append(out, l.ID)
		}
	}
	return out
}

// Failure is a law that broke, with the shortest run to it.
type Failure struct {
	Law   string
	Err   error
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
