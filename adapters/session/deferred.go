package session

import (
	"context"
	"fmt"
	"time"

	"tenet/adapters/provider"
	"tenet/core/event"
	"tenet/core/recovery"
	"tenet/core/turn"
)

// job is an answer that comes later: the provider's name for it, when it was asked for,
// until when it is polled, and what the server last asked to wait.
type job struct {
	id             string
	sent, deadline time.Time
	server         time.Duration
}

// deferred keeps the checkpoint of an answer that is not ready: a restart polls the same
// job until the same deadline (H4.4).
func (d *driver) deferred(later *provider.Deferred, sent time.Time, p *phase) turn.Input {
	if _, ok := d.o.Provider.(provider.Deferrer); !ok {
		return d.gone(event.Failure{Class: string(provider.Malformed), Message: "the provider put its answer off and cannot be asked for it later", RetryMS: -1}, turn.Input{Kind: turn.Failure}, p)
	}
	first := d.job == nil || d.job.id != later.Job
	if first {
		d.job = &job{id: later.Job, sent: sent, deadline: turn.Deadline(sent, later.Expires, d.o.Waits.Window)}
	}
	d.job.server = 0
	if first || d.state.Failures > 0 {
		if err := d.checkpoint(0, p); err != nil {
			return d.broken(err)
		}
	}
	in := turn.Input{Kind: turn.Deferred, Late: d.late()}
	if in.Late {
		return d.gone(event.Failure{Class: "late", Message: recovery.LateFault(time.Since(d.job.sent)), RetryMS: -1}, in, p)
	}
	d.fault = recovery.LateFault(time.Since(d.job.sent))
	return in
}

func (d *driver) late() bool { return turn.Overdue(time.Now(), d.job.deadline) }

func (d *driver) checkpoint(failures int, p *phase) error {
	return d.rec.in(p).Record(event.Deferral{
		Job: d.job.id, Sent: d.job.sent.UTC().Format(time.RFC3339Nano), Deadline: d.job.deadline.UTC().Format(time.RFC3339Nano), Failures: failures,
	})
}

// poll waits and asks the same job for its answer.
func (d *driver) poll(p *phase) turn.Input {
	from, ok := d.o.Provider.(provider.Deferrer)
	if !ok {
		return d.gone(event.Failure{Class: "unknown", Message: fmt.Sprintf("the answer is job %s of another model, which this one cannot be asked for", d.job.id), RetryMS: -1}, turn.Input{Kind: turn.Failure, Late: d.late()}, p)
	}
	w := turn.PollPause(d.state, max(d.job.server, d.wait), time.Until(d.job.deadline))
	d.Show(event.Live{Kind: event.LivePoll, Job: d.job.id, Cause: "the provider answers later", Try: int(d.state.Polls), InMS: w.Milliseconds()})
	if !pause(d.ctx, w) {
		return turn.Input{Kind: turn.Abort}
	}
	d.wait = 0
	reply, err := d.ask(d.o.Provider, d.Show, func(ctx context.Context, on func(provider.Delta)) (event.Reply, error) {
		return from.Poll(ctx, d.job.id, on)
	})
	return d.arrived(reply, err, d.job.sent, p)
}

// failedPoll: the job may still run, so a failed poll never leads to a new request. It is
// kept in the checkpoint, or ends the turn.
func (d *driver) failedPoll(f event.Failure, pe *provider.Error, p *phase) turn.Input {
	in := turn.Input{Kind: turn.Failure, Late: d.late()}
	in.Transient = d.mayWait(&f, pe, d.state.Failures)
	if pe.Class == provider.Stalled {
		in.Transient = true
	}
	if in.Late {
		f.Message = recovery.LateFault(time.Since(d.job.sent)) + ": " + f.Message
	}
	if in.Late || !in.Transient || d.state.Failures >= d.o.Limits.Retries {
		return d.gone(f, in, p)
	}
	d.fault = f.Message
	d.Show(event.Live{Kind: event.LiveRetry, Job: d.job.id, Cause: f.Message, Try: int(d.state.Failures) + 1, Tries: int(d.o.Limits.Retries), InMS: d.wait.Milliseconds()})
	if err := d.checkpoint(int(d.state.Failures)+1, p); err != nil {
		return d.broken(err)
	}
	return in
}

// dropJob cancels the provider's job: nobody will ask for its answer. A provider that does
// not take the cancel within Grace is left; the job ends at its own deadline.
func (d *driver) dropJob() {
	from, ok := d.o.Provider.(provider.Deferrer)
	if !ok || d.job == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), Grace)
	defer cancel()
	if err := from.Drop(ctx, d.job.id); err != nil {
		_ = d.Notice(event.Notice{Type: "tenet.deferred", Key: d.job.id, Text: fmt.Sprintf("the provider did not take the cancel of job %s: %v", d.job.id, err)})
	}
}
