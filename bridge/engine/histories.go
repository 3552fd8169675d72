package engine

import "tenet/laws/law"

// Histories runs every history of at most depth operations of the model and judges
// every law on it, the laws of whole histories after each step. In the report,
// States is the number of histories, Steps the operations tried and Depth the
// length of the longest. It is for laws that no single step shows; where a step law
// says the same, Exhaust sees further for less.
func Histories[S comparable, O, R any](m Machine[S, O, R], book []law.Law[S, O, R], depth int) (Report, error) {
	w := &walk[S, O, R]{m: m, panel: newPanel(book), depth: depth, rep: Report{States: 1}}
	err := w.start()
	w.rep.Premises = w.panel.premises()
	return w.rep, err
}

type walk[S comparable, O, R any] struct {
	m     Machine[S, O, R]
	panel *panel[S, O, R]
	depth int
	run   []law.Did[S, O, R]
	rep   Report
}

func (w *walk[S, O, R]) start() error {
	if j := w.panel.state(w.m.Init); j != nil {
		return &Failure{Law: j.law, Err: j.err}
	}
	return w.from(w.m.Init)
}

func (w *walk[S, O, R]) from(s S) error {
	if len(w.run) == w.depth {
		return nil
	}
	for op := range w.m.Ops(s) {
		to, out := w.m.Step(s, op)
		w.run = append(w.run, law.Did[S, O, R]{Op: op, Out: out, After: to})
		w.rep.States, w.rep.Steps = w.rep.States+1, w.rep.Steps+1
		w.rep.Depth = max(w.rep.Depth, len(w.run))
		if w.rep.States > MaxStates {
			return ErrTruncated
		}
		if j := judgeLast(w.panel, w.m.Init, s, w.run); j != nil {
			return &Failure{Law: j.law, Err: j.err, Steps: steps(w.run)}
		}
		if err := w.from(to); err != nil {
			return err
		}
		w.run = w.run[:len(w.run)-1]
	}
	return nil
}

// judgeLast judges the last step of a run that led away from before.
func judgeLast[S, O, R any](p *panel[S, O, R], init, before S, run []law.Did[S, O, R]) *judgement {
	last := run[len(run)-1]
	j := p.step(before, last.Op, last.Out, last.After)
	if j == nil {
		j = p.state(last.After)
	}
	if j == nil {
		j = p.trace(init, run)
	}
	return j
}

func steps[S, O, R any](run []law.Did[S, O, R]) []string {
	out := make([]string, len(run))
	for i, d := range run {
		out[i] = show(d.Op, d.Out, d.After)
	}
	return out
}
