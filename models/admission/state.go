// Package admission says what must happen when requests share a provider (H3): a
// naive machine that walks all tickets for every question. Production counts and
// keeps queues instead; the bridge compares the two after every step.
package admission

import (
	"iter"

	core "tenet/core/admission"
)

// Places is how many tickets the machine has names for.
const Places = 5

// Settings are the limits that may come into force, the first of them at the
// start. Between them the number of slots rises and falls by one and by two, and
// the queue shrinks below what already waits in it.
var Settings = [...]core.Limits{{Slots: 2, Queue: 3}, {Slots: 1, Queue: 2}, {Slots: 3, Queue: 0}}

// Ticket is one request. The zero Ticket is over, or was never admitted.
type Ticket struct {
	Class  core.Class
	Status core.Status
	// Age is the ticket's rank among the live tickets, 0 for the oldest.
	Age uint8
	// Owed is the promise of H3.4 to an interactive request that waits: it has a
	// slot after at most so many interactive releases. See Promise.
	Owed uint8
}

// State is one provider. It is comparable.
type State struct {
	Limits core.Limits
	T      [Places]Ticket
}

// Kind is what an operation does.
type Kind uint8

// The operations.
const (
	Admit    Kind = iota // a request of Class arrives under the name Place
	Poll                 // the waiter looks, and collects a grant
	End                  // the holder drops its permit, or the waiter leaves
	EndAgain             // the former ticket of this name is ended once more, and looked at
	Limit                // the limits become To
)

var kindNames = [...]string{"admit", "poll", "end", "end-again", "limit"}

// String is the operation's name in runs.
func (k Kind) String() string { return kindNames[k] }

// Op is one operation of the adversary: any client, in any order.
type Op struct {
	Kind  Kind
	Place uint8
	Class core.Class
	To    core.Limits
}

// Out is the answer to an operation.
type Out struct {
	// Status is the ticket's status after an admit, a poll or an end.
	Status core.Status
	// Refused: the admit made no ticket.
	Refused bool
	// Changed: this end is the one that ended the ticket.
	Changed bool
}

// Init is a provider that nobody uses, under the first setting.
func Init() State { return State{Limits: Settings[0]} }

// Ops lists what may happen next. A name is free for a new ticket once its ticket
// ended; every other operation may come at any time, also on a ticket that is over.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for p := range uint8(Places) {
			for _, op := range placeOps(s, p) {
				if !yield(op) {
					return
				}
			}
		}
		for _, to := range Settings {
			if to != s.Limits && !yield(Op{Kind: Limit, To: to}) {
				return
			}
		}
	}
}

func placeOps(s State, p uint8) []Op {
	ops := []Op{{Kind: Poll, Place: p}, {Kind: End, Place: p}, {Kind: EndAgain, Place: p}}
	if s.T[p].Status == core.Ended {
		for _, c := range [...]core.Class{core.Interactive, core.Background} {
			ops = append(ops, Op{Kind: Admit, Place: p, Class: c})
		}
	}
	return ops
}
