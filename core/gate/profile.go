package gate

import (
	"slices"

	"tenet/core/call"
)

// profiles are the default layers, in the order they are offered (DESIGN,
// "Profiles"); each is the auto set that holds while nobody names another.
var profiles = []profile{
	{"open", call.Grantable},                     // everything but a secret
	{"balanced", call.Of(call.Read, call.Write)}, // inspection and edits in the workspace
	{"strict", call.Of(call.Read)},               // every write and command asks
	{Demo, call.Of(call.Read, call.Write, call.Exec)},
}

type profile struct {
	name string
	auto call.Effects
}

// Demo is the profile that the demo plays under: its project's own programs run, what
// leaves the project asks.
const Demo = "demo"

// Profile is the auto set of a profile; ok is false for a name that is none.
func Profile(name string) (auto call.Effects, ok bool) {
	i := slices.IndexFunc(profiles, func(p profile) bool { return p.name == name })
	if i < 0 {
		return 0, false
	}
	return profiles[i].auto, true
}

// Profiles are the names a person may choose.
func Profiles() []string {
	var out []string
	for _, p := range profiles {
		if p.name != Demo {
			out = append(out, p.name)
		}
	}
	return out
}
