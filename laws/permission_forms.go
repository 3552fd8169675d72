package laws

import (
	"strings"

	"tenet/core/call"
	"tenet/core/rules"
	"tenet/laws/law"
	"tenet/models/permission"
)

type (
	offerLaw    = law.Law[permission.None, permission.Offer, permission.Offered]
	formLaw     = law.Law[permission.None, permission.File, permission.Read]
	spellingLaw = law.Law[permission.None, permission.Spelled, string]
)

// PermissionOffer: what a person may allow for good is what was read.
var PermissionOffer = struct {
	// SuggestNeverOverGeneralizes: no standing pattern is offered for a compound or obfuscated command or for one that runs through another or elsewhere, and an offered pattern is the command or its telling words, and matches it.
	SuggestNeverOverGeneralizes offerLaw `law:"suggest_never_over_generalizes" rule:"2/3.3"`
}{
	SuggestNeverOverGeneralizes: offerLaw{Func: func(o permission.Offer, out permission.Offered) law.Verdict {
		clear := o.Class == call.Simple && (o.Via == "" || o.Via == "timeout" || o.Via == "CI=1") && (o.Dir == permission.Root || o.Dir == permission.Root+"/sub")
		program, _, _ := strings.Cut(o.Text, " ")
		if !clear || strings.Contains(o.Text, "$") || strings.ContainsAny(program, "*?") {
			return law.Check(len(out.Patterns) == 0, "%q is offered", out.Patterns)
		}
		for _, p := range out.Patterns {
			words, general := strings.CutSuffix(p, " *")
			kept := len(strings.Fields(words))
			switch {
			case !permission.Fits(p, out.Subject):
				return law.Broken("%q does not match %q", p, out.Subject)
			case !general && p != out.Subject:
				return law.Broken("%q is not %q", p, out.Subject)
			case general && (o.Least == 0 || kept < o.Least || strings.Contains(words, "*")):
				return law.Broken("%q keeps %d words, and %d say what it is for", p, kept, o.Least)
			}
		}
		return law.Holds
	}},
}

// PermissionOfferBook lists the laws of PermissionOffer.
var PermissionOfferBook = law.Book[permission.None, permission.Offer, permission.Offered]("permission", &PermissionOffer)

// PermissionForm: how a rule is written does not change when it is in force.
var PermissionForm = struct {
	// NormalizeKeepsOrder: shorthand, nested and listed forms keep source order, the list behind the others; with a mistake anywhere there is no rule at all.
	NormalizeKeepsOrder formLaw `law:"normalize_keeps_order" rule:"2/4.1"`
}{
	NormalizeKeepsOrder: formLaw{Func: func(f permission.File, out permission.Read) law.Verdict {
		var want, listed []permission.Placed
		wrong := false
		for _, m := range f.Members {
			wrong = wrong || m.Form == permission.Wrong
			if m.Form == permission.Listed {
				listed = append(listed, m.Says...)
			} else {
				want = append(want, m.Says...)
			}
		}
		want = append(want, listed...)
		if wrong {
			return law.Check(len(out.Rules) == 0 && len(out.Problems) > 0, "%d rules of a file with a mistake, and %v", len(out.Rules), out.Problems)
		}
		if len(out.Rules) != len(want) || len(out.Problems) > 0 {
			return law.Broken("%d rules of %d, and %v", len(out.Rules), len(want), out.Problems)
		}
		for i, r := range out.Rules {
			if r != (rules.Rule{Capability: want[i].Capability, Pattern: want[i].Pattern, Action: want[i].Action, Source: rules.FromUser, Position: i + 1}) {
				return law.Broken("rule %d is %+v, want %+v", i, r, want[i])
			}
		}
		return law.Holds
	}},
}

// PermissionFormBook lists the laws of PermissionForm.
var PermissionFormBook = law.Book[permission.None, permission.File, permission.Read]("permission", &PermissionForm)

// PermissionSpelling: the floor is about what runs, not about how it is written.
var PermissionSpelling = struct {
	// FloorSeesThroughQuotes: quoting, spacing, home spellings and wrappers do not hide a floor command, and a text that only mentions one is none.
	FloorSeesThroughQuotes spellingLaw `law:"floor_sees_through_quotes" rule:"2/4.2"`
}{
	FloorSeesThroughQuotes: spellingLaw{Func: func(s permission.Spelled, rule string) law.Verdict {
		return law.Check(rule == s.Rule, "the floor says %q, want %q", rule, s.Rule)
	}},
}

// PermissionSpellingBook lists the laws of PermissionSpelling.
var PermissionSpellingBook = law.Book[permission.None, permission.Spelled, string]("permission", &PermissionSpelling)
