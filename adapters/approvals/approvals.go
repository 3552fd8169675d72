// Package approvals stands between a call and its effects: it asks the gate about the
// whole call once, asks a person where the gate says so, and records the verdict and
// the dispatch before anything happens.
package approvals

import (
	"context"
	"fmt"
	"sync"

	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
)

// Question is a call that needs a person's yes.
type Question struct {
	// ID is our own id of the question; an answer names it.
	ID string
	// Call is our id of the call, Tool the tool it belongs to.
	Call, Tool string
	// Dir is the workspace.
	Dir    string
	Ruling gate.Ruling
	// Offers are the lasting answers that may be given.
	Offers []gate.Offer
	// Again is why the last answer was spent, empty for a first question.
	Again string
}

// Guarded is the effects of the call that no standing answer may cover.
func (q Question) Guarded() call.Effects { return q.Ruling.Effects & Guarded }

// Reply is how a question ended.
type Reply struct {
	Answer gate.Answer
	// By says who gave it: "terminal", "--yes", "standing rule", "nobody".
	By string
	// Reason is the person's own words, empty for none.
	Reason string
	// Pattern is which of the offers a lasting yes means; empty is the first of its kind.
	Pattern string
}

// Asker puts a question to whoever can answer. It returns when the question is
// answered or ctx ends; no passage of time is ever a yes.
type Asker interface {
	Ask(ctx context.Context, q Question) Reply
}

// Recorder is the log as the gate needs it: each call is durable when it returns.
type Recorder interface {
	Record(body event.Body) error
}

// Policies holds the policy that a session is judged by now. It may be used from
// several goroutines.
type Policies struct {
	mu  sync.Mutex
	now *gate.Policy
	// Save writes the rules of a standing yes into the project's settings; nil when there
	// is no such file. On an error the rules hold for the session only.
	Save func([]event.Grant) error
}

// NewPolicies starts with a policy.
func NewPolicies(p *gate.Policy, save func([]event.Grant) error) *Policies {
	return &Policies{now: p, Save: save}
}

// Now is the policy in force. It is never changed in place.
func (p *Policies) Now() *gate.Policy {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// Grant puts an offer's rules in force for the session, and a standing one into the
// project's file. unsaved says why the file could not take it.
func (p *Policies) Grant(o gate.Offer) (unsaved string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.now.With(o.Rules)
	if o.Answer != gate.AllowAlways || p.Save == nil {
		return ""
	}
	if err := p.Save(o.Grants()); err != nil {
		return err.Error()
	}
	return ""
}

// Gate is the gate of one call. It is used by one goroutine at a time.
type Gate struct {
	// Call and Tool name the call for questions and records; Dir is the workspace.
	Call, Tool, Dir string
	Policies        *Policies
	Asker           Asker
	Log             Recorder

	script  gate.Script
	ruling  gate.Ruling
	waiting []int
	texts   []string
	// expanded is true when a waiting step runs with another text than it was judged by.
	expanded bool
}

// maxSpent bounds how often an answer to one call may be spent: what changes faster
// than a person can answer is not approved by persistence.
const maxSpent = 8

// Permit judges a call, asks where the gate says so, and records the one verdict. plan
// is called again after each yes: when what it would do is no longer what was shown,
// the answer is spent and the question is put anew (law digest_spends_answer). A
// verdict that cannot be recorded is a refusal: nothing runs unrecorded (law
// log_dispatched_first).
func (g *Gate) Permit(ctx context.Context, plan func() []call.Step) gate.Outcome {
	policy := g.Policies.Now()
	g.judge(policy, plan())
	again := ""
	for g.script.Phase == gate.Asking {
		offers := policy.Offers(g.ruling)
		r, err := g.ask(ctx, offers, again)
		if err != nil {
			return g.unrecorded(err)
		}
		if !r.Answer.Yes() {
			return g.settle(r, offers)
		}
		if now := plan(); call.Digest(g.Tool, now) != g.ruling.Digest {
			if again = spentText; g.script.Spent >= maxSpent {
				r = Reply{Answer: gate.Denied, By: "gate", Reason: "what the call would change was changed again and again while it was asked about"}
				return g.settle(r, nil)
			}
			g.script, _ = g.script.Spend()
			policy = g.Policies.Now()
			g.judge(policy, now)
			continue
		}
		return g.settle(r, offers)
	}
	return g.settle(Reply{}, nil)
}

const spentText = "what the call would do changed after it was shown, so the last answer was spent"

// judge takes a plan: the gate's ruling, and the phase that follows.
func (g *Gate) judge(policy *gate.Policy, steps []call.Step) {
	g.ruling = policy.Judge(g.Tool, steps)
	if len(steps) == 0 {
		g.script, _ = g.script.Plan(g.ruling.Verdict)
	}
	for _, s := range g.ruling.Steps {
		g.script, _ = g.script.Plan(s.Verdict)
	}
	g.script, _ = g.script.Settle()
}

// ask records the question and puts it. Another call's standing answer may have come
// to cover this one while it waited in a queue: that is the broker's to see.
func (g *Gate) ask(ctx context.Context, offers []gate.Offer, again string) (Reply, error) {
	q := Question{ID: fmt.Sprintf("%s:%d", g.Call, g.script.Asked), Call: g.Call, Tool: g.Tool, Dir: g.Dir, Ruling: g.ruling, Offers: offers, Again: again}
	body := event.Question{ID: q.ID, Call: q.Call, Tool: q.Tool, Dir: q.Dir, Ruling: g.ruling.Record(), Digest: g.ruling.Digest, Again: again}
	for _, s := range g.ruling.Steps {
		if s.Step.Diff != "" {
			body.Diffs = append(body.Diffs, s.Step.Diff)
		}
	}
	if err := g.Log.Record(body); err != nil {
		return Reply{}, err
	}
	return g.Asker.Ask(ctx, q), nil
}

// settle records the verdict with its answer, and the rules that the answer made.
func (g *Gate) settle(r Reply, offers []gate.Offer) gate.Outcome {
	j := event.Judgement{Call: g.Call, Tool: g.Tool, Ruling: g.ruling.Record(), Digest: g.ruling.Digest}
	if g.ruling.Verdict == gate.Ask {
		o, ok := chosen(r, offers)
		if r.Answer.Yes() && !ok {
			r.Answer = gate.AllowOnce // a lasting yes that was not offered is a yes to this call alone
		}
		j.Answer, j.By, j.Reason = r.Answer.String(), r.By, r.Reason
		if ok {
			j.Grants, j.Unsaved = o.Grants(), g.Policies.Grant(o)
		}
		g.script, _ = g.script.Answer(r.Answer)
	}
	if err := g.Log.Record(j); err != nil {
		return g.unrecorded(err)
	}
	if g.script.Phase == gate.Refused {
		return gate.Outcome{Verdict: g.ruling.Verdict, Answer: r.Answer, Refusal: gate.Refusal(g.ruling, r.Answer, r.Reason)}
	}
	return gate.Outcome{Runs: true, Verdict: g.ruling.Verdict, Answer: r.Answer}
}

// chosen is the offer that a lasting yes means.
func chosen(r Reply, offers []gate.Offer) (gate.Offer, bool) {
	for _, o := range offers {
		if o.Answer == r.Answer && (r.Pattern == "" || r.Pattern == o.Pattern) {
			return o, true
		}
	}
	return gate.Offer{}, false
}

// Confirm judges a step again as it is now that its turn came: a link made by an
// earlier step counts, and a pattern names what stands there now. A step that is no
// longer what was judged does not run; nobody is asked a second time.
// runs is the step as it really runs, its patterns expanded.
func (g *Gate) Confirm(s call.Step, runs string) gate.Outcome {
	i := int(g.script.Passed)
	if g.script.Phase != gate.Ready || i >= len(g.ruling.Steps) {
		return gate.Outcome{Verdict: gate.Deny, Refusal: gate.Changed(s, gate.Decision{Why: "it is no step of the call that was judged"})}
	}
	covered, d := g.Policies.Now().Covers(g.Tool, g.ruling.Steps[i], g.script.Yes > 0, s)
	g.script, _ = g.script.Confirm(covered)
	if !covered {
		return gate.Outcome{Verdict: d.Verdict, Refusal: gate.Changed(s, d)}
	}
	g.waiting, g.texts = append(g.waiting, s.N), append(g.texts, runs)
	g.expanded = g.expanded || runs != s.Text
	return gate.Outcome{Runs: true, Verdict: d.Verdict}
}

// Skip passes over a step that the script left out.
func (g *Gate) Skip() { g.script, _ = g.script.Skip() }

// Start records that the steps confirmed since the last Start begin now. The record is
// durable when Start returns nil; on an error nothing may run.
func (g *Gate) Start(context.Context) error {
	next, ok := g.script.Start()
	if !ok {
		return fmt.Errorf("call %s: no permitted step waits to start", g.Call)
	}
	d := event.Dispatch{Call: g.Call, Steps: g.waiting}
	if g.expanded {
		d.Texts = g.texts
	}
	if err := g.Log.Record(d); err != nil {
		return fmt.Errorf("nothing was run: the log cannot take the dispatch: %w", err)
	}
	g.script, g.waiting, g.texts, g.expanded = next, nil, nil, false
	return nil
}

func (g *Gate) unrecorded(err error) gate.Outcome {
	g.script.Phase = gate.Refused
	return gate.Outcome{Verdict: gate.Deny, Answer: gate.Denied, Refusal: fmt.Sprintf("%s was not run: the log cannot be written: %v", g.Tool, err)}
}
