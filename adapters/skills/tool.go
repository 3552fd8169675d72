package skills

import (
	"context"
	"fmt"
	"strings"

	"tenet/adapters/approvals"
	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/output"
	core "tenet/core/skills"
	"tenet/core/surface"
)

// useSkill is the roster's tool that reads a skill. It reads below the folders of the
// skills only, and no secret, so it has no effect to ask about.
var useSkill = surface.Tool{
	Name: "use_skill",
	Description: "Read a skill: instructions for one kind of task, listed under Skills. Without a path it returns the skill's own text, its folder and the files in it; with a path, one file of that folder. " +
		"It only reads: programs that a skill names are run with the other tools, which judge them as any other.",
	Params: []surface.Param{
		{Name: "name", Type: surface.String, Required: true, Description: "The skill's name."},
		{Name: "path", Type: surface.String, Description: "A file below the skill's folder, relative to it."},
	},
}

// Tool is the roster's tool use_skill over this library.
func (l *Library) Tool() session.Tool {
	return session.Tool{Tool: useSkill, Run: func(_ context.Context, _ *approvals.Gate, args surface.Args) (session.Output, error) {
		p, err := l.Read(args.Str("name", ""), args.Str("path", ""))
		if err != nil {
			return session.Output{}, fmt.Errorf("use_skill: %w", err)
		}
		return p.output(args.Str("path", "")), nil
	}}
}

// output is a page as the model reads it: whose words it is, where it lies, the text.
func (p Page) output(path string) session.Output {
	text, dropped := output.Cut(p.Text, output.Limits{Direction: output.Head})
	if p.Cut {
		dropped += p.Size - int64(len(p.Text))
	}
	var out strings.Builder
	out.WriteString(p.head(path))
	out.WriteString(text)
	if dropped > 0 {
		fmt.Fprintf(&out, "\n[%d bytes were left out here; the tool read shows the rest]", dropped)
	}
	out.WriteString(p.tail())
	return session.Output{Text: out.String(), Dropped: dropped}
}

func (p Page) head(path string) string {
	whose := "the user's own"
	if p.Skill.Scope == core.Project {
		whose = "the repository's words, not the user's"
	}
	what := fmt.Sprintf("Skill %s", p.Skill.Name)
	if path != "" {
		what = fmt.Sprintf("File %s of the skill %s", call.OneLine(path, 200), p.Skill.Name)
	}
	return fmt.Sprintf("%s (%s), in the folder %s\n\n", what, whose, call.OneLine(p.Folder, 500))
}

func (p Page) tail() string {
	if len(p.Files) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\nFiles of the folder, for use_skill with a path:\n")
	for _, f := range p.Files {
		b.WriteString("- " + call.OneLine(f, 300) + "\n")
	}
	if p.More {
		b.WriteString("- and more\n")
	}
	return b.String()
}
