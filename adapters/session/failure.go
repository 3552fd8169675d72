package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"tenet/adapters/provider"
	"tenet/core/event"
	"tenet/core/recovery"
	"tenet/core/turn"
)

// again asks for another reply with one more note of the cause.
func (d *driver) again(f event.Failure, c recovery.Cause, kind turn.Kind, p *phase) turn.Input {
	return d.noted(f, d.row.Next(c), turn.Input{Kind: kind}, p)
}

// noted records a reply that is not taken. While notes last, the record keeps what the
// generation has spent with this one, so that a restart goes on counting (H4.5).
func (d *driver) noted(f event.Failure, row recovery.Row, in turn.Input, p *phase) turn.Input {
	d.fault = f.Message
	if f.Noted = in.Kind != turn.GaveUp && d.state.Notes < d.o.Limits.Notes; f.Noted {
		d.row = row
		f.RetryMS, f.Cause, f.Row, f.Spent = 0, row.Cause.String(), int(row.Notes), int(d.state.Notes)+1
		d.Show(event.Live{Kind: event.LiveRetry, Cause: f.Message, Try: f.Spent, Tries: int(d.o.Limits.Notes)})
	}
	if err := d.rec.in(p).Record(f); err != nil {
		return d.broken(err)
	}
	return in
}

// failed records a request without a reply; it is not part of the next request's context.
func (d *driver) failed(err error, p *phase) turn.Input {
	f := event.Failure{Class: "unknown", Message: err.Error(), RetryMS: -1}
	var pe *provider.Error
	if !errors.As(err, &pe) {
		return d.gone(f, turn.Input{Kind: turn.Failure}, p)
	}
	f = event.Failure{Class: string(pe.Class), Message: pe.Error(), Status: pe.Status, Body: pe.Body, RetryMS: -1}
	switch {
	case d.state.Phase == turn.Polling:
		return d.failedPoll(f, pe, p)
	case pe.Class == provider.Stalled:
		d.idle = turn.Patience(pe.Silent)
		d.note = func(n int) string { return recovery.StallNote(n, pe.Silent) }
		return d.again(f, recovery.Stall, turn.Stalled, p)
	case pe.Class == provider.Overflow:
		return d.gone(f, turn.Input{Kind: turn.TooLarge}, p)
	}
	in := turn.Input{Kind: turn.Failure}
	in.Transient = d.mayWait(&f, pe, d.state.Retries)
	if in.Transient && d.state.Retries < d.o.Limits.Retries {
		f.RetryMS = d.wait.Milliseconds()
		d.Show(event.Live{Kind: event.LiveRetry, Cause: f.Message, Try: int(d.state.Retries) + 1, Tries: int(d.o.Limits.Retries), InMS: f.RetryMS})
	}
	return d.gone(f, in, p)
}

// mayWait sets the wait before the next try. A wait that is longer than tenet waits by
// itself parks the turn: it fails with the server's own words and what to do.
func (d *driver) mayWait(f *event.Failure, pe *provider.Error, spent uint16) bool {
	if !pe.Transient() {
		return false
	}
	wait, ok := turn.RetryPause(spent, d.o.Waits.Base, pe.RetryAfter, d.o.Waits.Longest, d.spread())
	if !ok {
		f.Message += fmt.Sprintf("; the server asks to wait %s, longer than tenet waits by itself (%s): the prompt is kept, try again later", pe.RetryAfter.Round(time.Second), d.longest())
	}
	d.wait = wait
	return ok
}

func (d *driver) longest() time.Duration {
	if d.o.Waits.Longest > 0 {
		return d.o.Waits.Longest
	}
	return turn.LongestRetry
}

// spread keeps many sessions that failed together from coming back together.
func (d *driver) spread() float64 {
	if d.o.Waits.Spread != nil {
		return d.o.Waits.Spread()
	}
	return rand.Float64()
}

// gone records the failure.
func (d *driver) gone(f event.Failure, in turn.Input, p *phase) turn.Input {
	d.fault = f.Message
	if err := d.rec.in(p).Record(f); err != nil {
		return d.broken(err)
	}
	return in
}
