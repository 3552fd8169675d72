package bridge

import (
	"fmt"

	production "tenet/adapters/skills"
	"tenet/bridge/engine"
	core "tenet/core/skills"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/skills"
)

var skillsMachine = engine.Machine[skills.State, skills.Find, struct{}]{Step: skills.Step, Ops: skills.Finds}

func skillsArea() Area {
	return Area{
		Name:       "skills",
		Relation:   Same,
		Bound:      fmt.Sprintf("%d paths of 2 names, 2 kinds and shared files, each found any number of times as anything", skills.Searched),
		Laws:       law.Infos(laws.SkillsBook),
		Production: []any{core.Set.Add, core.Set.Find, production.Load, (*production.Library).Read},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(skillsMachine, Pick(laws.SkillsBook, names))
		},
		Quick: skillsQuick,
	}
}
