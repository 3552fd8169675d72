package provider

import (
	"encoding/json"
	"fmt"

	"tenet/core/call"
)

// One event of an Anthropic stream, as leniently as it can be read without losing a
// byte of what the model said.
type anthropicEvent struct {
	Type    string           `json:"type"`
	Index   *int             `json:"index"`
	Message anthropicMessage `json:"message"`
	Block   anthropicStart   `json:"content_block"`
	Delta   anthropicDelta   `json:"delta"`
	Usage   anthropicUsage   `json:"usage"`
	Error   json.RawMessage  `json:"error"`
}

type anthropicMessage struct {
	Model string         `json:"model"`
	Usage anthropicUsage `json:"usage"`
}

// anthropicStart is the start of a block.
type anthropicStart struct {
	Type      string          `json:"type"`
	Text      text            `json:"text"`
	Thinking  text            `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
	ID        word            `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
}

type anthropicDelta struct {
	Type      string    `json:"type"`
	Text      text      `json:"text"`
	Thinking  text      `json:"thinking"`
	Signature string    `json:"signature"`
	JSON      arguments `json:"partial_json"`

	Stop        string `json:"stop_reason"`
	StopDetails struct {
		Explanation aside `json:"explanation"`
	} `json:"stop_details"`
}

// anthropicUsage are token counts; each event gives those that it knows.
type anthropicUsage struct {
	Input   *float64 `json:"input_tokens"`
	Written *float64 `json:"cache_creation_input_tokens"`
	Read    *float64 `json:"cache_read_input_tokens"`
	Output  *float64 `json:"output_tokens"`
}

// UnmarshalJSON reads the counts; another shape counts as absent, because no answer
// hangs on them.
func (u *anthropicUsage) UnmarshalJSON(b []byte) error {
	type plain anthropicUsage
	if json.Unmarshal(b, (*plain)(u)) != nil {
		*u = anthropicUsage{}
	}
	return nil
}

// set takes a count where there is a sound one.
func set(to *int, n *float64) {
	if n != nil && *n >= 0 && *n <= 1e12 {
		*to = int(*n)
	}
}

// kind names a delta; one without a type is known by what it holds.
func (d anthropicDelta) kind() string {
	switch {
	case d.Type != "":
		return d.Type
	case d.Text != "":
		return "text_delta"
	case d.JSON != "":
		return "input_json_delta"
	}
	return ""
}

// anthropicStop is the error of a stop reason with which no reply is whole, nil for one
// that ends a reply.
func anthropicStop(d anthropicDelta) error {
	shown := call.OneLine(d.Stop, 60)
	switch d.Stop {
	case "end_turn", "stop_sequence", "tool_use", "max_tokens":
		return nil
	case "refusal":
		why := ""
		if said := call.OneLine(string(d.StopDetails.Explanation), 300); said != "" {
			why = ": " + said
		}
		return &Error{Class: Rejected, Message: "the provider refused to let the model answer" + why + "; what came of the reply is no answer; say it in another way or use another model"}
	case "pause_turn":
		return &Error{Class: Malformed, Message: "the server paused the turn for a tool of its own (pause_turn), of which none was offered; use a server that runs no tools of its own"}
	case "model_context_window_exceeded":
		return overfull()
	}
	return &Error{Class: Malformed, Message: fmt.Sprintf("the reply ended with the stop reason %q, which is not known: whether it is whole cannot be told; use a server that says end_turn, tool_use or max_tokens", shown)}
}

// overfull is the error of a reply that ended where the model's context did. It is no
// length stop: a model that is told to be brief meets the same end, while a compacted
// context leaves it room.
func overfull() error {
	return &Error{Class: Overflow, Message: "the reply filled the model's context to its end and was cut there; the context must become shorter"}
}
