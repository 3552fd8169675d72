package admission

import (
	"sync"

	core "tenet/core/admission"
)

// lane is one provider's tickets. Everything below mu changes under it, in steps
// that end with every free slot given away.
type lane struct {
	provider string
	pause    func(point string) // nil outside of tests

	mu     sync.Mutex
	limits core.Limits
	// arrived numbers the tickets; the numbers are the order of both lists.
	arrived uint64
	// holding and waiting are the tickets with a slot and those that wait, by class.
	// Their lengths are the counts that core decides on: there is no second
	// bookkeeping that could drift.
	holding, waiting [2]line
	count            [2]Counts
}

// load is what core decides on.
func (l *lane) load() core.Load {
	out := core.Load{Limits: l.limits}
	for c := range l.holding {
		out.Slots[c], out.Waiting[c] = l.holding[c].n, l.waiting[c].n
	}
	return out
}

// enter is a request's arrival.
func (l *lane) enter(c core.Class) (*Ticket, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.load().Arrive(c)
	if a.Preempts {
		l.preempt()
	}
	if a.Fate == core.Refuse {
		l.count[c].Refused++
		return nil, queueFull(l.provider, c, l.waiting[c].n)
	}
	l.arrived++
	t := &Ticket{lane: l, class: c, number: l.arrived, ready: make(chan struct{}, 1)}
	if a.Fate == core.Hold {
		l.grant(t)
		l.collect(t)
	} else {
		t.status = core.Queued
		l.waiting[c].insert(t)
	}
	return t, nil
}

// preempt takes the slot of every background ticket. They go newest first, so that
// each one that returns to the queue belongs at its front.
func (l *lane) preempt() {
	for t := l.holding[core.Background].last; t != nil; t = l.holding[core.Background].last {
		l.holding[core.Background].remove(t)
		t.status = core.Preempt(t.status)
		l.count[core.Background].Preempted++
		if t.status == core.Queued {
			l.waiting[core.Background].insert(t)
		} else {
			t.stop(ErrPreempted)
		}
	}
}

// settle gives free slots away until core says that nobody may have one. Every
// change that frees a slot or makes a waiter eligible ends with it, or a waiter
// would sleep beside a free slot (law admission_no_lost_wakeup).
func (l *lane) settle() {
	for c, ok := l.load().Next(); ok; c, ok = l.load().Next() {
		t := l.waiting[c].first
		l.waiting[c].remove(t)
		l.grant(t)
		t.wake()
	}
}

// grant gives t, which is in no list, a slot.
func (l *lane) grant(t *Ticket) {
	t.status = core.Granted
	l.holding[t.class].insert(t)
}

// collect is a waiter's look at its ticket.
func (l *lane) collect(t *Ticket) core.Status {
	if was := t.status; core.Collect(was) != was {
		t.status = core.Collect(was)
		t.begin()
		l.count[t.class].Admitted++
	}
	return t.status
}

// end ends t and passes on what it had; false when t was over already.
func (l *lane) end(t *Ticket) bool {
	switch t.status {
	case core.Ended:
		return false
	case core.Queued:
		l.waiting[t.class].remove(t)
		l.count[t.class].Left++
	case core.Granted:
		l.holding[t.class].remove(t)
		l.count[t.class].Left++
	case core.Held:
		l.holding[t.class].remove(t)
		t.stop(ErrReleased)
	case core.Preempted: // its slot is somebody else's
	}
	t.status = core.Ended
	t.wake()
	l.settle()
	return true
}

// setLimits puts other limits in force; they were checked.
func (l *lane) setLimits(change func(*core.Limits)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.limits)
	l.settle()
}
