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

// ResponsesAccumulator puts a Responses stream together: a pure state machine from
// events to one whole reply, or to none. The zero value is ready.
//
// Success needs response.completed, or response.incomplete at the output limit. Both end
// the reply at once, as a failure does, although the socket may stay open. An event is
// known by the type in its data; unknown ones are skipped and counted. The first failure
// stays.
type ResponsesAccumulator struct {
	// Asked is the model that the request named; its thoughts go back to it alone.
	Asked string

	items         items
	heldText      held
	heldThinking  held
	model         string
	status        string // of the end, empty before it
	closed        bool
	failed        error
	events        int
	ignored       int
	input, output int
	cached        int
}

// Done reports whether the terminal event came, and the reply stands.
func (a *ResponsesAccumulator) Done() bool { return a.status != "" && a.failed == nil }

// Closed reports whether the server said that nothing follows.
func (a *ResponsesAccumulator) Closed() bool { return a.closed || a.status != "" }

// Ignored counts what was left out: events and items of unknown types, events that a cut
// left half, and events after the end.
func (a *ResponsesAccumulator) Ignored() int { return a.ignored }

// Take reads one event. progress is true when it held a piece of the reply. The error
// is an *Error, after which the reply has failed.
func (a *ResponsesAccumulator) Take(e sse.Event) (d Delta, progress bool, err error) {
	data := bytes.TrimSpace(e.Data)
	switch {
	case a.failed != nil:
		return d, false, a.failed
	case len(data) == 0:
		return d, false, nil
	case a.Closed():
		a.ignored++
		return d, false, nil
	case bytes.Equal(data, doneMark):
		a.closed = true
		return d, false, nil
	}
	a.events++
	d, progress, a.failed = a.event(e, data)
	return d, progress, a.failed
}

func (a *ResponsesAccumulator) event(e sse.Event, data []byte) (d Delta, progress bool, err error) {
	var v responsesEvent
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
		return d, false, &Error{Class: Malformed, Message: fmt.Sprintf("an event of the stream is none of Responses (%v): %s", bad, call.OneLine(string(data), 120)), Err: bad}
	}
	return a.add(v)
}

func (a *ResponsesAccumulator) add(v responsesEvent) (d Delta, progress bool, err error) {
	switch v.Type {
	case "response.created", "response.in_progress", "response.queued":
		d.Waiting = true
	case "response.output_item.added":
		return a.item(v, false)
	case "response.output_item.done":
		return a.item(v, true)
	case "response.output_text.delta", "response.refusal.delta":
		return a.piece(v, messageItem, v.Content)
	case "response.output_text.done":
		return a.whole(v, string(v.Text))
	case "response.refusal.done":
		return a.whole(v, string(v.Refusal))
	case "response.function_call_arguments.delta":
		return a.piece(v, callItem, nil)
	case "response.function_call_arguments.done":
		return d, false, a.arguments(v)
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		return a.piece(v, reasoningItem, v.part())
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		return d, true, a.end(v)
	default:
		if !harmless[v.Type] {
			a.ignored++
		}
	}
	return d, false, nil
}

// harmless are the events that repeat what others say.
var harmless = map[string]bool{
	"response.content_part.added": true, "response.content_part.done": true, "response.reasoning_text.done": true,
	"response.reasoning_summary_part.added": true, "response.reasoning_summary_part.done": true, "response.reasoning_summary_text.done": true,
}

// part numbers the pieces of reasoning.
func (v responsesEvent) part() *int {
	if v.Summary != nil {
		return v.Summary
	}
	return v.Content
}

// item takes an item's start, or its end with all of it.
func (a *ResponsesAccumulator) item(v responsesEvent, done bool) (d Delta, progress bool, err error) {
	var it responsesItem
	if err := json.Unmarshal(v.Item, &it); err != nil {
		return d, false, &Error{Class: Malformed, Message: fmt.Sprintf("an item of the response cannot be read (%v): %s", err, call.OneLine(string(v.Item), 120)), Err: err}
	}
	f, fresh := a.items.take(v.Output, it, done)
	switch {
	case f == nil:
		return d, false, tooManyBlocks()
	case f.kind == otherItem:
		if fresh {
			a.ignored++ // an item of a server's own tools
		}
		return d, false, nil
	case done:
		d.Text = f.finish(it, v.Item)
		d.Text = a.heldText.show(d.Text)
	}
	return d, (fresh && f.kind == callItem) || done || d.Text != "", nil
}

func (a *ResponsesAccumulator) piece(v responsesEvent, kind itemKind, part *int) (d Delta, progress bool, err error) {
	f, err := a.items.of(v.Output, string(v.ItemID), kind)
	if err != nil {
		return d, false, err
	}
	if f == nil {
		a.ignored++
		return d, false, nil
	}
	first := f.add(part, string(v.Delta))
	switch kind {
	case messageItem:
		d.Text = a.heldText.show(string(v.Delta))
	case reasoningItem:
		d.Thinking = a.heldThinking.show(string(v.Delta))
		if first && d.Thinking != "" {
			d.Thinking = "\n\n" + d.Thinking
		}
	case callItem, otherItem:
	}
	return d, v.Delta != "", nil
}

// whole takes the text of a part that came without pieces.
func (a *ResponsesAccumulator) whole(v responsesEvent, text string) (d Delta, progress bool, err error) {
	f, err := a.items.of(v.Output, string(v.ItemID), messageItem)
	if err != nil || f == nil || len(f.part(v.Content).body) > 0 {
		return d, false, err
	}
	v.Delta = word(text)
	return a.piece(v, messageItem, v.Content)
}

// arguments takes the whole arguments of a call, which the server says at their end.
func (a *ResponsesAccumulator) arguments(v responsesEvent) error {
	f, err := a.items.of(v.Output, string(v.ItemID), callItem)
	if f != nil && v.Arguments != "" {
		f.final = string(v.Arguments)
	}
	return err
}

// end takes the terminal event.
func (a *ResponsesAccumulator) end(v responsesEvent) error {
	var o responsesObject
	if err := json.Unmarshal(v.Response, &o); err != nil && len(v.Response) > 0 {
		return &Error{Class: Malformed, Message: fmt.Sprintf("the end of the response cannot be read (%v): %s", err, call.OneLine(string(v.Response), 120)), Err: err}
	}
	switch o.Status {
	case "completed", "incomplete", "failed", "cancelled":
		a.status = o.Status
	default: // some servers leave it out, or at in_progress
		a.status = strings.TrimPrefix(v.Type, "response.")
	}
	return a.finish(o)
}

// finish compares the stream with what the end says of it.
func (a *ResponsesAccumulator) finish(o responsesObject) error {
	a.model = o.Model
	set(&a.input, o.Usage.Input)
	set(&a.output, o.Usage.Output)
	set(&a.cached, o.Usage.Details.Cached)
	if err := o.ended(a.status); err != nil {
		return err
	}
	var said items
	for _, raw := range o.Output {
		var it responsesItem
		if err := json.Unmarshal(raw, &it); err != nil {
			return &Error{Class: Malformed, Message: fmt.Sprintf("an item of the response cannot be read (%v): %s", err, call.OneLine(string(raw), 120)), Err: err}
		}
		f, _ := said.take(nil, it, true)
		if f == nil {
			return tooManyBlocks()
		}
		f.finish(it, raw)
	}
	return a.items.agree(said)
}

// object reads a response that came as one object. The error is a *Deferred while the
// server still works on it.
func (a *ResponsesAccumulator) object(body []byte) (event.Reply, error) {
	var o responsesObject
	if err := json.Unmarshal(body, &o); err != nil || (o.Object != "response" && o.Status == "") {
		if s, ok := parseSaid(body); ok {
			return event.Reply{}, inBand(s)
		}
		return event.Reply{}, &Error{Class: Malformed, Message: "the server answered with something that is no response: " + call.OneLine(string(body), 120), Err: err}
	}
	if o.Status == "queued" || o.Status == "in_progress" {
		if o.ID == "" {
			return event.Reply{}, &Error{Class: Malformed, Message: "the server works on the answer and gave it no id, so it cannot be asked for; use a server that stores responses, or switch the background mode off"}
		}
		return event.Reply{}, o.deferred()
	}
	a.status = o.Status
	if a.failed = a.finish(o); a.failed != nil {
		return event.Reply{}, a.failed
	}
	return a.Reply()
}

// Reply is the whole reply. Before the terminal event the error is an *Error of class
// Cut; after a failure it is that failure.
func (a *ResponsesAccumulator) Reply() (event.Reply, error) {
	if a.failed != nil {
		return event.Reply{}, a.failed
	}
	if a.status == "" {
		return event.Reply{}, &Error{Class: Cut, Message: fmt.Sprintf("the stream ended after %d events without response.completed: the reply was cut", a.events)}
	}
	r := a.items.reply()
	for i := range r.Thoughts {
		r.Thoughts[i].Model = a.Asked
	}
	r.Stop = StopEnd
	switch {
	case a.status == "incomplete":
		r.Stop = StopLength
	case len(r.Calls) > 0:
		r.Stop = StopTools
	}
	r.Model, r.Input, r.Output, r.Cached = a.model, a.input, a.output, a.cached
	return r, nil
}
