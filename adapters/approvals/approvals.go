// Package approvals stands between a call and its effects: it asks the gate about
// every step, asks a person where the gate says so, and records the verdict and
// the dispatch before anything happens.
package approvals

import (
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
)

// Question is a step that needs a person's yes.
type Question struct {
	// Call is our id of the call, Tool the tool it belongs to.
	Call, Tool string
	// Dir is the directory the step runs in, as a person is shown it.
	Dir      string
	Step     call.Step
	Decision gate.Decision
}

// Reply is how a question ended.
type Reply struct {
	Answer gate.Answer
	// By says who gave it: "terminal", "--yes", "standing rule", "nobody".
	By string
	// Reason is the person's own words, empty for none.
	Reason string
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

// Gate is the gate of one call. It is used by one goroutine at a time: the shell
// and the document tools judge the steps of a call in order.
type Gate struct {
	// Call and Tool name the call for questions and records; Dir is the workspace.
	Call, Tool, Dir string
	// Auto is the auto set in force.
	Auto  call.Effects
	Asker Asker
	Log   Recorder

	script  gate.Script
	waiting []int
}

// Permit judges one step, asks where the rules say so, and records the verdict. A
// verdict that cannot be recorded is a refusal: no step runs unrecorded (law
// log_dispatched_first).
func (g *Gate) Permit(ctx context.Context, s call.Step) gate.Outcome {
	next, d, ok := g.script.Judge(g.Auto, s.Effects)
	if !ok {
		return g.refuse(s, s.Effects, Reply{Answer: gate.Denied, By: "gate", Reason: "an earlier step of this call was refused"})
	}
	g.script = next
	var r Reply
	if d.Verdict == gate.Ask {
		if err := g.Log.Record(g.question(s, d)); err != nil {
			return g.unrecorded(s, d, err)
		}
		r = g.Asker.Ask(ctx, Question{Call: g.Call, Tool: g.Tool, Dir: cmp.Or(s.Dir, g.Dir), Step: s, Decision: d})
		g.script, _ = g.script.Answer(r.Answer)
	}
	if err := g.Log.Record(g.judgement(s, d, r)); err != nil {
		return g.unrecorded(s, d, err)
	}
	if g.script.Phase == gate.Refused {
		return g.refuse(s, d.Over, r)
	}
	g.waiting = append(g.waiting, s.N)
	return gate.Outcome{Runs: true}
}

// Start records that the steps permitted since the last Start begin now. The record
// is durable when Start returns nil; on an error nothing may run.
func (g *Gate) Start(context.Context) error {
	next, ok := g.script.Start()
	if !ok {
		return fmt.Errorf("call %s: no permitted step waits to start", g.Call)
	}
	if err := g.Log.Record(event.Dispatch{Call: g.Call, Steps: g.waiting}); err != nil {
		return fmt.Errorf("nothing was run: the log cannot take the dispatch: %w", err)
	}
	g.script, g.waiting = next, nil
	return nil
}

func (g *Gate) refuse(s call.Step, over call.Effects, r Reply) gate.Outcome {
	what := fmt.Sprintf("step %d (%s)", s.N, brief(s.Text))
	return gate.Outcome{Answer: r.Answer, Refusal: gate.Refusal(what, over, r.Answer, r.Reason)}
}

// maxShown is how much of a step's text a refusal repeats to the model, which wrote
// it: the question and the record hold all of it.
const maxShown = 2000

func brief(text string) string {
	if len(text) <= maxShown {
		return text
	}
	end := maxShown
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s… %d more bytes", text[:end], len(text)-end)
}

func (g *Gate) unrecorded(s call.Step, d gate.Decision, err error) gate.Outcome {
	g.script.Phase = gate.Refused
	return g.refuse(s, d.Over, Reply{Answer: gate.Denied, Reason: fmt.Sprintf("the log cannot be written: %v", err)})
}

func (g *Gate) question(s call.Step, d gate.Decision) event.Question {
	return event.Question{Call: g.Call, Step: s.N, Text: s.Text, Dir: s.Dir, Effects: s.Effects.Names(), Rule: d.Rule.String(), Notes: s.Notes}
}

func (g *Gate) judgement(s call.Step, d gate.Decision, r Reply) event.Judgement {
	j := event.Judgement{
		Call: g.Call, Step: s.N, Text: s.Text, Dir: s.Dir, Effects: s.Effects.Names(),
		Verdict: d.Verdict.String(), Rule: d.Rule.String(), Notes: s.Notes,
	}
	if d.Verdict == gate.Ask {
		j.Over, j.Answer, j.By, j.Reason = d.Over.Names(), r.Answer.String(), r.By, r.Reason
	}
	return j
}
