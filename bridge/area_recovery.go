package bridge

import (
	"tenet/adapters/session"
	"tenet/bridge/engine"
	core "tenet/core/recovery"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/recovery"
)

var recoveryMachine = engine.Machine[recovery.State, recovery.Op, recovery.Out]{Step: recovery.Step, Ops: recovery.Ops}

func recoveryArea() Area {
	return Area{
		Name:       "recovery",
		Relation:   Same,
		Bound:      "production's caps in a turn of 7 rounds, 1 retry and 5 notes, two calls with two results each; every context of 4 entries, and behind one round more; every text of 4 pieces of 20, eight families of markup among them, of 3 with 13 more that only tell of markup, and each family cut at every byte",
		Laws:       law.Infos(laws.RecoveryBook),
		Production: []any{core.Caps.Decide, core.Rounds, core.Canonical, core.Scan, (*session.Session).Prompt},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(recoveryMachine, Pick(laws.RecoveryBook, names))
		},
		Quick: recoveryQuick,
	}
}
