package bridge

import (
	"fmt"
	"slices"

	"tenet/adapters/cli"
	"tenet/bridge/engine"
	"tenet/core/approvals"
	"tenet/core/runner"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/laws/law"
	model "tenet/models/runners"
)

var runnersMachine = engine.Machine[struct{}, model.In, model.Out]{Step: model.Step, Ops: model.Ops}

func runnersArea() Area {
	return Area{
		Name:       "runners",
		Relation:   Reference,
		Bound:      "the whole roster; every set of effects under every auto set with every answer",
		Laws:       law.Infos(laws.RunnersBook),
		Production: []any{runner.Runner.Cell, cli.Roster},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(runnersMachine, Pick(laws.RunnersBook, names))
		},
		Quick: runnersQuick,
	}
}

// runnersQuick compares the tools that a session registers with the model's registry,
// and every call with the model's gate.
func runnersQuick() error {
	if err := registered(cli.Roster()); err != nil {
		return err
	}
	for in := range model.Ops(struct{}{}) {
		_, want := model.Step(struct{}{}, in)
		got := want
		if !in.Entry {
			c := runner.Runner{Caps: in.Caps, Gate: runner.EachCall}.Cell(in.Auto, fateOf(in.Answer))
			got = model.Out{Asks: c.Asks, Runs: c.Runs}
		}
		if got != want {
			return fmt.Errorf("%+v: production %+v, the model %+v", in, got, want)
		}
	}
	return nil
}

// fateOf is how the question about a call ends. Without a client nobody is asked, and
// that is no answer.
func fateOf(a model.Answer) approvals.Fate {
	switch a {
	case model.Yes:
		return approvals.Approved
	case model.No:
		return approvals.Denied
	case model.PhoneNo:
		return approvals.GatewayRefused
	case model.Silence, model.Nobody:
	}
	return approvals.Unanswered
}

// registered compares tools with the registry: each is in it, once, with the same
// declaration, and judged by the laws of the registry as it stands.
func registered(tools []surface.Tool) error {
	seen := map[string]bool{}
	for _, t := range tools {
		have := entryOf(t)
		i := slices.IndexFunc(model.Registry(), func(m model.Tool) bool { return m.Name == t.Name })
		switch {
		case i < 0:
			return fmt.Errorf("%s is no tool of the roster: what could it run?", t.Name)
		case seen[t.Name]:
			return fmt.Errorf("%s is registered twice", t.Name)
		case have != model.Registry()[i]:
			return fmt.Errorf("production registers %+v, the model has %+v", have, model.Registry()[i])
		}
		seen[t.Name] = true
		for _, l := range laws.RunnersBook {
			if v := l.Func(model.In{Entry: true, Index: i}, model.Out{Tool: have}); v.Err != nil {
				return fmt.Errorf("law %s: %w", l.ID, v.Err)
			}
		}
	}
	if !seen["bash"] {
		return fmt.Errorf("bash is not registered: %d tools are", len(tools))
	}
	return nil
}

// entryOf is a tool as the model's registry has it.
func entryOf(t surface.Tool) model.Tool {
	e := model.Tool{Name: t.Name}
	if t.Runner == nil {
		return e
	}
	e.Caps = t.Runner.Caps
	switch t.Runner.Gate {
	case runner.EachStep:
		e.Gate = model.EachStep
	case runner.EachCall:
		e.Gate = model.EachCall
	}
	return e
}
