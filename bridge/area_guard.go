package bridge

import (
	"fmt"

	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	"tenet/adapters/session"
	"tenet/bridge/engine"
	"tenet/core/gate"
	"tenet/core/guard"
	"tenet/laws"
	"tenet/laws/law"
	model "tenet/models/guard"
)

// guardMachine is core closed with its adversary.
var guardMachine = engine.Machine[model.State, model.Op, model.Out]{Step: model.Step, Ops: model.Ops}

func guardArea() Area {
	return Area{
		Name:       "guard",
		Relation:   Same,
		Bound:      fmt.Sprintf("one file of %d contents, %d calls; every policy, the session's start and other programs at any point, each two rules against one call", model.Versions, model.Calls),
		Laws:       law.Infos(laws.GuardBook),
		Production: []any{(*gate.Policy).Judge, guard.Check, guard.Registration, guard.Patch, guard.Knowledge.After, guard.Knowledge.Of, (*approvals.Gate).Permit, (*session.Session).Prompt, (*docs.Docs).Run},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(guardMachine, Pick(laws.GuardBook, names))
		},
		Quick: guardQuick,
	}
}
