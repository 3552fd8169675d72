package rules

import "tenet/core/call"

// Profiles are the names of the default layers, the most open first.
func Profiles() []string { return []string{"open", "balanced", "strict"} }

// Default is the default layer of a profile in a workspace, and its auto set; ok is
// false for a name that is no profile.
func Default(profile, root string) (layer []Rule, auto call.Effects, ok bool) {
	switch profile {
	case "open":
		return nil, call.Grantable, true
	case "balanced":
		return number(balanced()), call.Of(call.Read, call.Write), true
	case "strict":
		return number(strict(root)), 0, true
	}
	return nil, 0, false
}

func number(layer []Rule) []Rule {
	for i := range layer {
		layer[i].Source, layer[i].Position = FromDefault, i+1
	}
	return layer
}

func balanced() []Rule {
	return []Rule{
		{Name: "outside-asks", Capability: "file.write.outsideProject", Pattern: "*", Action: Ask},
		{Name: "network-asks", Capability: "network.access", Pattern: "*", Action: Ask},
		{Name: "git-asks", Capability: "git.modify", Pattern: "*", Action: Ask},
		{Name: "background-asks", Capability: "process.background", Pattern: "*", Action: Ask},
		{Name: "stdin", Capability: "process.background", Pattern: "stdin:*", Action: Allow},
	}
}

func strict(root string) []Rule {
	return []Rule{
		{Name: "all-asks", Capability: "*", Pattern: "*", Action: Ask},
		{Name: "workspace-read", Capability: "file.read", Pattern: root, Exact: true, Action: Allow},
	}
}
