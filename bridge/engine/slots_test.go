package engine

import (
	"iter"

	"tenet/laws/law"
)

// The model below is the one that three checkers (this kind, Spin and TLC) counted
// the same: requests of two classes compete for a limited number of slots, an
// interactive one takes the slots of the background at once, the limit changes while
// in use. It is here to pin the engine, not to judge production.

const maxRequests = 8

type class uint8

const (
	interactive class = iota
	background
)

type status uint8

const (
	absent status = iota
	queued
	held
	preempted
)

type request struct {
	class  class
	status status
	age    uint8 // 0 is the oldest
}

type slots struct {
	limit uint8
	reqs  [maxRequests]request
}

type slotOp struct {
	kind string // admit, end, limit
	slot int
	arg  uint8
}

func (s slots) count(want status) (n uint8) {
	for _, r := range s.reqs {
		if r.status == want {
			n++
		}
	}
	return n
}

func (s slots) interactiveBusy() bool {
	for _, r := range s.reqs {
		if r.class == interactive && (r.status == queued || r.status == held) {
			return true
		}
	}
	return false
}

// grant gives every free slot to the oldest waiter of the first class that may go.
func (s slots) grant() slots {
	for n := s.count(held); n < s.limit; n++ {
		best := -1
		for i, r := range s.reqs {
			if r.status == queued && (best < 0 || r.before(s.reqs[best])) {
				best = i
			}
		}
		if best < 0 || s.reqs[best].class == background && s.interactiveBusy() {
			return s
		}
		s.reqs[best].status = held
	}
	return s
}

func (r request) before(o request) bool {
	return r.class < o.class || r.class == o.class && r.age < o.age
}

func (s slots) admit(i int, c class) slots {
	s.reqs[i] = request{c, queued, maxRequests - s.count(absent)}
	for j := range s.reqs {
		if c == interactive && s.reqs[j].status == held && s.reqs[j].class == background {
			s.reqs[j].status = preempted
		}
	}
	return s.grant()
}

// end drops a request; forget is the planted bug: the slot is not handed on.
func (s slots) end(i int, forget bool) slots {
	for j := range s.reqs {
		if s.reqs[j].status != absent && s.reqs[j].age > s.reqs[i].age {
			s.reqs[j].age--
		}
	}
	s.reqs[i] = request{}
	if forget {
		return s
	}
	return s.grant()
}

// slotMachine is the model with so many places for requests.
func slotMachine(places int, limits []uint8, forget bool) Machine[slots, slotOp, struct{}] {
	return Machine[slots, slotOp, struct{}]{
		Init: slots{limit: limits[0]},
		Step: func(s slots, op slotOp) (slots, struct{}) {
			switch op.kind {
			case "admit":
				return s.admit(op.slot, class(op.arg)), struct{}{}
			case "end":
				return s.end(op.slot, forget), struct{}{}
			default:
				s.limit = op.arg
				return s.grant(), struct{}{}
			}
		},
		Ops: func(s slots) iter.Seq[slotOp] { return slotOps(s, places, limits) },
	}
}

func slotOps(s slots, places int, limits []uint8) iter.Seq[slotOp] {
	var ops []slotOp
	for i := range places {
		if s.reqs[i].status == absent {
			ops = append(ops, slotOp{"admit", i, uint8(interactive)}, slotOp{"admit", i, uint8(background)})
		} else {
			ops = append(ops, slotOp{"end", i, 0})
		}
	}
	for _, l := range limits {
		if l != s.limit {
			ops = append(ops, slotOp{"limit", 0, l})
		}
	}
	return func(yield func(slotOp) bool) {
		for _, op := range ops {
			if !yield(op) {
				return
			}
		}
	}
}

type slotLaw = law.Law[slots, slotOp, struct{}]

var slotLaws = struct {
	// NoLostWakeup: no slot is free while an eligible request waits.
	NoLostWakeup slotLaw `law:"no_lost_wakeup"`
	// BackgroundYields: background holds only while no interactive holds or waits.
	BackgroundYields slotLaw `law:"background_yields"`
}{
	NoLostWakeup: slotLaw{State: func(s slots) law.Verdict {
		if s.count(held) >= s.limit {
			return law.Idle
		}
		for _, r := range s.reqs {
			if r.status == queued && (r.class == interactive || !s.interactiveBusy()) {
				return law.Broken("a free slot and an eligible waiter")
			}
		}
		return law.Holds
	}},
	BackgroundYields: slotLaw{State: func(s slots) law.Verdict {
		if !s.interactiveBusy() {
			return law.Idle
		}
		for _, r := range s.reqs {
			if r.class == background && r.status == held {
				return law.Broken("background holds while interactive is busy")
			}
		}
		return law.Holds
	}},
}

var slotBook = law.Book[slots, slotOp, struct{}]("slots", &slotLaws)
