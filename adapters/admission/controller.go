// Package admission lets requests through to providers (H3): it keeps the tickets,
// wakes the waiters and tells the preempted, and asks core/admission for every
// decision. There is no goroutine here: a waiter waits in its own.
package admission

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	core "tenet/core/admission"
)

// Controller admits requests, each provider by itself: nothing that happens at one
// is felt at another, and each has a lock of its own. It is safe for concurrent use.
type Controller struct {
	defaults core.Limits
	pause    func(point string)

	mu    sync.Mutex
	lanes map[string]*lane
}

// Option changes a new Controller.
type Option func(*Controller)

// WithPause sets a function that is called at the named points, outside of every
// lock and on the caller's own goroutine: points at which a scheduler may pause the
// caller. They are "entered" (in line, before the first look), "woken" (before the
// next look) and "cancelled" (before the ticket is ended).
func WithPause(pause func(point string)) Option {
	return func(c *Controller) { c.pause = pause }
}

// New is a controller in which every provider has the given limits until SetLimits
// says otherwise. The error says what is wrong with the limits.
func New(defaults core.Limits, opts ...Option) (*Controller, error) {
	if err := check("a provider", defaults); err != nil {
		return nil, err
	}
	c := &Controller{defaults: defaults, lanes: map[string]*lane{}}
	for _, o := range opts {
		o(c)
	}
	return c, nil
}

// Admit waits until the request has a slot of the provider. An interactive request
// takes every slot that background work has there. The error wraps ErrQueueFull,
// or the cause of ctx when that ended first; then nothing is left behind: no place
// in the queue and no slot. The permit must be released, also one that is Done. ctx
// bounds the wait only, not the work under the permit (see Permit.Bind).
func (c *Controller) Admit(ctx context.Context, provider string, class core.Class) (*Permit, error) {
	if ctx.Err() != nil { // it would preempt the background work for nothing
		return nil, gaveUp(provider, class, ctx)
	}
	t, err := c.Enter(provider, class)
	if err != nil {
		return nil, err
	}
	return t.Wait(ctx)
}

// Enter is Admit without the waiting: the ticket is Held or Queued when it returns.
// The ticket must be ended. The error wraps ErrQueueFull.
func (c *Controller) Enter(provider string, class core.Class) (*Ticket, error) {
	return c.lane(provider).enter(class)
}

// SetLimit changes how many requests the provider takes at a time, from 1. More
// slots are given away at once; fewer take no slot away: those that have one keep
// it, and nobody gets one until enough of them have released theirs.
func (c *Controller) SetLimit(provider string, slots int) error {
	if err := check(provider, core.Limits{Slots: slots, Queue: c.defaults.Queue}); err != nil {
		return err
	}
	c.lane(provider).setLimits(func(l *core.Limits) { l.Slots = slots })
	return nil
}

// SetLimits changes the number of slots as SetLimit does, and how many requests of
// each class may wait. A shorter queue turns nobody away who waits already.
func (c *Controller) SetLimits(provider string, to core.Limits) error {
	if err := check(provider, to); err != nil {
		return err
	}
	c.lane(provider).setLimits(func(l *core.Limits) { *l = to })
	return nil
}

// Stats is what happens at each provider that was ever used, by name.
func (c *Controller) Stats() []Stats {
	c.mu.Lock()
	lanes := make([]*lane, 0, len(c.lanes))
	for _, l := range c.lanes {
		lanes = append(lanes, l)
	}
	c.mu.Unlock()
	out := make([]Stats, len(lanes))
	for i, l := range lanes {
		out[i] = l.stats()
	}
	slices.SortFunc(out, func(a, b Stats) int { return cmp.Compare(a.Provider, b.Provider) })
	return out
}

// lane is the provider's own line. Providers come from the user's settings, so
// there are few, and none is ever forgotten: its limits must outlive its requests.
func (c *Controller) lane(provider string) *lane {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lanes[provider]
	if l == nil {
		l = &lane{provider: provider, pause: c.pause, limits: c.defaults}
		c.lanes[provider] = l
	}
	return l
}

func check(provider string, l core.Limits) error {
	if l.Valid() {
		return nil
	}
	return fmt.Errorf("admission: %s cannot work with %d slots and a queue of %d: give at least 1 slot and a queue of 0 or more", provider, l.Slots, l.Queue)
}
