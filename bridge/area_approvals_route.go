package bridge

import (
	"context"
	"fmt"

	production "tenet/adapters/approvals"
	core "tenet/core/approvals"
	"tenet/laws"
	"tenet/models/approvals"
)

// everyRoute sends each question of the model up a chain of real brokers, whose clients
// do what their seat says, and judges the laws on what they saw.
func everyRoute() error {
	for a := range approvals.Routes(struct{}{}) {
		_, want := approvals.RouteStep(struct{}{}, a)
		got, err := fare(a)
		if err == nil && got != want {
			err = fmt.Errorf("production: %+v, the model: %+v", got, want)
		}
		if err != nil {
			return fmt.Errorf("%+v: %w", a, err)
		}
		for _, l := range laws.ApprovalsBook {
			if v := l.Func(a, got); v.Err != nil {
				return fmt.Errorf("law %s: %w", l.ID, v.Err)
			}
		}
	}
	return nil
}

// routed is a chain of brokers, with what each of its sessions saw of one question.
type routed struct {
	approvals.Fared
	brokers [approvals.Longest]*production.Broker
	clients [approvals.Longest]*production.Client // who sees questions
	ended   int
}

// passes notes that a question came to a session.
type passes struct {
	r  *routed
	to int
}

// Relay hands the question on.
func (p passes) Relay(q production.Posed) func(core.Cause) {
	p.r.Reached |= 1 << p.to
	return p.r.brokers[p.to].Relay(q)
}

func fare(a approvals.Asked) (approvals.Fared, error) {
	if core.Unasked(core.Auto(a.Auto, a.Set), a.Effects) {
		return approvals.Fared{Unasked: true, Fate: core.Approved}, nil
	}
	r := &routed{}
	if err := r.sit(a); err != nil {
		return r.Fared, err
	}
	passes{r, 0}.Relay(production.Posed{
		Card:     production.Approval{ID: "q", Session: "session 0"},
		Question: core.Question{ID: "q", Session: "session 0", Call: "call", Effects: a.Effects, Offers: []core.Offer{{Choice: core.AllowOnce}}},
		Done: func(v core.Verdict) {
			r.Fate, r.Cause = v.Fate, v.Cause
			r.ended++
		},
	})
	for i := range int(a.Len) {
		if err := r.meets(i, a.Seats[i]); err != nil {
			return r.Fared, err
		}
	}
	if r.ended != 1 {
		return r.Fared, fmt.Errorf("the question ended %d times", r.ended)
	}
	return r.Fared, nil
}

// sit builds the chain from its root down and attaches who is there.
func (r *routed) sit(a approvals.Asked) error {
	for i := int(a.Len) - 1; i >= 0; i-- {
		o := production.BrokerOptions{Session: fmt.Sprint("session ", i)}
		if i < int(a.Len)-1 {
			o.Above, o.Agent = passes{r, i + 1}, fmt.Sprint("agent ", i)
		}
		r.brokers[i] = production.NewBroker(o)
		for _, kind := range sits(a.Seats[i]) {
			c, err := r.brokers[i].Attach(kind, "client")
			if err != nil {
				return err
			}
			if kind == core.Interactive {
				r.clients[i] = c
			}
		}
	}
	return nil
}

// sits is who is attached at a seat.
func sits(s approvals.Seat) []core.Kind {
	switch s {
	case approvals.Empty:
		return nil
	case approvals.Leaves, approvals.SaysYes, approvals.SaysNo:
		return []core.Kind{core.Interactive}
	case approvals.Phone:
		return []core.Kind{core.Gateway}
	case approvals.LeavesPhone, approvals.YesPhone, approvals.NoPhone:
		return []core.Kind{core.Gateway, core.Interactive}
	}
	return nil
}

// meets has the client of a session do what its seat says with the question, if it got
// one.
func (r *routed) meets(i int, seat approvals.Seat) error {
	c := r.clients[i]
	if c == nil {
		return nil
	}
	f, err := c.Next(ended)
	card, ok := f.(*production.Approval)
	if err != nil || !ok {
		return nil
	}
	r.Shown |= 1 << i
	if card.Agent == "agent 0" {
		r.Named |= 1 << i
	}
	yes, answers := seat.Says()
	switch {
	case !answers:
		c.Detach()
		return nil
	case yes:
		return c.Answer(production.AnswerApproval{ID: "q", Answer: core.AllowOnce.String()})
	default:
		return c.Answer(production.AnswerApproval{ID: "q", Answer: core.Deny.String()})
	}
}

// ended is a context that has ended: a wait with it takes what is there.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()
