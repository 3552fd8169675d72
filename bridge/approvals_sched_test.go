package bridge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	production "tenet/adapters/approvals"
	"tenet/bridge/engine/trial"
	core "tenet/core/approvals"
	"tenet/models/approvals"
)

// In a chain a question is nowhere for a moment while it goes from one session to
// another. What holds in every schedule is: whoever was told that the answer counts is
// right, nobody else was told so, and at rest nobody has anything before it.

// chain is a chain of real brokers under a scheduler.
type chain struct {
	s       *trial.Sched
	brokers [approvals.Sessions]*production.Broker
	desk    *desk
	backs   map[uint8]func(core.Cause)

	mu      sync.Mutex
	ends    map[uint8][]core.Verdict
	taken   map[uint8][]string // who was told that the answer counts
	clients []*production.Client
}

func newChain(s *trial.Sched) *chain {
	c := &chain{s: s, desk: &desk{covers: true}, backs: map[uint8]func(core.Cause){}, ends: map[uint8][]core.Verdict{}, taken: map[uint8][]string{}}
	for i := approvals.Sessions - 1; i >= 0; i-- {
		o := production.BrokerOptions{Session: deskSession(i), Agent: fmt.Sprint("agent ", i), Pause: s.Pause}
		if i < approvals.Sessions-1 {
			o.Above = c.brokers[i+1]
		}
		c.brokers[i] = production.NewBroker(o)
	}
	return c
}

func (c *chain) ask(q uint8) {
	p := c.desk.posed(q, deskQuestion(q))
	p.Done = func(v core.Verdict) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ends[q] = append(c.ends[q], v)
	}
	back := c.brokers[approvals.Origin[q]].Relay(p)
	c.mu.Lock()
	c.backs[q] = back
	c.mu.Unlock()
}

func (c *chain) attach(session int, name string) *production.Client {
	client, err := c.brokers[session].Attach(core.Interactive, name)
	if err != nil {
		panic(err) // a handful of clients
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clients = append(c.clients, client)
	return client
}

func (c *chain) answer(client *production.Client, name string, q uint8, choice core.Choice) {
	a := production.AnswerApproval{ID: deskQuestion(q), Answer: choice.String()}
	if choice == core.AllowAlways {
		a.Pattern = "make *"
	}
	if client.Answer(a) == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.taken[q] = append(c.taken[q], name)
	}
}

// judge ends what is still open and compares who was told what.
func (c *chain) judge() error {
	for _, back := range c.backs {
		back(core.Cancelled)
	}
	for q := range c.backs {
		if err := c.judgeQuestion(q); err != nil {
			return fmt.Errorf("question %d: %w", q, err)
		}
	}
	for _, client := range c.clients {
		if p := client.Pending(); len(p) > 0 {
			return fmt.Errorf("a client still has %v", p)
		}
		if left, err := leftovers(client); err != nil || len(left) > 0 {
			return fmt.Errorf("the frames leave %v before a client: %w", left, err)
		}
	}
	return nil
}

func (c *chain) judgeQuestion(q uint8) error {
	if len(c.ends[q]) != 1 {
		return fmt.Errorf("ended %d times: %+v", len(c.ends[q]), c.ends[q])
	}
	v, told := c.ends[q][0], c.taken[q]
	switch {
	case v.Cause == core.Answered && !slices.Equal(told, []string{v.By}):
		return fmt.Errorf("it ended as %+v, and %v were told that their answer counts", v, told)
	case v.Cause != core.Answered && len(told) > 0:
		return fmt.Errorf("it ended as %+v, and %v were told that their answer counts", v, told)
	}
	return nil
}

// leftovers folds the frames of a client; none may be told twice, or settled before it
// was shown.
func leftovers(client *production.Client) (left []string, err error) {
	for {
		f, end := client.Next(ended)
		if end != nil {
			return left, err
		}
		switch f := f.(type) {
		case *production.Approval:
			if slices.Contains(left, f.ID) {
				err = errors.Join(err, fmt.Errorf("%s was shown twice", f.ID))
			}
			left = append(left, f.ID)
		case *production.Settled:
			at := slices.Index(left, f.ID)
			if at < 0 {
				return left, fmt.Errorf("%s was settled and never shown", f.ID)
			}
			left = slices.Delete(left, at, at+1)
		case *production.Missed:
			err = errors.Join(err, fmt.Errorf("%d frames were missed", f.Frames))
		}
	}
}

const childSession, midSession, rootSession = 0, 1, approvals.Sessions - 1

// chainScenarios are small enough to run every schedule of them.
var chainScenarios = []struct {
	name string
	play func(c *chain)
}{
	{"the root answers while a client comes to the child", func(c *chain) {
		above := c.attach(rootSession, "above")
		c.ask(0)
		c.s.Go("above", func(context.Context) { c.answer(above, "above", 0, core.AllowOnce) })
		c.s.Go("comes", func(context.Context) { c.answer(c.attach(childSession, "near"), "near", 0, core.Deny) })
	}},
	{"a question goes up while a client comes", func(c *chain) {
		c.attach(rootSession, "above")
		c.s.Go("asker", func(context.Context) { c.ask(0) })
		c.s.Go("comes", func(context.Context) { c.attach(childSession, "near") })
	}},
	{"a client comes while the one above goes", func(c *chain) {
		above := c.attach(rootSession, "above")
		c.ask(0)
		c.s.Go("goes", func(context.Context) { above.Detach() })
		c.s.Go("comes", func(context.Context) { c.attach(childSession, "near") })
	}},
	{"the asker stops while the root answers", func(c *chain) {
		above := c.attach(rootSession, "above")
		c.ask(0)
		c.s.Go("above", func(context.Context) { c.answer(above, "above", 0, core.AllowOnce) })
		c.s.Go("stop", func(context.Context) { c.backs[0](core.Cancelled) })
	}},
	{"a denial above meets the next question of the turn", func(c *chain) {
		above := c.attach(rootSession, "above")
		c.ask(0)
		c.s.Go("no", func(context.Context) { c.answer(above, "above", 0, core.Deny) })
		c.s.Go("asker", func(context.Context) { c.ask(1) })
	}},
	{"a grant of the child meets an answer above", func(c *chain) {
		above := c.attach(midSession, "above")
		c.ask(0)
		c.ask(1)
		c.s.Go("always", func(context.Context) { c.answer(above, "above", 0, core.AllowAlways) })
		c.s.Go("stop", func(context.Context) { c.backs[1](core.Cancelled) })
	}},
	{"the session above ends", func(c *chain) {
		above := c.attach(rootSession, "above")
		c.ask(0)
		c.s.Go("end", func(context.Context) { c.brokers[rootSession].Close() })
		c.s.Go("above", func(context.Context) { c.answer(above, "above", 0, core.AllowOnce) })
	}},
}

func chainScenario(play func(*chain)) trial.Scenario {
	return func(s *trial.Sched) error {
		c := newChain(s)
		play(c)
		if err := s.Run(); err != nil {
			return err
		}
		return c.judge()
	}
}

// Every schedule of each.
func TestApprovalsChainSchedules(t *testing.T) {
	defer report.Time("approvals")()
	for _, sc := range chainScenarios {
		t.Run(sc.name, func(t *testing.T) {
			n, err := trial.Schedules(t, 60_000, chainScenario(sc.play))
			if err != nil {
				t.Fatal(err)
			}
			report.Schedules("approvals", n)
			t.Logf("%d schedules", n)
		})
	}
}

// Too many meet for every schedule; these are drawn.
func TestApprovalsChainCrowd(t *testing.T) {
	defer report.Time("approvals")()
	const schedules = 2000
	err := trial.SomeSchedules(t, schedules, 7, chainScenario(func(c *chain) {
		above := c.attach(rootSession, "above")
		c.s.Go("asker", func(context.Context) { c.ask(0); c.ask(1) })
		c.s.Go("another", func(context.Context) { c.ask(2) })
		c.s.Go("near", func(context.Context) {
			near := c.attach(childSession, "near")
			c.answer(near, "near", 0, core.Deny)
			near.Detach()
		})
		c.s.Go("middle", func(context.Context) {
			middle := c.attach(midSession, "middle")
			c.answer(middle, "middle", 1, core.AllowAlways)
			c.answer(middle, "middle", 2, core.AllowOnce)
			middle.Detach()
		})
		c.s.Go("above", func(context.Context) {
			c.answer(above, "above", 0, core.AllowOnce)
			c.answer(above, "above", 1, core.Deny)
		})
	}))
	if err != nil {
		t.Fatal(err)
	}
	report.Schedules("approvals", schedules)
}
