package approvals

import "slices"

// ClientID names one attachment of a client to a session; it is never used again.
type ClientID uint64

// Place is where an open question stands, seen from one session.
type Place uint8

// The places.
const (
	Shown  Place = iota // before this session's interactive clients
	Above               // handed to the parent
	Parked              // patient, and nobody has come yet
)

var placeNames = [...]string{"shown", "above", "parked"}

// String names the place.
func (p Place) String() string { return placeNames[p] }

// Do is what the adapter has to do.
type Do uint8

// What there is to do.
const (
	Present  Do = iota // show the question to the client
	Drop               // tell the client that the question is settled here
	Finish             // tell whoever asked how it ended
	Relay              // hand the question to the parent
	Withdraw           // take the question back from the parent, whose verdict must still come
)

var doNames = [...]string{"present", "drop", "finish", "relay", "withdraw"}

// String names the act.
func (d Do) String() string { return doNames[d] }

// Act is one thing to do about a question, in order. Client is who to tell, for Present
// and Drop. Verdict is how it ended, for Drop and Finish; of a Withdraw only the cause
// says something. Patient says whether a question that is handed up may wait there for
// the first client.
type Act struct {
	Do       Do
	Question string
	Client   ClientID
	Verdict  Verdict
	Patient  bool
}

// Session is the open questions of one session and who may answer them. It is a value:
// each event returns the next one and what to do. The zero value is a child session;
// Root makes the other kind.
type Session struct {
	root    bool
	clients []client
	open    []entry
}

type client struct {
	id   ClientID
	kind Kind
	name string
}

type entry struct {
	Question
	at Place
	// returns says what becomes of a question when its relay comes back without a
	// verdict; end is that verdict for endsAs.
	returns returns
	end     Verdict
}

type returns uint8

const (
	endsUnanswered returns = iota // nobody above answers
	comesBack                     // a client came nearer: it is routed anew
	endsAs                        // it was ended here meanwhile
)

// Root is a session without a parent.
func Root() Session { return Session{root: true} }

// Standing is an open question and where it stands.
type Standing struct {
	Question
	Place Place
}

// Open lists the open questions in the order of asking.
func (s Session) Open() []Standing {
	out := make([]Standing, len(s.open))
	for i, e := range s.open {
		out[i] = Standing{e.Question, e.at}
	}
	return out
}

// Sees lists the questions that a client has before it, the oldest first.
func (s Session) Sees(c ClientID) []string {
	if !s.interactive(c) {
		return nil
	}
	var out []string
	for _, e := range s.open {
		if e.at == Shown {
			out = append(out, e.ID)
		}
	}
	return out
}

// Ask opens a question. When it is refused ok is false, nothing is shown, and v is the
// verdict: a call has at most one open question (law one_panel_per_call).
func (s Session) Ask(q Question) (next Session, acts []Act, v Verdict, ok bool) {
	switch {
	case slices.ContainsFunc(s.open, func(e entry) bool { return e.ID == q.ID || e.Session == q.Session && e.Call == q.Call }):
		return s, nil, Verdict{Cause: Twice}, false
	case len(s.open) >= MaxOpen:
		return s, nil, Verdict{Cause: TooMany}, false
	}
	s = s.copied()
	s.open = append(s.open, entry{Question: q})
	acts = s.route(len(s.open) - 1)
	return s, acts, Verdict{}, true
}

// Attach adds a client. An interactive one sees every question that is shown here, and
// takes back those that went on for want of one; a gateway only ends the wait of
// patient ones: it never takes a question from a person who has it. ok is false, and
// nothing happens, when MaxClients are attached.
func (s Session) Attach(id ClientID, kind Kind, name string) (next Session, acts []Act, ok bool) {
	if len(s.clients) >= MaxClients {
		return s, nil, false
	}
	s = s.copied()
	s.clients = append(s.clients, client{id, kind, name})
	for _, q := range s.ids() {
		acts = append(acts, s.meets(s.find(q), id, kind)...)
	}
	return s, acts, true
}

// meets is what a client that attaches does to one open question.
func (s *Session) meets(i int, id ClientID, kind Kind) []Act {
	e := &s.open[i]
	switch {
	case e.at == Parked:
		return s.route(i)
	case kind == Gateway:
		return nil
	case e.at == Shown:
		return []Act{{Do: Present, Question: e.ID, Client: id}}
	case e.returns == endsUnanswered:
		e.returns = comesBack
		return []Act{{Do: Withdraw, Question: e.ID, Verdict: Verdict{Cause: Moved}}}
	default: // it is on its way back already
		return nil
	}
}

// Detach removes a client. When no interactive one is left, the questions that were
// shown take the route again.
func (s Session) Detach(id ClientID) (next Session, acts []Act) {
	s = s.copied()
	s.clients = slices.DeleteFunc(s.clients, func(c client) bool { return c.id == id })
	if s.attached().Interactive > 0 {
		return s, nil
	}
	for _, q := range s.ids() {
		if i := s.find(q); s.open[i].at == Shown {
			acts = append(acts, s.route(i)...)
		}
	}
	return s, acts
}

// Cancel ends a question for its asker, who waits no longer, or who has another session
// for it. A verdict that was given above before the cancel got there still counts: one
// answer, one end.
func (s Session) Cancel(id string, why Cause) (next Session, acts []Act) {
	s = s.copied()
	return s, s.endNow(id, Verdict{Cause: why})
}

// Returned is the end of a relay: the verdict from above, unanswered when nobody there
// answered or when the question was withdrawn. covers are the open questions that the
// verdict's grant covers now.
func (s Session) Returned(id string, v Verdict, covers []string) (next Session, acts []Act) {
	s = s.copied()
	i := s.find(id)
	if i < 0 || s.open[i].at != Above {
		return s, nil
	}
	e := s.open[i]
	switch {
	case v.given():
		return s, s.decide(i, v, covers)
	case e.returns == endsAs:
		return s, s.settle(i, e.end)
	case e.returns == comesBack:
		return s, s.route(i)
	default:
		return s, s.settle(i, v)
	}
}

// copied keeps the event from changing the value that it came from.
func (s Session) copied() Session {
	s.clients, s.open = slices.Clone(s.clients), slices.Clone(s.open)
	return s
}

func (s Session) find(id string) int {
	return slices.IndexFunc(s.open, func(e entry) bool { return e.ID == id })
}

// ids are the open questions, for a walk during which some of them end.
func (s Session) ids() []string {
	out := make([]string, len(s.open))
	for i, e := range s.open {
		out[i] = e.ID
	}
	return out
}

func (s Session) attached() (n Clients) {
	for _, c := range s.clients {
		switch c.kind {
		case Interactive:
			n.Interactive++
		case Gateway:
			n.Gateway++
		}
	}
	return n
}

func (s Session) interactive(id ClientID) bool {
	return slices.ContainsFunc(s.clients, func(c client) bool { return c.id == id && c.kind == Interactive })
}
