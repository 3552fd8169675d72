package bridge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	production "tenet/adapters/prompts"
	"tenet/bridge/engine"
	core "tenet/core/prompts"
	"tenet/laws"
	"tenet/laws/law"
	model "tenet/models/prompts"
)

var promptsMachine = engine.Machine[struct{}, model.In, model.Out]{Step: model.Step, Ops: model.Ops}

func promptsArea() Area {
	return Area{
		Name:       "prompts",
		Relation:   Same,
		Bound:      "bodies of up to three of 16 pieces with seven lists of arguments, and prompts beside commands of their names",
		Laws:       law.Infos(laws.PromptsBook),
		Production: []any{core.Expand, core.Arguments, core.Calls, production.Load, (*production.Library).Expand},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(promptsMachine, Pick(laws.PromptsBook, names))
		},
		Quick: promptsQuick,
	}
}

// promptsQuick lays real files out, and judges what the adapter makes of them.
func promptsQuick() error {
	home, err := os.MkdirTemp("", "tenet-prompts-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	if err := os.Mkdir(filepath.Join(home, "prompts"), 0o700); err != nil {
		return err
	}
	n := 0
	for in := range model.Ops(struct{}{}) {
		if n++; in.Names == nil && n%31 != 0 { // some of the bodies, all of the names
			continue
		}
		out, err := promptsOf(home, in)
		if err != nil {
			return err
		}
		for _, l := range laws.PromptsBook {
			if v := l.Func(in, out); v.Err != nil {
				return fmt.Errorf("law %s: a file: %w", l.ID, v.Err)
			}
		}
	}
	return nil
}

// promptsOf is what production makes of prompts in files.
func promptsOf(home string, in model.In) (out model.Out, err error) {
	if in.Names != nil {
		out.Calls, err = promptsCalled(home, in)
		return out, err
	}
	// A body may begin or end with blanks, which a file loses.
	file := filepath.Join(home, "prompts", "p.md")
	if err := os.WriteFile(file, []byte("---\ndescription: a prompt\n---\n\n<"+in.Body+">\n"), 0o600); err != nil {
		return out, err
	}
	l := production.Load(production.Options{TenetHome: home})
	expand := func(args []string) string {
		text, failed := l.Expand("p", model.Quoted(args))
		if failed != nil {
			err = failed
		}
		return strings.TrimSuffix(strings.TrimPrefix(text, "<"), ">")
	}
	out = model.Out{Text: expand(in.Args), Marked: expand(model.Marks(len(in.Args))), Bare: expand(nil), Split: core.Arguments(model.Quoted(in.Args))}
	return out, err
}

// promptsCalled is how production calls prompts of some names.
func promptsCalled(home string, in model.In) (calls []string, err error) {
	dir := filepath.Join(home, "prompts")
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	for _, n := range in.Names {
		if err := os.WriteFile(filepath.Join(dir, n+".md"), []byte("I am "+n), 0o600); err != nil {
			return nil, err
		}
	}
	l := production.Load(production.Options{TenetHome: home, Commands: in.Commands})
	byName := map[string]string{}
	for _, p := range l.List() {
		byName[p.Name] = p.Call
		if text, err := l.Expand(p.Call, ""); err != nil || text != "I am "+p.Name {
			return nil, fmt.Errorf("law prompt_never_shadows: /%s is %q (%v), want the prompt %s", p.Call, text, err, p.Name)
		}
	}
	for _, n := range in.Names {
		calls = append(calls, byName[n])
	}
	return calls, nil
}
