package approvals

import (
	"context"
	"sync"

	core "tenet/core/approvals"
)

// MaxFrames is how many frames wait for one client. One more, and it gets none of
// them but a Missed: a client that sleeps holds up nobody and costs no memory.
const MaxFrames = 64

// Client is one client's attachment to a session. Next gives it the frames; Answer
// and Detach may be called at any time, also while a Next waits.
type Client struct {
	broker *Broker
	id     core.ClientID
	kind   core.Kind

	mu     sync.Mutex
	frames []Frame
	missed int           // frames dropped since the client was last told
	ready  chan struct{} // holds one token while there may be something for Next
	ended  chan struct{} // closed when the attachment has ended
	over   bool
}

// Attach adds a client, which gets a frame for each question that is open here now.
// The name says in records who answered, such as "terminal".
func (b *Broker) Attach(kind core.Kind, name string) (*Client, error) {
	c := &Client{broker: b, kind: kind, ready: make(chan struct{}, 1), ended: make(chan struct{})}
	err := ErrClosed
	b.event("attach", func(s core.Session) (core.Session, []core.Act) {
		if b.closed {
			return s, nil
		}
		next, acts, ok := s.Attach(b.last+1, kind, name)
		if err = ErrTooManyClients; ok {
			b.last++
			c.id, err = b.last, nil
			b.clients[c.id] = c
		}
		return next, acts
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Detach ends the attachment. The questions that only this client could have answered
// go where they would have gone without it. Detaching again changes nothing.
func (c *Client) Detach() {
	b := c.broker
	b.event("detach", func(s core.Session) (core.Session, []core.Act) {
		if b.clients[c.id] != c {
			return s, nil
		}
		delete(b.clients, c.id)
		return s.Detach(c.id)
	})
	c.end()
}

// Answer answers a question that stands before the client. The error is an
// *AnswerError: the answer was refused, and what it answered is as it was.
func (c *Client) Answer(a AnswerApproval) error {
	b := c.broker
	choice, ok := core.ParseChoice(a.Answer)
	if !ok {
		return &AnswerError{CodeMalformed, a.ID}
	}
	answer := core.Answer{Choice: choice, Pattern: a.Pattern, Reason: a.Reason}
	b.pause("answer")
	b.mu.Lock()
	of := b.cases[a.ID]
	b.mu.Unlock()
	if of == nil || a.Digest != "" && a.Digest != of.Card.Digest {
		return &AnswerError{CodeGone, a.ID}
	}
	covers := b.covered(of, core.Verdict{Fate: core.Approved, Choice: choice, Pattern: a.Pattern})
	outcome := core.Gone
	b.event("answering", func(s core.Session) (next core.Session, acts []core.Act) {
		if b.cases[a.ID] != of {
			return s, nil
		}
		next, outcome, acts = s.Answer(c.id, a.ID, answer, covers)
		return next, acts
	})
	switch outcome {
	case core.Taken:
		return nil
	case core.NotOffered:
		return &AnswerError{CodeNotOffered, a.ID}
	case core.Gone:
	}
	return &AnswerError{CodeGone, a.ID}
}

// Pending lists the questions that stand before the client now, the oldest first. It
// is what a client shows that came late or that missed frames; frames that are still
// on their way may repeat some of it or settle it.
func (c *Client) Pending() []Approval {
	b := c.broker
	b.pause("pending")
	b.mu.Lock()
	defer b.mu.Unlock()
	out := []Approval{}
	for _, id := range b.core.Sees(c.id) {
		out = append(out, b.cases[id].Card)
	}
	return out
}

// Next waits for the next frame. The error is ErrClosed when the attachment has
// ended, or the cause of ctx. One goroutine at a time may wait.
func (c *Client) Next(ctx context.Context) (Frame, error) {
	for {
		if f, ok := c.take(); ok {
			return f, nil
		}
		select {
		case <-c.ready:
		case <-c.ended:
			return nil, ErrClosed
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// take is the first frame that waits. What was missed comes first: it is older than
// all that waits.
func (c *Client) take() (Frame, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.over:
		return nil, false
	case c.missed > 0:
		f := &Missed{Frames: c.missed}
		c.missed = 0
		return f, true
	case len(c.frames) > 0:
		f := c.frames[0]
		c.frames = c.frames[1:]
		return f, true
	}
	return nil, false
}

// send puts a frame in the client's queue and never waits. The broker's lock is held,
// so that frames stand in the order in which things happened.
func (c *Client) send(f Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frames = append(c.frames, f); len(c.frames) > MaxFrames {
		c.missed += len(c.frames)
		c.frames = nil
	}
	select {
	case c.ready <- struct{}{}:
	default:
	}
}

// end wakes a Next that waits. What is still in the queue is about questions that are
// no longer this client's.
func (c *Client) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over {
		c.over, c.frames, c.missed = true, nil, 0
		close(c.ended)
	}
}
