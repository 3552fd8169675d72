// Package session drives a turn: it sends requests, runs the calls that the gate
// lets through, and writes every step of the way into the log before the next one
// starts. What comes next is core/turn's decision, never this package's.
package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	"tenet/adapters/lease"
	"tenet/adapters/provider"
	"tenet/adapters/wait"
	"tenet/core/event"
	"tenet/core/recovery"
	"tenet/core/turn"
	corewait "tenet/core/wait"
)

// Grace is how long an aborted phase may take to stop before it is dropped (H4.6).
const Grace = 3 * time.Second

// Options is what a session is made of. Every field but Watch and Progress is needed.
type Options struct {
	// ID names the session; Version is tenet's own, for the record.
	ID, Version string
	// Workspace is the absolute real path of the directory the session works in.
	Workspace string
	// Profile is the name of the default layer, Policies what calls are judged by.
	Profile  string
	Policies *approvals.Policies
	// Limits are the turn's limits; see turn.DefaultRounds.
	Limits   turn.Config
	Provider provider.Provider
	// Slots admits requests to the provider (H3).
	Slots *admission.Controller
	Asker approvals.Asker
	Log   Log
	// Tools is the roster; it never changes after Open (S7.1).
	Tools []Tool
	// Watch, when not nil, gets each record after it is durable, in order.
	Watch func(event.Record)
	// Progress, when not nil, gets the pieces of a reply and the signs of life of a
	// provider that still queues, for people who wait; no rule reads them.
	Progress func(provider.Delta)
}

// Session is one conversation over one log. Prompt may be called from several
// goroutines: turns run one at a time, first come, first served.
type Session struct {
	o     Options
	rec   *recorder
	turns *lease.Lease
}

// Open starts a session on an empty log and records what it is.
func Open(o Options) (*Session, error) {
	s := &Session{o: o, rec: &recorder{log: o.Log, watch: o.Watch}, turns: lease.New()}
	err := s.rec.Record(event.Opening{
		Session: o.ID, Version: o.Version, Workspace: o.Workspace, Model: o.Provider.Name(),
		Profile: o.Profile, Auto: o.Policies.Now().Auto.Names(), Tools: toolNames(o.Tools),
	})
	if err != nil {
		return nil, fmt.Errorf("open session %s: %w", o.ID, err)
	}
	return s, nil
}

// Prompt runs one turn to its end. The error is nil whenever the ending could be
// recorded, also when the turn failed: the ending says how.
func (s *Session) Prompt(ctx context.Context, text string) (event.Ending, error) {
	ticket, err := s.turns.Acquire(ctx, s.o.ID)
	if err != nil {
		return event.Ending{How: turn.Aborted.String(), Cause: "stopped while another turn ran"}, nil
	}
	defer ticket.Release()
	if err := s.rec.Record(event.Prompt{Text: text}); err != nil {
		return event.Ending{How: turn.Failed.String(), Cause: err.Error()}, err
	}
	d := &driver{Session: s, ctx: ctx}
	return d.run()
}

// Answer is the text of the last whole reply.
func (s *Session) Answer() string { return s.rec.answer() }

// driver is one turn on its way.
type driver struct {
	*Session
	ctx   context.Context
	state turn.State
	reply event.Reply
	// fault is the last failure in words, for the ending.
	fault string
	wait  time.Duration
	// idle is how long the provider may be silent; 0 is the provider's own default.
	idle time.Duration
	// note makes the words that the next request ends with, row counts those before it.
	note func(attempt int) string
	row  recovery.Row
}

func (d *driver) run() (event.Ending, error) {
	act := turn.Prepare
	for !act.Ends() {
		in := d.phase(act)
		d.state, act = d.o.Limits.Step(d.state, in)
		if act == turn.Ignore {
			return event.Ending{}, fmt.Errorf("turn: input %v does not fit phase %v; this is a defect of tenet", in.Kind, d.state.Phase)
		}
	}
	return d.end()
}

// phase races what the act does against the abort: a phase that does not stop
// within Grace is dropped, and its late records are refused (H4.6).
func (d *driver) phase(act turn.Act) turn.Input {
	if d.ctx.Err() != nil {
		return turn.Input{Kind: turn.Abort}
	}
	done := make(chan turn.Input, 1)
	epoch := d.rec.epoch()
	go func() { done <- d.perform(act, epoch) }()
	if in, end := wait.Race(d.ctx, done, 0); end == corewait.Event {
		return d.aborted(in)
	}
	wait.Race(context.WithoutCancel(d.ctx), done, Grace)
	d.rec.close(epoch)
	return turn.Input{Kind: turn.Abort}
}

// aborted turns whatever a phase says after the abort into the abort itself.
func (d *driver) aborted(in turn.Input) turn.Input {
	if d.ctx.Err() != nil && in.Kind != turn.Break {
		return turn.Input{Kind: turn.Abort}
	}
	return in
}

func (d *driver) perform(act turn.Act, e epoch) turn.Input {
	switch act {
	case turn.Prepare, turn.Redo:
		return turn.Input{Kind: turn.Ready}
	case turn.Retry:
		if !pause(d.ctx, d.wait) {
			return turn.Input{Kind: turn.Abort}
		}
		return turn.Input{Kind: turn.Ready}
	case turn.Send:
		return d.send(e)
	case turn.Compact:
		return turn.Input{Kind: turn.Compacted, Found: turn.Nothing}
	case turn.Run:
		return d.round(e)
	case turn.Truncate:
		return d.truncate(e)
	case turn.Ignore, turn.Poll, turn.Cancel, turn.Stop:
	}
	return turn.Input{Kind: turn.Break}
}

// pause waits, or says that the wait was stopped.
func pause(ctx context.Context, d time.Duration) bool {
	_, end := wait.Race[struct{}](ctx, nil, d)
	return end == corewait.Deadline
}

// end gives every call without a result its one result, then records how the turn
// ended. A context with a call that has no result is refused by every provider.
func (d *driver) end() (event.Ending, error) {
	e := event.Ending{How: d.state.End.String(), Cause: d.cause(), Rounds: int(d.state.Rounds)}
	for _, id := range d.rec.unresolved() {
		if err := d.rec.Record(event.Result{Call: id, Error: true, Text: stopped(d.rec.started(id))}); err != nil {
			return e, err
		}
	}
	return e, d.rec.Record(e)
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

// hasText: text that is only blanks is no text (H4.7).
func hasText(s string) bool { return strings.TrimSpace(s) != "" }
