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
var ErrTruncated = errors.New("the model has more states than the engine searches")

// Report is what an exhaustive search saw. Its counts are pinned: a model that
// shrinks is a lie.
type Report struct {
	States, Steps, Depth int
	Premises             Premises
}

// Exhaust visits every reachable state breadth first and judges every law on every
// state and every step of it, the traces and pairs included. The error is a
// *Failure with a shortest run, or ErrTruncated.
func Exhaust[S comparable, O, R any](m Machine[S, O, R], book []law.Law[S, O, R]) (Report, error) {
	w := &search[S, O, R]{m: m, book: book, seen: map[S]int32{}, rep: Report{Premises: Premises{}}}
	if err := w.visit(m.Init, -1); err != nil {
		return w.rep, err
	}
	for at := 0; at < len(w.states); at++ {
		if err := w.expand(at); err != nil {
			return w.rep, err
		}
	}
	w.rep.States = len(w.states)
	w.rep.Depth = w.depth(len(w.states) - 1)
	return w.rep, w.pairs()
}

type search[S comparable, O, R any] struct {
	m      Machine[S, O, R]
	book   []law.Law[S, O, R]
	seen   map[S]int32
	states []S     // in visit order, so it is the queue as well
	parent []int32 // the state each was first reached from, -1 for the first
	rep    Report
}

func (w *search[S, O, R]) visit(s S, from int) error {
	if _, ok := w.seen[s]; ok {
		return nil
	}
	if len(w.states) >= MaxStates {
		return ErrTruncated
	}
	w.seen[s] = int32(len(w.states))
	w.states = append(w.states, s)
	w.parent = append(w.parent, int32(from))
	if j := judgeState(w.book, w.rep.Premises, s); j != nil {
		return w.fail(j, len(w.states)-1, "")
	}
	return nil
}

func (w *search[S, O, R]) expand(at int) error {
	s := w.states[at]
	for op := range w.m.Ops(s) {
		to, out := w.m.Step(s, op)
		w.rep.Steps++
		if j := judgeStep(w.book, w.rep.Premises, s, op, out, to); j != nil {
			return w.fail(j, at, show(op, out, to))
		}
		if err := w.visit(to, at); err != nil {
			return err
		}
	}
	return nil
}

// pairs judges the metamorphic laws on every pair of inputs of a function: a
// machine whose one state answers all of them.
func (w *search[S, O, R]) pairs() error {
	var book []law.Law[S, O, R]
	for _, l := range w.book {
		if l.Pair != nil {
			book = append(book, l)
		}
	}
	if len(book) == 0 {
		return nil
	}
	for a := range w.m.Ops(w.m.Init) {
		_, outA := w.m.Step(w.m.Init, a)
		for b := range w.m.Ops(w.m.Init) {
			_, outB := w.m.Step(w.m.Init, b)
			for _, l := range book {
				if j := count(l.Info, w.rep.Premises, l.Pair(a, outA, b, outB)); j != nil {
					return &Failure{Law: j.Law, Err: j.Err, Steps: []string{show(a, outA, w.m.Init), show(b, outB, w.m.Init)}}
				}
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
	f := &Failure{Law: j.Law, Err: j.Err, Steps: []string{fmt.Sprintf("start => %+v", w.m.Init)}}
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

func show[S, O, R any](op O, out R, to S) string {
	return fmt.Sprintf("%+v -> %+v => %+v", op, out, to)
}
