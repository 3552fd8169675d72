package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"tenet/adapters/provider/sse"
	"tenet/core/event"
)

// Accumulator puts a chat completion stream together: a pure state machine from
// events to one whole reply, or to none. The zero value is ready.
//
// Success needs the terminal signal, a finish reason: a stream that only ends was
// cut, whatever came before. Nothing is repaired: arguments that were cut stay as
// they came, and do not parse.
type Accumulator struct {
	text, thinking strings.Builder
	drafts         drafts
	heldText       held
	heldThinking   held
	finish         string
	closed         bool
	chunks         int
	choice         int // the index of the one choice that is ours
	ignored        int
	input, output  int
}

// Done reports whether the model said that it has finished.
func (a *Accumulator) Done() bool { return a.finish != "" }

// Closed reports whether the server said that nothing follows.
func (a *Accumulator) Closed() bool { return a.closed }

// Ignored counts what was left out: events that a cut left half, faults after the
// finish reason, and choices beside the one that was asked for.
func (a *Accumulator) Ignored() int { return a.ignored }

var doneMark = []byte("[DONE]")

// Take reads one event. progress is true when it held a piece of the reply. The
// error is an *Error, after which the reply has failed.
func (a *Accumulator) Take(e sse.Event) (d Delta, progress bool, err error) {
	data := bytes.TrimSpace(e.Data)
	switch {
	case len(data) == 0:
		return d, false, nil
	case bytes.Equal(data, doneMark):
		a.closed = true
		return d, false, nil
	}
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
	text := string(ch.Delta.Content + ch.Delta.Refusal)
	thinking := string(ch.Delta.Thinking)
	if thinking == "" {
		thinking = string(ch.Delta.Reasoning) // servers that send both send the same
	}
	a.text.WriteString(text)
	a.thinking.WriteString(thinking)
	d.Text += a.heldText.show(text)
	d.Thinking += a.heldThinking.show(thinking)
	calls := ch.Delta.Calls
	if f := ch.Delta.Function; f != nil {
		calls = append(calls, callDelta{Index: new(int), Function: *f})
	}
	for _, c := range calls {
		if !a.drafts.take(c, a.chunks) {
			return true, &Error{Class: TooLarge, Message: fmt.Sprintf("the reply makes more than %d tool calls", maxCalls)}
		}
	}
	progress = text != "" || thinking != "" || len(calls) > 0
	if ch.Finish == "" || a.Done() {
		return progress, nil
	}
	a.finish = ch.Finish
	return true, badFinish(ch.Finish)
}

// badFinish is the error of a finish reason that is no answer.
func badFinish(reason string) error {
	switch reason {
	case "content_filter":
		return &Error{Class: Rejected, Message: "the server's content filter stopped the reply; say it in another way or use another model"}
	case "error":
		return &Error{Class: Overload, Message: "the server ended the reply with an error and did not say which"}
	}
	return nil
}

func (a *Accumulator) count(u json.RawMessage) {
	if in, out, ok := usage(u); ok {
		a.input, a.output = in, out
	}
}

// Reply is the whole reply. Before the terminal signal the error is an *Error of
// class Cut.
func (a *Accumulator) Reply() (event.Reply, error) {
	if !a.Done() {
		return event.Reply{}, &Error{Class: Cut, Message: fmt.Sprintf("the stream ended after %d events without a finish reason: the reply was cut", a.chunks)}
	}
	calls := a.drafts.calls()
	return event.Reply{
		Text:     joined(a.text.String()),
		Thinking: joined(a.thinking.String()),
		Calls:    calls,
		Stop:     stop(a.finish, len(calls) > 0),
		Input:    a.input,
		Output:   a.output,
	}, nil
}

// The values of event.Reply.Stop.
const (
	StopEnd    = "stop"    // the model had said all
	StopLength = "length"  // the output limit cut it
	StopTools  = "toolUse" // it waits for the results of its calls
)

// stop reads a finish reason, which is a hint: servers say "stop" for replies with
// calls and "tool_calls" for replies without. Only a limit is believed, since calls
// of a reply cut at a limit may be cut themselves.
func stop(finish string, calls bool) string {
	switch finish {
	case "length", "max_tokens", "model_length", "model_context_window_exceeded":
		return StopLength
	}
	if calls {
		return StopTools
	}
	return StopEnd
}
