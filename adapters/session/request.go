package session

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"tenet/adapters/provider"
	"tenet/core/admission"
	"tenet/core/event"
	"tenet/core/recovery"
	"tenet/core/turn"
)

// prepare delivers what steers and weighs the context. Here every call has its result, so
// a message may enter it.
func (d *driver) prepare(p *phase) turn.Input {
	r := d.rec
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.dropped || d.ctx.Err() != nil {
		return turn.Input{Kind: turn.Abort}
	}
	if r.move(turn.OnRequest, 0) == turn.DoDeliver {
		if err := r.deliver(); err != nil {
			return d.broken(err)
		}
	}
	return turn.Input{Kind: turn.Ready, Full: d.full()}
}

// send records that a request goes out, and waits for its reply. The record puts what
// waited for a request, such as the end of a job, into the context.
func (d *driver) send(p *phase) turn.Input {
	r := event.Request{Round: int(d.state.Rounds), Attempt: int(d.state.Retries+d.state.Notes) + 1, Messages: d.rec.coming()}
	if err := d.rec.in(p).Record(r); err != nil {
		return d.broken(err)
	}
	messages := d.messages()
	sent := time.Now()
	reply, err := d.ask(d.o.Provider, d.Show, func(ctx context.Context, on func(provider.Delta)) (event.Reply, error) {
		return d.o.Provider.Reply(ctx, provider.Request{Messages: messages, Tools: d.tools, Idle: d.idle}, on)
	})
	return d.arrived(reply, err, sent, p)
}

// ask holds a slot for as long as the request is out. A person waits for this turn,
// so it is interactive: it preempts background work of the same provider (H3.1). A reply
// that repeats itself is cut while it streams (H4.7).
func (d *driver) ask(of provider.Provider, show func(event.Live), request func(context.Context, func(provider.Delta)) (event.Reply, error)) (event.Reply, error) {
	permit, err := d.o.Slots.Admit(d.ctx, of.Name(), admission.Interactive)
	if err != nil {
		return event.Reply{}, err
	}
	defer permit.Release()
	ctx, cut := context.WithCancelCause(d.ctx)
	defer cut(nil)
	s := &stream{show: show, cut: cut}
	s.last.Store(time.Now().UnixNano())
	stop := s.clock(ctx)
	defer stop()
	reply, err := request(ctx, s.piece)
	if s.found != nil {
		return s.told(reply), s.found
	}
	if err == nil && s.whole(reply) {
		return reply, s.found
	}
	return reply, err
}

// repetitive is why a reply was cut: it repeated itself.
type repetitive struct{ recovery.Repetition }

// Error says what was repeated.
func (r *repetitive) Error() string { return recovery.RepetitionFault(r.Repetition) }

// stream is one reply as it arrives. Its pieces come from one goroutine, and none after
// the request returned.
type stream struct {
	show           func(event.Live)
	cut            context.CancelCauseFunc
	text, thinking recovery.Repeats
	// heard and thought are the start of what came, for the log when the reply is cut.
	heard, thought []byte
	found          *repetitive
	// last is when something came, in nanoseconds.
	last atomic.Int64
}

// piece shows a piece to whoever watches, and cuts the request when the reply repeats
// itself.
func (s *stream) piece(p provider.Delta) {
	s.last.Store(time.Now().UnixNano())
	if p.Waiting {
		s.show(event.Live{Kind: event.LiveWaiting, Cause: "the provider queues the request or loads the model"})
		return
	}
	if s.found != nil {
		return
	}
	s.heard, s.thought = more(s.heard, p.Text), more(s.thought, p.Thinking)
	s.show(event.Live{Kind: event.LiveDelta, Text: p.Text, Thinking: p.Thinking})
	s.feed(p.Text, p.Thinking)
}

func (s *stream) feed(text, thinking string) {
	r, ok := s.text.Feed(text)
	if !ok {
		r, ok = s.thinking.Feed(thinking)
	}
	if ok {
		s.found = &repetitive{r}
		s.cut(s.found)
	}
}

// whole looks at a reply that came without pieces.
func (s *stream) whole(r event.Reply) bool {
	if len(s.heard)+len(s.thought)+len(r.Calls) == 0 {
		s.feed(r.Text+"\n", r.Thinking+"\n")
	}
	return s.found != nil
}

// told is what is known of a reply that was cut.
func (s *stream) told(r event.Reply) event.Reply {
	if r.Text == "" && r.Thinking == "" {
		return event.Reply{Text: string(s.heard), Thinking: string(s.thought)}
	}
	return r
}

// The silence that is shown, and how often it is shown again.
const (
	quietAfter = 5 * time.Second
	quietEvery = 5 * time.Second
)

// clock shows how long nothing came: whoever waits sees that tenet does not hang.
func (s *stream) clock(ctx context.Context) (stop func()) {
	var t *time.Timer
	tick := func() {
		silent := time.Since(time.Unix(0, s.last.Load()))
		if ctx.Err() != nil {
			return
		}
		if silent >= quietAfter {
			s.show(event.Live{Kind: event.LiveWaiting, Cause: fmt.Sprintf("nothing came for %d s", int(silent.Seconds()))})
		}
		t.Reset(quietEvery)
	}
	ready := make(chan struct{})
	t = time.AfterFunc(quietAfter, func() { <-ready; tick() })
	close(ready)
	return func() { t.Stop() }
}

// kept is how much of a failed reply the log keeps for people.
const kept = 16 << 10

// more appends within the bound.
func more(to []byte, piece string) []byte {
	return append(to, piece[:min(len(piece), kept-len(to))]...)
}

// messages is the context of the next request: the system prompt, then the fold of
// the log, then the harness's note, which goes with the request only (law
// run_note_is_never_logged). The prompt holds no date and no state, so that a prompt cache
// stays valid.
func (d *driver) messages() []provider.Message {
	out := d.rec.messages(d.system)
	if d.state.Note > 0 && d.note != nil {
		out = append(out, provider.Message{Role: provider.User, Text: d.note(int(d.state.Note))})
	}
	return out
}

func system(o Options) string {
	text := fmt.Sprintf(systemPrompt, o.Workspace)
	if o.Instructions != "" {
		text += "\n\n" + o.Instructions
	}
	return text
}

const systemPrompt = `You are tenet, a coding agent in a terminal. You work in the directory %s and act only through your tools.

- Look before you change: list, grep and read first. Read a file before you write over it.
- Make the smallest change that does the job, then check it by running the project's own tests.
- Prefer read, grep, glob, list_dir, write, edit and search_replace to shell commands for files.
- A call is judged whole before anything of it runs, by what each of its steps may do. A refusal is final: do what it says next; never try the same thing another way.
- When you are done, answer in a few plain sentences: what was wrong, what you changed, how you know that it works. If something could not be done, say so.`
