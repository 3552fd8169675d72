package approvals

import (
	"errors"
	"sync"

	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/core/rules"
)

// Broker is who a session asks when a call needs a person (G5). Clients attach to it;
// with none that answers it hands the question to the session above. core/approvals
// decides all of it; a broker keeps what is shown, carries out what core says, and
// starts no goroutine: whoever calls it carries the consequences on, up and down the
// chain, before the call returns.
//
// A broker never calls another one, nor anybody else, with its lock held. All of its
// methods may be called from many goroutines.
type Broker struct {
	options BrokerOptions
	pause   func(point string)

	mu      sync.Mutex
	core    core.Session
	clients map[core.ClientID]*Client
	cases   map[string]*openCase // by question
	last    core.ClientID
	closed  bool
}

// BrokerOptions describe one session's broker.
type BrokerOptions struct {
	// Session is the session's id, Agent its name when it is a subagent.
	Session, Agent string
	// Turn names the turn that runs now: a denial takes the turn's other questions with
	// it. Nil is a session of one turn.
	Turn func() string
	// Policies judge whether a grant that was given to one question covers another; nil
	// covers nothing.
	Policies *Policies
	// Above is the session that a question goes to which no client here answers; nil
	// for a root session.
	Above Upstream
	// Pause is called at the named points, outside of every lock: points at which a
	// scheduler may pause the caller. Nil is nothing.
	Pause func(point string)
}

// NewBroker is a session's broker without clients.
func NewBroker(o BrokerOptions) *Broker {
	b := &Broker{options: o, pause: o.Pause, clients: map[core.ClientID]*Client{}, cases: map[string]*openCase{}}
	if b.pause == nil {
		b.pause = func(string) {}
	}
	if o.Above == nil {
		b.core = core.Root()
	}
	return b
}

// Posed is a question on its way through a chain of sessions.
type Posed struct {
	// Card is what a person is shown, Question what the decision needs.
	Card     Approval
	Question core.Question
	// Rules are the rules that a lasting yes to this question makes; nil makes none that
	// could cover another question.
	Rules func(core.Choice, string) []rules.Rule
	// Covers says whether the gate would let this question's call run if the grant were
	// in force. It is called outside of every lock, and must not call a broker. Nil
	// covers nothing: no gate can be asked across a link.
	Covers func(Grant) bool
	// Done is called exactly once, when the question has ended.
	Done func(core.Verdict)
}

// Grant is an approval that reaches further than its own call.
type Grant struct {
	// Question is what was approved, on behalf of Session.
	Question, Session string
	// Choice is AllowSession or AllowAlways, Pattern the standing pattern of the latter.
	Choice  core.Choice
	Pattern string
	// By names the client that gave it.
	By string
	// Rules are what it allows.
	Rules []rules.Rule
}

// Upstream is the session above: a broker of this process, or a link to one.
type Upstream interface {
	// Relay takes a question. It returns without waiting for the end of it; the function
	// it returns takes the question back. Done is called once in either case, and soon
	// after a question was taken back: unanswered, unless a verdict was given before.
	Relay(Posed) (back func(core.Cause))
}

// openCase is one open question.
type openCase struct {
	Posed
	relay *relay // while it is above
}

// Relay takes a question of a session below, which names itself on it.
func (b *Broker) Relay(p Posed) (back func(core.Cause)) {
	c := b.pose(p)
	return func(why core.Cause) { b.cancel(c, why) }
}

// pose opens a question. One that is refused has ended when it returns.
func (b *Broker) pose(p Posed) *openCase {
	p.Card = p.Card.visible()
	c := &openCase{Posed: p}
	refused := core.Verdict{Cause: core.Cancelled}
	ok := false
	b.event("pose", func(s core.Session) (core.Session, []core.Act) {
		var acts []core.Act
		if !b.closed {
			s, acts, refused, ok = s.Ask(p.Question)
		}
		if ok {
			b.cases[p.Question.ID] = c
		}
		return s, acts
	})
	if !ok {
		p.Done(refused)
	}
	return c
}

// cancel ends the question of one case. A later one may have the same id, after it
// came back from above and went there again; that one is not meant.
func (b *Broker) cancel(c *openCase, why core.Cause) {
	b.event("cancel", func(s core.Session) (core.Session, []core.Act) {
		if b.cases[c.Question.ID] != c {
			return s, nil
		}
		return s.Cancel(c.Question.ID, why)
	})
}

// returned is the end of a relay.
func (b *Broker) returned(c *openCase, r *relay, v core.Verdict) {
	covers := b.covered(c, v)
	b.event("returned", func(s core.Session) (core.Session, []core.Act) {
		if b.cases[c.Question.ID] != c || c.relay != r {
			return s, nil
		}
		return s.Returned(c.Question.ID, v, covers)
	})
}

// Close ends every question of the session as cancelled and every client's
// attachment. A broker that is closed answers nothing more.
func (b *Broker) Close() {
	b.event("close", func(s core.Session) (core.Session, []core.Act) {
		b.closed = true
		var all []core.Act
		for _, q := range s.Open() {
			var acts []core.Act
			s, acts = s.Cancel(q.ID, core.Cancelled)
			all = append(all, acts...)
		}
		return s, all
	})
	b.mu.Lock()
	clients := b.clients
	b.clients = map[core.ClientID]*Client{}
	b.mu.Unlock()
	for _, c := range clients {
		c.end()
	}
}

// event lets something happen to the session and does what core says of it: what
// stays in this broker under the lock, in order, and the rest after it.
func (b *Broker) event(point string, happens func(core.Session) (core.Session, []core.Act)) {
	b.pause(point)
	b.mu.Lock()
	next, acts := happens(b.core)
	b.core = next
	var outside []func()
	for _, a := range acts {
		if f := b.perform(a); f != nil {
			outside = append(outside, f)
		}
	}
	b.mu.Unlock()
	for _, f := range outside {
		b.pause("outside")
		f()
	}
}

// perform does one act; what leaves the broker is returned. The lock is held.
func (b *Broker) perform(a core.Act) (outside func()) {
	c := b.cases[a.Question]
	switch a.Do {
	case core.Present:
		b.clients[a.Client].send(&c.Card)
	case core.Drop:
		v := a.Verdict
		b.clients[a.Client].send(&Settled{ID: a.Question, How: v.Fate.String(), Why: v.Cause.String(), By: v.By})
	case core.Finish:
		delete(b.cases, a.Question)
		return func() { c.Done(a.Verdict) }
	case core.Relay:
		r := &relay{}
		c.relay = r
		return func() { r.start(b.options.Above, b.above(c, r, a.Patient)) }
	case core.Withdraw:
		r := c.relay
		return func() { r.withdraw(a.Verdict.Cause) }
	}
	return nil
}

// above is the question as the parent gets it: with the name of the subagent that
// asks, which stays when it goes on further up.
func (b *Broker) above(c *openCase, r *relay, patient bool) Posed {
	p := c.Posed
	p.Question.Patient = patient
	if p.Card.Agent == "" {
		p.Card.Agent = call.ExactLine(b.options.Agent)
	}
	p.Done = func(v core.Verdict) { b.returned(c, r, v) }
	return p
}

// covered lists the open questions that the grant of a verdict covers.
func (b *Broker) covered(of *openCase, v core.Verdict) (ids []string) {
	if v.Fate != core.Approved || v.Choice != core.AllowSession && v.Choice != core.AllowAlways {
		return nil
	}
	g := Grant{Question: of.Question.ID, Session: of.Question.Session, Choice: v.Choice, Pattern: v.Pattern, By: v.By}
	if of.Rules != nil {
		g.Rules = of.Rules(v.Choice, v.Pattern)
	}
	return b.coveredBy(g)
}

// coveredBy asks the gate about each open question, the one that was granted aside.
func (b *Broker) coveredBy(g Grant) (ids []string) {
	b.mu.Lock()
	var others []*openCase
	for id, c := range b.cases {
		if id != g.Question && c.Covers != nil {
			others = append(others, c)
		}
	}
	b.mu.Unlock()
	for _, c := range others {
		if c.Covers(g) {
			ids = append(ids, c.Question.ID)
		}
	}
	return ids
}

// Granted tells the session of a standing grant that was given in another session of
// the project, once it is in force: the questions that it covers are settled. A grant
// for that session only changes nothing here.
func (b *Broker) Granted(g Grant) {
	covers := b.coveredBy(g)
	v := core.Verdict{Fate: core.Approved, Cause: core.Answered, Choice: g.Choice, Pattern: g.Pattern, By: g.By}
	b.event("granted", func(s core.Session) (core.Session, []core.Act) {
		if g.Choice != core.AllowAlways {
			return s, nil
		}
		return s.Granted(v, covers)
	})
}

// relay is one trip of a question to the session above.
type relay struct {
	mu    sync.Mutex
	back  func(core.Cause) // known once the session above has it
	early *core.Cause      // it was withdrawn before that
}

func (r *relay) start(up Upstream, p Posed) {
	back := up.Relay(p)
	r.mu.Lock()
	r.back = back
	early := r.early
	r.mu.Unlock()
	if early != nil {
		back(*early)
	}
}

func (r *relay) withdraw(why core.Cause) {
	r.mu.Lock()
	back := r.back
	if back == nil {
		r.early = &why
	}
	r.mu.Unlock()
	if back != nil {
		back(why)
	}
}

// ErrTooManyClients is returned by Attach when core.MaxClients are attached.
var ErrTooManyClients = errors.New("too many clients are attached to the session; detach one")

// ErrClosed is returned to a client of a session that has ended, or that it left.
var ErrClosed = errors.New("the client is not attached to the session; attach again")
