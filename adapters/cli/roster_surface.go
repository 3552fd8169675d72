package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"tenet/adapters/instructions"
	"tenet/adapters/pathpolicy"
	"tenet/adapters/session"
	"tenet/adapters/settings"
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
// the workspace, run what the settings say. paths says what is a secret, of which nothing
// is taken up without a question.
func around(paths *pathpolicy.Judge, userHome, tenetHome, dir string, run settings.Run) surroundings {
	secret := func(real string) bool {
		t, _ := paths.Access(dir, real, core.Reading)
		return t.Class == core.Secret
	}
	s := surroundings{
		tools:  surface.New(),
		skills: skills.Load(skills.Options{UserHome: userHome, TenetHome: tenetHome, Dir: dir, Skills: written(run.Skills, userHome, dir), Secret: secret}),
	}
	if i := run.Instructions; i.Enabled {
		s.instructions = instructions.Load(instructions.Options{TenetHome: tenetHome, Dir: dir, MaxFile: i.MaxFileBytes, MaxProject: i.MaxTotalBytes, Secret: secret})
	}
	return s
}

// written are paths as a person writes them in the settings: ~ is the home, and a relative
// one starts at the workspace.
func written(paths []string, userHome, dir string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		rest, ofHome := strings.CutPrefix(p, "~")
		switch {
		case ofHome && userHome != "" && (rest == "" || rest[0] == '/'):
			out[i] = filepath.Join(userHome, rest)
		case filepath.IsAbs(p):
			out[i] = p
		default:
			out[i] = filepath.Join(dir, p)
		}
	}
	return out
}

// surfaceTools are the last two tools of the roster: use_skill and dyn.
func (s surroundings) surfaceTools() []session.Tool {
	return []session.Tool{s.skills.Tool(), s.tools.Dyn()}
}

// fixed is the roster of a session: the tools in their order, only those that a setting
// names when it names any, as every request of the session sends them. From here on they
// do not change (law roster_fixed). A name that no tool has is an error: a setting that
// works on nothing is a mistake that nobody would see.
func (s surroundings) fixed(tools []session.Tool, only []string) ([]session.Tool, error) {
	if err := s.tools.Install("tenet", tools...); err != nil {
		return nil, err
	}
	if only != nil {
		if err := s.tools.Configure(only...); err != nil {
			return nil, err
		}
	}
	return s.tools.Open(), nil
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
