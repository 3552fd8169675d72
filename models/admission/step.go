package admission

import core "tenet/core/admission"

// Step is the whole rule.
func (s State) Step(op Op) (State, Out) {
	next, out := s.step(op)
	return next.Promise(s, op), out
}

func (s State) step(op Op) (State, Out) {
	switch op.Kind {
	case Admit:
		return s.admit(op.Place, op.Class)
	case Poll:
		return s.poll(op.Place)
	case End:
		return s.end(op.Place)
	case EndAgain:
		return s, Out{Status: core.Ended}
	case Limit:
		s.Limits = op.To
		return s.grant(), Out{}
	}
	return s, Out{}
}

// admit puts the request at the end of the line and sees whether it would have to
// wait. When it would, and its queue is full already, nothing has happened.
func (s State) admit(p uint8, c core.Class) (State, Out) {
	next := s
	next.T[p] = Ticket{Class: c, Status: core.Queued, Age: s.live()}
	if c == core.Interactive {
		next = next.preempt()
	}
	next, out := next.grant().poll(p)
	if out.Status == core.Queued && s.waiting(c) >= s.Limits.Queue {
		return s, Out{Refused: true}
	}
	return next, out
}

func (s State) poll(p uint8) (State, Out) {
	if s.T[p].Status == core.Granted {
		s.T[p].Status = core.Held
	}
	return s, Out{Status: s.T[p].Status}
}

// end forgets the ticket; those behind it move up.
func (s State) end(p uint8) (State, Out) {
	gone := s.T[p]
	if gone.Status == core.Ended {
		return s, Out{Status: core.Ended}
	}
	s.T[p] = Ticket{}
	for i, t := range s.T {
		if t.Status != core.Ended && t.Age > gone.Age {
			s.T[i].Age--
		}
	}
	return s.grant(), Out{Status: core.Ended, Changed: true}
}

// preempt takes every background slot: a holder is told, an uncollected grant
// waits again where its age puts it.
func (s State) preempt() State {
	for i, t := range s.T {
		if t.Class == core.Interactive {
			continue
		}
		switch t.Status {
		case core.Held:
			s.T[i].Status = core.Preempted
		case core.Granted:
			s.T[i].Status = core.Queued
		case core.Ended, core.Queued, core.Preempted:
		}
	}
	return s
}

// grant gives free slots away, one at a time, to the first in line.
func (s State) grant() State {
	for s.slots() < s.Limits.Slots {
		first := -1
		for i, t := range s.T {
			if t.Status == core.Queued && (first < 0 || before(t, s.T[first])) {
				first = i
			}
		}
		if first < 0 || s.T[first].Class == core.Background && s.interactive() {
			return s
		}
		s.T[first].Status = core.Granted
	}
	return s
}

// before is the line: interactive requests first, the oldest first among equals.
func before(a, b Ticket) bool {
	if a.Class != b.Class {
		return a.Class == core.Interactive
	}
	return a.Age < b.Age
}

func (s State) live() (n uint8) {
	for _, t := range s.T {
		if t.Status != core.Ended {
			n++
		}
	}
	return n
}

func (s State) slots() (n int) {
	for _, t := range s.T {
		if t.Status.HasSlot() {
			n++
		}
	}
	return n
}

func (s State) waiting(c core.Class) (n int) {
	for _, t := range s.T {
		if t.Status == core.Queued && t.Class == c {
			n++
		}
	}
	return n
}

// interactive reports whether an interactive request has a slot or waits for one.
func (s State) interactive() bool {
	for _, t := range s.T {
		if t.Class == core.Interactive && (t.Status == core.Queued || t.Status.HasSlot()) {
			return true
		}
	}
	return false
}
