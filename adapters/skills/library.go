// Package skills finds the skills and prompt templates of a session on the disk and reads
// them when they are asked for. What is loaded core/skills decides. Nothing of a skill
// runs: it is text that the model reads, and what a model does with it the gate judges.
package skills

import (
	"path/filepath"
	"slices"

	"tenet/adapters/textfile"
	core "tenet/core/skills"
)

// Options say where skills and templates are looked for. Empty fields name no place.
type Options struct {
	// UserHome is the user's home directory, TenetHome tenet's own.
	UserHome, TenetHome string
	// Dir is the workspace, a real path. Its repository's root bounds the folders above it
	// that are looked at.
	Dir string
	// Skills and Prompts are the paths that the user's settings name: folders or files,
	// absolute. A project's settings add none until the user trusts them.
	Skills, Prompts []string
	// Secret says whether a real path is a secret: nothing of it is read without a
	// question, so nothing is taken from there. Nil means that nothing is.
	Secret func(real string) bool
}

// Library is the skills and templates of a session, as they were found when it opened.
type Library struct {
	set    core.Set
	secret func(string) bool
}

// Load looks in every place, in load order: the user's, the project's from the workspace
// up to the repository's root, the settings' own. It never fails: what cannot be loaded
// has a diagnostic.
func Load(o Options) *Library { return load(o, places(o)) }

// Templates looks for prompt templates only, as Load does.
func Templates(o Options) *Library {
	return load(o, slices.DeleteFunc(places(o), func(p place) bool { return p.kind != core.Template }))
}

func load(o Options, places []place) *Library {
	l := &Library{secret: o.Secret}
	if l.secret == nil {
		l.secret = func(string) bool { return false }
	}
	for _, p := range places {
		f := finder{place: p, secret: l.secret, add: func(c core.Candidate) { l.set = l.set.Add(c) }}
		f.find()
	}
	return l
}

// Set is what was loaded, and the diagnostics.
func (l *Library) Set() core.Set { return l.set }

// Prompt is the block of the system prompt that names the skills; empty without one. It
// is the same for the whole session.
func (l *Library) Prompt() string { return l.set.Prompt() }

// Diagnostics are what people should be told, in the order it was found.
func (l *Library) Diagnostics() []core.Diagnostic { return l.set.Diagnostics }

// place is one folder or file that is looked at.
type place struct {
	kind  core.Kind
	scope core.Scope
	path  string
	// files is true where a markdown file beside the folders is a skill of its own.
	files bool
	// named is true for a path that the settings name: one that is not there is told.
	named bool
	// within is the real folder that a project's files must not lead out of; empty for the
	// user's own places, whose links may lead anywhere.
	within string
}

func places(o Options) []place {
	user := []place{
		{kind: core.Skill, path: below(o.TenetHome, "skills"), files: true},
		{kind: core.Skill, path: below(o.UserHome, ".agents", "skills")},
		{kind: core.Template, path: below(o.TenetHome, "prompts")},
	}
	root := ""
	if o.Dir != "" {
		root = textfile.Repository(o.Dir)
	}
	out := append(user, project(o, root)...)
	for _, p := range o.Skills {
		out = append(out, named(root, place{kind: core.Skill, path: p, files: true}))
	}
	for _, p := range o.Prompts {
		out = append(out, named(root, place{kind: core.Template, path: p}))
	}
	return out
}

// named is a place that the settings name. One in the repository is the repository's words,
// whoever named it.
func named(root string, p place) place {
	p.scope, p.named = core.Settings, true
	if root == "" {
		return p
	}
	if real, err := textfile.Real(p.path); err == nil && textfile.Under(real, root) {
		p.scope, p.within = core.Project, root
	}
	return p
}

// project are the places of the repository, the nearest first.
func project(o Options, root string) []place {
	if root == "" {
		return nil
	}
	var out []place
	for _, dir := range textfile.Upwards(o.Dir, root) {
		out = append(out,
			place{kind: core.Skill, scope: core.Project, path: below(dir, ".tenet", "skills"), files: true, within: root},
			place{kind: core.Skill, scope: core.Project, path: below(dir, ".agents", "skills"), within: root},
			place{kind: core.Template, scope: core.Project, path: below(dir, ".tenet", "prompts"), within: root},
		)
	}
	return out
}

func below(dir string, names ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, names...)...)
}
