package rules

import (
	"strings"

	"tenet/core/call"
)

// Shape is the tools that are worth offering under the rules: a tool of whose
// capabilities each is denied for everything is withheld, so that no turn is spent on
// what can never happen (law deny_shapes_roster). A deny of some subjects leaves a
// tool where it is. Both lists keep the order given.
func Shape(l Layers, tools []string) (offered, withheld []string) {
	for _, t := range tools {
		if impossible(l, t) {
			withheld = append(withheld, t)
		} else {
			offered = append(offered, t)
		}
	}
	return offered, withheld
}

func impossible(l Layers, tool string) bool {
	if late(tool) {
		return Decide(l, call.Request{Capability: call.MCPCall, Subject: tool}).Action == Deny
	}
	needs := Needs(tool)
	for _, c := range needs {
		if !Denied(l, c) {
			return false
		}
	}
	return len(needs) > 0
}

// Needs are the capabilities of which a tool of the roster needs one to be of any use;
// none for a tool that needs none. A tool that joined late needs mcp.call.
func Needs(tool string) []call.Capability {
	switch tool {
	case "read", "grep", "glob", "list_dir":
		return []call.Capability{call.FileRead}
	case "write", "edit", "search_replace":
		return []call.Capability{call.FileWriteProject, call.FileWriteOutside}
	case "bash", "run", "ipython":
		return []call.Capability{call.ProcessExecute}
	case "job":
		return []call.Capability{call.ProcessBackground}
	case "ask", "finish", "use_skill":
		return nil
	}
	return []call.Capability{call.MCPCall}
}

// Denied reports whether a capability is denied for every subject there is.
func Denied(l Layers, c call.Capability) bool {
	if denied(c, l.Session, l.Project, l.User, l.Default) {
		return true
	}
	return !l.Trusted && denied(c, l.Session, l.User, l.Default)
}

// denied looks for a deny of everything that no later rule makes an exception from;
// the layers come latest first.
func denied(c call.Capability, layers ...[]Rule) bool {
	for _, rules := range layers {
		for i := len(rules) - 1; i >= 0; i-- {
			r := rules[i]
			switch {
			case !Match(r.Capability, c.String()):
			case r.Action != Deny:
				return false
			case !r.Exact && r.Pattern != "" && strings.Trim(r.Pattern, "*") == "":
				return true
			}
		}
	}
	return false
}
