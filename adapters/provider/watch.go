package provider

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// phase is what a reply waits for.
type phase uint8

const (
	awaitHeaders phase = iota // the request is on its way
	awaitFirst                // headers came, no piece of the reply yet
	awaitPiece                // pieces came, the next one is due
	awaitContent              // signs of life come, content does not
	awaitTail                 // the outcome stands; only numbers or words may follow
)

// watch is the clock of one reply. It ends the reply by cancelling its context with
// the reason; a new phase sets the clock anew.
//
// It starts when Reply is called, which is when the caller holds its slot: a long
// queue before that is no stall (H6).
type watch struct {
	limits Deadlines
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	timer *time.Timer
	at    phase
	limit time.Duration

	last  time.Time // of the last progress
	first bool      // whether there was any
	until time.Time // the end of the wait for the tail, once the reply stands
}

func newWatch(limits Deadlines, idle time.Duration, cancel context.CancelCauseFunc) *watch {
	if idle > 0 {
		limits.Progress = idle
		limits.Headers = max(limits.Headers, idle)
		limits.FirstByte = max(limits.FirstByte, idle)
		limits.Connection = max(limits.Connection, idle)
	}
	w := &watch{limits: limits, cancel: cancel, at: awaitHeaders, limit: limits.Headers}
	w.timer = time.AfterFunc(limits.Headers, w.fire)
	return w
}

func (w *watch) arm(at phase, limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at, w.limit = at, limit
	w.timer.Reset(limit)
}

func (w *watch) stop() { w.timer.Stop() }

func (w *watch) fire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.at == awaitTail {
		w.cancel(errTail)
		return
	}
	w.cancel(w.stalled(w.at, w.limit))
}

// errTail ends a wait that no outcome hangs on.
var errTail = errors.New("what could still come is not needed")

// headers says that the status line came.
func (w *watch) headers() {
	w.last = time.Now()
	w.arm(awaitFirst, w.limits.FirstByte)
}

// bytes says that something came; progress, that it was a piece of the reply.
// Silence has one deadline, and a server that only says it is alive a longer one.
func (w *watch) bytes(progress bool) {
	now := time.Now()
	at, limit := awaitPiece, w.limits.Progress
	if progress {
		w.last, w.first = now, true
	}
	if !w.first {
		at, limit = awaitFirst, w.limits.FirstByte
	}
	if left := w.limits.Connection - now.Sub(w.last); left < limit {
		at, limit = awaitContent, max(left, 0)
	}
	w.arm(at, limit)
}

// finished says that the outcome stands; limit bounds the wait for what may follow.
// Further bytes can shorten that wait and never lengthen it.
func (w *watch) finished(limit time.Duration) {
	if until := time.Now().Add(limit); w.until.IsZero() || until.Before(w.until) {
		w.until = until
		w.arm(awaitTail, limit)
	}
}

func (w *watch) stalled(at phase, limit time.Duration) *Error {
	e := &Error{Class: Stalled, Silent: limit}
	switch at {
	case awaitHeaders:
		e.Message = fmt.Sprintf("the server took the request and did not answer within %s", limit)
	case awaitFirst:
		e.Message = fmt.Sprintf("the server answered and sent no piece of a reply within %s", limit)
	case awaitPiece:
		e.Message = fmt.Sprintf("the reply stopped: nothing came for %s", limit)
	case awaitContent:
		e.Silent = w.limits.Connection
		e.Message = fmt.Sprintf("the server stayed connected for %s and sent nothing of a reply", w.limits.Connection)
	case awaitTail: // no stall: see fire
	}
	return e
}
