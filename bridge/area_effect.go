package bridge

import (
	"context"
	"fmt"
	"iter"
	"slices"

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
			gate.ByAuto, (*gate.Policy).Judge, (*gate.Policy).Covers, gate.Script.Plan, gate.Script.Settle, gate.Script.Answer, gate.Script.Spend,
			gate.Script.Confirm, gate.Script.Skip, gate.Script.Start, gate.Script.Finish,
			(*approvals.Gate).Permit, (*approvals.Gate).Confirm, (*approvals.Gate).Skip, (*approvals.Gate).Start,
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
	if err := engine.Many(400, 24, 1, effectHistory); err != nil {
		return err
	}
	_, err := engine.Every(straightSteps, straightHistory)
	return err
}

// straightSteps is two plans, the settlement, and four steps of any kind after them.
const straightSteps = 7

// straightHistory is what may happen to a pipeline of two steps that nobody is asked about.
func straightHistory(src engine.Source) error {
	m := effectMachine
	m.Ops = straightOps
	p := newGatedCall()
	defer p.close()
	return engine.Drive(src, m, p, laws.EffectBook, engine.Premises{})
}

func straightOps(s effect.State) iter.Seq[effect.Op] {
	switch {
	case s.Script.Phase != gate.Planning:
		return slices.Values([]effect.Op{{Kind: effect.Confirm, Same: true}, {Kind: effect.Start}, {Kind: effect.Skip}, {Kind: effect.Finish}})
	case s.Script.Planned < 2:
		return slices.Values([]effect.Op{{Kind: effect.Plan, Auto: call.Grantable, Piped: s.Script.Planned > 0}})
	}
	return slices.Values([]effect.Op{{Kind: effect.Settle}})
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
	records  []event.Body
	cancel   context.CancelFunc
	ctx      context.Context

	auto  call.Effects
	steps []call.Step
	fates [effect.Steps]effect.Fate
	// spent is true from an answer that must count for nothing to the end of the next
	// plan, when production hears of both.
	spent  bool
	script gate.Script
	at     uint8
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
	if p.script.Phase == gate.Asking || p.spent {
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
	case effect.Plan:
		return p.plan(op)
	case effect.Settle:
		return effect.Out{OK: p.settle()}
	case effect.Answer:
		return effect.Out{OK: p.answer(op.Answer)}
	case effect.Spend:
		return effect.Out{OK: p.spend()}
	case effect.Confirm:
		return effect.Out{OK: p.confirm(op.Same)}
	case effect.Skip:
		return effect.Out{OK: p.skip()}
	case effect.Start:
		// The shell starts nothing while it waits for an answer.
		return effect.Out{OK: p.idle() && p.started()}
	case effect.Finish:
		ok := p.script.Phase == gate.Ready && p.script.Passed == p.script.Planned && p.script.Ran+p.script.Skipped == p.script.Passed
		if ok {
			p.script.Phase = gate.Finished
		}
		return effect.Out{OK: ok}
	}
	return effect.Out{}
}

// idle reports whether no goroutine of production waits for an answer or a plan.
func (p *gatedCall) idle() bool {
	return p.script.Phase != gate.Asking && p.script.Phase != gate.Planning && p.script.Phase != gate.Finished
}

// plan gathers a step; production is told of all of them when the plan is complete.
func (p *gatedCall) plan(op effect.Op) effect.Out {
	effects := core.Join(op.Parts[:]...)
	p.auto = op.Auto
	v := p.policy().Judge("bash", []call.Step{{Effects: effects}}).Verdict
	if p.script.Phase != gate.Planning {
		return effect.Out{Effects: effects, Verdict: v}
	}
	n := len(p.steps)
	p.steps = append(p.steps, call.Step{N: n + 1, Text: "step", Effects: effects})
	p.fates[n] = effect.Fate{Held: v == gate.Ask, First: !op.Piped}
	p.script.Planned++
	if v == gate.Ask {
		p.script.Held++
	}
	return effect.Out{Effects: effects, Verdict: v, OK: true}
}

func (p *gatedCall) policy() *gate.Policy {
	return &gate.Policy{Auto: p.auto, Guard: gate.GuardPolicy{Roster: []string{"bash"}}}
}

// settle lets production judge the plan, or hear that its answer is spent and judge the
// next plan.
func (p *gatedCall) settle() bool {
	if p.script.Phase != gate.Planning {
		return false
	}
	p.gate.Policies = approvals.NewPolicies(p.policy(), nil)
	if p.spent {
		p.answers <- gate.AllowOnce
	} else {
		go func() { p.outcomes <- p.gate.Permit(p.ctx, p.now) }()
	}
	p.spent = false
	p.auto = 0
	select {
	case <-p.asked:
		p.script.Phase = gate.Asking
		p.script.Asked++
	case out := <-p.outcomes:
		p.script.Phase = phaseAfter(out)
	}
	return true
}

func phaseAfter(out gate.Outcome) gate.Phase {
	if out.Runs {
		return gate.Ready
	}
	return gate.Refused
}

// now is the plan as it is: after a spent answer another one, also where its steps are
// the same.
func (p *gatedCall) now() []call.Step {
	steps := slices.Clone(p.steps)
	for i := range steps {
		steps[i].Content = fmt.Sprint(p.script.Spent)
	}
	return steps
}

func (p *gatedCall) answer(a gate.Answer) bool {
	if p.script.Phase != gate.Asking {
		return false
	}
	p.answers <- a
	out := <-p.outcomes
	p.script.Phase = phaseAfter(out)
	if out.Runs {
		p.script.Yes = p.script.Held
	}
	return out.Runs == (out.Refusal == "")
}

func (p *gatedCall) spend() bool {
	if p.script.Phase != gate.Asking {
		return false
	}
	p.spent, p.steps, p.fates = true, nil, [effect.Steps]effect.Fate{}
	p.script = gate.Script{Asked: p.script.Asked, Spent: p.script.Spent + 1}
	return true
}

func (p *gatedCall) confirm(same bool) bool {
	n := int(p.script.Passed)
	if !p.idle() || n >= len(p.steps) {
		return false
	}
	s := p.now()[n]
	if !same {
		s.Effects = call.All
		s.Text = "another step"
	}
	before := p.script.Phase
	out := p.gate.Confirm(s, s.Text)
	switch {
	case before != gate.Ready:
		return out.Runs
	case out.Runs:
		p.script.Passed++
	default:
		p.script.Phase, p.at = gate.Refused, uint8(n)+1
	}
	return true
}

func (p *gatedCall) skip() bool {
	ok := p.script.Phase == gate.Ready && p.script.Passed < p.script.Planned && p.script.Passed == p.script.Ran+p.script.Skipped
	if p.idle() {
		p.gate.Skip()
	}
	if ok {
		p.script.Passed++
		p.script.Skipped++
	}
	return ok
}

func (p *gatedCall) started() bool { return p.gate.Start(p.ctx) == nil }

// View is what production told: its verdicts and questions by its records, what ran by
// its dispatches.
func (p *gatedCall) View() effect.State {
	s := effect.State{Script: p.script, Auto: p.auto, Fates: p.fates, At: p.at}
	s.Script.Ran, s.Script.Asked = 0, 0
	for _, r := range p.records {
		switch r := r.(type) {
		case event.Question:
			s.Script.Asked++
		case event.Judgement:
			for i, j := range r.Steps {
				s.Fates[i].Held = j.Verdict == gate.Ask.String()
			}
		case event.Dispatch:
			for _, n := range r.Steps {
				s.Order[s.Script.Ran] = uint8(n)
				s.Script.Ran++
			}
		}
	}
	p.script.Ran = s.Script.Ran
	return s
}
