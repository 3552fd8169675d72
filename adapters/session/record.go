package session

import (
	"errors"
	"slices"
	"sync"

	"tenet/adapters/provider"
	"tenet/core/event"
)

// Log is the session's log as the driver needs it.
type Log interface {
	// Commit makes the records durable together and returns them as they stand in
	// the log.
	Commit(bodies ...event.Body) ([]event.Record, error)
}

// errDropped is what a phase that was dropped after an abort gets for its late
// records: nothing it still does may enter the log or start a step.
var errDropped = errors.New("the turn was aborted; nothing more of it is recorded or started")

// epoch numbers the phases, so that a dropped one can be told from the live one.
type epoch uint64

// recorder appends to the log, folds what it appended and shows it to the watcher.
type recorder struct {
	mu    sync.Mutex
	log   Log
	watch func(event.Record)
	state event.State
	now   epoch
}

// Record appends outside any phase: openings, prompts, endings.
func (r *recorder) Record(body event.Body) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.append(body)
}

func (r *recorder) append(body event.Body) error {
	recs, err := r.log.Commit(body)
	if err != nil {
		return err
	}
	for _, rec := range recs {
		r.state = r.state.With(rec.Seq, body)
		if r.watch != nil {
			r.watch(rec)
		}
	}
	return nil
}

// epoch starts a phase.
func (r *recorder) epoch() epoch {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now++
	return r.now
}

// close drops a phase: its records are refused from now on.
func (r *recorder) close(e epoch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == e {
		r.now++
	}
}

// in is the recorder as one phase sees it.
func (r *recorder) in(e epoch) phaseRecorder { return phaseRecorder{r, e} }

type phaseRecorder struct {
	r *recorder
	e epoch
}

// Record appends unless the phase was dropped.
func (p phaseRecorder) Record(body event.Body) error {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	if p.r.now != p.e {
		return errDropped
	}
	return p.r.append(body)
}

// messages is the context so far, in the provider's terms.
func (r *recorder) messages() []provider.Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]provider.Message, len(r.state.Messages))
	for i, m := range r.state.Messages {
		out[i] = provider.Message{Role: provider.Role(m.Role), Text: m.Text, Images: m.Images, Thinking: m.Thinking, Thoughts: m.Thoughts, Calls: m.Calls, Call: m.Call, Error: m.Error}
	}
	return out
}

// unresolved lists the calls that wait for their result.
func (r *recorder) unresolved() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Unresolved()
}

// answer is the text of the last whole reply.
func (r *recorder) answer() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Answer()
}

// made counts the calls the model ever made, so that our ids never repeat.
func (r *recorder) made() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Made
}

// started reports whether a step of the call was dispatched.
func (r *recorder) started(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.state.Calls, func(c event.OpenCall) bool { return c.ID == id })
	return i >= 0 && r.state.Calls[i].Started
}
