package permission

import (
	"slices"
	"strings"

	"tenet/core/call"
	"tenet/core/rules"
)

// Fits is a pattern's match read letter by letter, every way tried: * is any run of
// characters.
func Fits(pattern, text string) bool {
	switch {
	case pattern == "":
		return text == ""
	case pattern[0] == '*':
		return Fits(pattern[1:], text) || text != "" && Fits(pattern, text[1:])
	}
	return text != "" && pattern[0] == text[0] && Fits(pattern[1:], text[1:])
}

// Speaks reports whether a rule speaks of a request.
func (p Placed) Speaks(q call.Request) bool {
	if !Fits(p.Capability, q.Capability.String()) {
		return false
	}
	if p.Exact {
		return p.Pattern == q.Subject
	}
	if q.ExactOnly && p.Action == rules.Allow && slices.Contains([]byte(p.Pattern), '*') {
		return false
	}
	return Fits(p.Pattern, q.Subject)
}

// InForce is the rules of an operation, layer by layer; project is whether those of
// the project count.
func InForce(o Op, project bool) []Placed {
	var out []Placed
	for layer := rules.FromDefault; layer <= rules.FromSession; layer++ {
		for _, p := range o.Rules {
			if p.Layer == layer && (project || layer != rules.FromProject) {
				out = append(out, p)
			}
		}
	}
	return out
}

// Says is what rules say of a request, read from the first to the last: each that
// speaks takes the word from the one before.
func Says(in []Placed, q call.Request) rules.Action {
	said := rules.Silent
	for _, p := range in {
		if p.Speaks(q) {
			said = p.Action
		}
	}
	return said
}

// Verdict is what an operation's rules say of a request: those of a project that
// nobody trusts only where they let less happen.
func Verdict(o Op, q call.Request) rules.Action {
	with, without := Says(InForce(o, true), q), Says(InForce(o, false), q)
	if o.Trusted || Looser(without, with) {
		return with
	}
	return without
}

// Looser reports whether a lets more happen than b. An allow lets most happen; of what
// nobody speaks the default layer's auto set decides, which may ask.
func Looser(a, b rules.Action) bool {
	order := []rules.Action{rules.Deny, rules.Ask, rules.Silent, rules.Allow}
	return slices.Index(order, a) > slices.Index(order, b)
}

// needs are the capabilities of which a tool needs one.
var needs = map[string][]call.Capability{
	"read": {call.FileRead}, "write": {call.FileWriteProject, call.FileWriteOutside}, "bash": {call.ProcessExecute},
	"job": {call.ProcessBackground}, "dyn": {call.MCPCall}, "srv__do": {call.MCPCall},
}

// Hopeless reports whether a tool's every request is denied, tried on the subjects
// that rules speak of and on one that none does.
func Hopeless(o Op, tool string) bool {
	subjects := []string{"\x01"}
	for _, p := range o.Rules {
		subjects = append(subjects, p.Pattern, strings.ReplaceAll(p.Pattern, "*", "\x01"))
	}
	if tool == "srv__do" {
		subjects = []string{tool}
	}
	for _, c := range needs[tool] {
		for _, s := range subjects {
			if Verdict(o, call.Request{Capability: c, Subject: s}) != rules.Deny {
				return false
			}
		}
	}
	return len(needs[tool]) > 0
}

// Outright reports whether each capability of a tool is denied for everything by one
// rule, and no later rule makes an exception.
func Outright(o Op, tool string) bool {
	for _, c := range needs[tool] {
		outright := false
		for _, p := range InForce(o, true) {
			if Fits(p.Capability, c.String()) {
				outright = p.Action == rules.Deny && (outright || !p.Exact && strings.Trim(p.Pattern, "*") == "")
			}
		}
		if !outright {
			return false
		}
	}
	return len(needs[tool]) > 0
}
