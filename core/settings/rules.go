package settings

import (
	"slices"
	"strings"

	"tenet/core/call"
	"tenet/core/rules"
)

// Rules reads the rules of a file's permissions in the order in which they count: the
// shorthand and nested forms as they stand, then the list (seed 4 §4.1). Each rule has
// the position that 'tenet rules list' shows. Of a rule whose action cannot be read
// deny holds; a rule of which more is wrong is refused in the user's file, and left
// out of a project's.
func Rules(permissions Node, source rules.Source) ([]rules.Rule, []Problem) {
	r := &ruleReader{source: source}
	for _, m := range permissions.Members {
		if m.Name != "rules" {
			r.form(m)
		}
	}
	for _, m := range permissions.Members {
		if m.Name == "rules" {
			r.list(m)
		}
	}
	return r.out, r.problems
}

type ruleReader struct {
	reader
	source rules.Source
	out    []rules.Rule
}

// add takes one rule; every rule that stands in the file has a position, whether it
// can be read or not.
func (r *ruleReader) add(line int, capability, pattern string, action Node) {
	key := "permissions." + capability
	a, ok := rules.ParseAction(action.Text)
	if action.Kind != String || !ok {
		r.warn(Node{Line: line}, key, "the action of %q should be allow, ask or deny; until it is repaired it is deny", pattern)
		a = rules.Deny
	}
	if !known(capability) {
		r.lost(line, a, key, "there is no capability %q, only %s", capability, strings.Join(names(), ", "))
	}
	r.out = append(r.out, rules.Rule{
		Capability: capability, Pattern: pattern, Action: a, Source: r.source, Position: len(r.out) + 1,
	})
}

// lost tells of a rule that says nothing. Where it was to forbid, the user's file is
// refused.
func (r *ruleReader) lost(line int, a rules.Action, key, format string, args ...any) {
	if r.source == rules.FromUser && a != rules.Allow {
		r.refuse(Node{Line: line}, key, format, args...)
		return
	}
	r.warn(Node{Line: line}, key, format+"; this rule says nothing", args...)
}

// form reads a shorthand, capability to action, or a nested form, capability to
// subject to action.
func (r *ruleReader) form(m Member) {
	if m.Value.Kind != Object {
		r.add(m.Line, m.Name, "*", m.Value)
		return
	}
	for _, inner := range m.Value.Members {
		r.add(inner.Line, m.Name, inner.Name, inner.Value)
	}
}

func (r *ruleReader) list(m Member) {
	if m.Value.Kind != List {
		r.lost(m.Line, rules.Deny, "permissions.rules", "it is %s and should be a list", m.Value.Kind)
		return
	}
	for _, e := range m.Value.Elements {
		r.element(e)
	}
}

// element reads {"capability": …, "pattern": …, "action": …}; without a pattern it
// speaks of every subject.
func (r *ruleReader) element(e Node) {
	capability, ok := e.Member("capability")
	pattern, some := e.Member("pattern")
	if !some {
		pattern = Node{Kind: String, Text: "*"}
	}
	if e.Kind != Object || !ok || capability.Kind != String || pattern.Kind != String {
		r.lost(e.Line, rules.Deny, "permissions.rules", "a rule is an object with the strings capability, pattern and action")
		r.out = append(r.out, rules.Rule{Action: rules.Deny, Source: r.source, Position: len(r.out) + 1})
		return
	}
	action, _ := e.Member("action")
	r.add(e.Line, capability.Text, pattern.Text, action)
}

func names() []string {
	var out []string
	for _, c := range call.Capabilities() {
		out = append(out, c.String())
	}
	return out
}

func known(capability string) bool {
	return slices.ContainsFunc(names(), func(n string) bool { return rules.Match(capability, n) })
}
