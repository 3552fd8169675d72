package session

import (
	"context"
	"fmt"
	"time"

	"tenet/adapters/approvals"
	"tenet/adapters/wait"
	"tenet/core/event"
	"tenet/core/recovery"
	"tenet/core/turn"
	corewait "tenet/core/wait"
)

// Grace is how long an aborted phase may take to stop before it is dropped (H4.6).
const Grace = 3 * time.Second

// driver is one turn on its way. Its fields are of the phase that runs: a phase that was
// dropped may still write to them, so the turn ends right after and reads none that the
// phase owns.
type driver struct {
	*Session
	ctx   context.Context
	state turn.State
	// reply is the reply whose calls run.
	reply event.Reply
	// fault is the last failure in words, for the ending.
	fault string
	// wait is how long to wait before the next try or the next poll.
	wait time.Duration
	// idle is how long the provider may be silent; 0 is the provider's own default.
	idle time.Duration
	// note makes the words that the next request ends with, row counts those before it.
	note func(attempt int) string
	row  recovery.Row
	// job is the answer that is polled for, nil without one.
	job *job
	// own does a person's own call in the place of a tool; nil for the roster's.
	own func(context.Context, *approvals.Gate) (Output, error)
	// finished is what finish said, once it passed its stop hooks.
	finished *string
}

// run goes from one act to the next, as core says, until the turn is over.
func (d *driver) run(act turn.Act) (event.Ending, error) {
	for !act.Ends() {
		in := d.phase(act)
		next, after := d.o.Limits.Step(d.state, in)
		if after == turn.Ignore {
			d.rec.at(turn.OnLeave, 0)
			return event.Ending{}, fmt.Errorf("turn: input %v does not fit phase %v; this is a defect of tenet", in.Kind, d.state.Phase)
		}
		d.state, act = next, after
	}
	if act == turn.Cancel {
		d.dropJob()
	}
	return d.end()
}

// phase races what the act does against the abort: a phase that does not stop
// within Grace is dropped, and its late records are refused (H4.6).
func (d *driver) phase(act turn.Act) turn.Input {
	if d.ctx.Err() != nil {
		return d.abort()
	}
	done, p := make(chan turn.Input, 1), &phase{}
	go func() { done <- d.guarded(act, p) }()
	in, end := wait.Race(d.ctx, done, 0)
	if end == corewait.Event {
		return d.aborted(in)
	}
	d.rec.at(turn.OnCancel, 0)
	if _, end := wait.Race(context.WithoutCancel(d.ctx), done, Grace); end != corewait.Event {
		d.rec.drop(p)
	}
	return turn.Input{Kind: turn.Abort}
}

func (d *driver) abort() turn.Input {
	d.rec.at(turn.OnCancel, 0)
	return turn.Input{Kind: turn.Abort}
}

// aborted turns whatever a phase says after the abort into the abort itself.
func (d *driver) aborted(in turn.Input) turn.Input {
	if d.ctx.Err() != nil && in.Kind != turn.Break {
		return d.abort()
	}
	return in
}

func (d *driver) perform(act turn.Act, p *phase) turn.Input {
	switch act {
	case turn.Prepare, turn.Redo:
		return d.prepare(p)
	case turn.Retry:
		if !pause(d.ctx, d.wait) {
			return turn.Input{Kind: turn.Abort}
		}
		return d.prepare(p)
	case turn.Send:
		return d.send(p)
	case turn.Poll:
		return d.poll(p)
	case turn.Compact:
		return d.compact(p)
	case turn.Run:
		return d.round(p)
	case turn.Truncate:
		return d.truncate(p)
	case turn.Ignore, turn.Cancel, turn.Stop:
	}
	return turn.Input{Kind: turn.Break}
}

// pause waits, or says that the wait was stopped. A wait of nothing is over.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	_, end := wait.Race[struct{}](ctx, nil, d)
	return end == corewait.Deadline
}

// end gives every call without a result its one result, every message that came too late
// to steer a turn of its own, and records how the turn ended, all in one commit. A context
// with a call that has no result is refused by every provider.
func (d *driver) end() (event.Ending, error) {
	e := event.Ending{How: d.state.End.String(), Cause: d.cause(), Rounds: int(d.state.Rounds)}
	answered := d.state.End == turn.Answered && d.finished != nil
	if answered {
		e.Answer = *d.finished
	}
	d.rec.mu.Lock()
	defer d.rec.mu.Unlock()
	var bodies []event.Body
	for _, c := range d.rec.state.Calls {
		bodies = append(bodies, event.Result{Call: c.ID, Error: true, Text: unmade(c, answered)})
	}
	err := d.rec.append(append(append(bodies, d.rec.requeue()...), e)...)
	d.rec.move(turn.OnLeave, 0)
	return e, err
}

// unmade is the result of a call that the end of its turn left without one.
func unmade(c event.OpenCall, finished bool) string {
	if finished {
		return fmt.Sprintf("Tool %s was not run: a call before it finished the turn.", c.Tool)
	}
	return stopped(c.Started)
}

// stopped is the result of a call that the user stopped. started is true once a step of
// it was dispatched: before that nothing of it can have happened.
func stopped(started bool) string {
	if !started {
		return "Stopped by the user before any step of it started: nothing of it ran."
	}
	return "Stopped by the user. The call may have partially run; check the state it changes (files, processes) before you run it again."
}

func (d *driver) cause() string {
	switch d.state.Cause {
	case turn.None:
		return ""
	case turn.RoundLimit:
		return fmt.Sprintf("run_limit: the turn made its cap of %d tool rounds; send another prompt to go on, or raise --max-rounds", d.o.Limits.Cap())
	case turn.ModelError, turn.NoAnswer, turn.Stuck, turn.Late, turn.TooLong:
		return "model_error: " + d.fault
	case turn.Broken:
		return "broken: " + d.fault
	}
	return ""
}

// broken: the log could not take a record, so nothing more may happen.
func (d *driver) broken(err error) turn.Input {
	if d.ctx.Err() != nil {
		return turn.Input{Kind: turn.Abort}
	}
	d.fault = err.Error()
	return turn.Input{Kind: turn.Break}
}
