package session

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"tenet/adapters/provider"
	"tenet/core/event"
	"tenet/core/turn"
)

// Log is the session's log as the driver needs it.
type Log interface {
	// Commit makes the records durable together and returns them as they stand in
	// the log.
	Commit(bodies ...event.Body) ([]event.Record, error)
}

// Keeper is a log that keeps what its records fold to beside them, so that a long session
// opens at once. It may be told of the state after every record.
type Keeper interface{ Checkpoint(event.State) error }

// errDropped is what a phase that was dropped after an abort gets for its late
// records: nothing it still does may enter the log or start a step.
var errDropped = errors.New("the turn was aborted; nothing more of it is recorded or started")

// phase is one act of the turn as its records see it.
type phase struct{ dropped bool }

// recorder appends to the log, folds what it appended and shows it to the watcher. It
// keeps the desk beside the fold, so that what a person may do and what is recorded of
// it are one step.
type recorder struct {
	mu    sync.Mutex
	log   Log
	watch func(event.Record)
	state event.State
	desk  turn.Desk
	// changed is closed, and made anew, when there may be work for somebody who waits.
	changed chan struct{}
	// sent is the context in the provider's terms, made from the first seen messages of
	// base: a round adds to it, and only a compaction makes it anew.
	sent []provider.Message
	base int
	// noticed are the notices of this process that are shown once.
	noticed map[string]bool
	// waiters are the prompts that wait for their turn, by message.
	waiters map[string]*waiter
	// own is true while a call of the person's own runs.
	own bool
}

func newRecorder(log Log, watch func(event.Record), past event.State) *recorder {
	return &recorder{log: log, watch: watch, state: past, changed: make(chan struct{}), noticed: map[string]bool{}, waiters: map[string]*waiter{}}
}

// Record appends outside any phase: openings, prompts, endings.
func (r *recorder) Record(bodies ...event.Body) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.append(bodies...)
}

func (r *recorder) append(bodies ...event.Body) error {
	recs, err := r.log.Commit(bodies...)
	if err != nil {
		return err
	}
	for i, rec := range recs {
		if _, ok := bodies[i].(event.Compaction); ok {
			r.sent, r.base = nil, 0
		}
		r.state = r.state.With(rec.Seq, bodies[i])
		if r.watch != nil {
			r.watch(rec)
		}
	}
	if k, ok := r.log.(Keeper); ok {
		_ = k.Checkpoint(r.state) // without it only the next start takes longer
	}
	if r.desk.Stage == turn.Idle {
		r.wake() // what was recorded may have closed a question that held messages back
	}
	return nil
}

// in is the recorder as one phase sees it. It stays good after the phase ended: a job
// that a call left running still records its steps. A phase that was dropped has none.
func (r *recorder) in(p *phase) phaseRecorder { return phaseRecorder{r, p} }

// drop refuses the records of a phase from now on.
func (r *recorder) drop(p *phase) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.dropped = true
}

type phaseRecorder struct {
	r *recorder
	p *phase
}

// Record appends unless the phase was dropped.
func (p phaseRecorder) Record(body event.Body) error {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	if p.p.dropped {
		return errDropped
	}
	return p.r.append(body)
}

// move asks the desk for the phase; a dropped one has no say any more.
func (p phaseRecorder) move(m turn.Move, n int) turn.Order {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	if p.p.dropped {
		return turn.DoHalt
	}
	return p.r.move(m, n)
}

// move asks the desk, which first hears what the fold knows: how many questions are open
// and how many messages wait. The lock is held.
func (r *recorder) move(m turn.Move, n int) turn.Order {
	r.look()
	var o turn.Order
	r.desk, o = r.desk.Step(m, uint8(min(n, turn.MostWaiting)), turn.MostWaiting)
	if r.desk.Stage == turn.Idle {
		r.wake()
	}
	return o
}

// look brings the desk up to the fold.
func (r *recorder) look() {
	r.desk.Open = uint8(min(len(r.state.Questions)+len(r.state.Inquiries), turn.MostWaiting))
	r.desk.Queued, r.desk.Steers = 0, 0
	for _, q := range r.state.Queue {
		if q.How == event.Steer && r.desk.Stage != turn.Idle {
			r.desk.Steers++
		} else {
			r.desk.Queued++
		}
	}
}

// at is move for callers without the lock.
func (r *recorder) at(m turn.Move, n int) turn.Order {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.move(m, n)
}

// wake tells everybody who waits for work to look again. The lock is held.
func (r *recorder) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// messages is the context so far, in the provider's terms, after the system's prompt. The
// slice is shared and never changed: who appends to it gets a copy, by its capacity.
func (r *recorder) messages(system string) []provider.Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sent == nil {
		r.sent = []provider.Message{{Role: provider.System, Text: system}}
	}
	for _, m := range r.state.Messages[r.base:] {
		r.sent = append(r.sent, wire(m))
	}
	r.base = len(r.state.Messages)
	return slices.Clip(r.sent)
}

func wire(m event.Message) provider.Message {
	return provider.Message{
		Role: provider.Role(m.Role), Text: m.Text, Images: m.Images, Thinking: m.Thinking, Thoughts: m.Thoughts,
		Calls: m.Calls, Call: m.Call, Error: m.Error,
	}
}

// now is the session as its log tells it, for readers: what the fold changes in place is
// copied, and what it only appends to is shared.
func (r *recorder) now() event.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state
	s.Calls, s.Questions, s.Inquiries = slices.Clone(s.Calls), slices.Clone(s.Questions), slices.Clone(s.Inquiries)
	s.Queue, s.Jobs, s.Settings = slices.Clone(s.Queue), slices.Clone(s.Jobs), maps.Clone(s.Settings)
	s.Messages = slices.Clip(s.Messages)
	return s
}

// open is the call without a result that has the id.
func (r *recorder) open(id string) (event.OpenCall, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.state.Calls, func(c event.OpenCall) bool { return c.ID == id })
	if i < 0 {
		return event.OpenCall{}, false
	}
	return r.state.Calls[i], true
}

// coming is how many messages the next request has, the system's prompt included.
func (r *recorder) coming() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Coming() + 1
}
