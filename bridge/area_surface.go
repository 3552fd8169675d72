package bridge

import (
	"tenet/bridge/engine"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/laws/law"
	model "tenet/models/surface"
)

func surfaceArea() Area {
	return Area{
		Name:       "surface",
		Relation:   Same,
		Bound:      "declarations of up to 3 of 5 parameters in every order, versions -1 to 2",
		Laws:       law.Infos(laws.SurfaceBook),
		Production: []any{surface.Build, surface.Schema},
		Exhaust: func(names ...string) (engine.Report, error) {
			m := engine.Machine[struct{}, surface.Tool, model.Built]{Step: model.Step, Ops: model.Ops}
			return engine.Exhaust(m, Pick(laws.SurfaceBook, names))
		},
	}
}
