package admission

import (
	"context"

	core "tenet/core/admission"
)

// Ticket is one request's place at its provider, from Enter to End.
type Ticket struct {
	lane   *lane
	class  core.Class
	number uint64
	// ready holds a token when the ticket changed while its waiter slept. The token
	// says only "look": the grant it announced may have been taken back since.
	ready chan struct{}

	// The rest changes under lane.mu.
	status        core.Status
	before, after *Ticket // neighbours in the line that it is in
	life          context.Context
	stop          context.CancelCauseFunc // ends life; both are nil until it holds
}

// Number is the ticket's place in the order of arrival at its provider, from 1.
func (t *Ticket) Number() uint64 { return t.number }

// Class is the class it was admitted in.
func (t *Ticket) Class() core.Class { return t.class }

// Ready gets a token when it is worth to Poll again. One goroutine may wait on it.
func (t *Ticket) Ready() <-chan struct{} { return t.ready }

// Status is where the ticket is; looking changes nothing.
func (t *Ticket) Status() core.Status {
	t.lane.mu.Lock()
	defer t.lane.mu.Unlock()
	return t.status
}

// Poll collects the grant when there is one, and is where the ticket is then.
func (t *Ticket) Poll() core.Status {
	t.lane.mu.Lock()
	defer t.lane.mu.Unlock()
	return t.lane.collect(t)
}

// End gives up the ticket in whatever status it is: it leaves the queue, returns a
// grant, releases a slot, or owns up to a preemption. True for the call that ended
// it; further calls change nothing.
func (t *Ticket) End() bool {
	t.lane.mu.Lock()
	defer t.lane.mu.Unlock()
	return t.lane.end(t)
}

// Wait waits until the ticket has held a slot: the permit may be preempted already,
// as it may be at any time later. When ctx ends first the ticket is ended, a grant
// that came meanwhile is passed on, and the error wraps the cause of ctx: whoever
// has gone would hold the slot for nobody. One goroutine may wait. A ticket that
// was ended by somebody else gives ErrReleased.
func (t *Ticket) Wait(ctx context.Context) (*Permit, error) {
	t.pause("entered")
	for ctx.Err() == nil {
		switch t.Poll() {
		case core.Held, core.Preempted:
			return &Permit{t: t}, nil
		case core.Ended:
			return nil, over(t)
		case core.Queued, core.Granted:
		}
		select {
		case <-t.ready:
			t.pause("woken")
		case <-ctx.Done():
			t.pause("cancelled")
		}
	}
	t.End()
	return nil, gaveUp(t.lane.provider, t.class, ctx)
}

// pause is the named point of WithPause.
func (t *Ticket) pause(point string) {
	if t.lane.pause != nil {
		t.lane.pause(point)
	}
}

// wake tells the waiter to look. A token that is there already says the same.
func (t *Ticket) wake() {
	select {
	case t.ready <- struct{}{}:
	default:
	}
}

// begin starts the life of a holder.
func (t *Ticket) begin() {
	t.life, t.stop = context.WithCancelCause(context.Background())
}
