package engine

import (
	"fmt"

	"tenet/laws/law"
)

// System is production behind a bridge: it takes the model's operations and shows
// its state in the model's terms.
type System[S, O, R any] interface {
	Do(O) R
	View() S
}

// Drive runs one history taken from src on the model and on production side by
// side: the laws are judged on production's own states, and every answer and the
// state after it are compared with the model's.
func Drive[S comparable, O any, R comparable](src Source, m Machine[S, O, R], sys System[S, O, R], book []law.Law[S, O, R], n Premises) error {
	s := m.Init
	var run []law.Did[S, O, R]
	for src.More() {
		var ops []O
		for op := range m.Ops(s) {
			ops = append(ops, op)
		}
		if len(ops) == 0 {
			break
		}
		op := ops[src.Pick(len(ops), "op")]
		want, wantOut := m.Step(s, op)
		before := sys.View()
		out := sys.Do(op)
		after := sys.View()
		run = append(run, law.Did[S, O, R]{Op: op, Out: out, After: after})
		if err := judgeDriven(book, n, m.Init, before, run); err != nil {
			return err
		}
		if out != wantOut || after != want {
			return diverged(run, s, op, out, after, wantOut, want)
		}
		s = want
	}
	return nil
}

func judgeDriven[S comparable, O, R any](book []law.Law[S, O, R], n Premises, init, before S, run []law.Did[S, O, R]) error {
	last := run[len(run)-1]
	j := judgeStep(book, n, before, last.Op, last.Out, last.After)
	if j == nil {
		j = judgeState(book, n, last.After)
	}
	for _, l := range book {
		if j == nil && l.Trace != nil {
			j = count(l.Info, n, l.Trace(init, run))
		}
	}
	if j == nil {
		return nil
	}
	return &Failure{Law: j.Law, Err: fmt.Errorf("production: %w", j.Err), Steps: steps(run)}
}

func steps[S, O, R any](run []law.Did[S, O, R]) []string {
	out := make([]string, len(run))
	for i, d := range run {
		out[i] = show(d.Op, d.Out, d.After)
	}
	return out
}

func diverged[S, O, R any](run []law.Did[S, O, R], s S, op O, out R, after S, wantOut R, want S) error {
	return &Failure{Law: "model", Err: fmt.Errorf("%+v in %+v: production answers %+v and is in %+v, the model %+v and %+v", op, s, out, after, wantOut, want), Steps: steps(run)}
}
