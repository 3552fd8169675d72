// Package skills decides which skills and prompt templates a session has: from what was
// found on the disk to what is loaded, and a diagnostic for everything that is not
// (H7.3). It reads nothing: adapters/skills brings the candidates.
package skills

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tenet/core/call"
)

// The bounds of a skill's front matter, in characters.
const (
	MaxName        = 64
	MaxDescription = 1024
)

// MaxSkills is the most skills, and the most templates, that a session loads.
const MaxSkills = 256

// Scope says whose words a skill is.
type Scope uint8

// The scopes, in load order. Settings are paths that the user's settings name.
const (
	User Scope = iota
	Project
	Settings
)

var scopeNames = [...]string{"user", "project", "settings"}

// String names the scope.
func (s Scope) String() string { return scopeNames[s] }

// Kind is what a candidate is meant to be.
type Kind uint8

// The kinds. Entry is something that could not even be looked at: a folder, a link, an
// ignore file.
const (
	Skill Kind = iota
	Template
	Entry
)

var kindNames = [...]string{"skill", "template", "entry"}

// String names the kind.
func (k Kind) String() string { return kindNames[k] }

// Candidate is one thing that was found where skills or templates lie.
type Candidate struct {
	Kind  Kind
	Scope Scope
	// Path is the file as it was found; each candidate has its own. Real is where it
	// really lies, empty when that is not known.
	Path, Real string
	// Fallback is the name that the place gives: of the folder, or of the file.
	Fallback string
	// Fault is why it could not be read, empty when it could.
	Fault string
	// Front is its front matter.
	Front Front
	// First is the first line of the body with something in it: what describes a template
	// that does not describe itself.
	First string
}

// Front is the front matter of a skill or of a template.
type Front struct {
	// Name is empty when the file does not say one.
	Name, Description string
	// Hint says which arguments a template takes.
	Hint string
	// Hidden is true for a skill that only the user starts (disable-model-invocation).
	Hidden bool
}

// Loaded is a skill or a template of the session.
type Loaded struct {
	Kind        Kind
	Scope       Scope
	Name        string
	Description string
	Hint        string
	Path, Real  string
	Hidden      bool
}

// Level says how much a diagnostic matters.
type Level uint8

// The levels. Failed and Lost are of candidates that are not loaded; a Warning is about
// one that is; Same is of a file that is loaded under another path.
const (
	Failed Level = iota
	Lost
	Same
	Warning
)

var levelNames = [...]string{"failed", "lost", "same", "warning"}

// String names the level.
func (l Level) String() string { return levelNames[l] }

// Diagnostic is what people are told about one candidate.
type Diagnostic struct {
	Level Level
	Kind  Kind
	Path  string
	Text  string
}

// String is the diagnostic as a row: the path and what is wrong.
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s: %s", call.OneLine(d.Path, 500), d.Text)
}

// Set is the skills and templates of a session: a value that a candidate turns into
// another. The zero value is empty.
type Set struct {
	Loaded      []Loaded
	Diagnostics []Diagnostic
}

// Add takes a candidate. Each is loaded or diagnosed (law skill_failure_reported), and
// none is loaded and diagnosed as not loaded (law skill_loaded_not_failed). Candidates
// come in load order, and the first of a name wins: a project cannot put its own skill in
// the place of a user's.
//
// A path that was taken before is passed over: two places may lead to one folder.
func (s Set) Add(c Candidate) Set {
	if s.knows(c.Path) {
		return s
	}
	l := Loaded{Kind: c.Kind, Scope: c.Scope, Path: c.Path, Real: c.Real, Name: c.name(), Description: c.description(), Hint: c.Front.Hint, Hidden: c.Front.Hidden}
	if level, why := s.against(c, l); why != "" {
		return s.tell(level, c, why)
	}
	s.Loaded = append(s.Loaded[:len(s.Loaded):len(s.Loaded)], l)
	if c.Kind == Skill && c.Front.Name != "" && c.Front.Name != c.Fallback {
		return s.tell(Warning, c, fmt.Sprintf("it calls itself %q, and its folder or file is called %q; it is loaded as %q", l.Name, call.OneLine(c.Fallback, MaxName), l.Name))
	}
	return s
}

func (s Set) knows(path string) bool {
	return slices.ContainsFunc(s.Loaded, func(l Loaded) bool { return l.Path == path }) ||
		slices.ContainsFunc(s.Diagnostics, func(d Diagnostic) bool { return d.Path == path })
}

func (s Set) tell(level Level, c Candidate, text string) Set {
	d := Diagnostic{Level: level, Kind: c.Kind, Path: c.Path, Text: text}
	s.Diagnostics = append(s.Diagnostics[:len(s.Diagnostics):len(s.Diagnostics)], d)
	return s
}

// against says why a candidate is not loaded; empty when it is.
func (s Set) against(c Candidate, l Loaded) (Level, string) {
	if why := c.flaw(l); why != "" {
		return Failed, why
	}
	same := func(o Loaded) bool { return o.Kind == c.Kind && c.Real != "" && o.Real == c.Real }
	if i := slices.IndexFunc(s.Loaded, same); i >= 0 { // whatever its name: it is no rival of itself
		return Same, fmt.Sprintf("it is the file that is loaded as %s", call.OneLine(s.Loaded[i].Path, 500))
	}
	if other, taken := s.Find(c.Kind, l.Name); taken {
		return Lost, fmt.Sprintf("the name %q is taken by %s, which was found first; give this one another name", l.Name, call.OneLine(other.Path, 500))
	}
	if s.count(c.Kind) >= MaxSkills {
		return Failed, fmt.Sprintf("it is one too many: at most %d are loaded", MaxSkills)
	}
	return 0, ""
}

func (s Set) count(k Kind) int {
	n := 0
	for _, l := range s.Loaded {
		if l.Kind == k {
			n++
		}
	}
	return n
}

// flaw is what is wrong with a candidate by itself; empty for a sound one.
func (c Candidate) flaw(l Loaded) string {
	switch {
	case c.Kind == Entry && c.Fault == "":
		return "it is neither a skill nor a template"
	case c.Fault != "":
		return c.Fault
	case c.Kind == Skill && !skillName(l.Name):
		return fmt.Sprintf("its name %q is none: 1 to %d lower-case letters, digits and hyphens", call.OneLine(l.Name, MaxName), MaxName)
	case c.Kind == Template && !templateName(l.Name):
		return fmt.Sprintf("its name %q is none: 1 to %d characters without blanks and slashes", call.OneLine(l.Name, MaxName), MaxName)
	case c.Kind == Skill && l.Description == "":
		return "it has no description: say in its front matter when it is of use"
	case utf8.RuneCountInString(l.Description) > MaxDescription:
		return fmt.Sprintf("its description has %d characters; at most %d are taken", utf8.RuneCountInString(l.Description), MaxDescription)
	}
	return ""
}

func (c Candidate) name() string {
	if c.Kind == Skill && c.Front.Name != "" {
		return c.Front.Name
	}
	return c.Fallback
}

// description is one line of visible characters: it stands in the system prompt, and must
// not look like a line of ours.
func (c Candidate) description() string {
	text := strings.TrimSpace(c.Front.Description)
	if text == "" && c.Kind == Template {
		text = c.First
		if head := call.FirstChars(text, maxFirst); len(head) < len(text) {
			text = head + "…"
		}
	}
	return call.Visible(strings.Join(strings.Fields(text), " "))
}

// maxFirst bounds a description that was not written as one.
const maxFirst = 80

func skillName(name string) bool {
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return false
		}
	}
	return name != "" && len(name) <= MaxName
}

func templateName(name string) bool {
	return name != "" && utf8.RuneCountInString(name) <= MaxName && !strings.ContainsAny(name, " \t/") && call.Visible(name) == name
}

// Find is the loaded skill or template of a name.
func (s Set) Find(k Kind, name string) (Loaded, bool) {
	for _, l := range s.Loaded {
		if l.Kind == k && l.Name == name {
			return l, true
		}
	}
	return Loaded{}, false
}

// Quiet reports whether a row for people would only disturb: the file is loaded, under
// another of its paths.
func (l Level) Quiet() bool { return l == Same }
