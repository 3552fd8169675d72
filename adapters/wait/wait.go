// Package wait is how a goroutine waits: for an event, a deadline or a cancel,
// whichever is first (H6). Every wait of the program that could otherwise last for
// ever goes through Race; core/wait decides how it ended.
package wait

import (
	"context"
	"time"

	core "tenet/core/wait"
)

// Race waits until there is an event, the context has ended or the deadline has
// passed, and says which was first. It answers exactly once, and never Waiting.
//
// The value is the event's, and only then; a closed channel is an event with the
// zero value. A deadline of 0 is none, one below 0 has passed already. When several
// are there at once, the event wins, then the cancel: an event that was received is
// never dropped, and one that was not received stays in its channel.
//
// A wait with a nil channel, no deadline and a context that cannot end has no exit
// at all: that is the caller's mistake, which no race can mend.
func Race[T any](ctx context.Context, event <-chan T, deadline time.Duration) (T, core.End) {
	w, last := core.Begin(deadline), time.Now()
	v, arrived := poll(event)
	for {
		now := time.Now()
		w = w.Look(core.Seen{Event: arrived, Cancel: ctx.Err() != nil, Passed: now.Sub(last)})
		last = now
		if w.End != core.Waiting {
			return v, w.End
		}
		v, arrived = sleep(ctx, event, alarm(w))
	}
}

// alarm rings when what is left of the deadline has passed. Each sleep has one of
// its own: after a ring that came a moment early by the wait's own clock, a single
// one would leave a wait that nothing wakes.
func alarm(w core.Wait) <-chan time.Time {
	if !w.Bounded {
		return nil
	}
	return time.After(w.Left)
}

// sleep blocks until one of the three is there, and takes the event if it is.
func sleep[T any](ctx context.Context, event <-chan T, alarm <-chan time.Time) (v T, arrived bool) {
	select {
	case v = <-event:
		return v, true
	case <-ctx.Done():
	case <-alarm:
	}
	return poll(event)
}

// poll takes the event if it is there.
func poll[T any](event <-chan T) (v T, arrived bool) {
	select {
	case v = <-event:
		return v, true
	default:
		return v, false
	}
}
