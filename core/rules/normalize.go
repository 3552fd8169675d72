package rules

import (
	"fmt"
	"slices"
	"strings"

	"tenet/core/call"
)

// Kind is what a value of the settings is.
type Kind uint8

// The kinds.
const (
	Other  Kind = iota // a number or null: nothing that a rule is made of
	Text               // a string
	Bool               // true or false
	Object             // members in the order written, each with its Key
	List               // elements in the order written, their Keys empty
)

// Entry is one member of an object or element of a list of the settings. The order of
// Items is that of the file: the last rule that matches wins, so order is meaning.
type Entry struct {
	Key  string
	Kind Kind
	// Text is the value of a Text, and "true" or "false" of a Bool.
	Text  string
	Items []Entry
	// Line is where the entry stands in the file, from 1; 0 when it stands in none.
	Line int
}

// Problem is one thing that is wrong with the permissions of a settings file.
type Problem struct {
	// Line is where it stands, from 1; 0 when that is not known.
	Line int
	// Where is the path to it: permissions."process.execute"."git *".
	Where string
	// Text says what is wrong and what would be right.
	Text string
}

// String is the problem in one line.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.Where + ": " + p.Text
	}
	return fmt.Sprintf("line %d: %s: %s", p.Line, p.Where, p.Text)
}

// MaxRules bounds the rules of one file: a project must not make each decision slow.
const MaxRules = 4096

// maxPattern bounds a pattern, in bytes.
const maxPattern = 4096

// Normalize is the rules of a settings file's permissions (seed 4 §4.1): a capability
// with an action, a capability with actions by pattern, and the list "rules", which
// comes after everything else wherever it stands. Source order is kept inside each
// (law normalize_keeps_order). With any problem there are no rules: a deny that was
// misspelt must not leave a gate open in silence, so the caller stops there.
func Normalize(source Source, permissions Entry) ([]Rule, []Problem) {
	n := normalizer{source: source}
	n.all(permissions)
	if len(n.rules) > MaxRules {
		n.wrong(permissions, "permissions", "there are %d rules, and at most %d may be; join some with a *", len(n.rules), MaxRules)
	}
	if len(n.problems) > 0 {
		return nil, n.problems
	}
	return n.rules, nil
}

type normalizer struct {
	source   Source
	rules    []Rule
	problems []Problem
}

func (n *normalizer) wrong(e Entry, where, format string, a ...any) {
	n.problems = append(n.problems, Problem{Line: e.Line, Where: where, Text: fmt.Sprintf(format, a...)})
}

func (n *normalizer) all(permissions Entry) {
	const where = "permissions"
	if permissions.Kind != Object {
		n.wrong(permissions, where, "it must be an object, such as {\"process.execute\": {\"npm test\": \"allow\"}}")
		return
	}
	var lists []Entry
	for _, e := range permissions.Items {
		if e.Key == "rules" {
			lists = append(lists, e)
		} else {
			n.capability(e, fmt.Sprintf("%s.%q", where, e.Key))
		}
	}
	for _, l := range lists {
		n.list(l, where+".rules")
	}
}

// capability is a member whose key is a capability: with an action, or with actions by
// pattern.
func (n *normalizer) capability(e Entry, where string) {
	switch e.Kind {
	case Text:
		n.add(e, where, Rule{Capability: e.Key, Pattern: "*"}, e.Text)
	case Object:
		for _, p := range e.Items {
			at := fmt.Sprintf("%s.%q", where, p.Key)
			if p.Kind != Text {
				n.wrong(p, at, "a pattern must have an action, which is %s", actions)
				continue
			}
			n.add(p, at, Rule{Capability: e.Key, Pattern: p.Key}, p.Text)
		}
	case Other, Bool, List:
		n.wrong(e, where, "it must be an action, which is %s, or an object of patterns with actions", actions)
	}
}

const actions = `"allow", "ask" or "deny"`

func (n *normalizer) list(e Entry, where string) {
	if e.Kind != List {
		n.wrong(e, where, "it must be a list of rules, such as [{\"capability\": \"file.read\", \"pattern\": \"*.pem\", \"action\": \"ask\"}]")
		return
	}
	for i, r := range e.Items {
		n.rule(r, fmt.Sprintf("%s[%d]", where, i))
	}
}

// rule is one element of the list.
func (n *normalizer) rule(e Entry, where string) {
	if e.Kind != Object {
		n.wrong(e, where, "a rule must be an object with a capability, a pattern and an action")
		return
	}
	r, action := Rule{Pattern: "*"}, ""
	var seen []string
	for _, m := range e.Items {
		at := where + "." + m.Key
		if slices.Contains(seen, m.Key) {
			n.wrong(m, at, "it stands there twice")
			return
		}
		seen = append(seen, m.Key)
		switch {
		case m.Key == "capability" && m.Kind == Text:
			r.Capability = m.Text
		case m.Key == "pattern" && m.Kind == Text:
			r.Pattern = m.Text
		case m.Key == "action" && m.Kind == Text:
			action = m.Text
		case m.Key == "exact" && m.Kind == Bool:
			r.Exact = m.Text == "true"
		case slices.Contains([]string{"capability", "pattern", "action"}, m.Key):
			n.wrong(m, at, "it must be a string")
			return
		case m.Key == "exact":
			n.wrong(m, at, "it must be true or false")
			return
		default:
			n.wrong(m, at, "a rule has no such member; it has capability, pattern, action and exact")
			return
		}
	}
	for _, must := range []string{"capability", "action"} {
		if !slices.Contains(seen, must) {
			n.wrong(e, where, "the rule has no %s", must)
			return
		}
	}
	n.add(e, where, r, action)
}

// add checks what all forms have in common and takes the rule.
func (n *normalizer) add(e Entry, where string, r Rule, action string) {
	var ok bool
	if r.Action, ok = ParseAction(action); !ok {
		n.wrong(e, where, "%q is no action; use %s", action, actions)
		return
	}
	if !slices.ContainsFunc(call.Capabilities(), func(c call.Capability) bool { return Match(r.Capability, c.String()) }) {
		n.wrong(e, where, "%q is no capability and stands for none; there are %s", r.Capability, capabilities())
		return
	}
	if r.Pattern == "" || len(r.Pattern) > maxPattern {
		n.wrong(e, where, "a pattern has from 1 to %d bytes, and this has %d; * stands for everything", maxPattern, len(r.Pattern))
		return
	}
	r.Source, r.Position = n.source, len(n.rules)+1
	n.rules = append(n.rules, r)
}

func capabilities() string {
	var out []string
	for _, c := range call.Capabilities() {
		out = append(out, c.String())
	}
	return strings.Join(out, ", ")
}
