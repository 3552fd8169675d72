// Package pathpolicy makes a session's path policy from the machine it runs on and
// judges commands and document accesses by it, on the real file system. It decides
// nothing: core/pathpolicy and core/effect do.
package pathpolicy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tenet/core/pathpolicy"
)

// stores are the credential stores of other programs, from the home directory (G1.4).
var stores = []string{
	".ssh", ".aws", ".azure", ".config/gcloud", ".config/gh", ".docker/config.json", ".kube", ".gnupg",
	".password-store", ".local/share/keyrings", ".netrc", ".git-credentials", ".npmrc", ".pypirc",
	".cargo/credentials", ".cargo/credentials.toml",
}

// storeVars are the variables that name further stores (G1.4).
var storeVars = []string{"AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "CLOUDSDK_CONFIG"}

// dotenv is the rule for files that are secret by name (DESIGN, "Decisions").
var dotenv = pathpolicy.NameRule{Name: ".env", Except: []string{".example", ".sample", ".template", ".dist"}}

// build makes the policy of a session. Each entry is made real now, and kept as it
// is written as well: replacing a link that stands for a store takes the store away.
func build(o Options, env map[string]string, links pathpolicy.Links) pathpolicy.Policy {
	b := builder{root: o.Root, links: links}
	p := pathpolicy.Policy{
		Roots:       []string{pathpolicy.Resolve(links, "/", o.Root).Path},
		SecretNames: []pathpolicy.NameRule{dotenv},
		Fold:        folds(o.Root) || folds(env["HOME"]),
	}
	p.Secrets = b.secrets(o, env)
	p.Protected = b.protected(o, env)
	return p
}

type builder struct {
	root  string
	links pathpolicy.Links
}

// entries is the real places of one configured path, from the workspace when it is
// relative; none for an empty one.
func (b builder) entries(path string) []string {
	if path == "" {
		return nil
	}
	real := pathpolicy.Resolve(b.links, b.root, path).Path
	entry := pathpolicy.ResolveEntry(b.links, b.root, path).Path
	if real == entry {
		return []string{real}
	}
	return []string{real, entry}
}

func (b builder) secrets(o Options, env map[string]string) []string {
	var out []string
	if o.TenetHome != "" {
		out = append(out, b.entries(filepath.Join(o.TenetHome, "auth.json"))...)
	}
	if home := env["HOME"]; home != "" {
		for _, s := range stores {
			out = append(out, b.entries(filepath.Join(home, s))...)
		}
	}
	for _, v := range storeVars {
		out = append(out, b.entries(env[v])...)
	}
	return sorted(out)
}

// protected is what decides over tenet, git, and the programs a name runs (G1.3).
func (b builder) protected(o Options, env map[string]string) []pathpolicy.Rule {
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
	return out
}

func sorted(paths []string) []string {
	slices.Sort(paths)
	return slices.Compact(paths)
}

// folds reports whether the file system that holds a path takes upper and lower
// case for the same.
func folds(path string) bool {
	other := strings.ToUpper(path)
	if other == path {
		other = strings.ToLower(path)
	}
	a, errA := os.Lstat(path)
	b, errB := os.Lstat(other)
	return other != path && errA == nil && errB == nil && os.SameFile(a, b)
}
