package bridge

import (
	"errors"
	"fmt"

	production "tenet/adapters/admission"
	"tenet/bridge/engine"
	core "tenet/core/admission"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/admission"
)

// admissionMachine is the model, from a provider that nobody uses.
var admissionMachine = engine.Machine[admission.State, admission.Op, admission.Out]{
	Init: admission.Init(), Step: admission.State.Step, Ops: admission.Ops,
}

func admissionArea() Area {
	return Area{
		Name:     "admission",
		Relation: Reference,
		Bound:    fmt.Sprintf("%d live requests at one provider, limits 2, 1 and 3 with queues of 3, 2 and 0 in any order", admission.Places),
		Laws:     law.Infos(laws.AdmissionBook),
		Production: []any{
			core.Load.Arrive, core.Load.Next, core.Collect, core.Preempt,
			(*production.Controller).Admit, (*production.Controller).Enter, (*production.Controller).SetLimits,
			(*production.Ticket).Poll, (*production.Ticket).End, (*production.Ticket).Wait, (*production.Permit).Release,
		},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(admissionMachine, Pick(laws.AdmissionBook, names))
		},
		Quick: admissionQuick,
	}
}

// admissionQuick drives seeded histories of stepwise calls beside the model, then
// the blocking calls through the races that a waiter can lose.
func admissionQuick() error {
	for seed := range uint64(300) {
		src := engine.NewRandom(seed, 40)
		if err := engine.Drive(src, admissionMachine, newAdmitted(), laws.AdmissionBook, engine.Premises{}); err != nil {
			return fmt.Errorf("history of seed %d: %w", seed, err)
		}
	}
	return admissionWaits()
}

// admitted is production under the model's operations: the model's names are
// places that keep the ticket admitted there last, and the one before it.
type admitted struct {
	c           *production.Controller
	now, former [admission.Places]*production.Ticket
	// owed is the ledger of the promises made to those who wait (models' Promise);
	// production keeps none.
	owed  [admission.Places]uint8
	noise neighbour
}

const provider = "here"

func newAdmitted() *admitted {
	c, err := production.New(admission.Settings[0])
	if err != nil {
		panic(err) // the model's own settings
	}
	return &admitted{c: c, noise: neighbour{c: c}}
}

// Do takes one operation of the model to production, amid the noise of another
// provider: if the two had anything in common, this one would leave the model.
func (p *admitted) Do(op admission.Op) admission.Out {
	before := p.View()
	p.noise.stir()
	out := p.do(op)
	for w, t := range p.View().Promise(before, op).T {
		p.owed[w] = t.Owed
	}
	return out
}

func (p *admitted) do(op admission.Op) admission.Out {
	t := p.now[op.Place]
	switch op.Kind {
	case admission.Admit:
		return p.admit(op)
	case admission.Poll:
		return admission.Out{Status: status(t, (*production.Ticket).Poll)}
	case admission.End:
		changed := t != nil && t.End()
		return admission.Out{Status: status(t, (*production.Ticket).Status), Changed: changed}
	case admission.EndAgain:
		f := p.former[op.Place]
		changed := f != nil && f.End()
		return admission.Out{Status: status(f, (*production.Ticket).Poll), Changed: changed}
	case admission.Limit:
		if err := p.c.SetLimits(provider, op.To); err != nil {
			panic(err) // the model's own settings
		}
	}
	return admission.Out{}
}

func (p *admitted) admit(op admission.Op) admission.Out {
	t, err := p.c.Enter(provider, op.Class)
	if err != nil {
		return admission.Out{Refused: errors.Is(err, production.ErrQueueFull)}
	}
	if p.now[op.Place] != nil {
		p.former[op.Place] = p.now[op.Place]
	}
	p.now[op.Place] = t
	return admission.Out{Status: t.Status()}
}

// View is production in the model's terms: limits from its statistics, statuses
// from the tickets themselves, ages from the order of their numbers.
func (p *admitted) View() admission.State {
	s := admission.State{Limits: admission.Settings[0]}
	for _, st := range p.c.Stats() {
		if st.Provider == provider {
			s.Limits = st.Limits
		}
	}
	for i, t := range p.now {
		if is := status(t, (*production.Ticket).Status); is != core.Ended {
			s.T[i] = admission.Ticket{Class: t.Class(), Status: is, Age: p.age(t), Owed: p.owed[i]}
		}
	}
	return s
}

// age is how many live tickets are older than t.
func (p *admitted) age(t *production.Ticket) (n uint8) {
	for _, o := range p.now {
		if status(o, (*production.Ticket).Status) != core.Ended && o.Number() < t.Number() {
			n++
		}
	}
	return n
}

// status asks a ticket; a place without one looks like one whose ticket is over.
func status(t *production.Ticket, ask func(*production.Ticket) core.Status) core.Status {
	if t == nil {
		return core.Ended
	}
	return ask(t)
}

// neighbour keeps another provider of the same controller busy: its requests come,
// preempt, wait and go, and its limit changes, one thing at a time.
type neighbour struct {
	c       *production.Controller
	turn    int
	tickets []*production.Ticket
}

func (n *neighbour) stir() {
	n.turn++
	switch n.turn % 5 {
	case 0:
		n.enter(core.Background)
	case 1:
		n.enter(core.Interactive)
	case 2:
		if err := n.c.SetLimit("elsewhere", 1+n.turn%3); err != nil {
			panic(err) // 1 to 3 slots
		}
	case 3, 4:
		if len(n.tickets) > 0 {
			n.tickets[0].End()
			n.tickets = n.tickets[1:]
		}
	}
}

func (n *neighbour) enter(c core.Class) {
	if t, err := n.c.Enter("elsewhere", c); err == nil {
		n.tickets = append(n.tickets, t)
	}
}
