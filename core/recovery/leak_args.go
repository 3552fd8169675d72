package recovery

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tenet/core/surface"
)

// offer gives each call its arguments as one JSON object, or says why one of them is no
// call: a tool that is not offered runs under no name.
func (s *scan) offer(calls []found) ([]found, string) {
	for i, f := range calls {
		at := slices.IndexFunc(s.offered, func(t surface.Tool) bool { return t.Name == f.tool })
		if f.tool == "" {
			return nil, noName
		}
		if at < 0 {
			return nil, fmt.Sprintf("the tool %s is not offered", quoted(f.tool))
		}
		args, reason := arguments(f, s.offered[at])
		if reason != "" {
			return nil, reason
		}
		calls[i].args = args
	}
	return calls, ""
}

// arguments: a call without any is one of a tool that needs none.
func arguments(f found, t surface.Tool) (args, reason string) {
	if f.args != "" {
		return f.args, ""
	}
	if len(f.params) == 0 && slices.ContainsFunc(t.Params, func(p surface.Param) bool { return p.Required }) {
		return "", "it has no arguments"
	}
	var b strings.Builder
	seen := map[string]bool{}
	for i, p := range f.params {
		if seen[p.name] {
			return "", fmt.Sprintf("the parameter %s stands twice", quoted(p.name))
		}
		seen[p.name] = true
		value, ok := typed(p, t)
		if !ok {
			return "", fmt.Sprintf("the parameter %s is not JSON", quoted(p.name))
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(encoded(p.name) + ":" + value)
	}
	return "{" + b.String() + "}", ""
}

// typed is a parameter's value as JSON. It is a string, unless the markup or the tool's
// declaration says otherwise and the value is JSON: a command "true" stays a string, and
// what does not fit is left for the check of arguments to name.
func typed(p pair, t surface.Tool) (string, bool) {
	at := slices.IndexFunc(t.Params, func(d surface.Param) bool { return d.Name == p.name })
	declared := at >= 0 && t.Params[at].Type != surface.String
	if p.text || !p.typed && !declared {
		return encoded(p.value), true
	}
	value := strings.TrimSpace(p.value)
	if json.Valid([]byte(value)) {
		return value, true
	}
	return encoded(p.value), !p.typed
}
