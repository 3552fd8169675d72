package effect

import "tenet/core/call"

// Part is one part of a step: a command, a redirection, or a command inside a
// script that is one step (G2).
type Part struct {
	// Own is what the part does by itself: by its name, its options, and the class
	// of what it writes.
	Own call.Effects
	// Secret is true when the part names a path that is or holds a secret.
	Secret bool
}

// Effects is what the part may do. Secret comes from a named path alone: whatever a
// table row says, it cannot make a step secret (law secret_needs_a_secret_path).
func (p Part) Effects() call.Effects {
	own := p.Own & call.Grantable
	if p.Secret {
		return own.With(call.Of(call.Secret))
	}
	return own
}

// Join is the effects of a step: every effect of every part of it (law
// step_holds_every_part).
func Join(parts ...Part) call.Effects {
	var all call.Effects
	for _, p := range parts {
		all = all.With(p.Effects())
	}
	return all
}
