package admission

// Load is one provider's counts: all that a decision depends on.
type Load struct {
	Limits Limits
	// Slots is how many tickets of each class have a slot, collected or not.
	Slots [classes]int
	// Waiting is how many tickets of each class are queued.
	Waiting [classes]int
}

// Fate is what becomes of a request that arrives.
type Fate uint8

// The fates.
const (
	Refuse Fate = iota // its class's queue is full: no ticket
	Wait               // it is queued behind every older request of its class
	Hold               // it has a slot at once
)

var fateNames = [...]string{"refuse", "wait", "hold"}

// String is the fate as messages spell it.
func (f Fate) String() string { return fateNames[f] }

// Arrival is the answer to a request that arrives.
type Arrival struct {
	// Preempts is true when every background ticket with a slot loses it first.
	Preempts bool
	Fate     Fate
}

// Arrive decides a new request. An interactive one first takes every background
// slot, not only the one it needs: the next interactive request must not find the
// provider busy either (law admission_preempts).
func (l Load) Arrive(c Class) Arrival {
	a := Arrival{Preempts: c == Interactive && l.Slots[Background] > 0}
	if a.Preempts {
		l.Slots[Background] = 0
	}
	switch {
	case l.room(c) && l.Waiting[c] == 0: // a newcomer overtakes nobody (law admission_fifo)
		a.Fate = Hold
	case l.Waiting[c] < l.Limits.Queue:
		a.Fate = Wait
	}
	return a
}

// Next is the class whose oldest waiter takes a free slot now; ok is false when no
// slot is free or nobody may have it. Whoever frees a slot, raises the limit or
// leaves asks until it says no (law admission_no_lost_wakeup).
func (l Load) Next() (c Class, ok bool) {
	for _, c := range [...]Class{Interactive, Background} {
		if l.Waiting[c] > 0 {
			return c, l.room(c)
		}
	}
	return 0, false
}

// room reports whether a slot is free for the class. Background work yields to
// interactive requests that wait as well as to those that work: a slot it took
// while one waits would have to be taken back at once (law admission_background_yields).
func (l Load) room(c Class) bool {
	if l.Slots[Interactive]+l.Slots[Background] >= l.Limits.Slots {
		return false
	}
	return c == Interactive || l.Slots[Interactive]+l.Waiting[Interactive] == 0
}

// Collect is a ticket's status after its waiter looked: a look takes the grant.
func Collect(s Status) Status {
	if s == Granted {
		return Held
	}
	return s
}

// Preempt is a background ticket's status after it lost its slot. A holder works
// already, so it must be told; a grant that nobody collected goes back to the
// queue, where its ticket still says its place.
func Preempt(s Status) Status {
	switch s {
	case Granted:
		return Queued
	case Held:
		return Preempted
	case Ended, Queued, Preempted:
		return s
	}
	return s
}
