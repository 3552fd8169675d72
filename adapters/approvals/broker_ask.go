package approvals

import (
	"context"
	"fmt"
	"strings"

	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/rules"
)

// Ask puts a question to whoever can answer, here or up the chain, and waits. When ctx
// ends the question is taken back everywhere. The reply is what whoever answered was
// told: an answer that came before the end of ctx counts, and it is for the caller to
// see that nobody needs it any more.
func (b *Broker) Ask(ctx context.Context, q Question) Reply { return b.put(q, false).Wait(ctx) }

// Resumed asks questions from before a restart: with nobody there yet they wait for the
// first client to come back, or for ctx (law pending_survives_restart). A call whose
// question the log holds without a verdict is judged again with it as its asker.
func (b *Broker) Resumed() Asker { return resumed{b} }

type resumed struct{ b *Broker }

// Ask is the broker's, with patience.
func (r resumed) Ask(ctx context.Context, q Question) Reply { return r.b.put(q, true).Wait(ctx) }

// Restore puts questions from before a restart before the clients, in the order given,
// which is the log's. Each must be waited for, or it stays open until Close.
func (b *Broker) Restore(qs []Question) []*Waiting {
	out := make([]*Waiting, len(qs))
	for i, q := range qs {
		out[i] = b.put(q, true)
	}
	return out
}

// Waiting is a question that was put.
type Waiting struct {
	broker   *Broker
	question Question
	open     *openCase
	verdict  chan core.Verdict
}

func (b *Broker) put(q Question, patient bool) *Waiting {
	w := &Waiting{broker: b, question: q, verdict: make(chan core.Verdict, 1)}
	p := b.posed(q)
	p.Question.Patient = patient
	p.Done = func(v core.Verdict) { w.verdict <- v }
	w.open = b.pose(p)
	return w
}

// Wait returns the reply once there is one; when ctx ends first the question is taken
// back. One goroutine may wait, once.
func (w *Waiting) Wait(ctx context.Context) Reply {
	select {
	case v := <-w.verdict:
		return reply(w.question, v)
	case <-ctx.Done():
	}
	w.broker.cancel(w.open, core.Cancelled)
	return reply(w.question, <-w.verdict)
}

// posed is a question of this session as it goes through the chain. Its id names the
// session too: two sessions may give their calls the same names.
func (b *Broker) posed(q Question) Posed {
	turn := ""
	if b.options.Turn != nil {
		turn = b.options.Turn()
	}
	id := b.options.Session + "/" + q.ID
	return Posed{
		Card: card(id, b.options.Session, q),
		Question: core.Question{
			ID: id, Session: b.options.Session, Turn: turn, Call: q.Call, Effects: q.Ruling.Effects, Offers: offers(q),
		},
		Rules:  func(c core.Choice, pattern string) []rules.Rule { o, _ := offered(q, c, pattern); return o.Rules },
		Covers: func(g Grant) bool { return b.options.Policies.lets(q, g.Rules) },
	}
}

// lets reports whether the call would run unasked with more rules in force.
func (p *Policies) lets(q Question, more []rules.Rule) bool {
	if p == nil || len(more) == 0 {
		return false
	}
	steps := make([]call.Step, len(q.Ruling.Steps))
	for i, s := range q.Ruling.Steps {
		steps[i] = s.Step
	}
	return p.Now().With(more).Judge(q.Tool, steps).Verdict == gate.Allow
}

// offers are the yeses of a question, in the order in which they are shown. Patterns
// are as a person is shown them, which tells any two apart.
func offers(q Question) []core.Offer {
	out := []core.Offer{{Choice: core.AllowOnce}}
	for _, o := range q.Offers {
		if c, ok := lasting(o.Answer); ok {
			out = append(out, core.Offer{Choice: c, Pattern: call.Exact(o.Pattern)})
		}
	}
	return out
}

// lasting is the choice that a lasting answer of the gate is.
func lasting(a gate.Answer) (core.Choice, bool) {
	switch a {
	case gate.AllowSession:
		return core.AllowSession, true
	case gate.AllowAlways:
		return core.AllowAlways, true
	case gate.AllowOnce, gate.Unanswered, gate.Denied, gate.GatewayRefused:
	}
	return core.Deny, false
}

// offered is the gate's offer that a choice means.
func offered(q Question, c core.Choice, pattern string) (gate.Offer, bool) {
	for _, o := range q.Offers {
		if have, ok := lasting(o.Answer); ok && have == c && call.Exact(o.Pattern) == pattern {
			return o, true
		}
	}
	return gate.Offer{}, false
}

// reply is a verdict as the gate of the call takes it. A yes that came by another
// question's grant is for this call only: the grant was written down once.
func reply(q Question, v core.Verdict) Reply {
	r := Reply{By: by(v), Reason: v.Reason}
	switch v.Fate {
	case core.Approved:
		r.Answer = gate.AllowOnce
		if o, ok := offered(q, v.Choice, v.Pattern); ok && v.Cause == core.Answered {
			r.Answer, r.Pattern = o.Answer, o.Pattern
		}
	case core.Denied:
		r.Answer = gate.Denied
		if v.Cause == core.WithTurn {
			r.Reason = "another call of the same turn was declined"
		}
	case core.GatewayRefused:
		r.Answer = gate.GatewayRefused
		r.Reason = "only a gateway is attached, and nobody there sees what would run"
	case core.Unanswered:
		r.Answer = gate.Unanswered
	}
	return r
}

// by says in a record who gave a verdict.
func by(v core.Verdict) string {
	switch v.Cause {
	case core.Answered, core.WithTurn:
		return v.By
	case core.Covered:
		return v.By + ", by a grant to another call"
	case core.Ruled:
		return "gateway rule"
	case core.Cancelled, core.Moved:
		return "nobody, the wait was ended"
	case core.Twice:
		return "nobody, the call has an open question"
	case core.TooMany:
		return fmt.Sprintf("nobody, %d questions are open", core.MaxOpen)
	case core.Quiet:
	}
	return "nobody"
}

// card is a question as a person is shown it: it is here that texts become what is shown,
// once (law card_reads_back). The text of a step is that already.
func card(id, session string, q Question) Approval {
	a := Approval{ID: id, Session: session, Call: q.Call, Tool: q.Tool, Dir: call.ExactLine(q.Dir), Digest: q.Ruling.Digest}
	if q.Again != "" {
		a.Notes = append(a.Notes, q.Again)
	}
	a.Notes = append(a.Notes, fmt.Sprintf("%s (rule %s)", q.Ruling.Why, q.Ruling.Rule.Name))
	var diffs []string
	for _, s := range q.Ruling.Steps {
		a.Steps = append(a.Steps, shownStep(s))
		a.Requests = append(a.Requests, requests(s)...)
		if a.Cut = a.Cut || s.Step.Cut; s.Step.Diff != "" {
			diffs = append(diffs, s.Step.Diff)
		}
	}
	a.Diff, a.Answers = strings.Join(diffs, "\n"), meanings(q)
	return a
}

func shownStep(s gate.StepRuling) ApprovalStep {
	out := ApprovalStep{
		N: s.Step.N, Text: s.Step.Text, Dir: call.ExactLine(s.Step.Dir), Effects: s.Step.Effects.Names(), Notes: s.Step.Notes,
		Class: s.Step.Class.String(), Asks: s.Verdict == gate.Ask,
	}
	for _, p := range s.Step.Paths {
		out.Places = append(out.Places, call.ExactLine(p.Real))
	}
	return out
}

// requests are what a step asks for, each with the rule that speaks of it.
func requests(s gate.StepRuling) (out []ApprovalRequest) {
	for _, r := range s.Requests {
		q := ApprovalRequest{Capability: r.Request.Capability.String(), Subject: call.ExactLine(r.Request.Subject), Notes: r.Request.Notes, Verdict: r.Decision.Action.String()}
		if rule := r.Decision.Rule; r.Decision.Action != rules.Silent {
			q.Rule, q.Source, q.Position = gate.RuleName(rule), rule.Source.String(), rule.Position
			if rule.Name == "" && rule.Capability == "" {
				q.Rule = "what holds without a rule"
			}
		}
		out = append(out, q)
	}
	return out
}

// meanings says of each answer what it would do.
func meanings(q Question) []ApprovalAnswer {
	out := []ApprovalAnswer{{Key: core.Deny.String(), Means: "no; a reason reaches the model"}}
	for _, o := range offers(q) {
		a := ApprovalAnswer{Key: o.Choice.String(), Pattern: o.Pattern}
		switch o.Choice {
		case core.AllowOnce:
			a.Means = "yes, this once"
		case core.AllowSession:
			a.Means = "yes, and this very step again in this session"
		case core.AllowAlways:
			a.Means = "yes, and always in this project: " + call.OneLine(means(q, o.Choice, o.Pattern), maxPattern)
		case core.Deny:
			continue
		}
		out = append(out, a)
	}
	return out
}

// means is what the gate's offer allows, in words.
func means(q Question, c core.Choice, pattern string) string {
	if o, ok := offered(q, c, pattern); ok {
		return o.Means()
	}
	return pattern
}

// maxPattern is how much of a pattern the sentence about an answer repeats; the answer
// itself carries all of it.
const maxPattern = 300
