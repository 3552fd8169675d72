package gate

import (
	"slices"
	"strings"

	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/rules"
)

// Record is the ruling as the log and tenet why spell it.
func (r Ruling) Record() event.Ruling {
	out := event.Ruling{
		Verdict: r.Verdict.String(), Stage: r.Stage.String(), Rule: r.Rule.record(), Law: r.Law, Why: r.Why, Next: r.Next,
		Effects: sortedNames(r.Effects), Floor: r.Verdict == Deny && r.Stage == Floor, Steps: make([]event.JudgedStep, len(r.Steps)),
	}
	if r.Over != 0 {
		out.Over = sortedNames(r.Over)
	}
	for i, s := range r.Steps {
		out.Steps[i] = s.record()
	}
	return out
}

func (r Ref) record() event.Rule {
	return event.Rule{Name: r.Name, Source: r.Source, Position: r.Position}
}

func (s StepRuling) record() event.JudgedStep {
	out := event.JudgedStep{
		N: s.Step.N, Text: s.Step.Text, Dir: s.Step.Dir, Effects: sortedNames(s.Step.Effects), Class: s.Step.Class.String(),
		Verdict: s.Verdict.String(), Stage: s.Stage.String(), Rule: s.Rule.record(), Why: s.Why, Notes: s.Step.Notes,
		Requests: make([]event.JudgedRequest, len(s.Requests)),
	}
	for i, q := range s.Requests {
		out.Requests[i] = event.JudgedRequest{Capability: q.Request.Capability.String(), Subject: call.Visible(q.Request.Subject), Verdict: q.Decision.Action.String()}
		if q.Decision.Action != rules.Silent {
			rule := refOf(q.Decision.Rule).record()
			out.Requests[i].Rule = &rule
		}
	}
	return out
}

func sortedNames(e call.Effects) []string {
	names := e.Names()
	slices.Sort(names)
	return names
}

// Means is what a lasting yes would allow, in words: the pattern, and each rule with its
// capability where they do not all have that pattern.
func (o Offer) Means() string {
	out := make([]string, len(o.Rules))
	same := o.Answer == AllowSession
	for i, r := range o.Rules {
		out[i] = r.Capability + " " + r.Pattern
		same = same || r.Pattern == o.Pattern && strings.HasPrefix(r.Capability, "process.")
	}
	if same || len(out) == 0 {
		return o.Pattern
	}
	return strings.Join(out, ", ")
}

// Grants are an offer's rules as the log keeps them.
func (o Offer) Grants() []event.Grant {
	out := make([]event.Grant, len(o.Rules))
	for i, r := range o.Rules {
		scope := event.ScopeSession
		if o.Answer == AllowAlways {
			scope = event.ScopeProject
		}
		out[i] = event.Grant{Capability: r.Capability, Pattern: r.Pattern, Exact: r.Exact, Scope: scope}
	}
	return out
}

// SessionRules are the rules that a session's grants stand for (event.State.Grants).
func SessionRules(grants []event.Grant) []rules.Rule {
	out := make([]rules.Rule, len(grants))
	for i, g := range grants {
		out[i] = rules.Rule{Capability: g.Capability, Pattern: g.Pattern, Exact: g.Exact, Action: rules.Allow, Source: rules.FromSession, Position: i + 1}
	}
	return out
}
