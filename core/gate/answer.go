package gate

import (
	"slices"
	"strings"

	"tenet/core/call"
	"tenet/core/rules"
)

// Answer is how a question ended.
type Answer uint8

// The answers. Everything but a yes is a denial (G5): silence is not consent.
const (
	Unanswered     Answer = iota // no client could answer, or the wait ended
	AllowOnce                    // yes to this very call, as it was shown
	AllowSession                 // yes, and to the same path or argv for this session
	AllowAlways                  // yes, and to a pattern in the project's settings
	Denied                       // a client said no
	GatewayRefused               // a standing rule refused on behalf of a client that shows no question
)

var answerNames = [...]string{"unanswered", "allow_once", "allow_session", "allow_always", "denied", "gateway_refused"}

// String is the answer as records spell it.
func (a Answer) String() string { return answerNames[a] }

// Yes reports whether the answer lets the call run.
func (a Answer) Yes() bool {
	switch a {
	case AllowOnce, AllowSession, AllowAlways:
		return true
	case Unanswered, Denied, GatewayRefused:
	}
	return false
}

// Offer is an answer that a question offers besides once and no, with the rules that
// it would make.
type Offer struct {
	Answer Answer
	// Pattern is what a person is shown; for the session it is the exact subject.
	Pattern string
	Rules   []rules.Rule
}

// Offers are the lasting answers that a question may have. One is offered only when it
// would do what it says: with its rules the same call runs unasked, and a secret never
// does (law suggest_never_over_generalizes). A call of several asking steps offers
// none: nobody means all of them by one pattern.
func (p *Policy) Offers(r Ruling) []Offer {
	s, ok := onlyAsking(r)
	if !ok {
		return nil
	}
	var out []Offer
	if o := session(s); p.lets(r, o) {
		out = append(out, o)
	}
	for i := range longest(s) {
		o, ok := always(s, i)
		if !ok || !p.lets(r, o) {
			continue
		}
		if o = p.smallest(r, o); aboutCommands(s, o) && !p.overrides(o) {
			out = append(out, o)
		}
	}
	return out
}

// aboutCommands reports whether an offer to a command makes rules about commands only. A
// rule about a place would allow every other command the same place, which nobody said.
func aboutCommands(s StepRuling, o Offer) bool {
	return len(s.Step.Commands) == 0 || !slices.ContainsFunc(o.Rules, func(r rules.Rule) bool { return strings.HasPrefix(r.Capability, "file.") })
}

// smallest is the offer without the rules that it does not need: what no rule speaks of
// and the auto set holds stays unspoken of.
func (p *Policy) smallest(r Ruling, o Offer) Offer {
	for i := 0; i < len(o.Rules); {
		without := o
		without.Rules = slices.Delete(slices.Clone(o.Rules), i, i+1)
		if p.lets(r, without) {
			o = without
		} else {
			i++
		}
	}
	return o
}

// onlyAsking is the step of a call that asks, when there is exactly one and it could
// be read.
func onlyAsking(r Ruling) (StepRuling, bool) {
	var asking []StepRuling
	for _, s := range r.Steps {
		if s.Verdict == Ask {
			asking = append(asking, s)
		}
	}
	if r.Verdict != Ask || len(asking) != 1 {
		return StepRuling{}, false
	}
	s := asking[0]
	return s, s.Step.Class == call.Simple && !s.Step.Effects.Has(call.Secret) && !s.Step.Cut
}

// session allows the very step again: the same text in the same directory, or the same
// access to the same place (law allow_session_is_exact). It is no rule about a
// capability: a yes to cp a ../b is none to whatever else writes ../b.
func session(s StepRuling) Offer {
	return Offer{Answer: AllowSession, Pattern: s.Step.Text, Rules: []rules.Rule{{
		Capability: stepGrant, Pattern: stepKey(s.Step), Exact: true, Action: rules.Allow, Source: rules.FromSession,
	}}}
}

// stepGrant is the capability of a session's grants: no request has it, so that no rule
// of a file and no pattern can speak of a whole step.
const stepGrant = "step"

// stepKey names a step exactly: what it is in words, and where it runs.
func stepKey(s call.Step) string {
	if s.Dir == "" {
		return s.Text
	}
	return s.Text + " in " + s.Dir
}

// granted reports whether the session allowed this very step.
func (p *Policy) granted(s call.Step) (Decision, bool) {
	key := stepKey(s)
	i := slices.IndexFunc(p.Layers.Session, func(r rules.Rule) bool { return r.Capability == stepGrant && r.Exact && r.Pattern == key })
	if i < 0 || s.Class == call.Obfuscated {
		return Decision{}, false
	}
	r := p.Layers.Session[i]
	return Decision{Stage: Rules, Rule: Ref{Name: "allowed-for-the-session", Source: r.Source.String(), Position: i + 1}, Law: "allow_session_is_exact",
		Why: "this very step was allowed for the session"}, true
}

// Exactly are the rules that spell this one call and nothing more, for a person who
// wants to write them into a file; ok is false when no rules can let it run.
func (p *Policy) Exactly(r Ruling) (exact []rules.Rule, ok bool) {
	s, ok := onlyAsking(r)
	if !ok {
		return nil, false
	}
	o := Offer{Answer: AllowAlways}
	for _, q := range wanting(s) {
		o.Rules = append(o.Rules, rules.Rule{Capability: q.Capability.String(), Pattern: q.Subject, Exact: true, Action: rules.Allow, Source: rules.FromProject})
	}
	if !p.lets(r, o) {
		return nil, false
	}
	return p.smallest(r, o).Rules, true
}

// overrides reports whether a standing allow would also speak of what a rule that people
// wrote asks about or denies: the last rule wins, and nobody meant to undo that one.
func (p *Policy) overrides(o Offer) bool {
	for _, written := range append(slices.Clip(p.Layers.User), p.Layers.Project...) {
		for _, r := range o.Rules {
			if written.Action > rules.Allow && rules.Match(written.Capability, r.Capability) && rules.Match(r.Pattern, written.Pattern) && r.Pattern != written.Pattern {
				return true
			}
		}
	}
	return false
}

// longest is how many standing patterns the request with most of them has.
func longest(s StepRuling) (n int) {
	for _, q := range s.Requests {
		n = max(n, len(q.Request.Patterns))
	}
	return n
}

// wanting are the requests of a step that no rule allows yet and that an allow would
// let do something.
func wanting(s StepRuling) []call.Request {
	var out []call.Request
	for _, q := range s.Requests {
		if q.Decision.Action != rules.Allow && q.Request.Covers != 0 {
			out = append(out, q.Request)
		}
	}
	return out
}

// always allows the i-th most specific pattern of each request that wants one. A
// request without a pattern makes the whole offer impossible.
func always(s StepRuling, i int) (Offer, bool) {
	o := Offer{Answer: AllowAlways}
	for _, q := range wanting(s) {
		if len(q.Patterns) == 0 {
			return Offer{}, false
		}
		pattern := q.Patterns[min(i, len(q.Patterns)-1)]
		if o.Pattern == "" {
			o.Pattern = pattern
		}
		o.Rules = append(o.Rules, rules.Rule{Capability: q.Capability.String(), Pattern: pattern, Action: rules.Allow, Source: rules.FromProject})
	}
	return o, len(o.Rules) > 0
}

// lets reports whether the call would run unasked with the offer's rules in force.
func (p *Policy) lets(r Ruling, o Offer) bool {
	with := p.With(o.Rules)
	return len(o.Rules) > 0 && !slices.ContainsFunc(r.Steps, func(s StepRuling) bool { return with.step(r.Tool, s.Step).Verdict != Allow })
}

// With is the policy with more rules that a person's answer made. They hold for the
// session at once, also those that will stand in the project's file.
func (p *Policy) With(granted []rules.Rule) *Policy {
	next := *p
	next.Layers.Session = append(next.Layers.Session[:len(next.Layers.Session):len(next.Layers.Session)], granted...)
	return &next
}

// Covers reports whether a step, as it is now that its turn came, is still what was
// judged: it would run unasked, or it is the very step that a yes was given for, with
// no effect more. What the floor, the guard or a rule denies now is never covered. A
// yes is about the bytes that were shown (law digest_spends_answer): what would replace
// others is not covered, also where the yes allowed the path for the session.
func (p *Policy) Covers(tool string, judged StepRuling, yes bool, now call.Step) (ok bool, d Decision) {
	d = p.step(tool, now).Decision
	if yes && judged.Verdict == Ask && judged.Step.Text == now.Text && judged.Step.Content != now.Content {
		d.Why = "the bytes that it would replace are no longer those that were shown"
		return false, d
	}
	switch d.Verdict {
	case Allow:
		return true, d
	case Ask:
		same := judged.Step.Text == now.Text && judged.Step.Dir == now.Dir && now.Effects.Within(judged.Step.Effects)
		return same && yes && judged.Verdict == Ask, d
	case Deny:
	}
	return false, d
}
