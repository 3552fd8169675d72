package bridge

import (
	"context"
	"fmt"

	"tenet/adapters/approvals"
	"tenet/bridge/engine"
	"tenet/core/call"
	core "tenet/core/effect"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/effect"
)

// effectMachine is core's join of parts and core's gate under any script.
var effectMachine = engine.Machine[effect.State, effect.Op, effect.Out]{Step: effect.State.Step, Ops: effect.Ops}

func effectArea() Area {
	return Area{
		Name:     "effect",
		Relation: Same,
		Bound:    fmt.Sprintf("scripts of %d steps in any pipelines, steps of any effects or of two parts, every auto set, every answer; each kind of command in every spelling and place", effect.Steps),
		Laws:     append(law.Infos(laws.EffectBook), law.Infos(laws.EffectTableBook)...),
		Production: []any{
			core.Of, core.Whole, core.Every, core.Join, core.Part.Effects, core.Harden,
			gate.Judge, gate.Script.Judge, gate.Script.Answer, gate.Script.Start, gate.Script.Finish,
			(*approvals.Gate).Permit, (*approvals.Gate).Start,
		},
		Exhaust: effectExhaust,
		Quick:   effectQuick,
	}
}

// tableMachine is core's table as a function of scripts and what became of them.
var tableMachine = engine.Machine[effect.None, effect.Pair, effect.Effects]{Step: effect.None.StepPair, Ops: effect.Pairs}

// effectExhaust searches the machines that the named laws speak of; the counts are of
// both together.
func effectExhaust(names ...string) (engine.Report, error) {
	rep := engine.Report{Premises: engine.Premises{}}
	if book := Pick(laws.EffectBook, names); len(book) > 0 {
		r, err := engine.Exhaust(effectMachine, book)
		rep = joined(rep, r)
		if err != nil {
			return rep, err
		}
	}
	if book := Pick(laws.EffectTableBook, names); len(book) > 0 {
		r, err := engine.Exhaust(tableMachine, book)
		return joined(rep, r), err
	}
	return rep, nil
}

func joined(a, b engine.Report) engine.Report {
	a.States, a.Steps, a.Depth = a.States+b.States, a.Steps+b.Steps, max(a.Depth, b.Depth)
	a.Premises.Add(b.Premises)
	return a
}

// effectQuick drives the gate of a call beside the model: the scripts, auto sets and
// answers are the model's, and what production did is read from what it recorded.
func effectQuick() error {
	return engine.Many(400, 24, 1, effectHistory)
}

func effectHistory(src engine.Source) error {
	m := effectMachine
	m.Ops = effect.Few
	p := newGatedCall()
	defer p.close()
	return engine.Drive(src, m, p, laws.EffectBook, engine.Premises{})
}

// gatedCall is production under the model's operations. A question blocks the
// goroutine that judges, as it blocks the shell.
type gatedCall struct {
	gate     *approvals.Gate
	asked    chan approvals.Question
	answers  chan gate.Answer
	outcomes chan gate.Outcome
	waiting  bool
	finished bool
	firsts   [effect.Steps]bool
	seen     int
	records  []event.Body
	cancel   context.CancelFunc
	ctx      context.Context
}

func newGatedCall() *gatedCall {
	p := &gatedCall{asked: make(chan approvals.Question), answers: make(chan gate.Answer), outcomes: make(chan gate.Outcome)}
	p.gate = &approvals.Gate{Call: "c1", Tool: "bash", Asker: p, Log: p}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// close lets a question that is still open end without an answer.
func (p *gatedCall) close() {
	p.cancel()
	if p.waiting {
		<-p.outcomes
	}
}

// Record keeps what production says that it did.
func (p *gatedCall) Record(b event.Body) error { p.records = append(p.records, b); return nil }

// Ask hands the question to the history and waits for its answer.
func (p *gatedCall) Ask(ctx context.Context, q approvals.Question) approvals.Reply {
	p.asked <- q
	select {
	case a := <-p.answers:
		return approvals.Reply{Answer: a, By: "history"}
	case <-ctx.Done():
		return approvals.Reply{Answer: gate.Unanswered}
	}
}

// Do takes one operation of the model to production.
func (p *gatedCall) Do(op effect.Op) effect.Out {
	switch op.Kind {
	case effect.Judge:
		return p.judge(op)
	case effect.Answer:
		if !p.waiting {
			return effect.Out{}
		}
		p.answers <- op.Answer
		out := <-p.outcomes
		p.waiting = false
		return effect.Out{OK: out.Runs == (op.Answer == gate.Approved) && out.Runs == (out.Refusal == "")}
	case effect.Start:
		// The shell starts nothing while it waits for an answer.
		return effect.Out{OK: !p.waiting && !p.finished && p.gate.Start(p.ctx) == nil}
	case effect.Finish:
		s := p.View().Script
		ok := s.Phase == gate.Ready && s.Judged == s.Ran
		p.finished = p.finished || ok
		return effect.Out{OK: ok}
	}
	return effect.Out{}
}

func (p *gatedCall) judge(op effect.Op) effect.Out {
	effects := core.Join(op.Parts[:]...)
	if p.waiting || p.finished {
		return effect.Out{Effects: effects}
	}
	refused := p.View().Script.Phase == gate.Refused
	if !refused {
		p.firsts[p.seen] = !op.Piped
		p.seen++
	}
	p.gate.Auto = op.Auto
	go func() {
		p.outcomes <- p.gate.Permit(p.ctx, call.Step{N: p.seen, Text: "step", Effects: effects})
	}()
	select {
	case q := <-p.asked:
		p.waiting = true
		return effect.Out{Effects: effects, Verdict: q.Decision.Verdict, OK: true}
	case out := <-p.outcomes:
		return effect.Out{Effects: effects, OK: out.Runs || !refused}
	}
}

// View reads the script's fate from the records: what was judged and how it was
// answered, and what was dispatched.
func (p *gatedCall) View() effect.State {
	var s effect.State
	for _, r := range p.records {
		switch r := r.(type) {
		case event.Question:
			s.Script.Asked++
		case event.Judgement:
			p.judged(&s, r)
		case event.Dispatch:
			for _, n := range r.Steps {
				s.Order[s.Script.Ran] = uint8(n)
				s.Script.Ran++
			}
		}
	}
	switch {
	case p.waiting:
		s.Script.Phase = gate.Asking
		s.Fates[s.Seen] = effect.Fate{Held: true, First: p.firsts[s.Seen]}
		s.Seen++
	case p.finished:
		s.Script.Phase = gate.Finished
	case s.Refused > 0:
		s.Script.Phase = gate.Refused
	}
	return s
}

func (p *gatedCall) judged(s *effect.State, j event.Judgement) {
	f := effect.Fate{Held: j.Verdict == gate.Ask.String(), Yes: j.Answer == gate.Approved.String(), First: p.firsts[s.Seen]}
	s.Fates[s.Seen] = f
	s.Seen++
	switch {
	case f.Held && f.Yes:
		s.Script.Yes++
		s.Script.Judged++
	case f.Held:
		s.Refused = s.Seen
	default:
		s.Script.Judged++
	}
}
