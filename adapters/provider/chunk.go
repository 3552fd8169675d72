package provider

import (
	"bytes"
	"encoding/json"
	"errors"
)

// One event of a chat completion stream, as leniently as it can be read without
// losing a byte of what the model said.
type chunk struct {
	Object  string          `json:"object"`
	Type    string          `json:"type"`
	Error   json.RawMessage `json:"error"`
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
}

type choice struct {
	Index  int             `json:"index"`
	Delta  delta           `json:"delta"`
	Finish string          `json:"finish_reason"`
	Usage  json.RawMessage `json:"usage"` // some servers put it here
}

type delta struct {
	Content   text  `json:"content"`
	Refusal   text  `json:"refusal"`
	Reasoning aside `json:"reasoning"`
	Thinking  aside `json:"reasoning_content"`
	// Details are a router's opaque blocks of thinking, read later and only where they go
	// back.
	Details  json.RawMessage `json:"reasoning_details"`
	Calls    []callDelta     `json:"tool_calls"`
	Function *function       `json:"function_call"` // the form before tool_calls
}

// calls are the pieces of calls, in whichever form they came.
func (d delta) calls() []callDelta {
	if d.Function == nil {
		return d.Calls
	}
	return append(d.Calls, callDelta{Index: new(int), Function: *d.Function})
}

type callDelta struct {
	Index    *int     `json:"index"`
	ID       word     `json:"id"`
	Function function `json:"function"`
}

type function struct {
	Name      string    `json:"name"`
	Arguments arguments `json:"arguments"`
}

// text is a string, null, or a list of parts of which some are text.
type text string

var errText = errors.New("content is neither a text nor a list of parts")

// UnmarshalJSON takes the text; another shape is an error, because dropping it
// would drop words of the model.
func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	case b[0] == '"':
		s, err := unquote(b)
		*t = text(s)
		return err
	case bytes.Equal(b, null):
		return nil
	case b[0] == '[':
		return t.parts(b)
	}
	return errText
}

func (t *text) parts(b []byte) error {
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return errText
	}
	for _, p := range parts {
		*t += text(p.Text)
	}
	return nil
}

// aside is text that is no part of the answer: of a shape that is not known it is
// left out.
type aside string

// UnmarshalJSON takes the text where there is one; it never fails.
func (a *aside) UnmarshalJSON(b []byte) error {
	_ = (*text)(a).UnmarshalJSON(b) // no answer hangs on it
	return nil
}

// word is what should be a string and from some servers is another value: an id
// that is a number, arguments that are an object.
type word string

// UnmarshalJSON takes a string as it is and anything else as its JSON text.
func (w *word) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		s, err := unquote(b)
		*w = word(s)
		return err
	}
	if !bytes.Equal(b, null) {
		*w = word(b)
	}
	return nil
}

// arguments is a piece of the argument text, or the whole of it where a server
// sends the object itself.
type arguments = word

var null = []byte("null")

func isNull(b json.RawMessage) bool { return len(b) == 0 || bytes.Equal(b, null) }

// usage reads token counts; numbers of another shape count as absent, because no
// answer hangs on them.
func usage(b json.RawMessage) (in, out int, ok bool) {
	var u struct {
		Input  float64 `json:"prompt_tokens"`
		Output float64 `json:"completion_tokens"`
	}
	if isNull(b) || json.Unmarshal(b, &u) != nil || u.Input < 0 || u.Output < 0 || u.Input > 1e12 || u.Output > 1e12 {
		return 0, 0, false
	}
	return int(u.Input), int(u.Output), true
}
