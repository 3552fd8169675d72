package admission

import (
	"context"
	"errors"
	"fmt"

	core "tenet/core/admission"
)

// Why a request has no slot, or has it no longer.
var (
	// ErrQueueFull: too many requests of the class wait already.
	ErrQueueFull = errors.New("the queue is full")
	// ErrPreempted: an interactive request took the slot.
	ErrPreempted = errors.New("preempted by an interactive request")
	// ErrReleased: the slot was given back.
	ErrReleased = errors.New("the slot was released")
)

// Permit is the right to use one slot of a provider, until Release or until Done.
type Permit struct{ t *Ticket }

// Done is closed when the slot is the holder's no longer: preempted or released.
// The provider is in use by somebody else from then on, so the work must stop.
func (p *Permit) Done() <-chan struct{} { return p.t.life.Done() }

// Cause is why Done is closed: ErrPreempted or ErrReleased; nil while it is open.
func (p *Permit) Cause() error { return context.Cause(p.t.life) }

// Bind is a context for the work under the permit: it ends with parent, and with
// the permit, whose Cause is its cause then. Call cancel when the work is done.
func (p *Permit) Bind(parent context.Context) (ctx context.Context, cancel context.CancelFunc) {
	ctx, end := context.WithCancelCause(parent)
	stop := context.AfterFunc(p.t.life, func() { end(p.Cause()) })
	return ctx, func() {
		stop()
		end(context.Canceled)
	}
}

// Release gives the slot back, also after a preemption. Further calls do nothing.
func (p *Permit) Release() { p.t.End() }

func queueFull(provider string, c core.Class, waiting int) error {
	return fmt.Errorf("admission: %d %v requests to %s wait already: %w; try again when some are done", waiting, c, provider, ErrQueueFull)
}

func gaveUp(provider string, c core.Class, ctx context.Context) error {
	return fmt.Errorf("admission: the request to %s (%v) gave up waiting for a slot: %w", provider, c, context.Cause(ctx))
}

func over(t *Ticket) error {
	return fmt.Errorf("admission: the request to %s (%v) waits on a ticket that is over: %w", t.lane.provider, t.class, ErrReleased)
}
