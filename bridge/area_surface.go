package bridge

import (
	"errors"
	"fmt"

	sessiontools "tenet/adapters/surface"
	"tenet/bridge/engine"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/laws/law"
	model "tenet/models/surface"
)

// The two machines of the surface: a declaration that is built, and the registry of a
// session with everybody who would like other tools.
var (
	schemaMachine   = engine.Machine[struct{}, surface.Tool, model.Built]{Step: model.Step, Ops: model.Ops}
	registryMachine = engine.Machine[model.Session, model.Act, model.Got]{Step: model.Happen, Ops: model.Acts}
)

func surfaceArea() Area {
	return Area{
		Name:     "surface",
		Relation: Same,
		Bound: fmt.Sprintf("declarations of up to 3 of 5 parameters in every order, versions -1 to 2; %d tools of 4 names, 2 extensions, 2 hosts, every order of installs, settings, joins and quits before and after the opening",
			model.Tools),
		Laws: append(law.Infos(laws.RegistryBook), law.Infos(laws.SurfaceBook)...),
		Production: []any{surface.Registry.Step, surface.Registry.Opened, surface.Registry.Sent, surface.Registry.Reach, surface.Build, surface.Schema,
			(*sessiontools.Tools).Open, (*sessiontools.Tools).Join, (*sessiontools.Tools).Dyn},
		Exhaust: surfaceExhaust,
		Quick:   surfaceQuick,
	}
}

// surfaceExhaust searches the machines whose laws are asked for.
func surfaceExhaust(names ...string) (engine.Report, error) {
	sum := engine.Report{Premises: engine.Premises{}}
	err := errors.Join(
		searched(&sum, registryMachine, Pick(laws.RegistryBook, names)),
		searched(&sum, schemaMachine, Pick(laws.SurfaceBook, names)),
	)
	return sum, err
}
