// Package pathpolicy makes a session's path policy from the machine it runs on and
// judges commands and document accesses by it, on the real file system. It decides
// nothing: core/pathpolicy and core/effect do.
package pathpolicy

import (
	"os/user"
	"path/filepath"
	"slices"

	"tenet/core/pathpolicy"
)

// dotenv is the rule for files that are secret by name (DESIGN, "Decisions").
var dotenv = pathpolicy.NameRule{Name: ".env", Except: []string{".example", ".sample", ".template", ".dist"}}

// build makes the policy of a session. Each entry is made real now, and kept as it
// is written as well: replacing a link that stands for a store takes the store away.
func build(o Options, env map[string]string, d *disk) pathpolicy.Policy {
	d.folds = d.folding(o, env)
	b := &builder{root: o.Root, trail: trail{disk: d}}
	p := pathpolicy.Policy{
		Roots:       []string{pathpolicy.Resolve(d, "/", o.Root).Path},
		SecretNames: []pathpolicy.NameRule{dotenv},
		Fold:        d.folds,
	}
	p.Secrets = b.secrets(o, env)
	p.Protected = b.protected(o, env)
	return p
}

type builder struct {
	root  string
	trail trail
}

// trail keeps every link that the resolution of an entry went through. Who replaces one
// of them leads the entry elsewhere: with ~/.config a link, turning that link makes
// another directory the store. So each is protected.
type trail struct {
	*disk
	links []string
}

// Read looks at one path and keeps it when it is a link.
func (t *trail) Read(path string) (target string, kind pathpolicy.Kind) {
	target, kind = t.disk.Read(path)
	if kind == pathpolicy.Link {
		t.links = append(t.links, path)
	}
	return target, kind
}

// entries is the real places of one configured path, from the workspace when it is
// relative; none for an empty one.
func (b *builder) entries(path string) []string {
	if path == "" {
		return nil
	}
	real := pathpolicy.Resolve(&b.trail, b.root, path).Path
	entry := pathpolicy.ResolveEntry(&b.trail, b.root, path).Path
	if real == entry {
		return []string{real}
	}
	return []string{real, entry}
}

func (b *builder) secrets(o Options, env map[string]string) []string {
	var out []string
	if o.TenetHome != "" {
		out = append(out, b.entries(filepath.Join(o.TenetHome, "auth.json"))...)
	}
	for _, home := range homes(env) {
		for _, s := range stores {
			out = append(out, b.entries(filepath.Join(home, s))...)
		}
	}
	for v, below := range storeVars {
		for _, place := range moved(env[v], below) {
			out = append(out, b.entries(place)...)
		}
	}
	return sorted(out)
}

// homes is where the person's stores lie: HOME, and the home of the account when HOME
// was moved. A program that asks the account finds its keys there all the same, and so
// does ~name.
func homes(env map[string]string) []string {
	out := []string{env["HOME"]}
	if u, err := user.Current(); err == nil && u.HomeDir != env["HOME"] {
		out = append(out, u.HomeDir)
	}
	return slices.DeleteFunc(out, func(h string) bool { return !filepath.IsAbs(h) })
}

// protected is what decides over tenet, git, and the programs a name runs (G1.3).
func (b *builder) protected(o Options, env map[string]string) []pathpolicy.Rule {
	out := []pathpolicy.Rule{{Kind: pathpolicy.Named, Path: ".git"}, {Kind: pathpolicy.Named, Path: ".tenet"}}
	put := func(kind pathpolicy.RuleKind, path string) {
		for _, e := range b.entries(path) {
			if r := (pathpolicy.Rule{Kind: kind, Path: e}); !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	put(pathpolicy.Tree, o.TenetHome)
	if home := env["HOME"]; home != "" {
		put(pathpolicy.Tree, filepath.Join(home, ".tenet"))
	}
	put(pathpolicy.Tree, filepath.Join(o.Root, ".tenet"))
	for _, s := range o.Settings {
		put(pathpolicy.Tree, s)
	}
	for _, d := range filepath.SplitList(env["PATH"]) {
		if d == "" {
			d = "."
		}
		put(pathpolicy.Dir, d)
	}
	for _, fds := range []string{"/dev/fd", "/proc/self/fd", "/proc/self/task"} { // what a descriptor of ours leads to is not for a step to write
		out = append(out, pathpolicy.Rule{Kind: pathpolicy.Tree, Path: fds})
	}
	for _, l := range sorted(b.trail.links) {
		out = append(out, pathpolicy.Rule{Kind: pathpolicy.Dir, Path: l})
	}
	return out
}

func sorted(paths []string) []string {
	slices.Sort(paths)
	return slices.Compact(paths)
}
