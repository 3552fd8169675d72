package session

import (
	"context"
	"errors"
	"time"

	"tenet/core/event"
	"tenet/core/recovery"
	"tenet/core/turn"
)

// ErrNothingOpen is why no turn can go on: none was left open, or one runs.
var ErrNothingOpen = errors.New("no turn was left open that could go on; send a message to begin one")

// Continue goes on with the turn that the end of a process left open. What it had spent of
// its rounds, retries and notes is spent, and an answer that was put off is polled until
// the deadline it had (H4.4, H4.5).
func (s *Session) Continue(ctx context.Context) (event.Ending, error) {
	past, err := s.rec.reopen()
	if err != nil {
		return event.Ending{}, err
	}
	return s.play(ctx, Work{}, past)
}

// reopen makes an open turn this process's own.
func (r *recorder) reopen() (event.State, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.state.InTurn || r.move(turn.OnContinue, 0) != turn.DoBegin {
		return event.State{}, ErrNothingOpen
	}
	return r.state, nil
}

// takeUp makes the driver of an open turn stand where the log says, and says what it does
// first.
func (d *driver) takeUp(past event.State) turn.Act {
	kept := turn.Kept{Rounds: uint16(past.Rounds), Retries: uint16(past.Retries), Notes: uint16(past.Notes.Spent), Compactions: uint16(past.Compactions)}
	if j := past.Deferred; j != nil {
		kept.Deferred, kept.Failures = true, uint16(j.Failures)
		d.job = &job{id: j.Job, sent: stamp(j.Sent), deadline: stamp(j.Deadline)}
	}
	if cause, ok := recovery.CauseOf(past.Notes.Cause); ok && cause != recovery.NoCause {
		d.row = recovery.Row{Cause: cause, Notes: uint8(min(past.Notes.Row, 255))}
		d.note = func(attempt int) string { return recovery.RestartNote(attempt, past.Notes.Says) }
	}
	d.state = turn.Resume(kept)
	if past.Notes.Spent > 0 || past.Retries > 0 || past.Deferred != nil || len(past.Messages) == 0 {
		return d.state.First()
	}
	switch last := past.Messages[len(past.Messages)-1]; {
	case last.Role == event.Assistant && len(last.Calls) == 0: // it had answered
		d.state = turn.State{Phase: turn.Over, End: turn.Answered, Rounds: kept.Rounds}
		return turn.Stop
	case last.Role == event.Tool: // its round ended, with results or interrupted
		var act turn.Act
		d.state, act = d.o.Limits.Step(turn.State{Phase: turn.Tooling, Rounds: max(kept.Rounds, 1) - 1}, turn.Input{Kind: turn.RoundDone})
		return act
	}
	return d.state.First()
}

// stamp reads a time of a checkpoint. One that cannot be read has passed: the turn ends
// instead of polling for ever.
func stamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Unix(0, 0)
	}
	return t
}
