package bridge

import (
	"fmt"

	production "tenet/adapters/pathpolicy"
	"tenet/bridge/engine"
	core "tenet/core/pathpolicy"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/pathpolicy"
)

// pathpolicyMachine is core's resolution, classes and gate in a world whose links an
// adversary bends.
var pathpolicyMachine = engine.Machine[pathpolicy.World, pathpolicy.Op, pathpolicy.Out]{
	Step: pathpolicy.World.Step, Ops: pathpolicy.Ops,
}

func pathpolicyArea() Area {
	return Area{
		Name:     "pathpolicy",
		Relation: Same,
		Bound: fmt.Sprintf("%d links that point anywhere of %d places, loops included; %d paths in two spellings and every access, %d auto sets, every answer",
			len(pathpolicy.Slots), len(pathpolicy.Targets), len(pathpolicy.Paths), len(pathpolicy.Autos)),
		Laws: law.Infos(laws.PathpolicyBook),
		Production: []any{
			core.Resolve, core.ResolveEntry, (*core.Policy).Class, (*core.Policy).Holds, (*core.Policy).Judge, core.Target.Effects, core.Folded, (*core.Policy).SecretName,
			(*production.Judge).Access, (*production.Judge).Command, (*production.Judge).Whole, (*production.Judge).Changed,
		},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(pathpolicyMachine, Pick(laws.PathpolicyBook, names))
		},
		Quick: pathpolicyQuick,
	}
}
