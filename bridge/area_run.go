package bridge

import (
	"tenet/bridge/engine"
	"tenet/core/turn"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/run"
)

var runMachine = engine.Machine[turn.State, turn.Input, turn.Act]{Step: run.Step, Ops: run.Ops}

func runArea() Area {
	return Area{
		Name:       "run",
		Relation:   Same,
		Bound:      "production limits: 250 rounds, 3 retries in a row, any input in any phase",
		Laws:       law.Infos(laws.RunBook),
		Production: []any{turn.Config.Step},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(runMachine, Pick(laws.RunBook, names))
		},
	}
}
