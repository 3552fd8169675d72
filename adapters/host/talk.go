package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"tenet/adapters/approvals"
	"tenet/adapters/session"
	"tenet/core/event"
)

// errStop is why a turn ends when a person stops it.
var errStop = errors.New("stopped by the user")

// Send takes a person's message: an idle session begins a turn with it, a running turn gets
// it before its next request. While a question is open the error is a *session.Blocked and
// nothing was taken.
func (h *Host) Send(text string, images []event.Image) error {
	_, err := h.held.Session.Post(event.Submission{Text: text, Images: images, How: event.Steer})
	return err
}

// Queue takes a message that begins a turn of its own when the running one is over.
func (h *Host) Queue(text string, images []event.Image) (id string, err error) {
	return h.held.Session.Post(event.Submission{Text: text, Images: images, How: event.Queue})
}

// Edit gives a waiting message other words; it keeps its place.
func (h *Host) Edit(id, text string) error { return h.held.Session.Edit(id, text) }

// Withdraw takes a waiting message back; it will not be delivered.
func (h *Host) Withdraw(id string) error { return h.held.Session.Withdraw(id) }

// maxFailures is how often in a row a turn may fail to run at all before no other is tried.
const maxFailures = 3

// loop runs the turns that have work, until the session is closed: a message that waits, or
// a job that ended.
func (h *Host) loop() {
	defer h.work.Done()
	for failures := 0; failures < maxFailures; {
		if _, err := h.held.Session.Next(h.ctx); err != nil {
			return
		}
		ok := h.play(func(ctx context.Context) error {
			_, _, err := h.held.Session.Begin(ctx)
			return err
		})
		if failures++; ok {
			failures = 0
		}
	}
}

// play runs one turn, which Stop ends, and reports whether it could be run.
func (h *Host) play(turn func(context.Context) error) (ok bool) {
	ctx, over := h.begins()
	defer over()
	defer func() {
		if p := recover(); p != nil {
			h.failed(fmt.Errorf("a defect of tenet: %v\n%s", p, debug.Stack()))
		}
	}()
	err := turn(ctx)
	if err != nil && h.ctx.Err() == nil {
		h.failed(err)
	}
	return err == nil
}

// begins makes a turn that Stop ends.
func (h *Host) begins() (ctx context.Context, over func()) {
	ctx, cancel := context.WithCancelCause(h.ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	n := h.began
	h.began++
	h.turns[n] = cancel
	return ctx, func() {
		cancel(nil)
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.turns, n)
	}
}

// failed tells why a turn could not be run, beside what its own ending says: an interface
// that fell silent could not be told from one that works. A log that takes no record any
// more is told on the feeds alone.
func (h *Host) failed(err error) {
	if h.held.Session.Notice(event.Notice{Type: "tenet.failed", Text: err.Error()}) != nil {
		h.journal.live(event.Live{Kind: event.LiveWaiting, Cause: err.Error()})
	}
}

// Running reports whether a turn runs now.
func (h *Host) Running() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.turns) > 0
}

// Stop ends the running turn at its next tool boundary, and with it the questions that it
// asked, for good. It reports whether there was one.
func (h *Host) Stop() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, cancel := range h.turns {
		cancel(errStop)
	}
	return len(h.turns) > 0
}

// Continue goes on with the turn that the end of a process left open.
func (h *Host) Continue() error {
	if h.Running() || !h.held.Session.State().InTurn {
		return session.ErrNothingOpen
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return ErrClosed
	}
	h.work.Add(1)
	go func() {
		defer h.work.Done()
		h.play(func(ctx context.Context) error {
			_, err := h.held.Session.Continue(ctx)
			if errors.Is(err, session.ErrNothingOpen) { // another turn began first, and ended this one
				return nil
			}
			return err
		})
	}()
	return nil
}

// Answer answers a question of the gate. The error is an *approvals.AnswerError: the first
// answer won, or it is none that was offered.
func (h *Host) Answer(a approvals.AnswerApproval) error { return h.client.Answer(a) }

// Questions are the questions of the gate that wait for a person, the oldest first.
func (h *Host) Questions() []approvals.Approval { return h.client.Pending() }

// Reply answers a question of the model itself; an empty text is no answer, which the model
// is told. The error is a *GoneError when another answer came first.
func (h *Host) Reply(inquiry, text string) error {
	logged := slices.ContainsFunc(h.State().Inquiries, func(i event.Inquiry) bool { return i.ID == inquiry })
	return h.asks.reply(inquiry, text, logged)
}

// Inquiries are the questions of the model that wait, the oldest first.
func (h *Host) Inquiries() []event.Inquiry { return h.asks.waiting() }

// Shell runs a person's own shell line. The gate judges it as any call: what the floor or
// the guard denies does not run, and what asks is asked. It is in the log as the person's
// own act, and the model reads it, with its bounded output, in its next request. It returns
// when the line has ended, or goes on as a job; the feed shows what it does. While a turn
// runs, or another line, the error is session.ErrBusy.
func (h *Host) Shell(line string) error {
	if strings.TrimSpace(line) == "" {
		return session.ErrEmpty
	}
	args, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		return err
	}
	return h.own("bash", string(args), nil)
}

// own runs an act of the person's own, which Stop ends.
func (h *Host) own(tool, args string, run func(context.Context, *approvals.Gate) (session.Output, error)) error {
	h.mu.Lock()
	if h.over {
		h.mu.Unlock()
		return ErrClosed
	}
	h.work.Add(1)
	h.mu.Unlock()
	defer h.work.Done()
	ctx, over := h.begins()
	defer over()
	return h.held.Session.OwnRun(ctx, tool, args, run)
}
