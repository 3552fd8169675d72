package engine

import (
	"errors"
	"fmt"

	"tenet/laws/law"
)

// MaxStates is the most states a model may have in CI. A search that would pass it
// fails: a truncated search proves nothing.
const MaxStates = 1_000_000

// ErrTruncated is returned when a model has more than MaxStates states.
var ErrTruncated = errors.New("the model has more states than the engine searches; bound the model, not the search")

// Report is what an exhaustive search saw. Its counts are pinned: a model that
// shrinks is a lie.
type Report struct {
	// States is the number of distinct reachable states.
	States int
	// Steps is the number of operations tried, over all states.
	Steps int
	// Depth is the length of the longest shortest run.
	Depth int
	// Premises is how often each law's premise held.
	Premises Premises
}

// String is the report as a log line.
func (r Report) String() string {
	return fmt.Sprintf("%d states, %d steps, depth %d; %v", r.States, r.Steps, r.Depth, r.Premises)
}

// Exhaust visits every reachable state breadth first and judges every law on every
// state and every step, the pairs of a function and the Progress of the machine
// included; the laws of whole histories are for Histories. The error is a *Failure
// with a shortest run, or ErrTruncated.
//
// States are told apart by ==, never up to symmetry: with renamed clients merged, a
// mutant that confuses two clients is not seen.
func Exhaust[S comparable, O, R any](m Machine[S, O, R], book []law.Law[S, O, R]) (Report, error) {
	w := &search[S, O, R]{m: m, panel: newPanel(book), seen: newIndex[S](), rank: -1}
	for i, l := range book {
		if m.Progress != nil && l.ID == m.Progress.Law {
			w.rank = i
		}
	}
	err := w.run()
	w.rep.States = len(w.states)
	w.rep.Depth = w.depth(len(w.states) - 1)
	w.rep.Premises = w.panel.premises()
	return w.rep, err
}

type search[S comparable, O, R any] struct {
	m      Machine[S, O, R]
	panel  *panel[S, O, R]
	rank   int // position of the progress law in the book, -1 without one
	seen   *index[S]
	states []S     // in visit order, so it is the queue as well
	parent []int32 // the state each was first reached from, -1 for the first
	rep    Report
}

func (w *search[S, O, R]) run() error {
	if err := w.visit(w.m.Init, -1); err != nil {
		return err
	}
	for at := 0; at < len(w.states); at++ {
		if err := w.expand(at); err != nil {
			return err
		}
	}
	return w.pairs()
}

func (w *search[S, O, R]) visit(s S, from int) error {
	if !w.seen.add(s, w.states) {
		return nil
	}
	if len(w.states) >= MaxStates {
		return ErrTruncated
	}
	w.states = append(w.states, s)
	w.parent = append(w.parent, int32(from))
	if j := w.panel.state(s); j != nil {
		return w.fail(j, len(w.states)-1, "")
	}
	return nil
}

func (w *search[S, O, R]) expand(at int) error {
	s := w.states[at]
	rest := w.rank < 0 || w.m.Progress.Done(s)
	moves := rest
	for op := range w.m.Ops(s) {
		to, out := w.m.Step(s, op)
		w.rep.Steps++
		j := w.panel.step(s, op, out, to)
		if j == nil && !rest && w.m.Progress.System(s, op) {
			moves, j = true, w.unranked(s, op, out, to)
		}
		if j != nil {
			return w.fail(j, at, show(op, out, to))
		}
		if err := w.visit(to, at); err != nil {
			return err
		}
	}
	if !moves {
		return w.fail(&judgement{law: w.m.Progress.Law, err: errStuck}, at, "")
	}
	return nil
}

var (
	errStuck    = errors.New("stuck: not done, and the system has no step of its own")
	errUnranked = errors.New("a step of the system that the rank does not judge")
)

// unranked is the complaint about a step of the system that the rank law does not
// speak about: a measure that is silent bounds nothing.
func (w *search[S, O, R]) unranked(s S, op O, out R, to S) *judgement {
	l := &w.panel.book[w.rank]
	if l.Rank == nil || !l.Rank(s, op, out, to).Applies {
		return &judgement{law: l.ID, err: errUnranked}
	}
	return nil
}

// pairs judges the metamorphic laws on every pair of inputs of a function: a
// machine whose one state answers all of them.
func (w *search[S, O, R]) pairs() error {
	if len(w.panel.pairs) == 0 {
		return nil
	}
	var in []O
	var out []R
	for op := range w.m.Ops(w.m.Init) {
		_, r := w.m.Step(w.m.Init, op)
		in, out = append(in, op), append(out, r)
	}
	for a := range in {
		for b := range in {
			if j := w.panel.pair(in[a], out[a], in[b], out[b]); j != nil {
				return &Failure{Law: j.law, Err: j.err, Steps: []string{show(in[a], out[a], w.m.Init), show(in[b], out[b], w.m.Init)}}
			}
		}
	}
	return nil
}

func (w *search[S, O, R]) depth(at int) int {
	n := 0
	for ; at >= 0 && w.parent[at] >= 0; at = int(w.parent[at]) {
		n++
	}
	return n
}

// fail rebuilds the run to state at by asking each parent for the operation that
// leads on; last, when there is one, is the step that broke the law.
func (w *search[S, O, R]) fail(j *judgement, at int, last string) error {
	var path []int
	for n := at; n >= 0; n = int(w.parent[n]) {
		path = append(path, n)
	}
	f := &Failure{Law: j.law, Err: j.err, Steps: []string{fmt.Sprintf("start => %+v", w.m.Init)}}
	for i := len(path) - 2; i >= 0; i-- {
		f.Steps = append(f.Steps, w.edge(w.states[path[i+1]], w.states[path[i]]))
	}
	if last != "" {
		f.Steps = append(f.Steps, last)
	}
	return f
}

func (w *search[S, O, R]) edge(from, to S) string {
	for op := range w.m.Ops(from) {
		if n, out := w.m.Step(from, op); n == to {
			return show(op, out, n)
		}
	}
	return "(the step is gone: Step is not a function)"
}
