package laws

import (
	"tenet/laws/law"
	"tenet/models/skills"
)

type skillsLaw = law.Law[skills.State, skills.Find, struct{}]

// Skills: a skill or a template that cannot be loaded is never passed over in silence
// (H7.3).
var Skills = struct {
	// SkillFailureReported: each candidate is loaded or has a diagnostic with its path and what is wrong; one that cannot be read, has no name or no description is not loaded.
	SkillFailureReported skillsLaw `law:"skill_failure_reported" rule:"H7.3"`
	// SkillLoadedNotFailed: no path is both loaded and told of as not loaded, and no two loaded paths of a kind share a name or a file.
	SkillLoadedNotFailed skillsLaw `law:"skill_loaded_not_failed" rule:"H7.3"`
}{
	SkillFailureReported: skillsLaw{State: func(s skills.State) law.Verdict {
		for p, f := range s.Fates {
			found, faulty := s.Found&(1<<p) != 0, s.Faulty&(1<<p) != 0
			switch {
			case found && !f.Loaded && !f.Failed():
				return law.Broken("path %d was found and is neither loaded nor told of: %+v", p, f)
			case faulty && (f.Loaded || !f.Failed()):
				return law.Broken("path %d cannot be loaded: %+v", p, f)
			}
		}
		return law.Verdict{Applies: s.Found != 0}
	}},
	SkillLoadedNotFailed: skillsLaw{State: func(s skills.State) law.Verdict {
		loaded := false
		for p, f := range s.Fates {
			if !f.Loaded {
				continue
			}
			loaded = true
			if f.Failed() {
				return law.Broken("path %d is loaded and told of as not loaded: %+v", p, f)
			}
			for q, g := range s.Fates[:p] {
				if g.Loaded && g.Kind == f.Kind && (g.Name == f.Name || g.Real == f.Real && f.Real != 0) {
					return law.Broken("paths %d and %d are both loaded: %+v and %+v", q, p, g, f)
				}
			}
		}
		return law.Verdict{Applies: loaded}
	}},
}

// SkillsBook lists them.
var SkillsBook = law.Book[skills.State, skills.Find, struct{}]("skills", &Skills)
