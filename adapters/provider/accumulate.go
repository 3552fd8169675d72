package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"tenet/adapters/provider/sse"
	"tenet/core/call"
	"tenet/core/event"
)

// Accumulator puts a chat completion stream together: a pure state machine from
// events to one whole reply, or to none. The zero value is ready.
//
// Success needs the terminal signal, a finish reason that is known: a stream that
// only ends was cut, whatever came before. Behind it only numbers may come: a piece
// of the reply there says that the signal was none. Nothing is repaired: arguments
// that were cut stay as they came, and do not parse. The first failure stays.
type Accumulator struct {
	// Asked is the model that was asked, whose the opaque blocks of thinking are; Details
	// is true when they are to go back to it.
	Asked   string
	Details bool

	blocks         detailBlocks
	text, thinking strings.Builder
	drafts         drafts
	heldText       held
	heldThinking   held
	finish         string
	failed         error
	closed         bool
	chunks         int
	choice         int // the index of the one choice that is ours
	ignored        int
	input, output  int
}

// Done reports whether the model said that it has finished, and the reply stands.
func (a *Accumulator) Done() bool { return a.finish != "" && a.failed == nil }

// Closed reports whether the server said that nothing follows.
func (a *Accumulator) Closed() bool { return a.closed }

// Ignored counts what was left out: events that a cut left half, events after the
// end mark, faults, thoughts and other reasons after the finish reason, and choices
// beside the one that was asked for.
func (a *Accumulator) Ignored() int { return a.ignored }

var doneMark = []byte("[DONE]")

// Take reads one event. progress is true when it held a piece of the reply. The
// error is an *Error, after which the reply has failed. After the end mark nothing
// is read: what a server still sends there is no part of the reply.
func (a *Accumulator) Take(e sse.Event) (d Delta, progress bool, err error) {
	data := bytes.TrimSpace(e.Data)
	switch {
	case a.failed != nil:
		return d, false, a.failed
	case len(data) == 0:
		return d, false, nil
	case bytes.Equal(data, doneMark):
		a.closed = true
		return d, false, nil
	case a.closed:
		a.ignored++
		return d, false, nil
	}
	d, progress, a.failed = a.event(e, data)
	return d, progress, a.failed
}

func (a *Accumulator) event(e sse.Event, data []byte) (d Delta, progress bool, err error) {
	a.chunks++
	var c chunk
	bad := json.Unmarshal(data, &c)
	f := streamFault(e, c, data, bad)
	switch {
	case f != nil && !a.Done():
		return d, false, f
	case f != nil || bad != nil:
		a.ignored++ // the reply stands already, or this event was cut and so is the reply
		return d, false, nil
	}
	return a.add(c)
}

func (a *Accumulator) add(c chunk) (d Delta, progress bool, err error) {
	a.count(c.Usage)
	for _, ch := range c.Choices {
		if a.chunks == 1 && len(c.Choices) == 1 {
			a.choice = ch.Index // some servers count from 1
		}
		if ch.Index != a.choice {
			a.ignored++
			continue
		}
		p, err := a.piece(ch, &d)
		if err != nil {
			return d, progress, err
		}
		progress = progress || p
	}
	return d, progress, nil
}

func (a *Accumulator) piece(ch choice, d *Delta) (progress bool, err error) {
	a.count(ch.Usage)
	if a.finish != "" {
		return false, a.behind(ch)
	}
	text := string(ch.Delta.Content + ch.Delta.Refusal)
	thinking := string(ch.Delta.Thinking)
	if thinking == "" {
		thinking = string(ch.Delta.Reasoning) // servers that send both send the same
	}
	if a.Details {
		a.blocks.take(json.RawMessage(ch.Delta.Details))
	}
	a.text.WriteString(text)
	a.thinking.WriteString(thinking)
	d.Text += a.heldText.show(text)
	d.Thinking += a.heldThinking.show(thinking)
	calls := ch.Delta.calls()
	for _, c := range calls {
		if !a.drafts.take(c, a.chunks) {
			return true, &Error{Class: TooLarge, Message: fmt.Sprintf("the reply makes more than %d tool calls", maxCalls)}
		}
	}
	progress = text != "" || thinking != "" || len(calls) > 0
	if ch.Finish == "" {
		return progress, nil
	}
	a.finish = ch.Finish
	return true, badFinish(ch.Finish)
}

// behind is the error of a piece of the reply behind the finish reason. To add it
// would believe a server that contradicts itself, and run a call that came after the
// end; to leave it out would give half an answer for a whole one.
func (a *Accumulator) behind(ch choice) error {
	d := ch.Delta
	if d.Content+d.Refusal != "" || len(d.calls()) > 0 {
		return &Error{Class: Malformed, Message: fmt.Sprintf("the server sent a piece of the reply after its finish reason (%s): which of the two is right cannot be told, so nothing of the reply is used; update the server, or use another", call.OneLine(a.finish, 60))}
	}
	if d.Thinking+d.Reasoning != "" || (ch.Finish != "" && ch.Finish != a.finish) {
		a.ignored++
	}
	return nil
}

func (a *Accumulator) count(u json.RawMessage) {
	if in, out, ok := usage(u); ok {
		a.input, a.output = in, out
	}
}

// Reply is the whole reply. Before the terminal signal the error is an *Error of
// class Cut; after a failure it is that failure.
func (a *Accumulator) Reply() (event.Reply, error) {
	if a.failed != nil {
		return event.Reply{}, a.failed
	}
	if !a.Done() {
		return event.Reply{}, &Error{Class: Cut, Message: fmt.Sprintf("the stream ended after %d events without a finish reason: the reply was cut", a.chunks)}
	}
	calls := a.drafts.calls()
	var thoughts []event.Thought
	if raw := a.blocks.raw(); raw != nil {
		thoughts = []event.Thought{{Wire: WireChat, Model: a.Asked, Raw: raw}}
	}
	return event.Reply{
		Thoughts: thoughts,
		Text:     joined(a.text.String()),
		Thinking: joined(a.thinking.String()),
		Calls:    calls,
		Stop:     stop(a.finish, len(calls) > 0),
		Input:    a.input,
		Output:   a.output,
	}, nil
}
