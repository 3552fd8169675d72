package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"tenet/core/event"
)

// maxBlocks bounds the blocks of one reply; a reply with more is no work but a fault.
const maxBlocks = 4096

// blockKind sorts the blocks of a reply.
type blockKind uint8

const (
	otherBlock   blockKind = iota // of a server's own tools, or not known
	textBlock                     // words
	callBlock                     // tool_use
	thoughtBlock                  // thinking, signed
	sealedBlock                   // redacted_thinking: opaque
)

var blockKinds = map[string]blockKind{"text": textBlock, "tool_use": callBlock, "thinking": thoughtBlock, "redacted_thinking": sealedBlock}

// deltaKinds say which block a delta is a piece of.
var deltaKinds = map[string]blockKind{"text_delta": textBlock, "input_json_delta": callBlock, "thinking_delta": thoughtBlock, "signature_delta": thoughtBlock}

// block is a part of a reply that is still arriving.
type block struct {
	kind    blockKind
	index   int // the wire's index, noIndex without one
	id      string
	name    string
	whole   json.RawMessage // the input that the start gave
	body    []byte          // text, thinking or pieces of the arguments
	sign    string          // the signature of thinking, the data of a sealed block
	touched bool            // a delta came
	echo    bool            // its start is that of a whole call before it
}

// blocks tells the blocks of a reply apart: by their index, which is missing behind
// some proxies and always 0 behind others. Two calls never become one.
type blocks struct {
	list  []*block
	calls int
}

// start opens a block, nil when there are too many. fresh is false for a start that
// only repeats the one before it.
func (bs *blocks) start(index *int, s anthropicStart) (b *block, fresh bool) {
	b = &block{kind: blockKinds[s.Type], index: noIndex, id: string(s.ID), name: s.Name}
	if index != nil {
		b.index = *index
	}
	switch b.kind {
	case textBlock:
		b.body = []byte(s.Text)
	case thoughtBlock:
		b.body, b.sign = []byte(s.Thinking), s.Signature
	case sealedBlock:
		b.sign = s.Data
	case callBlock:
		b.whole = s.Input
	case otherBlock:
	}
	if last := bs.find(index); last != nil && (last.repeats(b) || last.goesOn(b)) {
		return last, false
	} else if last != nil {
		b.echo = last.sameCall(b)
	}
	return bs.open(b), true
}

// sameCall reports whether both name one call: some servers say the start of a call
// again before its last piece.
func (a *block) sameCall(b *block) bool {
	return a.kind == callBlock && b.kind == callBlock && a.id != "" && a.id == b.id && a.name == b.name
}

// goesOn reports whether b only says again that a call begins whose arguments are not
// whole yet. Behind whole arguments it is a call of its own, once it has any.
func (a *block) goesOn(b *block) bool {
	return a.sameCall(b) && !isObject(a.body) && bytes.Equal(a.whole, b.whole)
}

// open adds a block, nil when there are too many.
func (bs *blocks) open(b *block) *block {
	if b.kind == callBlock {
		bs.calls++
	}
	if len(bs.list) == maxBlocks || bs.calls > maxCalls {
		return nil
	}
	bs.list = append(bs.list, b)
	return b
}

func tooManyBlocks() error {
	return &Error{Class: TooLarge, Message: fmt.Sprintf("the reply has more than %d tool calls or %d blocks", maxCalls, maxBlocks)}
}

// repeats reports whether b says what a says and a is still only its start: a repeated
// event, not a second block.
func (a *block) repeats(b *block) bool {
	return !a.touched && a.kind == b.kind && a.id == b.id && a.name == b.name && a.sign == b.sign &&
		bytes.Equal(a.body, b.body) && bytes.Equal(a.whole, b.whole) && (a.id != "" || (a.kind != callBlock && a.index != noIndex))
}

// find is the last block at an index, or the last of all without one.
func (bs *blocks) find(index *int) *block {
	for i := len(bs.list) - 1; i >= 0; i-- {
		if index == nil || bs.list[i].index == *index {
			return bs.list[i]
		}
	}
	return nil
}

func (bs *blocks) last(kind blockKind) *block {
	for i := len(bs.list) - 1; i >= 0; i-- {
		if bs.list[i].kind == kind {
			return bs.list[i]
		}
	}
	return nil
}

// of is the block that a delta belongs to, nil for a block that is not ours. A delta
// whose block never started opens one: its words must not be lost, and a call without
// a name is refused.
func (bs *blocks) of(index *int, kind blockKind) (*block, error) {
	b := bs.find(index)
	if index == nil && b != nil && b.kind != otherBlock {
		b = bs.last(kind)
	}
	switch {
	case b != nil && b.kind == kind:
		return b, nil
	case b != nil && b.kind == otherBlock:
		return nil, nil
	case b != nil:
		return nil, &Error{Class: Malformed, Message: "the server sent a piece of one kind for a block of another: which of the two is right cannot be told, so nothing of the reply is used; update the server, or use another"}
	}
	b = &block{kind: kind, index: noIndex}
	if index != nil {
		b.index = *index
	}
	if b = bs.open(b); b == nil {
		return nil, tooManyBlocks()
	}
	return b, nil
}

// add takes a piece; a signature is set whole, everything else is joined.
func (b *block) add(d anthropicDelta) {
	b.touched = true
	if d.Signature != "" {
		b.sign = d.Signature
	}
	switch b.kind {
	case textBlock:
		b.body = append(b.body, d.Text...)
	case thoughtBlock:
		b.body = append(b.body, d.Thinking...)
	case callBlock:
		b.body = append(b.body, d.JSON...)
	case sealedBlock, otherBlock:
	}
}

// args is the exact text of a call's arguments. The start of a call says {} whatever
// follows, so that alone is no text: a call that was cut there has none.
func (b *block) args() string {
	whole := bytes.TrimSpace(b.whole)
	if len(bytes.TrimSpace(b.body)) == 0 && isObject(whole) && !empty(whole) {
		return joined(string(whole))
	}
	return joined(string(b.body))
}

// thought is the block as it goes back, nil for one that cannot: without its signature
// or its text a provider refuses it, and with it every later request.
func (b *block) thought() json.RawMessage {
	switch b.kind {
	case thoughtBlock:
		return compact(struct {
			Type      string `json:"type"`
			Thinking  string `json:"thinking"`
			Signature string `json:"signature"`
		}{"thinking", joined(string(b.body)), b.sign})
	case sealedBlock:
		return compact(struct {
			Type string `json:"type"`
			Data string `json:"data"`
		}{"redacted_thinking", b.sign})
	case otherBlock, textBlock, callBlock:
	}
	return nil
}

// reply puts the blocks together in the order in which they began.
func (bs *blocks) reply() (r event.Reply) {
	var text, thinking strings.Builder
	var thoughts []placed
	unsigned := false
	for _, b := range bs.list {
		switch b.kind {
		case textBlock:
			text.Write(b.body)
		case callBlock:
			c := event.ToolCall{Provider: joined(b.id), Tool: b.name, Args: b.args()}
			if !again(r.Calls, c) && !(b.echo && !b.touched) {
				r.Calls = append(r.Calls, c)
			}
		case thoughtBlock, sealedBlock:
			if b.kind == thoughtBlock && len(b.body) > 0 {
				thinking.WriteString(gap(&thinking) + joined(string(b.body)))
			}
			unsigned = unsigned || b.sign == ""
			thoughts = append(thoughts, placed{Text: len(joined(text.String())), Calls: len(r.Calls), Block: b.thought()})
		case otherBlock:
		}
	}
	r.Text, r.Thinking = joined(text.String()), thinking.String()
	if !unsigned { // one block without its signature makes the others worthless
		r.Thoughts = thoughtsOf(WireAnthropic, thoughts)
	}
	return r
}

// gap parts two blocks of thinking for people.
func gap(b *strings.Builder) string {
	if b.Len() == 0 {
		return ""
	}
	return "\n\n"
}

// again reports whether a whole call was sent once more under the id that it has.
func again(calls []event.ToolCall, c event.ToolCall) bool {
	for _, d := range calls {
		if c.Provider != "" && c == d && isObject([]byte(c.Args)) {
			return true
		}
	}
	return false
}
