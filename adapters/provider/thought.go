package provider

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"tenet/core/event"
)

// The wires of event.Thought.Wire: whose thinking blocks these are.
const (
	WireAnthropic = "anthropic"
	WireResponses = "responses"
)

// placed is a thinking block with its place in the reply. A provider signs its blocks
// in the order in which the reply had them, so each goes back between the same words
// and calls.
type placed struct {
	Text  int             `json:"text"`  // bytes of the reply's text before it
	Calls int             `json:"calls"` // calls of the reply before it
	Block json.RawMessage `json:"block"`
}

func thoughtsOf(wire string, ps []placed) []event.Thought {
	var out []event.Thought
	for _, p := range ps {
		out = append(out, event.Thought{Wire: wire, Raw: compact(p)})
	}
	return out
}

// compact is v as JSON that keeps < > & as they are.
func compact(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return nil // and without its block a thought is not returned
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// returned are the thinking blocks of a message that go back to this wire and model:
// all of them, or none. A block that was signed by another model, or whose own text was
// not kept, fails every later request of the session, and so does a gap in their row.
func returned(m Message, wire, model string, whole func(block json.RawMessage) bool) []placed {
	var out []placed
	for _, t := range m.Thoughts {
		var p placed
		if t.Wire != wire || t.Model != model || json.Unmarshal(t.Raw, &p) != nil || !whole(p.Block) {
			return nil
		}
		if p.Text >= len(m.Text) && p.Calls >= len(m.Calls) {
			return nil // nothing stands behind it, and no provider takes a message that ends in a thought
		}
		out = append(out, p)
	}
	return out
}

// parts walks a reply in the order in which it was made: thoughts between the pieces
// of text and the calls.
func parts(m Message, thoughts []placed, text func(string), call func(event.ToolCall), thought func(json.RawMessage)) {
	said, called := 0, 0
	upTo := func(at, calls int) {
		if at = boundary(m.Text, at); at > said {
			text(m.Text[said:at])
			said = at
		}
		for ; called < min(calls, len(m.Calls)); called++ {
			call(m.Calls[called])
		}
	}
	for _, p := range thoughts {
		upTo(p.Text, p.Calls)
		thought(p.Block)
	}
	upTo(len(m.Text), 0)
	upTo(0, len(m.Calls))
}

// boundary is the last start of a character at or before n.
func boundary(s string, n int) int {
	n = min(max(n, 0), len(s))
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}
