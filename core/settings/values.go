package settings

import (
	"fmt"
	"slices"
	"strings"

	"tenet/core/call"
	"tenet/core/guard"
	"tenet/core/rules"
)

// Values are what one file sets.
type Values struct {
	// Profile is the default layer; empty when the file names none.
	Profile string
	// Auto is what runs unasked in place of the profile's auto set; nil when unset.
	Auto *call.Effects
	// Guard holds what the file sets of the guard's policy: Off, Network, Hosts,
	// WriteRoots and Fragments, paths as they are written.
	Guard guard.Policy
	// Trusted maps the real paths of projects to the digests of the settings files that
	// the user trusts there.
	Trusted Trusted
	// Permissions is the tree that the rules are made from; Null when the file has none.
	Permissions Node
	// Run is what the file says of a run, over what held before it.
	Run Run
}

// Problem is something of a file that does not count, or not as it is written.
type Problem struct {
	// Line is where it stands, from 1; Key is its dotted key.
	Line int
	Key  string
	// Text says what is wrong and what holds instead.
	Text string
	// Refuses is true when nothing can hold in its place that is not looser than what
	// may have been meant: then the file as a whole counts as unreadable.
	Refuses bool
}

// maxTold bounds what a person is told of one problem, in characters.
const maxTold = 600

// String is the problem as a person is told it, behind the name of the file: in one
// line, and with nothing that a terminal obeys, since a project's file has any author.
func (p Problem) String() string {
	return call.OneLine(fmt.Sprintf("%d: %s: %s", p.Line, p.Key, p.Text), maxTold)
}

// ReadUser reads the user's file: every key counts. A value that cannot be read
// counts as unset; where more would run then than its writer may have meant, the
// strictest value holds instead, and where there is none the file is refused (C8, and
// S7.8: a misspelt gate must never open in silence).
func ReadUser(n Node) (Values, []Problem) {
	r := &reader{}
	v := Values{Run: DefaultRun()}
	if n.Kind != Object {
		return v, []Problem{{Line: 1, Key: "the file", Text: fmt.Sprintf("is %s and no object of settings; write { ... }", n.Kind), Refuses: true}}
	}
	r.object("", n, map[string]func(string, Node){
		"profile":         func(key string, n Node) { v.Profile = r.profile(key, n) },
		"permissions":     func(key string, n Node) { v.Permissions = r.permissions(key, n) },
		"guard":           func(key string, n Node) { v.Guard = r.guard(key, n) },
		"shell":           func(key string, n Node) { v.Auto = r.shell(key, n) },
		"trustedProjects": func(key string, n Node) { v.Trusted = r.trusted(key, n) },
	})
	r.run(n, UserOnly, &v.Run)
	return v, r.problems
}

// ReadProject reads a project's file over the run that the user's says: its rules
// count, and the keys that do no harm; those that say where the code is sent or what
// runs count when the user trusts the file. What else stands there is withheld, and
// one problem names all of it (10.2).
func ReadProject(n Node, user Run, trusted bool) (Values, []Problem) {
	r := &reader{}
	v := Values{}
	r.object("", n, map[string]func(string, Node){
		"permissions": func(key string, n Node) { v.Permissions = r.permissions(key, n) },
	})
	v.Run = user.over(n, trusted, r)
	r.withheld(n, trusted)
	return v, r.problems
}

type reader struct{ problems []Problem }

func (r *reader) warn(n Node, key, format string, a ...any) {
	r.problems = append(r.problems, Problem{Line: n.Line, Key: key, Text: fmt.Sprintf(format, a...)})
}

func (r *reader) refuse(n Node, key, format string, a ...any) {
	r.warn(n, key, format, a...)
	r.problems[len(r.problems)-1].Refuses = true
}

// object reads the members of an object that are known by name. A known name that
// stands twice is refused: programs differ over which of the two counts. The rest is
// kept in the file and means nothing here.
func (r *reader) object(prefix string, n Node, known map[string]func(key string, n Node)) {
	seen := map[string]bool{}
	for _, m := range n.Members {
		read := known[m.Name]
		if read == nil {
			continue
		}
		key := prefix + m.Name
		if seen[m.Name] {
			r.refuse(Node{Line: m.Line}, key, "it stands here twice; keep one of them")
			continue
		}
		seen[m.Name] = true
		if m.Value.Kind != Null {
			read(key, m.Value)
		}
	}
}

func (r *reader) profile(key string, n Node) string {
	switch {
	case n.Kind != String:
		r.warn(n, key, "it is %s and should be a string; until it is repaired the profile is strict", n.Kind)
	case !slices.Contains(rules.Profiles(), n.Text):
		r.warn(n, key, "there is no profile %q, only %s; until it is repaired the profile is strict", n.Text, strings.Join(rules.Profiles(), ", "))
	default:
		return n.Text
	}
	return "strict"
}

// permissions takes the tree as it is; its rules are read where their order counts.
func (r *reader) permissions(key string, n Node) Node {
	lists := 0
	for _, m := range n.Members {
		if m.Name == "rules" {
			lists++
		}
		if m.Name == "rules" && lists > 1 {
			r.refuse(Node{Line: m.Line}, key+".rules", "it stands here twice; keep one of them")
		}
	}
	return n
}

// shell reads the auto set. Without one that can be read, nothing runs unasked.
func (r *reader) shell(key string, n Node) (auto *call.Effects) {
	var none call.Effects
	if n.Kind != Object {
		r.warn(n, key, "it is %s and should be an object; until it is repaired every effect asks", n.Kind)
		return &none
	}
	r.object(key+".", n, map[string]func(string, Node){
		"autoEffects": func(key string, n Node) {
			names, ok := r.strings(key, n, "until it is repaired every effect asks")
			if auto = &none; ok {
				auto = r.effects(key, n, names)
			}
		},
	})
	return auto
}

// effects leaves out what is no effect that may be granted: less runs then, not more.
func (r *reader) effects(key string, n Node, names []string) *call.Effects {
	var set call.Effects
	for _, name := range names {
		one, err := call.ParseEffects([]string{name})
		if err != nil {
			r.warn(n, key, "%v; it is left out", err)
		}
		set = set.With(one)
	}
	return &set
}

// strings reads a list of strings. An element of another kind is left out; ok is
// false when it is no list.
func (r *reader) strings(key string, n Node, holds string) (out []string, ok bool) {
	if n.Kind != List {
		r.warn(n, key, "it is %s and should be a list of strings; %s", n.Kind, holds)
		return nil, false
	}
	for i, e := range n.Elements {
		if e.Kind != String {
			r.warn(e, fmt.Sprintf("%s[%d]", key, i), "it is %s and should be a string; it is left out", e.Kind)
			continue
		}
		out = append(out, e.Text)
	}
	return out, true
}

// maxWithheld is how many keys the warning about withheld ones names.
const maxWithheld = 20

// withheld names the keys of a project's file that do not count, and which of them
// would with trust. A schema's address says nothing to tenet.
func (r *reader) withheld(n Node, trusted bool) {
	var names, wait []string
	line, seen := 0, map[string]bool{"permissions": true, "$schema": true}
	for _, m := range n.Members {
		whose := mayProject(m.Name)
		if seen[m.Name] || whose == Anyone || whose == WithTrust && trusted {
			continue
		}
		seen[m.Name] = true
		if whose == WithTrust {
			wait = append(wait, m.Name)
		}
		if names = append(names, m.Name); len(names) == 1 {
			line = m.Line
		}
	}
	if len(names) > 0 {
		r.warn(Node{Line: line}, listed(names), "%s", becauseOf(names, wait))
	}
}

// listed is some names, and how many more there are.
func listed(names []string) string {
	if more := len(names) - maxWithheld; more > 0 {
		names = append(slices.Clone(names[:maxWithheld]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// becauseOf says why names are withheld; wait are those of them that trust would let count.
func becauseOf(names, wait []string) string {
	they, count := "they are", "count"
	if len(names) == 1 {
		they = "it is"
	}
	if len(wait) == 1 {
		count = "counts"
	}
	switch {
	case len(wait) == 0:
		return fmt.Sprintf("withheld: %s not a project's to set", they)
	case len(wait) == len(names):
		return fmt.Sprintf("withheld until you trust this file: 'tenet trust' shows %s and asks", map[bool]string{true: "it", false: "them"}[len(names) == 1])
	}
	return fmt.Sprintf("withheld: %s not a project's to set; %s %s once you trust this file ('tenet trust')", they, listed(wait), count)
}
