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

// AnthropicAccumulator puts an Anthropic Messages stream together: a pure state machine
// from events to one whole reply, or to none. The zero value is ready.
//
// Success needs message_stop after a stop reason that is known. Blocks may interleave,
// events of unknown types are skipped and counted, and an event is known by the type in
// its data, because proxies drop the event lines. The first failure stays.
type AnthropicAccumulator struct {
	// Asked is the model that the request named; its thoughts go back to it alone.
	Asked string

	blocks        blocks
	heldText      held
	heldThinking  held
	model         string
	stop          string
	stopped       bool
	failed        error
	events        int
	ignored       int
	input, output int
	written, read int
}

// Done reports whether message_stop came, and the reply stands.
func (a *AnthropicAccumulator) Done() bool { return a.stopped && a.failed == nil }

// Closed reports whether the server said that nothing follows.
func (a *AnthropicAccumulator) Closed() bool { return a.stopped }

// Ignored counts what was left out: events, blocks and deltas of unknown types, events
// that a cut left half, and events after the end.
func (a *AnthropicAccumulator) Ignored() int { return a.ignored }

// Take reads one event. progress is true when it held a piece of the reply; a ping is a
// sign of life alone. The error is an *Error, after which the reply has failed.
func (a *AnthropicAccumulator) Take(e sse.Event) (d Delta, progress bool, err error) {
	data := bytes.TrimSpace(e.Data)
	switch {
	case a.failed != nil:
		return d, false, a.failed
	case len(data) == 0:
		return d, false, nil
	case a.stopped:
		a.ignored++
		return d, false, nil
	}
	a.events++
	d, progress, a.failed = a.event(e, data)
	return d, progress, a.failed
}

func (a *AnthropicAccumulator) event(e sse.Event, data []byte) (d Delta, progress bool, err error) {
	var v anthropicEvent
	bad := json.Unmarshal(data, &v)
	if v.Type == "" {
		v.Type = e.Name
	}
	switch {
	case !empty(v.Error) || v.Type == "error" || e.Name == "error":
		return d, false, anthropicFault(data)
	case bad != nil && e.Open:
		a.ignored++ // the cut of the connection is in the middle of this event
		return d, false, nil
	case bad != nil:
		return d, false, &Error{Class: Malformed, Message: fmt.Sprintf("an event of the stream is none of Anthropic's (%v): %s", bad, call.OneLine(string(data), 120)), Err: bad}
	}
	return a.add(v)
}

// anthropicFault is an error inside the stream, sorted by its own type: the HTTP status
// was 200.
func anthropicFault(data []byte) error {
	s, ok := parseSaid(data)
	if !ok {
		s = said{message: string(data)}
	}
	return inBand(s)
}

func (a *AnthropicAccumulator) add(v anthropicEvent) (d Delta, progress bool, err error) {
	switch v.Type {
	case "ping":
		d.Waiting = true
	case "message_start":
		a.model = v.Message.Model
		a.count(v.Message.Usage)
	case "content_block_start":
		return a.start(v)
	case "content_block_delta":
		return a.delta(v)
	case "content_block_stop":
	case "message_delta":
		a.count(v.Usage)
		return d, v.Delta.Stop != "", a.reason(v.Delta)
	case "message_stop":
		a.stopped = true
		if a.stop == "" {
			return d, true, &Error{Class: Cut, Message: "the server ended the reply without a stop reason: whether it is whole cannot be told"}
		}
		return d, true, nil
	default:
		a.ignored++
	}
	return d, false, nil
}

func (a *AnthropicAccumulator) count(u anthropicUsage) {
	set(&a.input, u.Input)
	set(&a.written, u.Written)
	set(&a.read, u.Read)
	set(&a.output, u.Output)
}

// reason takes a stop reason; the first one counts.
func (a *AnthropicAccumulator) reason(d anthropicDelta) error {
	switch {
	case d.Stop == "" || d.Stop == a.stop:
		return nil
	case a.stop != "":
		a.ignored++
		return nil
	}
	a.stop = d.Stop
	return anthropicStop(d)
}

func (a *AnthropicAccumulator) start(v anthropicEvent) (d Delta, progress bool, err error) {
	b, fresh := a.blocks.start(v.Index, v.Block)
	switch {
	case b == nil:
		return d, false, tooManyBlocks()
	case !fresh:
		return d, false, nil
	case b.kind == otherBlock:
		a.ignored++
		return d, false, nil
	}
	d.Text = a.heldText.show(string(v.Block.Text))
	d.Thinking = a.heldThinking.show(string(v.Block.Thinking))
	return d, b.kind == callBlock || b.kind == sealedBlock || d != (Delta{}), nil
}

func (a *AnthropicAccumulator) delta(v anthropicEvent) (d Delta, progress bool, err error) {
	kind, known := deltaKinds[v.Delta.kind()]
	if !known {
		a.ignored++ // citations, and what later versions add
		return d, false, nil
	}
	b, err := a.blocks.of(v.Index, kind)
	if err != nil {
		return d, false, err
	}
	if b == nil {
		a.ignored++ // a piece of a block that is not ours to read
		return d, false, nil
	}
	b.add(v.Delta)
	switch kind {
	case textBlock:
		d.Text = a.heldText.show(string(v.Delta.Text))
	case thoughtBlock:
		d.Thinking = a.heldThinking.show(string(v.Delta.Thinking))
	case callBlock, sealedBlock, otherBlock:
	}
	return d, v.Delta.Text+v.Delta.Thinking != "" || v.Delta.JSON != "" || v.Delta.Signature != "", nil
}

// Reply is the whole reply. Before message_stop the error is an *Error of class Cut;
// after a failure it is that failure.
func (a *AnthropicAccumulator) Reply() (event.Reply, error) {
	if a.failed != nil {
		return event.Reply{}, a.failed
	}
	if !a.stopped {
		return event.Reply{}, &Error{Class: Cut, Message: fmt.Sprintf("the stream ended after %d events without message_stop: the reply was cut", a.events)}
	}
	r := a.blocks.reply()
	for i := range r.Thoughts {
		r.Thoughts[i].Model = a.Asked
	}
	r.Stop = StopEnd
	switch {
	case a.stop == "max_tokens":
		r.Stop = StopLength
	case len(r.Calls) > 0:
		r.Stop = StopTools
	}
	r.Model = strings.TrimSpace(a.model)
	r.Input, r.Output, r.Cached = a.input+a.written+a.read, a.output, a.read
	return r, nil
}
