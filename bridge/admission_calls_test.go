package bridge

import (
	"context"
	"errors"
	"fmt"

	production "tenet/adapters/admission"
	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	core "tenet/core/admission"
	"tenet/models/admission"
)

// admissionCalls records what clients do at one provider at the same time. Each
// client calls its one ticket by its own number, as the model's places are named.
type admissionCalls struct {
	h       *trial.History[admission.State, *admissionCall, admission.Out]
	c       *production.Controller
	tickets [admission.Places]*production.Ticket
	former  [admission.Places]*production.Ticket
}

func newAdmissionCalls(name string, limits core.Limits, opts ...production.Option) *admissionCalls {
	c, err := production.New(limits, opts...)
	if err != nil {
		panic(err) // the tests' own limits
	}
	init := admission.State{Limits: limits}
	return &admissionCalls{c: c, h: &trial.History[admission.State, *admissionCall, admission.Out]{
		Name:    name,
		Machine: engine.Machine[admission.State, *admissionCall, admission.Out]{Init: init, Step: stepUnseen},
	}}
}

// admissionCall is one call. Histories keep pointers: how a blocked call ended, with
// the slot or with the client's going, is known only after it, and the model is
// asked afterwards.
type admissionCall struct {
	admission.Op
	// blocks: it looked again and again until there was a permit.
	blocks bool
}

// stepUnseen is the model's step as a client sees it that is not alone: whether a
// new ticket held a slot at once, and whether a permit is still good, is not for the
// client to know, since another may have moved the ticket before the client looks.
func stepUnseen(s admission.State, call *admissionCall) (admission.State, admission.Out) {
	s, out := s.Step(call.Op)
	switch {
	case call.Kind == admission.Admit:
		out.Status = core.Ended
	case call.blocks && out.Status == core.Preempted:
		out.Status = core.Held
	}
	return s, out
}

func (a *admissionCalls) do(client int, op admission.Op, call func() admission.Out) admission.Out {
	op.Place = uint8(client)
	return a.h.Do(client, &admissionCall{Op: op}, call)
}

// enter admits without waiting; false when the queue was full.
func (a *admissionCalls) enter(client int, class core.Class) bool {
	out := a.do(client, admission.Op{Kind: admission.Admit, Class: class}, func() admission.Out {
		t, err := a.c.Enter(provider, class)
		if err != nil {
			return admission.Out{Refused: errors.Is(err, production.ErrQueueFull)}
		}
		a.former[client], a.tickets[client] = a.tickets[client], t
		return admission.Out{}
	})
	return !out.Refused
}

// wait blocks until the client has a permit: that is a look which was answered
// "held". When ctx ends first the ticket is over: that was its end.
func (a *admissionCalls) wait(ctx context.Context, client int) (p *production.Permit) {
	call := &admissionCall{Op: admission.Op{Kind: admission.Poll, Place: uint8(client)}, blocks: true}
	a.h.Do(client, call, func() admission.Out {
		var err error
		if p, err = a.tickets[client].Wait(ctx); err != nil {
			call.Kind, call.blocks = admission.End, false
			return admission.Out{Status: core.Ended, Changed: true}
		}
		return admission.Out{Status: core.Held}
	})
	return p
}

func (a *admissionCalls) poll(client int) core.Status {
	return a.do(client, admission.Op{Kind: admission.Poll}, func() admission.Out {
		return admission.Out{Status: status(a.tickets[client], (*production.Ticket).Poll)}
	}).Status
}

func (a *admissionCalls) end(client int) {
	a.do(client, admission.Op{Kind: admission.End}, func() admission.Out {
		t := a.tickets[client]
		return admission.Out{Changed: t != nil && t.End(), Status: core.Ended}
	})
}

func (a *admissionCalls) endAgain(client int) {
	a.do(client, admission.Op{Kind: admission.EndAgain}, func() admission.Out {
		f := a.former[client]
		return admission.Out{Changed: f != nil && f.End(), Status: status(f, (*production.Ticket).Poll)}
	})
}

func (a *admissionCalls) limit(client int, to core.Limits) {
	a.h.Do(client, &admissionCall{Op: admission.Op{Kind: admission.Limit, To: to}}, func() admission.Out {
		if err := a.c.SetLimits(provider, to); err != nil {
			panic(err) // the tests' own limits
		}
		return admission.Out{}
	})
}

// settle reads everything at rest and then lets the history be judged. It looks at
// every ticket, ends them all, and fills the slots anew: a slot that leaked and a
// waiter that was forgotten show there at the latest.
func (a *admissionCalls) settle(dir string) error {
	for p := range a.tickets {
		a.quiet(p)
	}
	for p := range a.tickets {
		a.end(p)
	}
	for _, st := range a.c.Stats() {
		if n := st.Interactive.Slots + st.Interactive.Waiting + st.Background.Slots + st.Background.Waiting; n > 0 {
			return fmt.Errorf("all tickets have ended, and %d are left: %+v", n, st)
		}
	}
	for p := range 2 {
		a.enter(p, core.Interactive)
		a.quiet(p)
	}
	return a.h.Check(dir)
}

// quiet looks at a ticket at rest.
func (a *admissionCalls) quiet(p int) {
	look := &admissionCall{Op: admission.Op{Kind: admission.Poll, Place: uint8(p)}}
	a.h.Quiet(look, func() admission.Out {
		return admission.Out{Status: status(a.tickets[p], (*production.Ticket).Poll)}
	})
}
