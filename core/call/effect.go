// Package call holds the values that a tool call is made of before it runs: the
// steps it was planned into and the effects each step may have (S7.8).
package call

import (
	"fmt"
	"strings"
)

// Effect is one thing a step may do to the world (S7.8).
type Effect uint8

// The seven effects, in the order they are shown in.
const (
	Read      Effect = iota // reads files or lists names
	Write                   // creates, changes or removes files
	Exec                    // runs code that the effect table does not vouch for
	Net                     // talks to the network
	Outside                 // writes outside every workspace root
	Protected               // writes what decides over tenet, git or a program's name
	Secret                  // touches a path that is or holds a secret
)

// numEffects is the size of the enum; a set is a mask over it.
const numEffects = 7

var effectNames = [numEffects]string{"read", "write", "exec", "net", "outside", "protected", "secret"}

// String is the effect's name as settings and questions spell it.
func (e Effect) String() string {
	if int(e) < len(effectNames) {
		return effectNames[e]
	}
	return fmt.Sprintf("effect(%d)", uint8(e))
}

// Effects is a set of effects. The zero value is the empty set.
type Effects uint8

// Grantable is every effect that an auto set may hold: all but Secret (G5).
const Grantable = Effects(1<<Secret - 1)

// All is every effect.
const All = Effects(1<<numEffects - 1)

// Of is the set of the given effects.
func Of(es ...Effect) Effects {
	var s Effects
	for _, e := range es {
		s |= 1 << e
	}
	return s
}

// Has reports whether e is in the set.
func (s Effects) Has(e Effect) bool { return s&(1<<e) != 0 }

// With is the union of both sets.
func (s Effects) With(t Effects) Effects { return s | t }

// Minus is what s holds and t does not.
func (s Effects) Minus(t Effects) Effects { return s &^ t }

// Within reports whether every effect of s is in t.
func (s Effects) Within(t Effects) bool { return s&^t == 0 }

// List is the set's members in the order of the enum.
func (s Effects) List() []Effect {
	var out []Effect
	for e := range Effect(numEffects) {
		if s.Has(e) {
			out = append(out, e)
		}
	}
	return out
}

// Names is the set's members by name, for records and questions.
func (s Effects) Names() []string {
	out := []string{}
	for _, e := range s.List() {
		out = append(out, e.String())
	}
	return out
}

// String joins the names with a plus sign, as refusals show them; the empty set is "none".
func (s Effects) String() string {
	if s == 0 {
		return "none"
	}
	return strings.Join(s.Names(), "+")
}

// ParseEffects reads a list of effect names into a set that may be an auto set.
// An unknown name, or secret, is an error that lists what is allowed: a misspelt
// gate must never open or close in silence (S7.8).
func ParseEffects(names []string) (Effects, error) {
	var s Effects
	for _, n := range names {
		e, ok := parseEffect(strings.TrimSpace(n))
		if !ok || !Grantable.Has(e) {
			return 0, fmt.Errorf("effect %q cannot be allowed; use %s", n, strings.Join(Grantable.Names(), ", "))
		}
		s |= 1 << e
	}
	return s, nil
}

func parseEffect(name string) (Effect, bool) {
	for e, n := range effectNames {
		if n == name {
			return Effect(e), true
		}
	}
	return 0, false
}
