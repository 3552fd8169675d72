package permission

import (
	"fmt"
	"iter"

	"tenet/core/rules"
)

// Member is one member of a settings file's permissions.
type Member struct {
	// Form is how it is written.
	Form Form
	// Says are the rules in it, in the order written; a shorthand has one.
	Says []Placed
}

// Form is how rules are written.
type Form uint8

// The forms.
const (
	Shorthand Form = iota // a capability and an action
	Nested                // a capability, and actions by pattern
	Listed                // the list of rules
	Wrong                 // nothing that is a rule
)

var formNames = [...]string{"shorthand", "nested", "listed", "wrong"}

// String names the form.
func (f Form) String() string { return formNames[f] }

// File is the members of one file, in the order written.
type File struct{ Members []Member }

// String is the file as a run shows it.
func (f File) String() string { return fmt.Sprintf("%v", f.Members) }

// Read is what became of a file.
type Read struct {
	Rules    []rules.Rule
	Problems []rules.Problem
}

// StepFile reads one file as a user's.
func (None) StepFile(f File) (None, Read) {
	e := rules.Entry{Kind: rules.Object}
	for _, m := range f.Members {
		e.Items = append(e.Items, m.entry())
	}
	var out Read
	out.Rules, out.Problems = rules.Normalize(rules.FromUser, e)
	return None{}, out
}

func (m Member) entry() rules.Entry {
	switch m.Form {
	case Shorthand:
		return text(m.Says[0].Capability, m.Says[0].Action.String())
	case Nested:
		e := rules.Entry{Key: m.Says[0].Capability, Kind: rules.Object}
		for _, p := range m.Says {
			e.Items = append(e.Items, text(p.Pattern, p.Action.String()))
		}
		return e
	case Listed:
		e := rules.Entry{Key: "rules", Kind: rules.List}
		for _, p := range m.Says {
			e.Items = append(e.Items, rules.Entry{Kind: rules.Object, Items: []rules.Entry{
				text("action", p.Action.String()), text("pattern", p.Pattern), text("capability", p.Capability),
			}})
		}
		return e
	case Wrong:
		return text("file.read", "alow")
	}
	return rules.Entry{}
}

func text(key, value string) rules.Entry {
	return rules.Entry{Key: key, Kind: rules.Text, Text: value}
}

// members are what a file may hold.
var members = []Member{
	{Shorthand, []Placed{{Capability: "file.read", Pattern: "*", Action: rules.Allow}}},
	{Shorthand, []Placed{{Capability: "*", Pattern: "*", Action: rules.Deny}}},
	{Nested, []Placed{{Capability: "process.execute", Pattern: "b", Action: rules.Ask}, {Capability: "process.execute", Pattern: "a", Action: rules.Allow}, {Capability: "process.execute", Pattern: "b", Action: rules.Deny}}},
	{Nested, []Placed{{Capability: "file.write.*", Pattern: "*", Action: rules.Ask}}},
	{Listed, []Placed{{Capability: "mcp.call", Pattern: "z", Action: rules.Deny}, {Capability: "file.read", Pattern: "a*", Action: rules.Allow}}},
	{Listed, []Placed{{Capability: "git.modify", Pattern: "*", Action: rules.Allow}}},
	{Form: Wrong},
}

// Files is every file of up to four members.
func Files(None) iter.Seq[File] {
	return func(yield func(File) bool) {
		more(nil, yield)
	}
}

func more(have []Member, yield func(File) bool) bool {
	if !yield(File{have}) {
		return false
	}
	if len(have) == 4 {
		return true
	}
	for _, m := range members {
		if !more(append(have[:len(have):len(have)], m), yield) {
			return false
		}
	}
	return true
}
