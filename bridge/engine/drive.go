package engine

import (
	"fmt"

	"tenet/laws/law"
)

// System is production behind a bridge: it takes the model's operations and shows
// its state in the model's terms.
type System[S, O, R any] interface {
	// Do performs one operation on production and returns production's answer.
	Do(O) R
	// View is production's state, from production's own eyes: what the bridge
	// remembers by itself would compare the model with the bridge.
	View() S
}

// Drive runs one history taken from src on the model and on production side by
// side: the laws are judged on production's own states, and every answer and the
// state after it are compared with the model's. How often each premise held is
// added to n.
func Drive[S comparable, O any, R comparable](src Source, m Machine[S, O, R], sys System[S, O, R], book []law.Law[S, O, R], n Premises) error {
	d := &drive[S, O, R]{m: m, sys: sys, panel: newPanel(book), want: m.Init}
	defer func() { n.Add(d.panel.premises()) }()
	if err := d.begin(); err != nil {
		return err
	}
	for src.More() {
		ops := d.ops[:0]
		for op := range m.Ops(d.want) {
			ops = append(ops, op)
		}
		d.ops = ops
		if len(ops) == 0 {
			break
		}
		if err := d.step(ops[src.Pick(len(ops), "op")]); err != nil {
			return err
		}
	}
	return nil
}

type drive[S comparable, O any, R comparable] struct {
	m     Machine[S, O, R]
	sys   System[S, O, R]
	panel *panel[S, O, R]
	want  S // where the model is
	have  S // where production was last seen
	run   []law.Did[S, O, R]
	ops   []O
}

// begin compares the two starts: production that does not begin where the model
// does is tied to another model.
func (d *drive[S, O, R]) begin() error {
	d.have = d.sys.View()
	if d.have != d.want {
		return &Failure{Law: "model", Err: fmt.Errorf("production starts in %+v, the model in %+v", d.have, d.want)}
	}
	if j := d.panel.state(d.have); j != nil {
		return d.broken(j)
	}
	return nil
}

func (d *drive[S, O, R]) step(op O) error {
	want, wantOut := d.m.Step(d.want, op)
	out := d.sys.Do(op)
	before, after := d.have, d.sys.View()
	d.run = append(d.run, law.Did[S, O, R]{Op: op, Out: out, After: after})
	if j := judgeLast(d.panel, d.m.Init, before, d.run); j != nil {
		return d.broken(j)
	}
	if out != wantOut || after != want {
		return &Failure{Law: "model", Steps: steps(d.run),
			Err: fmt.Errorf("%+v in %+v: production answers %+v and is in %+v, the model %+v and %+v", op, d.want, out, after, wantOut, want)}
	}
	d.want, d.have = want, after
	return nil
}

func (d *drive[S, O, R]) broken(j *judgement) error {
	return &Failure{Law: j.law, Err: fmt.Errorf("production: %w", j.err), Steps: steps(d.run)}
}
