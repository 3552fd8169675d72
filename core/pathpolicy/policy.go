// Package pathpolicy judges the paths an agent's tools read and write (G1): where
// a written path really leads, and which of four classes that place has. The
// shell and the document tools share it, so they cannot judge a path differently.
// It touches no disk: the adapter hands it what the links say.
package pathpolicy

import (
	"slices"
	"strings"
)

// Class is what a real path is to the policy. The zero value is the strictest, so
// that a forgotten class asks and never runs.
type Class uint8

// The classes; the first that applies wins (G1.2).
const (
	Secret    Class = iota // a secret entry, or under one
	Protected              // covered by a protected rule, or an ancestor of a protected or secret entry
	Inside                 // under a workspace root
	Outside                // everything else
)

var classNames = [...]string{"secret", "protected", "inside", "outside"}

// String names the class.
func (c Class) String() string { return classNames[c] }

// RuleKind is how far a protected rule reaches.
type RuleKind uint8

// The kinds of protected rules (G1.3).
const (
	Dir   RuleKind = iota // the directory and each entry directly in it
	Tree                  // the path and everything under it
	Named                 // every path component of this name below its workspace root, and everything under it
)

// Rule protects paths from writes that need no yes.
type Rule struct {
	// Kind is how far the rule reaches.
	Kind RuleKind
	// Path is a real absolute path for Dir and Tree, one name for Named.
	Path string
}

// NameRule makes every file of a name secret, wherever it lies: Name itself and
// Name with any further suffix (".env", ".env.local"), except where the last
// suffix is one of Except (".env.example").
type NameRule struct {
	Name   string
	Except []string
}

// Matches reports whether one path component is secret by the rule.
func (r NameRule) Matches(component string) bool {
	rest, ok := strings.CutPrefix(component, r.Name)
	if !ok || rest != "" && rest[0] != '.' {
		return false
	}
	return !slices.ContainsFunc(r.Except, func(e string) bool { return strings.HasSuffix(rest, e) })
}

// Policy is everything a session's paths are judged by. Each path in it is real:
// the adapter resolves the entries when the session opens.
type Policy struct {
	// Roots are the workspace roots.
	Roots []string
	// Secrets are the credential stores: files and directories (G1.4).
	Secrets []string
	// SecretNames make files secret by name alone.
	SecretNames []NameRule
	// Protected is what decides over tenet, git and the programs a name runs (G1.3).
	Protected []Rule
	// Fold is true where the file system does not tell upper from lower case: then
	// .GIT is .git, and the policy must see it so. It decides about names that stand
	// nowhere yet; what stands is named by its Namer.
	Fold bool
}

// Class is the class of a real path. A path whose links loop is never Inside: what
// lies behind the loop is not known (law path_inside_is_safe).
func (p *Policy) Class(r Real) Class {
	path := p.fold(r.Path)
	switch {
	case p.secret(path):
		return Secret
	case p.protected(path) || p.ancestor(path):
		return Protected
	case !r.Looped && p.root(path) != "":
		return Inside
	default:
		return Outside
	}
}

// Holds reports whether a directory holds a secret entry at any depth, so that
// listing or searching it reads one. What is itself secret does not count here.
// Secrets by name are not counted: the policy does not know what lies on the disk.
func (p *Policy) Holds(r Real) bool {
	path := p.fold(r.Path)
	return holdsEnviron(path) || slices.ContainsFunc(p.Secrets, func(e string) bool { return below(p.fold(e), path) })
}

// Target judges a resolution whole.
func (p *Policy) Target(r Real) Target {
	return Target{Real: r, Class: p.Class(r), Holds: p.Holds(r)}
}

// SecretName reports whether a file is secret by its name alone, wherever it lies.
func (p *Policy) SecretName(name string) bool {
	name = p.fold(name)
	return slices.ContainsFunc(p.SecretNames, func(r NameRule) bool { return r.Matches(name) })
}

func (p *Policy) secret(path string) bool {
	if environ(path) || foreign(path) || slices.ContainsFunc(p.Secrets, func(e string) bool { return within(path, p.fold(e)) }) {
		return true
	}
	for _, r := range p.SecretNames {
		if strings.Contains(path, r.Name) && hasComponent(p.belowRoot(path), r.Matches) {
			return true
		}
	}
	return false
}

// belowRoot is the part of the path below its workspace root: what the root itself
// is called says nothing about what lies in it.
func (p *Policy) belowRoot(path string) string { return strings.TrimPrefix(path, p.root(path)) }

func (p *Policy) protected(path string) bool {
	return slices.ContainsFunc(p.Protected, func(r Rule) bool { return p.covers(r, path) })
}

func (p *Policy) covers(r Rule, path string) bool {
	entry := p.fold(r.Path)
	switch r.Kind {
	case Dir:
		return path == entry || parent(path) == entry
	case Tree:
		return within(path, entry)
	case Named:
		rest := p.belowRoot(path)
		return strings.Contains(rest, entry) && hasComponent(rest, func(c string) bool { return c == entry })
	}
	return true
}

// ancestor reports whether moving or removing the path would move or remove a
// guarded entry with it.
func (p *Policy) ancestor(path string) bool {
	if holdsEnviron(path) || slices.ContainsFunc(p.Secrets, func(e string) bool { return below(p.fold(e), path) }) {
		return true
	}
	return slices.ContainsFunc(p.Protected, func(r Rule) bool {
		return r.Kind != Named && below(p.fold(r.Path), path)
	})
}

// root is the longest workspace root that holds the path, or "".
func (p *Policy) root(path string) string {
	best := ""
	for _, r := range p.Roots {
		if f := p.fold(r); within(path, f) && len(f) > len(best) {
			best = f
		}
	}
	return best
}
