package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"tenet/core/call"
)

// One event of a Responses stream, as leniently as it can be read without losing a byte
// of what the model said.
type responsesEvent struct {
	Type      string          `json:"type"`
	Output    *int            `json:"output_index"`
	Content   *int            `json:"content_index"`
	Summary   *int            `json:"summary_index"`
	ItemID    word            `json:"item_id"`
	Delta     word            `json:"delta"`
	Text      word            `json:"text"`
	Refusal   word            `json:"refusal"`
	Arguments arguments       `json:"arguments"`
	Item      json.RawMessage `json:"item"`
	Response  json.RawMessage `json:"response"`
	Error     json.RawMessage `json:"error"`
}

// responsesItem is a part of the output: a message, a call, reasoning.
type responsesItem struct {
	Type      string         `json:"type"`
	ID        word           `json:"id"`
	CallID    word           `json:"call_id"`
	Name      string         `json:"name"`
	Arguments arguments      `json:"arguments"`
	Content   responsesTexts `json:"content"`
	Summary   responsesTexts `json:"summary"`
	Encrypted aside          `json:"encrypted_content"`
}

// responsesTexts are the texts of parts; of another shape they are absent.
type responsesTexts []string

// UnmarshalJSON takes the texts of a list of parts.
func (t *responsesTexts) UnmarshalJSON(b []byte) error {
	var parts []struct{ Text, Refusal text }
	if json.Unmarshal(b, &parts) != nil {
		return nil
	}
	*t = nil
	for _, p := range parts {
		*t = append(*t, string(p.Text+p.Refusal))
	}
	return nil
}

// responsesObject is a response as a whole.
type responsesObject struct {
	ID         string            `json:"id"`
	Object     string            `json:"object"`
	Status     string            `json:"status"`
	Model      string            `json:"model"`
	Error      json.RawMessage   `json:"error"`
	Output     []json.RawMessage `json:"output"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Usage   responsesUsage `json:"usage"`
	Expires json.Number    `json:"expires_at"`
}

type responsesUsage struct {
	Input   *float64 `json:"input_tokens"`
	Output  *float64 `json:"output_tokens"`
	Details struct {
		Cached *float64 `json:"cached_tokens"`
	} `json:"input_tokens_details"`
}

// UnmarshalJSON reads the counts; another shape counts as absent, because no answer
// hangs on them.
func (u *responsesUsage) UnmarshalJSON(b []byte) error {
	type plain responsesUsage
	if json.Unmarshal(b, (*plain)(u)) != nil {
		*u = responsesUsage{}
	}
	return nil
}

// deferred is the error of a response that the server still works on.
func (o responsesObject) deferred() *Deferred {
	d := &Deferred{Job: o.ID}
	if s, err := o.Expires.Int64(); err == nil && s > 0 {
		d.Expires = time.Unix(s, 0)
	}
	return d
}

// ended is the error of a status with which there is no reply, nil for a whole one.
func (o responsesObject) ended(status string) error {
	switch status {
	case "completed":
		return nil
	case "incomplete":
		return o.cutShort()
	case "failed":
		if empty(o.Error) {
			return inBand(said{})
		}
		return inBand(parseError(o.Error))
	case "cancelled", "canceled":
		return &Error{Class: Rejected, Message: "the answer was cancelled at the server; send the message again"}
	}
	return &Error{Class: Malformed, Message: fmt.Sprintf("the response ended with the status %q, which is not known: whether it is whole cannot be told; use a server that says completed, incomplete or failed", call.OneLine(status, 60))}
}

// cutShort is the error of an incomplete response, nil where only its length was
// limited: that is a reply, cut at its end.
func (o responsesObject) cutShort() error {
	reason := strings.ToLower(o.Incomplete.Reason)
	switch reason {
	case "max_output_tokens", "max_tokens", "length":
		return nil
	case "content_filter":
		return badFinish(reason)
	case "context_length_exceeded", "model_context_window_exceeded":
		return overfull()
	}
	return &Error{Class: Malformed, Message: fmt.Sprintf("the response is incomplete for the reason %q, which is not known, so nothing of it is used", call.OneLine(o.Incomplete.Reason, 60))}
}

// compactItem is an item as it goes back: its bytes without the spaces between them.
func compactItem(b json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	if json.Compact(&out, b) != nil {
		return nil
	}
	return out.Bytes()
}
