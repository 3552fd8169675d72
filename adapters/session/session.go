// Package session drives a turn: it sends requests, runs the calls that the gate
// lets through, and writes every step of the way into the log before the next one
// starts. What comes next is core/turn's decision, never this package's.
package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	"tenet/adapters/lease"
	"tenet/adapters/provider"
	"tenet/adapters/wait"
	"tenet/core/event"
	"tenet/core/surface"
	"tenet/core/turn"
)

// Options is what a session is made of. The fields from ID to Tools are needed, the
// others are not.
type Options struct {
	// ID names the session; Version is tenet's own, for the record.
	ID, Version string
	// Workspace is the absolute real path of the directory the session works in.
	Workspace string
	// Profile is the name of the default layer, Policies what calls are judged by.
	Profile  string
	Policies *approvals.Policies
	// Limits are the turn's limits; see turn.Default.
	Limits   turn.Config
	Provider provider.Provider
	// Slots admits requests to the provider (H3).
	Slots *admission.Controller
	Asker approvals.Asker
	Log   Log
	// Tools is the roster; it never changes after Open (S7.1).
	Tools []Tool

	// Instructions are added to the system's prompt; they hold no date and no state, so that
	// the provider's cache of the prompt stays valid.
	Instructions string
	// Waits are the waits between tries of one request.
	Waits Waits
	// Room is the model's context, and how a summary makes room in it.
	Room turn.Room
	// Summariser chooses who writes the summary of a context of so many tokens, for a
	// purpose; nil, for the function or the provider, is the session's own model. The notice
	// says why it is another than was asked for (H7.1).
	Summariser func(purpose string, tokens int) (provider.Provider, *event.Notice)
	// Inquirer answers the model's own questions; nil is nobody.
	Inquirer Inquirer
	// Hooks are the stop hooks of finish, in their order.
	Hooks []Hook
	// Watch gets each record after it is durable, in order. It must not call the session.
	Watch func(event.Record)
	// Live gets the signs of what goes on between two records, one at a time; no rule reads
	// them. It must not call the session.
	Live func(event.Live)
}

// Waits are the waits between tries of one request; the zero value is the defaults of
// core/turn.
type Waits struct {
	// Base is the wait before the first retry, which doubles with each; a server's own wish
	// is a lower bound. Longest is the longest that is waited at all.
	Base, Longest time.Duration
	// Window is how long an answer that comes later may take when its provider does not say.
	Window time.Duration
	// Spread is the random part of a wait, 0 to 1; nil is a random one.
	Spread func() float64
}

// Session is one conversation over one log. Its methods may be called from several
// goroutines: turns run one at a time, in the order their messages came.
type Session struct {
	o     Options
	rec   *recorder
	turns *lease.Lease
	// system is the prompt and tools the declarations of every request (S7.1); neither ever
	// changes.
	system string
	tools  []surface.Tool
	// live keeps the signs apart: the pieces of a reply and a job's output come at once.
	live sync.Mutex
}

// Open starts a session on an empty log and records what it is.
func Open(o Options) (*Session, error) {
	s := newSession(o, event.State{})
	err := s.rec.Record(event.Opening{
		Session: o.ID, Version: o.Version, Workspace: o.Workspace, Model: o.Provider.Name(),
		Profile: o.Profile, Auto: o.Policies.Now().Auto.Names(), Tools: toolNames(o.Tools),
	})
	if err != nil {
		return nil, fmt.Errorf("open session %s: %w", o.ID, err)
	}
	return s, nil
}

// Resume takes up a session whose log tells the state past: each call that has no result
// gets its one result, and none is run again (H7.4). A turn that was open stays open: go on
// with it by Continue, or begin another by Prompt, which ends it as interrupted.
func Resume(o Options, past event.State) (*Session, error) {
	s := newSession(o, past)
	if err := s.rec.Record(event.Resume(past)...); err != nil {
		return nil, fmt.Errorf("resume session %s: %w", o.ID, err)
	}
	return s, nil
}

func newSession(o Options, past event.State) *Session {
	return &Session{o: o, rec: newRecorder(o.Log, o.Watch, past), turns: lease.New(), system: system(o), tools: roster(o.Tools)}
}

// State is the session as its log tells it, for reading.
func (s *Session) State() event.State { return s.rec.now() }

// Answer is what the last turn came to.
func (s *Session) Answer() string { return s.rec.now().Answer() }

// Show hands a live sign on to whoever watches; tools and jobs use it.
func (s *Session) Show(l event.Live) {
	if s.o.Live == nil {
		return
	}
	s.live.Lock()
	defer s.live.Unlock()
	s.o.Live(l)
}

// Prompt runs one turn for a person's words; see Say.
func (s *Session) Prompt(ctx context.Context, text string) (event.Ending, error) {
	return s.Say(ctx, event.Prompt{Text: text})
}

// Say runs one turn for a person's message to its end. During another turn it waits on the
// disk for its own, behind those that wait already, and runs them first when nobody else
// does. While a question is open the error is a *Blocked, and nothing is recorded. The
// error is nil whenever the ending could be recorded, also when the turn failed: the
// ending says how.
func (s *Session) Say(ctx context.Context, p event.Prompt) (event.Ending, error) {
	if empty(p.Text, p.Images) {
		return event.Ending{}, ErrEmpty
	}
	w, err := s.rec.say(ctx, event.Prompt{Text: p.Text, Images: p.Images})
	switch {
	case err != nil:
		return event.Ending{How: turn.Failed.String(), Cause: err.Error()}, err
	case w == nil:
		return s.play(ctx, Work{}, event.State{})
	}
	return s.waitFor(ctx, w)
}

// Begin runs the next turn that has work, to its end: the oldest message that waits, or
// the continuation that a settled job woke. ok is false when there is none.
func (s *Session) Begin(ctx context.Context) (e event.Ending, ok bool, err error) {
	w, ok, err := s.rec.take()
	if !ok || err != nil {
		return e, ok, err
	}
	e, err = s.play(ctx, w, event.State{})
	return e, true, err
}

// waiter is a Prompt whose message waits for its turn.
type waiter struct {
	id     string
	ctx    context.Context
	done   bool
	ending event.Ending
	err    error
}

// say begins a turn with the message, or keeps it and returns who waits for it.
func (r *recorder) say(ctx context.Context, p event.Prompt) (*waiter, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.desk
	o := r.move(turn.OnMessage, 0)
	if err := r.refused(o); err != nil {
		return nil, err
	}
	if o == turn.DoBegin {
		return nil, r.begin(p)
	}
	r.desk = before
	id, err := r.keep(event.Submission{Text: p.Text, Images: p.Images, How: event.Queue})
	if err != nil {
		return nil, err
	}
	w := &waiter{id: id, ctx: ctx}
	r.waiters[id] = w
	return w, nil
}

// waitFor runs what waits, in its order, until the waiter's own turn is over.
func (s *Session) waitFor(ctx context.Context, w *waiter) (event.Ending, error) {
	for {
		s.rec.mu.Lock()
		done, changed := w.done, s.rec.changed
		s.rec.mu.Unlock()
		switch {
		case done:
			return w.ending, w.err
		case ctx.Err() != nil:
			err := s.Withdraw(w.id)
			if !errors.Is(err, ErrNotWaiting) {
				return event.Ending{How: turn.Aborted.String(), Cause: "stopped while another turn ran"}, err
			}
			wait.Race(context.WithoutCancel(ctx), changed, 0) // its turn runs, and ends by the same cancel
			continue
		}
		if _, ok, err := s.Begin(ctx); err != nil {
			return event.Ending{How: turn.Failed.String(), Cause: err.Error()}, err
		} else if !ok {
			wait.Race(ctx, changed, 0)
		}
	}
}

// play runs the turn that the desk began, from its start or from where past left it open.
// Whoever waits for its message stops it too.
func (s *Session) play(ctx context.Context, w Work, past event.State) (event.Ending, error) {
	ticket, err := s.turns.Acquire(context.WithoutCancel(ctx), s.o.ID)
	if err != nil {
		s.rec.at(turn.OnLeave, 0)
		return event.Ending{}, err
	}
	defer ticket.Release()
	owner := s.rec.waiter(w.Message)
	if owner != nil && owner.ctx != ctx {
		joined, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(owner.ctx, func() { cancel(context.Cause(owner.ctx)) })()
		ctx = joined
	}
	d, first := &driver{Session: s, ctx: ctx}, turn.Prepare
	if past.InTurn {
		first = d.takeUp(past)
	}
	e, err := d.run(first)
	s.rec.leave(owner, e, err)
	return e, err
}

func (r *recorder) waiter(id string) *waiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiters[id]
}

// leave tells who waited for the turn. The record of its end has left the desk already: at
// a second leave the desk would forget a turn that somebody has begun since.
func (r *recorder) leave(w *waiter, e event.Ending, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w != nil {
		w.done, w.ending, w.err = true, e, err
		delete(r.waiters, w.id)
	}
	r.wake()
}

// hasText: text that is only blanks is no text (H4.7).
func hasText(s string) bool { return strings.TrimSpace(s) != "" }
