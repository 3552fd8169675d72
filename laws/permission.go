package laws

import (
	"slices"
	"strings"

	"tenet/core/call"
	"tenet/core/rules"
	"tenet/laws/law"
	"tenet/models/permission"
)

type permissionLaw = law.Law[permission.None, permission.Op, permission.Out]

// Permission: rules decide by their order and their layers, and let a step do no more
// than they spell (seed 4).
var Permission = struct {
	// EvaluateLastMatchWins: the last rule whose two patterns match decides.
	EvaluateLastMatchWins permissionLaw `law:"evaluate_last_match_wins" rule:"2/4.3"`
	// EvaluateUnmatchedAsks: what no rule mentions falls to the default layer's verdict, never to allow.
	EvaluateUnmatchedAsks permissionLaw `law:"evaluate_unmatched_asks" rule:"2/4.3"`
	// CombineDenyAskAllow: deny beats ask beats allow over the requests of a call.
	CombineDenyAskAllow permissionLaw `law:"combine_deny_ask_allow" rule:"2/4.4"`
	// FloorUnbypassable: no rule of any layer allows a command on the hardline floor.
	FloorUnbypassable permissionLaw `law:"floor_unbypassable" rule:"2/4.2"`
	// CompoundAllowsByParts: a compound command is allowed only if every part is allowed, or vouched for by the effect table, and nothing but its parts runs.
	CompoundAllowsByParts permissionLaw `law:"compound_allows_by_parts" rule:"2/3.2"`
	// ObfuscatedNeverAllowedByPattern: an obfuscated command is allowed by an exact-subject rule only.
	ObfuscatedNeverAllowedByPattern permissionLaw `law:"obfuscated_never_allowed_by_pattern" rule:"2/3.2"`
	// LayersConcatenate: defaults, user, project, session, in that order, source order inside.
	LayersConcatenate permissionLaw `law:"layers_concatenate" rule:"2/4.2"`
	// UntrustedProjectNeverLoosens: a rule of an untrusted project can only make the verdict stricter.
	UntrustedProjectNeverLoosens permissionLaw `law:"untrusted_project_never_loosens" rule:"S4"`
	// DenyShapesRoster: a tool whose only capability is denied for everything is not offered.
	DenyShapesRoster permissionLaw `law:"deny_shapes_roster" rule:"2/7.2"`
}{
	EvaluateLastMatchWins: permissionLaw{Func: func(op permission.Op, out permission.Out) law.Verdict {
		said := law.Idle
		for _, r := range out.Ruled {
			want := permission.Verdict(op, r.Request)
			if want == rules.Silent {
				continue
			}
			said = law.Holds
			if r.Decision.Action != want || r.Decision.Rule.Action != want {
				return law.Broken("%v %q is %v by %+v, and the last rule says %v", r.Request.Capability, r.Request.Subject, r.Decision.Action, r.Decision.Rule, want)
			}
		}
		return said
	}},
	EvaluateUnmatchedAsks: permissionLaw{Func: func(op permission.Op, out permission.Out) law.Verdict {
		allowed := false
		said := law.Idle
		for _, r := range out.Ruled {
			want := permission.Verdict(op, r.Request)
			allowed = allowed || want == rules.Allow
			if want != rules.Silent {
				continue
			}
			said = law.Holds
			if r.Decision.Action != rules.Silent {
				return law.Broken("no rule speaks of %v %q, and it is %v", r.Request.Capability, r.Request.Subject, r.Decision.Action)
			}
		}
		if !allowed && out.Covered != 0 {
			return law.Broken("nothing is allowed, and %v is covered", out.Covered)
		}
		return said
	}},
	CombineDenyAskAllow: permissionLaw{Func: func(op permission.Op, out permission.Out) law.Verdict {
		if out.Floor != "" || len(out.Ruled) == 0 {
			return law.Idle
		}
		for _, a := range []rules.Action{rules.Deny, rules.Ask, rules.Allow} {
			if slices.ContainsFunc(out.Ruled, func(r rules.Ruled) bool { return permission.Verdict(op, r.Request) == a }) {
				return law.Check(out.Action == a, "a request is %v and the step is %v", a, out.Action)
			}
		}
		return law.Idle
	}},
	FloorUnbypassable: permissionLaw{Func: func(op permission.Op, out permission.Out) law.Verdict {
		if !permission.Steps[op.Step].Catastrophe {
			return law.Check(out.Floor == "", "%s falls under %q", permission.Steps[op.Step].Name, out.Floor)
		}
		return law.Check(out.Floor != "" && out.Action == rules.Deny, "the floor says %q and the step is %v", out.Floor, out.Action)
	}},
	CompoundAllowsByParts: permissionLaw{Func: func(op permission.Op, out permission.Out) law.Verdict {
		s := permission.Steps[op.Step].Step
		if s.Class != call.Compound || !out.Covered.Has(call.Exec) {
			return law.Idle
		}
		if permission.Steps[op.Step].Strange {
			return law.Broken("it does more than its commands say, and may run")
		}
		for _, c := range s.Commands {
			vouched := c.Effects != 0 && !c.Effects.Has(call.Exec)
			allowed := slices.ContainsFunc(out.Ruled, func(r rules.Ruled) bool {
				return r.Request.Subject == c.Text() && permission.Verdict(op, r.Request) == rules.Allow
			})
			if !vouched && !allowed {
				return law.Broken("%q is not allowed, and the step may run", c.Text())
			}
		}
		return law.Holds
	}},
	ObfuscatedNeverAllowedByPattern: permissionLaw{Func: func(op permission.Op, out permission.Out) law.Verdict {
		s := permission.Steps[op.Step].Step
		if s.Class != call.Obfuscated {
			return law.Idle
		}
		spelled := slices.ContainsFunc(op.Rules, func(p permission.Placed) bool {
			return p.Action == rules.Allow && (p.Exact || !strings.Contains(p.Pattern, "*")) && p.Pattern == s.Text
		})
		return law.Check(spelled || out.Covered == 0 && out.Action != rules.Allow, "no rule spells %q, and %v is covered", s.Text, out.Covered)
	}},
	LayersConcatenate: permissionLaw{Func: func(op permission.Op, out permission.Out) law.Verdict {
		want := permission.InForce(op, true)
		if len(want) < 2 {
			return law.Idle
		}
		if len(out.All) != len(want) {
			return law.Broken("%d rules are in force, and %d were written", len(out.All), len(want))
		}
		for i, p := range want {
			r := out.All[i]
			if p != (permission.Placed{Layer: r.Source, Capability: r.Capability, Pattern: r.Pattern, Exact: r.Exact, Action: r.Action}) {
				return law.Broken("rule %d in force is %+v, want %+v", i, r, p)
			}
		}
		return law.Holds
	}},
	UntrustedProjectNeverLoosens: permissionLaw{Func: func(op permission.Op, out permission.Out) law.Verdict {
		if op.Trusted || !slices.ContainsFunc(op.Rules, func(p permission.Placed) bool { return p.Layer == rules.FromProject }) {
			return law.Idle
		}
		for i, r := range out.Ruled {
			if permission.Looser(r.Decision.Action, out.Bare[i].Decision.Action) {
				return law.Broken("%q is %v by the project, and %v without it", r.Request.Subject, r.Decision.Action, out.Bare[i].Decision.Action)
			}
		}
		return law.Check(out.Covered.Within(out.BareCovered), "the project covers %v, and without it %v is covered", out.Covered, out.BareCovered)
	}},
	DenyShapesRoster: permissionLaw{Func: func(op permission.Op, out permission.Out) law.Verdict {
		if !slices.ContainsFunc(op.Rules, func(p permission.Placed) bool { return p.Action == rules.Deny }) {
			return law.Check(len(out.Withheld) == 0, "%q are withheld, and nothing is denied", out.Withheld)
		}
		for _, t := range permission.Tools {
			withheld := slices.Contains(out.Withheld, t)
			switch {
			case withheld && !permission.Hopeless(op, t):
				return law.Broken("%s is withheld, and something it asks for is not denied", t)
			case !withheld && op.Trusted && permission.Outright(op, t):
				return law.Broken("%s is offered, and everything it asks for is denied", t)
			}
		}
		return law.Holds
	}},
}

// PermissionBook lists the laws of Permission.
var PermissionBook = law.Book[permission.None, permission.Op, permission.Out]("permission", &Permission)
