package bridge

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"go.uber.org/goleak"

	production "tenet/adapters/approvals"
	"tenet/adapters/wait"
	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	core "tenet/core/approvals"
	corewait "tenet/core/wait"
	"tenet/models/approvals"
)

// Concurrent histories are about one session, where every event is one instant: what
// clients and askers are told must fit one order of the events.

// panelState is the model with the verdicts that it gave.
type panelState struct {
	approvals.State
	Verdicts [approvals.Questions]approvals.Verdict
}

// panelCall is an event of the model, or a read: of a question's verdict, or of what a
// client has before it.
type panelCall struct {
	approvals.Op
	Verdict, Pending bool
}

// panelOut is what the caller is told.
type panelOut struct {
	Outcome core.Outcome
	Refused bool
	Verdict approvals.Verdict
	Pending uint8
}

var panelMachine = engine.Machine[panelState, panelCall, panelOut]{
	Init: panelState{State: func() approvals.State { s := approvals.Start; s.Flat = true; return s }()},
	Step: func(s panelState, c panelCall) (panelState, panelOut) {
		switch {
		case c.Verdict:
			return s, panelOut{Verdict: s.Verdicts[c.Question]}
		case c.Pending:
			return s, panelOut{Pending: s.Has[c.Client]}
		}
		next, out := s.Step(c.Op)
		s.State = next
		for q, v := range out.Ended {
			if v.Ended {
				s.Verdicts[q] = v
			}
		}
		return s, panelOut{Outcome: out.Outcome, Refused: out.Refused}
	},
}

// panel is one real session that goroutines use at the same time, and what they were
// told.
type panel struct {
	trial.History[panelState, panelCall, panelOut]
	broker  *production.Broker
	clients [approvals.Clients]*production.Client // each used by its own goroutine
	backs   [approvals.Questions]func(core.Cause)
	ends    [approvals.Questions]panelEnd
	desk    *desk // for the questions' texts
	asking  int   // the goroutine that asks, as a client of the history
}

// panelEnd is how a question ended, once it has.
type panelEnd struct {
	over    chan struct{}
	verdict approvals.Verdict
	times   int
}

func newPanel(pause func(string)) *panel {
	p := &panel{broker: production.NewBroker(production.BrokerOptions{Session: "session", Pause: pause}), desk: &desk{covers: true}, asking: approvals.Clients}
	p.Machine, p.Name = panelMachine, "approvals"
	for q := range p.ends {
		p.ends[q].over = make(chan struct{})
	}
	return p
}

func (p *panel) ask(q uint8) {
	posed := p.desk.posed(q, deskQuestion(q))
	posed.Card.Session, posed.Question.Session = "session", "session"
	posed.Done = func(v core.Verdict) {
		e := &p.ends[q]
		if e.times++; e.times == 1 {
			e.verdict = approvals.Verdict{Ended: true, Fate: v.Fate, Cause: v.Cause, Choice: v.Choice, By: deskClient(v.By)}
			close(e.over)
		}
	}
	p.Do(p.asking+int(q), panelCall{Op: approvals.Op{Kind: approvals.Ask, Question: q}}, func() panelOut {
		p.backs[q] = p.broker.Relay(posed)
		return panelOut{}
	})
}

// wait reads the verdict, which comes when it comes.
func (p *panel) wait(ctx context.Context, q uint8) {
	call := panelCall{Op: approvals.Op{Question: q}, Verdict: true}
	p.Do(p.asking+int(q), call, func() panelOut {
		if _, how := wait.Race(ctx, p.ends[q].over, 0); how != corewait.Event {
			return panelOut{}
		}
		return panelOut{Verdict: p.ends[q].verdict}
	})
}

func (p *panel) cancel(q uint8) {
	p.Do(p.asking+approvals.Questions+int(q), panelCall{Op: approvals.Op{Kind: approvals.Cancel, Question: q}}, func() panelOut {
		p.backs[q](core.Cancelled)
		return panelOut{}
	})
}

func (p *panel) attach(c uint8, role core.Kind) {
	p.Do(int(c), panelCall{Op: approvals.Op{Kind: approvals.Attach, Client: c, Role: role}}, func() panelOut {
		client, err := p.broker.Attach(role, fmt.Sprint("client ", c+1))
		if err != nil {
			panic(err) // there are four of them
		}
		p.clients[c] = client
		return panelOut{}
	})
}

func (p *panel) detach(c uint8) {
	p.Do(int(c), panelCall{Op: approvals.Op{Kind: approvals.Detach, Client: c}}, func() panelOut {
		p.clients[c].Detach()
		return panelOut{}
	})
}

func (p *panel) answer(c, q uint8, choice core.Choice, covers bool) {
	op := approvals.Op{Kind: approvals.Answer, Client: c, Question: q, Choice: choice, Covers: covers}
	p.Do(int(c), panelCall{Op: op}, func() panelOut {
		d := desk{clients: p.clients}
		return panelOut{Outcome: d.answer(op)}
	})
}

func (p *panel) pending(c uint8) {
	p.Do(int(c), panelCall{Op: approvals.Op{Client: c}, Pending: true}, func() panelOut {
		return panelOut{Pending: pendingBits(p.clients[c])}
	})
}

// judge cancels what is open, reads everything at rest and judges the history. No
// question may end twice.
func (p *panel) judge() error {
	for q, back := range p.backs {
		if back == nil {
			continue
		}
		p.cancel(uint8(q))
		p.wait(ended, uint8(q))
		if n := p.ends[q].times; n != 1 {
			return fmt.Errorf("question %d ended %d times", q, n)
		}
	}
	for c, client := range p.clients {
		if client != nil {
			p.Quiet(panelCall{Op: approvals.Op{Client: uint8(c)}, Pending: true}, func() panelOut { return panelOut{Pending: pendingBits(client)} })
		}
	}
	return p.Check(trial.Pictures())
}

// panelScenarios are small enough to run every schedule of them.
var panelScenarios = []struct {
	name string
	play func(s *trial.Sched, p *panel)
}{
	{"two clients answer, each another thing", func(s *trial.Sched, p *panel) {
		p.attach(0, core.Interactive)
		p.attach(1, core.Interactive)
		p.ask(0)
		s.Go("yes", func(context.Context) { p.answer(0, 0, core.AllowOnce, false) })
		s.Go("no", func(context.Context) { p.answer(1, 0, core.Deny, false) })
		s.Go("asker", func(ctx context.Context) { p.wait(ctx, 0) })
	}},
	{"an answer meets a cancel and the end of the client", func(s *trial.Sched, p *panel) {
		p.attach(0, core.Interactive)
		p.attach(1, core.Interactive)
		p.ask(0)
		s.Go("yes", func(context.Context) { p.answer(0, 0, core.AllowOnce, false) })
		s.Go("cancel", func(context.Context) { p.cancel(0) })
		s.Go("leaver", func(context.Context) { p.detach(1) })
	}},
	{"all leave beside a gateway while one answers", func(s *trial.Sched, p *panel) {
		p.attach(0, core.Interactive)
		p.attach(1, core.Interactive)
		p.attach(2, core.Gateway)
		p.ask(0)
		p.ask(2)
		s.Go("first", func(context.Context) { p.answer(0, 2, core.AllowOnce, false); p.detach(0) })
		s.Go("second", func(context.Context) { p.detach(1) })
		s.Go("asker", func(ctx context.Context) { p.wait(ctx, 0) })
	}},
	{"a denial meets a question of the same turn", func(s *trial.Sched, p *panel) {
		p.attach(0, core.Interactive)
		p.ask(0)
		s.Go("no", func(context.Context) { p.answer(0, 0, core.Deny, false); p.pending(0) })
		s.Go("asker", func(ctx context.Context) { p.ask(1); p.wait(ctx, 0) })
		s.Go("leaver", func(context.Context) { p.attach(1, core.Interactive); p.detach(1) })
	}},
	{"a grant meets a no to what it covers", func(s *trial.Sched, p *panel) {
		p.attach(0, core.Interactive)
		p.attach(1, core.Interactive)
		p.ask(0)
		p.ask(1)
		s.Go("always", func(context.Context) { p.answer(0, 0, core.AllowAlways, true) })
		s.Go("no", func(context.Context) { p.answer(1, 1, core.Deny, false) })
		s.Go("cancel", func(context.Context) { p.cancel(1) })
	}},
	{"a client comes while the only one goes", func(s *trial.Sched, p *panel) {
		p.attach(0, core.Interactive)
		s.Go("asker", func(context.Context) { p.ask(0) })
		s.Go("goes", func(context.Context) { p.detach(0) })
		s.Go("comes", func(context.Context) { p.attach(1, core.Interactive); p.answer(1, 0, core.AllowOnce, false) })
	}},
}

// Every schedule of each: what everybody was told fits one order of what happened.
func TestApprovalsSchedules(t *testing.T) {
	defer report.Time("approvals")()
	for _, sc := range panelScenarios {
		t.Run(sc.name, func(t *testing.T) {
			n, err := trial.Schedules(t, 60_000, func(s *trial.Sched) error {
				p := newPanel(s.Pause)
				sc.play(s, p)
				if err := s.Run(); err != nil {
					return err
				}
				return p.judge()
			})
			if err != nil {
				t.Fatal(err)
			}
			report.Schedules("approvals", n)
			t.Logf("%d schedules", n)
		})
	}
}

// Goroutines on every core, in an order that nobody chose: four clients and two askers.
func TestApprovalsHistories(t *testing.T) {
	defer report.Time("approvals")()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	const histories = 1500
	operations := 0
	for seed := range uint64(histories) {
		p := newPanel(nil)
		for c := range uint8(2) {
			p.attach(c, core.Interactive)
		}
		var all sync.WaitGroup
		for c := range uint8(approvals.Clients) {
			all.Go(func() { p.busy(rand.New(rand.NewPCG(seed, uint64(c))), c, 4+int(seed)%4) })
		}
		all.Go(func() {
			for q := range uint8(approvals.Questions) {
				p.ask(q)
				runtime.Gosched()
			}
		})
		all.Wait()
		if err := p.judge(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		operations += p.Len()
	}
	report.Histories("approvals", histories)
	t.Logf("%d histories of %d operations on average", histories, operations/histories)
}

// busy makes calls at random.
func (p *panel) busy(r *rand.Rand, c uint8, calls int) {
	on := p.clients[c] != nil
	for range calls {
		runtime.Gosched()
		switch n := r.IntN(10); {
		case !on:
			role := core.Interactive
			if n == 0 {
				role = core.Gateway
			}
			p.attach(c, role)
			on = true
		case n == 0:
			p.detach(c)
			on = false
		case n < 4:
			p.pending(c)
		default:
			choice := core.Choice(r.IntN(4))
			p.answer(c, uint8(r.IntN(approvals.Questions)), choice, choice >= core.AllowSession)
		}
	}
}
