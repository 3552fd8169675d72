package gate

import (
	"slices"

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
		out = append(out, p.smallest(r, o))
	}
	for i := range longest(s) {
		if o, ok := always(s, i); ok && p.lets(r, o) {
			out = append(out, p.smallest(r, o))
		}
	}
	return out
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
	return s, s.Step.Class == call.Simple && !s.Step.Effects.Has(call.Secret)
}

// session allows each of the step's subjects exactly (law allow_session_is_exact). A
// request that covers nothing stands for a part of the step, as npm test does in sudo
// npm test: a rule for it would allow that part alone.
func session(s StepRuling) Offer {
	o := Offer{Answer: AllowSession, Pattern: s.Step.Text}
	for _, q := range s.Requests {
		if q.Decision.Action != rules.Allow && q.Request.Covers != 0 {
			o.Rules = append(o.Rules, rules.Rule{Capability: q.Request.Capability.String(), Pattern: q.Request.Subject, Exact: true, Action: rules.Allow, Source: rules.FromSession})
		}
	}
	return o
}

// longest is how many standing patterns the request with most of them has.
func longest(s StepRuling) (n int) {
	for _, q := range s.Requests {
		n = max(n, len(q.Request.Patterns))
	}
	return n
}

// always allows the i-th most specific pattern of each request that no rule allows yet.
// A request without a pattern makes the whole offer impossible.
func always(s StepRuling, i int) (Offer, bool) {
	o := Offer{Answer: AllowAlways}
	for _, q := range s.Requests {
		if q.Decision.Action == rules.Allow || q.Request.Covers == 0 {
			continue
		}
		if len(q.Request.Patterns) == 0 {
			return Offer{}, false
		}
		pattern := q.Request.Patterns[min(i, len(q.Request.Patterns)-1)]
		if o.Pattern == "" {
			o.Pattern = pattern
		}
		o.Rules = append(o.Rules, rules.Rule{Capability: q.Request.Capability.String(), Pattern: pattern, Action: rules.Allow, Source: rules.FromProject})
	}
	return o, len(o.Rules) > 0
}

// lets reports whether the call would run unasked with the offer's rules in force.
func (p *Policy) lets(r Ruling, o Offer) bool {
	with := p.With(o.Rules)
	steps := make([]call.Step, len(r.Steps))
	for i, s := range r.Steps {
		steps[i] = s.Step
	}
	return len(o.Rules) > 0 && with.Judge(r.Tool, steps).Verdict == Allow
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
