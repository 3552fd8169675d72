// Package lease is the line for the root turn's lease, as plainly as it can be said:
// everybody has a number in the order of asking, and whenever nobody holds, the
// lowest number that waits does. It knows nothing of locks, wake-ups or queues; its
// relation to production is reference.
package lease

import (
	"iter"

	core "tenet/core/lease"
)

// Clients and Origins bound the model. An origin may hold and await several places:
// any of its clients may ask for it.
const (
	Clients = 5
	Origins = 2
)

// Client is one client's last place in the line. The zero value never asked.
type Client struct {
	Asked  bool
	Status core.Status
	// Origin is who asked, Number the place in the order of asking, from 0, among those
	// that are live; both are 0 after the end.
	Origin, Number uint8
}

// Live is true while the client waits or holds.
func (c Client) Live() bool {
	return c.Asked && (c.Status == core.Waiting || c.Status == core.Holding)
}

// State is all clients.
type State [Clients]Client

// Kind is what happens.
type Kind uint8

// The kinds.
const (
	Ask     Kind = iota // a client that is not live asks for an origin
	Release             // a client is done
	Stop                // a client stops
	Crash               // an origin is gone
)

var kindNames = [...]string{"ask", "release", "stop", "crash"}

// String names the kind.
func (k Kind) String() string { return kindNames[k] }

// Op is one event. A crash has no client, a release and a stop no origin.
type Op struct {
	Kind           Kind
	Client, Origin uint8
}

// Out is the answer: the status that the client has now, or how many places a crash
// ended.
type Out struct {
	Status core.Status
	Ended  uint8
}

// Step is the whole rule.
func (s State) Step(op Op) (State, Out) {
	var out Out
	switch op.Kind {
	case Ask:
		s[op.Client] = Client{Asked: true, Status: core.Waiting, Origin: op.Origin, Number: s.live()}
	case Release:
		s = s.end(op.Client, core.Released)
	case Stop:
		s = s.end(op.Client, core.Stopped)
	case Crash:
		for i, c := range s {
			if c.Live() && c.Origin == op.Origin {
				s = s.end(uint8(i), core.Crashed)
				out.Ended++
			}
		}
	}
	s = s.grant()
	if op.Kind != Crash {
		out.Status = s[op.Client].Status
	}
	return s, out
}

// grant gives the lease, when nobody has it, to who asked first.
func (s State) grant() State {
	first := -1
	for i, c := range s {
		switch {
		case !c.Live():
		case c.Status == core.Holding:
			return s
		case first < 0 || c.Number < s[first].Number:
			first = i
		}
	}
	if first >= 0 {
		s[first].Status = core.Holding
	}
	return s
}

// end ends a live client's place; the numbers behind it move up.
func (s State) end(client uint8, how core.Status) State {
	ended := s[client]
	if !ended.Live() {
		return s
	}
	for i, c := range s {
		if c.Live() && c.Number > ended.Number {
			s[i].Number--
		}
	}
	s[client] = Client{Asked: true, Status: how}
	return s
}

func (s State) live() (n uint8) {
	for _, c := range s {
		if c.Live() {
			n++
		}
	}
	return n
}

// Ops lists what may happen next: who is not live may ask, for any origin; who
// has asked may release or stop, also after its end, which changes nothing; any origin
// may crash, also one that asked for nothing.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for i, c := range s {
			for o := range uint8(Origins) {
				if !c.Live() && !yield(Op{Ask, uint8(i), o}) {
					return
				}
			}
			if c.Asked && (!yield(Op{Release, uint8(i), 0}) || !yield(Op{Stop, uint8(i), 0})) {
				return
			}
		}
		for o := range uint8(Origins) {
			if !yield(Op{Crash, 0, o}) {
				return
			}
		}
	}
}
