package session

import (
	"context"
	"errors"
	"fmt"

	"tenet/adapters/approvals"
	"tenet/core/event"
	"tenet/core/turn"
)

// ErrBusy is why a person's own call was refused: a turn runs, or another call of theirs.
// What the model does at the moment must not change under its hands.
var ErrBusy = errors.New("a turn runs, or another command of yours; stop it, or wait until it is over")

// Own runs a call that a person makes themselves, to its result. The gate judges it and the
// log has it as any other call; the next request tells the model of it. No turn begins
// meanwhile. The error is ErrBusy or a *Blocked when nothing was recorded, or why the log
// could not take it.
func (s *Session) Own(ctx context.Context, tool, args string) error {
	return s.OwnRun(ctx, tool, args, nil)
}

// OwnRun is Own for an act that is no tool of the roster: run does it.
func (s *Session) OwnRun(ctx context.Context, tool, args string, run func(context.Context, *approvals.Gate) (Output, error)) error {
	if err := s.rec.claim(); err != nil {
		return err
	}
	defer s.rec.unclaim()
	ticket, err := s.turns.Acquire(ctx, s.o.ID)
	if err != nil {
		return err
	}
	defer ticket.Release()
	d := &driver{Session: s, ctx: ctx, own: run}
	return d.one(event.ToolCall{ID: s.rec.nextCall(), Tool: tool, Args: args}, event.Person, s.rec.in(&phase{}))
}

// claim is refused while anything else is under way.
func (r *recorder) claim() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.own, r.desk.Stage != turn.Idle:
		return ErrBusy
	case len(r.state.Questions)+len(r.state.Inquiries) > 0:
		return r.blocked()
	}
	r.own = true
	return nil
}

func (r *recorder) unclaim() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.own = false
	r.wake()
}

// nextCall is the id of the next call. While the lease of the turn is held nobody else makes
// one.
func (r *recorder) nextCall() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf("call_%d", r.state.Made+1)
}
