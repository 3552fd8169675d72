// Package prompts brings the prompts that people keep in files to whoever offers them: by
// which name each is called, what it is for and where it comes from, and its text with
// arguments in it. A prompt is only text that a person sends, so a project's own need no
// trust; whose each is, is shown.
package prompts

import (
	"fmt"
	"slices"

	"tenet/adapters/skills"
	core "tenet/core/prompts"
	found "tenet/core/skills"
)

// Options say where prompts are looked for. Empty fields name no place.
type Options struct {
	// TenetHome is tenet's own folder, Dir the workspace, a real path.
	TenetHome, Dir string
	// Paths are those that the user's settings name, absolute.
	Paths []string
	// Secret says whether a real path is a secret: nothing is taken from there.
	Secret func(real string) bool
	// Commands are the names that prompts must not take.
	Commands []string
}

// Prompt is one that can be sent.
type Prompt struct {
	// Call is the name by which it is called, Name its file's: they differ where a command
	// has the name.
	Call, Name string
	// Description and Hint are one line each; Hint says which arguments it takes.
	Description, Hint string
	// Source says whose words it is: user, project or settings. Path is the file.
	Source, Path string
}

// Library is the prompts as they were found.
type Library struct {
	files   *skills.Library
	prompts []Prompt
}

// Load looks in every place. It never fails: what cannot be loaded has a row in Problems.
func Load(o Options) *Library {
	return Of(skills.Templates(skills.Options{TenetHome: o.TenetHome, Dir: o.Dir, Prompts: o.Paths, Secret: o.Secret}), o.Commands)
}

// Of is the prompts among what a session found when it opened.
func Of(files *skills.Library, commands []string) *Library {
	l := &Library{files: files}
	var names []string
	for _, t := range files.Set().Loaded {
		if t.Kind == found.Template {
			l.prompts = append(l.prompts, Prompt{Name: t.Name, Description: t.Description, Hint: t.Hint, Source: t.Scope.String(), Path: t.Path})
			names = append(names, t.Name)
		}
	}
	for i, call := range core.Calls(commands, names) {
		l.prompts[i].Call = call
	}
	return l
}

// List is the prompts, the user's before the project's.
func (l *Library) List() []Prompt { return slices.Clone(l.prompts) }

// Problems are rows for people: the path of a file, and why it is no prompt, or under which
// other name it is called.
func (l *Library) Problems() (out []string) {
	for _, d := range l.files.Diagnostics() {
		if d.Kind != found.Skill && !d.Level.Quiet() {
			out = append(out, d.String())
		}
	}
	for _, p := range l.prompts {
		if p.Call != p.Name {
			out = append(out, fmt.Sprintf("%s: /%s is a command, so the prompt is called /%s", p.Path, p.Name, p.Call))
		}
	}
	return out
}

// Find is the prompt that is called so.
func (l *Library) Find(call string) (Prompt, bool) {
	i := slices.IndexFunc(l.prompts, func(p Prompt) bool { return p.Call == call })
	if i < 0 {
		return Prompt{}, false
	}
	return l.prompts[i], true
}

// Expand is the text of the prompt that is called so, with the arguments that a person
// typed after the name. The file is read anew, so that an edit counts at once; the error
// says what is wrong with it now.
func (l *Library) Expand(call, arguments string) (string, error) {
	p, ok := l.Find(call)
	if !ok {
		return "", fmt.Errorf("there is no prompt %q", call)
	}
	return l.files.Expand(p.Name, arguments)
}
