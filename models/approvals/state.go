package approvals

import (
	"iter"

	"tenet/core/approvals"
)

// The bounds of the machine: a chain of three sessions, session 0 the child and the
// last the root; four clients, each with a session that it attaches to; three questions,
// each asked by one session.
const (
	Sessions  = 3
	Clients   = 4
	Questions = 3
	root      = Sessions - 1
)

// Home is the session that a client attaches to, Origin the one that asks a question.
// The first two questions are of one session, the last is about a secret.
var (
	Home   = [Clients]uint8{0, 1, root, root}
	Origin = [Questions]uint8{0, 0, 1}
	Secret = [Questions]bool{false, false, true}
)

// Seen is what a client is.
type Seen uint8

// What a client may be.
const (
	Away Seen = iota
	Looks
	OnlyGateway
)

// Place is where a question is: at the clients of a session, which is its number, or
// one of the others.
type Place uint8

// The places that are no session.
const (
	Never Place = 100 + iota // not asked yet
	Held                     // before a root that nobody came back to after a restart
	Ended
)

// State is everything that a client or an asker can know.
type State struct {
	Clients [Clients]Seen
	Places  [Questions]Place
	// Later is true when the second question belongs to a later turn than the others.
	Later bool
	// Flat is true when everything happens at the root: all clients attach to it and it
	// asks every question.
	Flat bool
	// Has are the questions that each client has before it, one bit each.
	Has [Clients]uint8
}

// Start is the state before anything happens.
var Start = State{Places: [Questions]Place{Never, Never, Never}}

// home is the session that a client attaches to.
func (s *State) home(c uint8) uint8 {
	if s.Flat {
		return root
	}
	return Home[c]
}

// origin is the session that asks a question.
func (s *State) origin(q uint8) uint8 {
	if s.Flat {
		return root
	}
	return Origin[q]
}

// turn tells the turns of the questions of a session apart.
func (s *State) turn(q uint8) bool { return q == 1 && s.Later }

// Kind is what happens.
type Kind uint8

// The kinds.
const (
	Ask      Kind = iota // a session asks a question
	AskAgain             // a session asks about a call that has an open question
	Attach               // a client attaches as Role
	Detach               // a client goes
	Answer               // a client answers a question
	Cancel               // whoever asked waits no longer: stopped, or its deadline passed
	Tick                 // time passes
	Restart              // the process dies, and the log is taken up again
)

var kindNames = [...]string{"ask", "ask again", "attach", "detach", "answer", "cancel", "tick", "restart"}

// String names the kind.
func (k Kind) String() string { return kindNames[k] }

// Op is one event.
type Op struct {
	Kind             Kind
	Client, Question uint8
	Role             approvals.Kind
	// Choice is the answer; Foreign is true for a pattern that was never offered, Covers
	// when the grant covers every other question.
	Choice          approvals.Choice
	Foreign, Covers bool
	// Later is for the second question: its turn is another one.
	Later bool
}

// Verdict is how a question ended in this step; the zero value did not.
type Verdict struct {
	Ended  bool
	Fate   approvals.Fate
	Cause  approvals.Cause
	Choice approvals.Choice
	// By is the client that answered, counted from 1; 0 is nobody.
	By uint8
}

// Out is the answer to an event: what became of an answer, whether a question was
// refused, and which questions ended.
type Out struct {
	Outcome approvals.Outcome
	Refused bool
	Ended   [Questions]Verdict
}

// Step is the whole rule.
func (s State) Step(op Op) (State, Out) {
	var out Out
	q := op.Question
	switch op.Kind {
	case Ask:
		if q == 1 {
			s.Later = op.Later
		}
		s.goes(q, s.origin(q), false, &out)
	case AskAgain:
		out.Refused = true
	case Attach:
		s.attach(op, &out)
	case Detach:
		s.detach(op.Client, &out)
	case Answer:
		s.answer(op, &out)
	case Cancel:
		s.ends(q, Verdict{Cause: approvals.Cancelled}, &out)
	case Tick:
	case Restart:
		s.Clients = [Clients]Seen{}
		for q, p := range s.Places {
			if p < Sessions {
				s.Places[q] = Held
			}
		}
	}
	s.Has = s.before()
	return s, out
}

// goes sends a question up from a session.
func (s *State) goes(q, from uint8, patient bool, out *Out) {
	for at := from; at < Sessions; at++ {
		switch s.who(at) {
		case Looks:
			s.Places[q] = Place(at)
			return
		case OnlyGateway:
			s.ends(q, ruled(q), out)
			return
		case Away:
		}
	}
	if patient {
		s.Places[q] = Held
		return
	}
	s.ends(q, Verdict{Cause: approvals.Quiet}, out)
}

func ruled(q uint8) Verdict {
	v := Verdict{Fate: approvals.Approved, Cause: approvals.Ruled, Choice: approvals.AllowOnce}
	if Secret[q] {
		v.Fate, v.Choice = approvals.GatewayRefused, approvals.Deny
	}
	return v
}

// who is the best that is attached to a session: somebody who looks, only a gateway,
// nobody.
func (s *State) who(session uint8) Seen {
	best := Away
	for c, is := range s.Clients {
		if s.home(uint8(c)) == session && is != Away && best != Looks {
			best = is
		}
	}
	return best
}

func (s *State) ends(q uint8, v Verdict, out *Out) {
	if s.open(q) || s.Places[q] == Never {
		v.Ended = true
		s.Places[q], out.Ended[q] = Ended, v
	}
}

func (s *State) open(q uint8) bool { return s.Places[q] < Sessions || s.Places[q] == Held }

// attach: who looks gets every question that came through its session; a gateway only
// those that nobody has.
func (s *State) attach(op Op, out *Out) {
	at := s.home(op.Client)
	s.Clients[op.Client] = Looks
	if op.Role == approvals.Gateway {
		s.Clients[op.Client] = OnlyGateway
	}
	for q := range uint8(Questions) {
		p := s.Places[q]
		switch {
		case !s.open(q) || s.origin(q) > at || p < Place(at):
		case op.Role == approvals.Interactive:
			s.Places[q] = Place(at)
		case p == Held && at == root:
			s.goes(q, at, true, out)
		}
	}
}

func (s *State) detach(c uint8, out *Out) {
	s.Clients[c] = Away
	if s.who(s.home(c)) == Looks {
		return
	}
	for q := range uint8(Questions) {
		if s.Places[q] == Place(s.home(c)) {
			s.goes(q, s.home(c), false, out)
		}
	}
}

func (s *State) answer(op Op, out *Out) {
	q := op.Question
	switch {
	case s.Clients[op.Client] != Looks || s.Places[q] != Place(s.home(op.Client)):
		out.Outcome = approvals.Gone
		return
	case op.Foreign:
		out.Outcome = approvals.NotOffered
		return
	}
	v := Verdict{Fate: approvals.Approved, Cause: approvals.Answered, Choice: op.Choice, By: op.Client + 1}
	if op.Choice == approvals.Deny {
		v.Fate = approvals.Denied
	}
	s.ends(q, v, out)
	for other := range uint8(Questions) {
		if !s.open(other) {
			continue
		}
		same := s.origin(other) == s.origin(q)
		switch {
		case op.Choice == approvals.Deny && same && s.turn(other) == s.turn(q):
			v.Cause = approvals.WithTurn
			s.ends(other, v, out)
		case op.Covers && !Secret[other] && (same || op.Choice == approvals.AllowAlways):
			v.Cause = approvals.Covered
			s.ends(other, v, out)
		}
	}
}

// before is what each client has before it.
func (s *State) before() (has [Clients]uint8) {
	for c, is := range s.Clients {
		for q, p := range s.Places {
			if is == Looks && p == Place(s.home(uint8(c))) {
				has[c] |= 1 << q
			}
		}
	}
	return has
}

// Ops lists what may happen next: questions are asked in order, everybody may answer
// everything, also what is not before it or has ended.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		_ = s.asks(yield) && s.comings(yield) && s.answers(yield) && yield(Op{Kind: Tick}) && yield(Op{Kind: Restart})
	}
}

func (s *State) asks(yield func(Op) bool) bool {
	for q := range uint8(Questions) {
		switch {
		case s.Places[q] == Never:
			return yield(Op{Kind: Ask, Question: q}) && (q != 1 || yield(Op{Kind: Ask, Question: q, Later: true}))
		case s.open(q):
			if !yield(Op{Kind: AskAgain, Question: q}) || !yield(Op{Kind: Cancel, Question: q}) {
				return false
			}
		}
	}
	return true
}

func (s *State) comings(yield func(Op) bool) bool {
	for c := range uint8(Clients) {
		ops := []Op{{Kind: Detach, Client: c}}
		if s.Clients[c] == Away {
			ops = []Op{{Kind: Attach, Client: c, Role: approvals.Interactive}, {Kind: Attach, Client: c, Role: approvals.Gateway}}
		}
		for _, op := range ops {
			if !yield(op) {
				return false
			}
		}
	}
	return true
}

func (s *State) answers(yield func(Op) bool) bool {
	for c := range uint8(Clients) {
		for q := range uint8(Questions) {
			if s.Clients[c] == Away || s.Places[q] == Never {
				continue
			}
			for _, op := range replies {
				op.Client, op.Question = c, q
				if !yield(op) {
					return false
				}
			}
		}
	}
	return true
}

// replies are the answers that a client may send.
var replies = []Op{
	{Kind: Answer, Choice: approvals.Deny},
	{Kind: Answer, Choice: approvals.AllowOnce},
	{Kind: Answer, Choice: approvals.AllowSession},
	{Kind: Answer, Choice: approvals.AllowSession, Covers: true},
	{Kind: Answer, Choice: approvals.AllowAlways},
	{Kind: Answer, Choice: approvals.AllowAlways, Covers: true},
	{Kind: Answer, Choice: approvals.AllowAlways, Foreign: true},
}
