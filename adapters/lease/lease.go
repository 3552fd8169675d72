// Package lease hands the root turn's lease from turn to turn: first come, first
// served (H6.2). A goroutine asks for a place, waits until it holds, and releases; a
// place is also ended by a stop, by the end of the context it waits under, or by the
// crash of its origin, and whatever ends the holder's place hands on at once.
//
// core/lease decides what becomes of one place. The line is kept here: its front
// holds, and everybody leaves it in constant time, from anywhere.
package lease

import (
	"container/list"
	"context"
	"fmt"
	"sync"

	"tenet/adapters/wait"
	core "tenet/core/lease"
	corewait "tenet/core/wait"
)

// Lease is held by one place at a time. Use New. It is safe for goroutines.
type Lease struct {
	pause func(point string)

	mu      sync.Mutex
	line    list.List             // of *Ticket in the order of asking; the front holds
	origins map[string]*list.List // the live tickets of each origin that has one
}

// Option sets up a Lease.
type Option func(*Lease)

// WithPause sets a function that is called at the named points, outside of every
// lock and on the caller's own goroutine: points at which a scheduler may pause the
// caller. They are "ask", "leave" and "crash" (before the line changes) and "woken"
// (after a wait, before what it found is acted on).
func WithPause(pause func(point string)) Option { return func(l *Lease) { l.pause = pause } }

// New is a lease that nobody holds and nobody awaits.
func New(options ...Option) *Lease {
	l := &Lease{pause: func(string) {}, origins: map[string]*list.List{}}
	for _, o := range options {
		o(l)
	}
	return l
}

// Ticket is a place in the line. Its owner must end it: by Release, by Stop, or by
// the context of a Wait.
type Ticket struct {
	lease  *Lease
	origin string
	// settled is closed when the ticket waits no longer.
	settled chan struct{}

	// Under the lease's lock:
	status core.Status
	place  *list.Element // in the line
	kin    *list.Element // among its origin's
}

// Ask takes the last place in the line for an origin: whoever may crash as a whole,
// such as a client's connection. It does not block; on an idle lease the place holds
// at once.
func (l *Lease) Ask(origin string) *Ticket {
	l.pause("ask")
	l.mu.Lock()
	defer l.mu.Unlock()
	t := &Ticket{lease: l, origin: origin, settled: make(chan struct{})}
	t.place = l.line.PushBack(t)
	if l.origins[origin] == nil {
		l.origins[origin] = list.New()
	}
	t.kin = l.origins[origin].PushBack(t)
	l.handOn()
	return t
}

// Acquire asks and waits. With an error there is no ticket, and the line is as if
// nobody had asked.
func (l *Lease) Acquire(ctx context.Context, origin string) (*Ticket, error) {
	t := l.Ask(origin)
	if err := t.Wait(ctx); err != nil {
		return nil, err
	}
	return t, nil
}

// Crash ends every place of an origin, held or awaited, and returns how many it
// ended. The lease goes to the next place of another origin, never in between to one
// that is about to be ended. An origin that comes back asks anew.
func (l *Lease) Crash(origin string) int {
	l.pause("crash")
	l.mu.Lock()
	defer l.mu.Unlock()
	ended := 0
	for _, t := range tickets(l.origins[origin]) {
		if t.end(core.Crash) {
			ended++
		}
	}
	l.handOn()
	return ended
}

// Line is the live tickets at this moment in the order of asking; the first holds.
func (l *Lease) Line() []*Ticket {
	l.mu.Lock()
	defer l.mu.Unlock()
	return tickets(&l.line)
}

// tickets is a copy, so that the line may change under whoever walks it.
func tickets(line *list.List) (out []*Ticket) {
	if line == nil {
		return nil
	}
	for e := line.Front(); e != nil; e = e.Next() {
		out = append(out, e.Value.(*Ticket))
	}
	return out
}

// handOn grants the lease to the front of the line, if there is one and it does not
// hold yet. The lock is held.
func (l *Lease) handOn() {
	e := l.line.Front()
	if e == nil {
		return
	}
	t := e.Value.(*Ticket)
	if t.status == core.Waiting {
		t.become(core.Grant)
	}
}

// Wait blocks until the ticket holds, and returns nil then; the owner must end the
// ticket later. When the context ends first the ticket is stopped, so that a wait that
// was dropped leaves nothing behind, and the error is the context's cause. When the
// ticket was ended meanwhile, the error is an *Ended. There is no deadline: how long
// the turns before this one take is not for this one to say.
func (t *Ticket) Wait(ctx context.Context) error {
	_, how := wait.Race(ctx, t.settled, 0)
	t.lease.pause("woken")
	if how == corewait.Cancelled {
		t.Stop() // the lease may have come since; then it goes on to the next
		return context.Cause(ctx)
	}
	if s := t.Status(); s != core.Holding {
		return &Ended{Origin: t.origin, Status: s}
	}
	return nil
}

// Ended says that a ticket was ended before it was to be held.
type Ended struct {
	// Origin is who asked.
	Origin string
	// Status is how the ticket ended.
	Status core.Status
}

// Error says what happened and what to do.
func (e *Ended) Error() string {
	return fmt.Sprintf("the place of %q in the line for the turn was %v; ask again for a new one", e.Origin, e.Status)
}

// Release gives the lease back, or the place up, and returns what the ticket is now:
// Released, or how it had ended before. Ending a ticket again changes nothing.
func (t *Ticket) Release() core.Status { return t.leave(core.Release) }

// Stop is Release for an owner that was stopped: a ticket that waits never holds, one
// that holds hands on.
func (t *Ticket) Stop() core.Status { return t.leave(core.Stop) }

func (t *Ticket) leave(e core.Event) core.Status {
	t.lease.pause("leave")
	t.lease.mu.Lock()
	defer t.lease.mu.Unlock()
	t.end(e)
	t.lease.handOn()
	return t.status
}

// end lets an event that ends a ticket happen to it, and takes it out of the line if
// it did. The lock is held.
func (t *Ticket) end(e core.Event) bool {
	live := t.status.Live()
	t.become(e)
	if !live || t.status.Live() {
		return false
	}
	l := t.lease
	l.line.Remove(t.place)
	kin := l.origins[t.origin]
	if kin.Remove(t.kin); kin.Len() == 0 {
		delete(l.origins, t.origin)
	}
	return true
}

// become lets an event happen to the ticket and wakes its waiters if it waits no
// longer. The lock is held.
func (t *Ticket) become(e core.Event) {
	before := t.status
	t.status = before.On(e)
	if before == core.Waiting && t.status != core.Waiting {
		close(t.settled)
	}
}

// Status is what the ticket is at this moment.
func (t *Ticket) Status() core.Status {
	t.lease.mu.Lock()
	defer t.lease.mu.Unlock()
	return t.status
}

// Origin is who asked.
func (t *Ticket) Origin() string { return t.origin }

// Settled is closed when the ticket waits no longer: it holds, or it has ended. It is
// for a select; Wait is the usual way.
func (t *Ticket) Settled() <-chan struct{} { return t.settled }
