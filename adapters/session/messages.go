package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tenet/adapters/wait"
	"tenet/core/event"
	"tenet/core/turn"
	corewait "tenet/core/wait"
)

// Blocked is why a message was refused: a question waits for a person, and is answered
// first (law open_question_blocks_messages).
type Blocked struct {
	// ID names the question, Text says it.
	ID, Text string
}

// Error names the question and says what to do.
func (b *Blocked) Error() string {
	return fmt.Sprintf("question %s is open: %s; answer it first, or stop the turn", b.ID, b.Text)
}

// ErrFull is why a message was refused: too many wait.
var ErrFull = fmt.Errorf("%d messages wait already; take some back, or wait until a turn ends", turn.MostWaiting)

// ErrNotWaiting is why a message could not be changed or taken back: it was delivered, it
// was withdrawn, or there never was one.
var ErrNotWaiting = errors.New("no message of this id waits: it went to the model, was taken back, or never was")

// ErrEmpty is why a message was refused: it says nothing.
var ErrEmpty = errors.New("the message is empty; say what the model should do")

// blocked is the oldest open question. The lock is held.
func (r *recorder) blocked() error {
	if len(r.state.Questions) > 0 {
		q := r.state.Questions[0]
		return &Blocked{ID: q.ID, Text: fmt.Sprintf("%s asks for permission (%s)", q.Tool, q.Why)}
	}
	q := r.state.Inquiries[0]
	return &Blocked{ID: q.ID, Text: q.Text}
}

// Submit takes a message while a turn runs: how is event.Queue, to begin a turn of its own,
// or event.Steer, to go into the running turn before its next request. In an idle session
// it waits for Begin. It is on the disk when Submit returns its id.
func (s *Session) Submit(text, how string) (string, error) {
	return s.submit(event.Submission{Text: text, How: how})
}

func (s *Session) submit(sub event.Submission) (string, error) {
	if how := sub.How; how != event.Queue && how != event.Steer {
		return "", fmt.Errorf("submit a message: how is %q; it is %q or %q", how, event.Queue, event.Steer)
	}
	if empty(sub.Text, sub.Images) {
		return "", ErrEmpty
	}
	s.rec.mu.Lock()
	defer s.rec.mu.Unlock()
	return s.rec.keep(sub)
}

// keep writes a message down where it waits. The lock is held.
func (r *recorder) keep(sub event.Submission) (string, error) {
	m := turn.OnMessage
	if sub.How == event.Steer {
		m = turn.OnSteer
	}
	before := r.desk
	o := r.move(m, 0)
	if err := r.refused(o); err != nil {
		return "", err
	}
	if o == turn.DoBegin { // nobody runs it yet: it waits for Begin
		r.desk = before
	}
	if r.desk.Stage == turn.Idle {
		sub.How = event.Queue // there is no turn that it could steer
	}
	sub.ID = fmt.Sprintf("msg_%d", r.state.Submitted+1)
	if err := r.append(sub); err != nil {
		return "", fmt.Errorf("the message was not taken: %w", err)
	}
	r.wake()
	return sub.ID, nil
}

// refused is the error of an order that takes no message. The lock is held.
func (r *recorder) refused(o turn.Order) error {
	if o == turn.DoBlock {
		return r.blocked()
	}
	if o == turn.DoTurnAway {
		return ErrFull
	}
	return nil
}

// Edit gives a waiting message other words; it keeps its place.
func (s *Session) Edit(id, text string) error {
	if strings.TrimSpace(text) == "" {
		return ErrEmpty
	}
	s.rec.mu.Lock()
	defer s.rec.mu.Unlock()
	sub, err := s.rec.waiting(id)
	if err != nil {
		return err
	}
	sub.Text = text
	return s.rec.append(sub)
}

// Withdraw takes a waiting message back; it will not be delivered.
func (s *Session) Withdraw(id string) error {
	s.rec.mu.Lock()
	defer s.rec.mu.Unlock()
	return s.rec.withdraw(id)
}

// withdraw needs the lock.
func (r *recorder) withdraw(id string) error {
	sub, err := r.waiting(id)
	if err != nil {
		return err
	}
	m := turn.OnWithdraw
	if sub.How == event.Steer && r.desk.Stage != turn.Idle {
		m = turn.OnWithdrawSteer
	}
	if err := r.append(event.Withdrawal{ID: id}); err != nil {
		return err
	}
	r.move(m, 0)
	if w := r.waiters[id]; w != nil {
		w.done, w.ending = true, event.Ending{How: turn.Aborted.String(), Cause: "the message was taken back before its turn"}
		delete(r.waiters, id)
		r.wake()
	}
	return nil
}

// waiting is the message of the id. The lock is held.
func (r *recorder) waiting(id string) (event.Submission, error) {
	i := slices.IndexFunc(r.state.Queue, func(q event.Submission) bool { return q.ID == id })
	if i < 0 {
		return event.Submission{}, fmt.Errorf("message %s: %w", id, ErrNotWaiting)
	}
	return r.state.Queue[i], nil
}

// deliver puts every message that steers into the context, in the order they came. The
// lock is held; no call waits for its result.
func (r *recorder) deliver() error {
	var bodies []event.Body
	for _, q := range r.state.Queue {
		if q.How == event.Steer {
			bodies = append(bodies, event.Prompt{Text: q.Text, Images: q.Images, Submission: q.ID, Steer: true})
		}
	}
	return r.append(bodies...)
}

// Settle records the end of a job. Its row is in the context of the next request; an idle
// session has work now, which Next says.
func (s *Session) Settle(b event.Settlement) error {
	s.rec.mu.Lock()
	defer s.rec.mu.Unlock()
	if !slices.ContainsFunc(s.rec.state.Jobs, func(j event.OpenJob) bool { return j.Job == b.Job }) {
		return fmt.Errorf("settle job %s: it does not run in this session; a job ends once", b.Job)
	}
	if err := s.rec.append(b); err != nil {
		return fmt.Errorf("settle job %s: %w", b.Job, err)
	}
	s.rec.move(turn.OnSettled, 0)
	return nil
}

// Notice records a row for people; the model never sees it. One with the type and key of
// an earlier one of this process is recorded once.
func (s *Session) Notice(n event.Notice) error {
	s.rec.mu.Lock()
	defer s.rec.mu.Unlock()
	return s.rec.notice(n)
}

// notice needs the lock.
func (r *recorder) notice(n event.Notice) error {
	key := n.Type + "\x00" + n.Key
	if n.Key != "" && r.noticed[key] {
		return nil
	}
	if err := r.append(n); err != nil {
		return err
	}
	r.noticed[key] = true
	return nil
}

// Work is what waits for somebody to begin it.
type Work struct {
	// Message is the id of a waiting message; empty when a settled job wakes the session.
	Message string
}

// Next waits until there is work that Begin may do: a message that waits for a turn, or a
// job that settled while no turn ran. The error is ctx's own when it ends first.
func (s *Session) Next(ctx context.Context) (Work, error) {
	for {
		w, ok, changed := s.rec.ready()
		if ok {
			return w, nil
		}
		if _, end := wait.Race(ctx, changed, 0); end == corewait.Cancelled {
			return Work{}, context.Cause(ctx)
		}
	}
}

// ready looks for work without taking it.
func (r *recorder) ready() (Work, bool, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.look()
	var w Work
	_, o := r.desk.Step(turn.OnNext, 0, turn.MostWaiting)
	if o == turn.DoBegin {
		w.Message = r.state.Queue[0].ID
	}
	return w, o == turn.DoBegin || o == turn.DoWake, r.changed
}

// take begins the next work: it records the prompt of the oldest message, or that a job
// woke the session. ok is false when there is none.
func (r *recorder) take() (w Work, ok bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.move(turn.OnNext, 0)
	if o != turn.DoBegin && o != turn.DoWake {
		return w, false, nil
	}
	p := event.Prompt{Woken: o == turn.DoWake}
	if o == turn.DoBegin {
		q := r.state.Queue[0]
		p = event.Prompt{Text: q.Text, Images: q.Images, Submission: q.ID}
	}
	return Work{Message: p.Submission}, true, r.begin(p)
}

// begin records the prompt of a turn that the desk began. The lock is held.
func (r *recorder) begin(p event.Prompt) error {
	bodies := append(r.unfinished(), p)
	if err := r.append(bodies...); err != nil {
		r.move(turn.OnLeave, 0)
		return err
	}
	return nil
}

// unfinished ends a turn that the end of a process left open, when another begins instead
// of going on with it; what was to steer it waits for a turn of its own.
func (r *recorder) unfinished() []event.Body {
	if !r.state.InTurn {
		return nil
	}
	return append(r.requeue(), event.Ending{How: turn.Aborted.String(), Cause: "a restart interrupted the turn", Rounds: r.state.Rounds})
}

// requeue gives every message that came too late to steer a turn of its own.
func (r *recorder) requeue() []event.Body {
	var out []event.Body
	for _, q := range r.state.Queue {
		if q.How == event.Steer {
			q.How = event.Queue
			out = append(out, q)
		}
	}
	return out
}

func empty(text string, images []event.Image) bool {
	return strings.TrimSpace(text) == "" && len(images) == 0
}
