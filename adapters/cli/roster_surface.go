package cli

import (
	"fmt"

	"tenet/adapters/instructions"
	"tenet/adapters/pathpolicy"
	"tenet/adapters/session"
	"tenet/adapters/skills"
	"tenet/adapters/surface"
	"tenet/core/event"
	core "tenet/core/pathpolicy"
)

// surroundings is what a session knows of the place it works in beside its files: the
// tools that join late, the skills, the instructions that people wrote for agents.
type surroundings struct {
	tools        *surface.Tools
	skills       *skills.Library
	instructions instructions.Instructions
}

// around reads them once, when a session opens. userHome and tenetHome are the homes, dir
// the workspace; skillPaths and promptPaths are what the user's settings name. paths says
// what is a secret, of which nothing is taken up without a question.
func around(paths *pathpolicy.Judge, userHome, tenetHome, dir string, skillPaths, promptPaths []string) surroundings {
	secret := func(real string) bool {
		t, _ := paths.Access(dir, real, core.Reading)
		return t.Class == core.Secret
	}
	return surroundings{
		tools:        surface.New(),
		skills:       skills.Load(skills.Options{UserHome: userHome, TenetHome: tenetHome, Dir: dir, Skills: skillPaths, Prompts: promptPaths, Secret: secret}),
		instructions: instructions.Load(instructions.Options{TenetHome: tenetHome, Dir: dir, Secret: secret}),
	}
}

// surfaceTools are the last two tools of the roster: use_skill and dyn.
func (s surroundings) surfaceTools() []session.Tool {
	return []session.Tool{s.skills.Tool(), s.tools.Dyn()}
}

// prompt is what the system prompt says of them, the same for the whole session; empty
// when there is nothing to say.
func (s surroundings) prompt() string {
	switch {
	case s.skills.Prompt() == "":
		return s.instructions.Prompt
	case s.instructions.Prompt == "":
		return s.skills.Prompt()
	}
	return s.skills.Prompt() + "\n" + s.instructions.Prompt
}

// The types of the rows that tell people what was not taken up.
const (
	skillNotice   = "tenet.skill"
	contextNotice = "tenet.context"
)

// notices are the rows for people, to be recorded once the session is open.
func (s surroundings) notices() []event.Notice {
	var out []event.Notice
	for _, d := range s.skills.Diagnostics() {
		if d.Level.Quiet() {
			continue
		}
		out = append(out, event.Notice{Type: skillNotice, Key: d.Path, Text: fmt.Sprintf("%s %s: %s", d.Kind, d.Level, d)})
	}
	for _, n := range s.instructions.Notices {
		out = append(out, event.Notice{Type: contextNotice, Text: n})
	}
	return out
}
