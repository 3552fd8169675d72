// Package rules is what people say about capabilities (seed 4): the requests that a
// step makes, the layers of rules that answer them, and the patterns that may be
// offered as a standing answer. It is pure: settings hand the rules in, and the gate
// combines the answers.
package rules

import (
	"fmt"
	"strings"

	"tenet/core/call"
)

// Action is what a rule says of a request.
type Action uint8

// The actions, each stricter in a combination than the one before.
const (
	Silent Action = iota // no rule speaks of it: the default layer's auto set decides
	Allow                // it may happen unasked
	Ask                  // a person is asked
	Deny                 // it may not happen
)

var actionNames = [...]string{"silent", "allow", "ask", "deny"}

// String is the action as settings and records spell it.
func (a Action) String() string {
	if int(a) < len(actionNames) {
		return actionNames[a]
	}
	return fmt.Sprintf("action(%d)", uint8(a))
}

// ParseAction reads an action that a rule may have: allow, ask or deny.
func ParseAction(name string) (a Action, ok bool) {
	for i := Allow; i <= Deny; i++ {
		if actionNames[i] == name {
			return i, true
		}
	}
	return Silent, false
}

// Combine is the verdict over several actions: deny beats ask beats allow, and what
// no rule speaks of changes nothing (law combine_deny_ask_allow). Of nothing at all it
// is Silent.
func Combine(actions ...Action) Action {
	worst := Silent
	for _, a := range actions {
		worst = max(worst, a)
	}
	return worst
}

// Source is the layer that a rule comes from.
type Source uint8

// The sources, in the order of the layers: a later one wins.
const (
	FromDefault Source = iota // shipped with the profile
	FromUser                  // the user's settings
	FromProject               // the project's settings
	FromSession               // granted while the session lasts
)

var sourceNames = [...]string{"default", "user", "project", "session"}

// String is the source as records spell it.
func (s Source) String() string {
	if int(s) < len(sourceNames) {
		return sourceNames[s]
	}
	return fmt.Sprintf("source(%d)", uint8(s))
}

// Rule is one sentence of a layer: what may happen to the requests whose capability
// and subject match both patterns (seed 4 §4.1).
type Rule struct {
	// Name is the stable name of a shipped rule, for records; empty for everybody else's.
	Name string
	// Capability is a pattern over capability names: "process.execute", "file.write.*", "*".
	Capability string
	// Pattern is a pattern over subjects; * stands for any run of characters, / included.
	Pattern string
	// Exact is true when the pattern is the subject itself and a * in it is only a *.
	Exact bool
	// Action is what the rule says: Allow, Ask or Deny.
	Action Action
	// Source is the layer, Position the place in it, counted from 1.
	Source   Source
	Position int
}

// Matches reports whether the rule speaks of a request, whatever it says.
func (r *Rule) Matches(q call.Request) bool {
	return r.subject(q.Subject) && Match(r.Capability, q.Capability.String())
}

func (r *Rule) subject(s string) bool {
	if r.Exact {
		return r.Pattern == s
	}
	return Match(r.Pattern, s)
}

// Spelled reports whether the rule spells the whole subject, with no wildcard.
func (r Rule) Spelled() bool { return r.Exact || !strings.Contains(r.Pattern, "*") }

// Layers are the rules in force, one list per source, each in the order written.
type Layers struct {
	Default, User, Project, Session []Rule
	// Trusted is true when the user trusts this project's rules. Until then they can
	// only make a decision stricter (law untrusted_project_never_loosens).
	Trusted bool
}

// All is the rules in the order in which they are in force: default, user, project,
// session, each in its own order; the last that matches wins (law layers_concatenate).
func (l Layers) All() []Rule {
	out := make([]Rule, 0, len(l.Default)+len(l.User)+len(l.Project)+len(l.Session))
	for _, layer := range [...][]Rule{l.Default, l.User, l.Project, l.Session} {
		out = append(out, layer...)
	}
	return out
}

// Decision is what the rules say of one request, and by which rule.
type Decision struct {
	Action Action
	// Rule is the rule that decided; the zero Rule when the action is Silent.
	Rule Rule
}

// Covers is what the decision lets a step do for the request: nothing unless it is an
// allow, and a protected place only by a rule that spells its path. Secret is never
// covered.
func (d Decision) Covers(q call.Request) call.Effects {
	if d.Action != Allow {
		return 0
	}
	covers := q.Covers & call.Grantable
	if !d.Rule.Spelled() {
		covers = covers.Minus(call.Of(call.Protected))
	}
	return covers
}
