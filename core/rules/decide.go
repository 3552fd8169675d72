package rules

import "tenet/core/call"

// Decide is what the layers say of a request: the last rule whose two patterns match
// (law evaluate_last_match_wins), Silent when none does (law evaluate_unmatched_asks).
// The rules of a project that the user does not trust count only where they are
// stricter than what would hold without them (law untrusted_project_never_loosens).
func Decide(l Layers, q call.Request) Decision {
	with := last(q, l.Session, l.Project, l.User, l.Default)
	if l.Trusted || len(l.Project) == 0 {
		return with
	}
	without := last(q, l.Session, l.User, l.Default)
	if looseness(with.Action) < looseness(without.Action) {
		return with
	}
	return without
}

// last is the decision of the last rule that speaks; the layers come latest first.
func last(q call.Request, layers ...[]Rule) Decision {
	for _, rules := range layers {
		for i := len(rules) - 1; i >= 0; i-- {
			if speaks(&rules[i], q) {
				return Decision{Action: rules[i].Action, Rule: rules[i]}
			}
		}
	}
	return Decision{}
}

// speaks: of a request that nobody could read whole, an allow speaks only when it
// spells the whole of it; a stricter rule speaks by pattern as ever (law
// obfuscated_never_allowed_by_pattern).
func speaks(r *Rule, q call.Request) bool {
	if q.ExactOnly && r.Action == Allow && !r.Spelled() {
		return false
	}
	return r.Matches(q)
}

// looseness orders actions by how much they let happen. What no rule speaks of may
// still be asked about, so it is stricter than an allow.
func looseness(a Action) uint8 {
	switch a {
	case Deny:
		return 0
	case Ask:
		return 1
	case Silent:
		return 2
	case Allow:
		return 3
	}
	return 0
}
