package bridge

import (
	"errors"
	"fmt"
	"slices"

	production "tenet/adapters/approvals"
	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/models/approvals"
)

// desk is production under the model's operations: a chain of brokers, clients that
// fold the frames they get, and the log that a restart reads.
type desk struct {
	brokers [approvals.Sessions]*production.Broker
	clients [approvals.Clients]*production.Client
	kinds   [approvals.Clients]approvals.Seen
	has     [approvals.Clients]uint8 // what the frames say
	back    [approvals.Questions]func(core.Cause)
	asked   []uint8 // the log: questions without a verdict, oldest first
	known   [approvals.Questions]bool
	later   bool
	covers  bool // whether the grant of this step covers other questions
	life    int  // processes so far; what an older one says is not heard
	out     approvals.Out
	ends    [approvals.Questions]int
	tick    func() // lets time pass
}

func newDesk() *desk {
	d := &desk{}
	d.start()
	return d
}

// start is a process: its sessions and no client.
func (d *desk) start() {
	d.life++
	for i := approvals.Sessions - 1; i >= 0; i-- {
		o := production.BrokerOptions{Session: deskSession(i), Agent: fmt.Sprint("agent ", i)}
		if i < approvals.Sessions-1 {
			o.Above = d.brokers[i+1]
		}
		d.brokers[i] = production.NewBroker(o)
	}
	d.clients, d.kinds, d.has = [approvals.Clients]*production.Client{}, [approvals.Clients]approvals.Seen{}, [approvals.Clients]uint8{}
}

func deskSession(i int) string { return fmt.Sprint("session ", i) }

// Do performs one operation.
func (d *desk) Do(op approvals.Op) approvals.Out {
	d.out, d.covers = approvals.Out{}, op.Covers
	switch op.Kind {
	case approvals.Ask:
		d.later = d.later || op.Later
		d.known[op.Question] = true
		d.asked = append(d.asked, op.Question)
		d.ask(op.Question, false)
	case approvals.AskAgain:
		d.again(op.Question)
	case approvals.Attach:
		d.attach(op)
	case approvals.Detach:
		d.clients[op.Client].Detach()
		d.clients[op.Client], d.kinds[op.Client], d.has[op.Client] = nil, approvals.Away, 0
	case approvals.Answer:
		d.out.Outcome = d.answer(op)
	case approvals.Cancel:
		d.back[op.Question](core.Cancelled)
	case approvals.Tick:
		if d.tick != nil {
			d.tick()
		}
	case approvals.Restart:
		d.start()
		for _, q := range slices.Clone(d.asked) {
			d.ask(q, true)
		}
	}
	return d.out
}

// posed is question q as its session asks it.
func (d *desk) posed(q uint8, id string) production.Posed {
	session, effects, turn := deskSession(int(approvals.Origin[q])), call.Of(call.Exec), "turn 1"
	if approvals.Secret[q] {
		effects = call.Of(call.Secret)
	}
	if q == 1 && d.later {
		turn = "turn 2"
	}
	return production.Posed{
		Card: production.Approval{ID: id, Session: session},
		Question: core.Question{ID: id, Session: session, Turn: turn, Call: fmt.Sprint("call ", q), Effects: effects, Offers: []core.Offer{
			{Choice: core.AllowOnce}, {Choice: core.AllowSession}, {Choice: core.AllowAlways, Pattern: "make *"},
		}},
		Covers: func(g production.Grant) bool { return d.covers },
	}
}

func (d *desk) ask(q uint8, patient bool) {
	p, life := d.posed(q, deskQuestion(q)), d.life
	p.Question.Patient = patient
	p.Done = func(v core.Verdict) {
		if d.life != life {
			return // that process is dead
		}
		d.ends[q]++
		d.asked = slices.DeleteFunc(d.asked, func(x uint8) bool { return x == q })
		d.out.Ended[q] = approvals.Verdict{Ended: true, Fate: v.Fate, Cause: v.Cause, Choice: v.Choice, By: deskClient(v.By)}
		d.grant(q, v)
	}
	d.back[q] = d.brokers[approvals.Origin[q]].Relay(p)
}

// grant tells every session of the project of a standing grant, as whoever writes the
// rule does.
func (d *desk) grant(q uint8, v core.Verdict) {
	if v.Fate != core.Approved || v.Cause != core.Answered || v.Choice != core.AllowAlways {
		return
	}
	for _, b := range d.brokers {
		b.Granted(production.Grant{Question: deskQuestion(q), Session: deskSession(int(approvals.Origin[q])), Choice: v.Choice, Pattern: v.Pattern, By: v.By})
	}
}

func deskQuestion(q uint8) string { return fmt.Sprint("question ", q) }

// deskClient is the number of a client by its name, counted from 1; 0 for nobody.
func deskClient(name string) (n uint8) {
	if _, err := fmt.Sscanf(name, "client %d", &n); err != nil {
		return 0
	}
	return n
}

// again asks about a call that has an open question.
func (d *desk) again(q uint8) {
	p := d.posed(q, "a second "+deskQuestion(q))
	p.Done = func(v core.Verdict) { d.out.Refused = v.Fate == core.Unanswered && v.Cause == core.Twice }
	d.brokers[approvals.Origin[q]].Relay(p)
}

func (d *desk) attach(op approvals.Op) {
	c, err := d.brokers[approvals.Home[op.Client]].Attach(op.Role, fmt.Sprint("client ", op.Client+1))
	if err != nil {
		return // the comparison shows it
	}
	d.clients[op.Client], d.kinds[op.Client] = c, approvals.Looks
	if op.Role == core.Gateway {
		d.kinds[op.Client] = approvals.OnlyGateway
	}
}

func (d *desk) answer(op approvals.Op) core.Outcome {
	a := production.AnswerApproval{ID: deskQuestion(op.Question), Answer: op.Choice.String()}
	if op.Choice == core.AllowAlways {
		a.Pattern = "make *"
	}
	if op.Foreign {
		a.Pattern = "*"
	}
	err := d.clients[op.Client].Answer(a)
	var refused *production.AnswerError
	switch {
	case err == nil:
		return core.Taken
	case errors.As(err, &refused) && refused.Code == production.CodeGone:
		return core.Gone
	default:
		return core.NotOffered
	}
}

// Where production says nonsense, the view shows a place or a bit that no model has.
const nonsense = 200

// View reads where each question is from what each client has before it, by its frames
// and when it asks; the two must agree.
func (d *desk) View() approvals.State {
	s := approvals.State{Clients: d.kinds, Later: d.later}
	for c, client := range d.clients {
		if client == nil {
			continue
		}
		d.fold(c)
		if s.Has[c] = d.has[c]; d.has[c] != pendingBits(client) {
			s.Has[c] = nonsense
		}
	}
	for q := range s.Places {
		s.Places[q] = d.place(s.Has, q)
	}
	return s
}

// fold takes the frames that a client got since the last look.
func (d *desk) fold(c int) {
	for {
		f, err := d.clients[c].Next(ended)
		if err != nil {
			return
		}
		switch f := f.(type) {
		case *production.Approval:
			d.toggle(c, deskBit(f.ID), false)
		case *production.Settled:
			d.toggle(c, deskBit(f.ID), true)
		case *production.Missed:
			d.has[c] = nonsense // these clients are never slow
		}
	}
}

// toggle gives a question to a client or takes it away; the client must not have it, or
// must have it, before.
func (d *desk) toggle(c int, bit uint8, had bool) {
	if (d.has[c]&bit != 0) != had {
		bit = nonsense
	}
	d.has[c] ^= bit
}

func deskBit(id string) uint8 {
	var q uint8
	if _, err := fmt.Sscanf(id, "question %d", &q); err != nil {
		return nonsense
	}
	return 1 << q
}

func pendingBits(c *production.Client) (bits uint8) {
	for _, a := range c.Pending() {
		bits |= deskBit(a.ID)
	}
	return bits
}

func (d *desk) place(has [approvals.Clients]uint8, q int) approvals.Place {
	at := approvals.Held
	for c, bits := range has {
		if bits&(1<<q) == 0 {
			continue
		}
		if here := approvals.Place(approvals.Home[c]); at != approvals.Held && at != here {
			return nonsense
		} else {
			at = here
		}
	}
	switch {
	case !d.known[q] && at == approvals.Held:
		return approvals.Never
	case d.ends[q] == 1 && at == approvals.Held:
		return approvals.Ended
	case !d.known[q] || d.ends[q] > 0:
		return nonsense
	}
	return at
}
