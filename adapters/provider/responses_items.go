package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tenet/core/event"
	"tenet/core/recovery"
)

// itemKind sorts the items of a response.
type itemKind uint8

const (
	otherItem     itemKind = iota // of a server's own tools, or not known
	messageItem                   // words
	callItem                      // function_call
	reasoningItem                 // thinking, encrypted
)

var itemKinds = map[string]itemKind{"message": messageItem, "function_call": callItem, "reasoning": reasoningItem}

// item is a part of a response that is still arriving.
type item struct {
	kind   itemKind
	index  int // the wire's index, noIndex without one
	id     string
	callID string
	name   string
	first  string // arguments that the start already had
	parts  []*itemPart
	ended  bool            // the server said that it is whole
	final  string          // what the server says is the whole of it; empty before that
	raw    json.RawMessage // reasoning as it ended
	sealed bool            // raw can go back
}

// itemPart is a part of an item, for arguments the only one.
type itemPart struct {
	index int
	body  []byte
}

// items tells the items of a response apart: by their index, which some servers leave
// out, and their id, which some change from event to event. Two calls never become one.
type items struct {
	list  []*item
	calls int
}

// take is the item of a start or an end, nil when there are too many. fresh is true for
// one that was not there.
func (is *items) take(index *int, it responsesItem, end bool) (f *item, fresh bool) {
	if f = is.find(index, string(it.ID)); f == nil && index == nil && it.ID == "" {
		f = is.byCall(string(it.CallID))
	}
	if f != nil && f.is(index, it) && (!f.ended || (end && f.repeats(it))) {
		f.learn(it)
		return f, false
	}
	f = is.open(&item{kind: itemKinds[it.Type], index: at(index), id: string(it.ID)})
	if f != nil {
		f.learn(it)
	}
	return f, true
}

func at(index *int) int {
	if index == nil {
		return noIndex
	}
	return *index
}

// is reports whether it may be f: of its kind, and not under another name of its own.
// An id that changes at one index is no other item, but another call id is.
func (f *item) is(index *int, it responsesItem) bool {
	switch {
	case f.kind != itemKinds[it.Type]:
		return false
	case f.kind != callItem:
		return index != nil || f.id == string(it.ID)
	case f.callID != "" && it.CallID != "":
		return f.callID == string(it.CallID) && (f.name == it.Name || f.name == "" || it.Name == "")
	}
	return f.id == string(it.ID) || f.id == "" || it.ID == ""
}

// repeats reports whether it says of an item that ended what was said: a repeated event,
// not a second item.
func (f *item) repeats(it responsesItem) bool {
	switch f.kind {
	case messageItem:
		return f.id == string(it.ID) && f.final == strings.Join(it.Content, "")
	case callItem:
		return f.final == string(it.Arguments)
	case reasoningItem, otherItem:
	}
	return f.id == string(it.ID)
}

// learn takes what the item says of itself; a name is set once.
func (f *item) learn(it responsesItem) {
	if f.id == "" {
		f.id = string(it.ID)
	}
	if f.callID == "" {
		f.callID = string(it.CallID)
	}
	if f.name == "" {
		f.name = it.Name
	}
	if f.kind == callItem && f.first == "" {
		f.first = string(it.Arguments)
	}
}

func (is *items) open(f *item) *item {
	if f.kind == callItem {
		is.calls++
	}
	if len(is.list) == maxBlocks || is.calls > maxCalls {
		return nil
	}
	is.list = append(is.list, f)
	return f
}

// find is the last item that fits both the index and the id, else the index, else the
// id.
func (is *items) find(index *int, id string) *item {
	var byIndex, byID *item
	for i := len(is.list) - 1; i >= 0; i-- {
		f := is.list[i]
		fits, named := index != nil && f.index == *index, f.called(id)
		if fits && named {
			return f
		}
		if fits && byIndex == nil {
			byIndex = f
		}
		if named && byID == nil && (index == nil || f.index == noIndex) {
			byID = f
		}
	}
	if byIndex != nil {
		return byIndex
	}
	return byID
}

// called reports whether an id is f's; where an item has none of its own, servers name it
// by its call.
func (f *item) called(id string) bool {
	return id != "" && (f.id == id || (f.id == "" && f.callID == id))
}

func (is *items) byCall(id string) *item {
	for i := len(is.list) - 1; i >= 0 && id != ""; i-- {
		if is.list[i].callID == id {
			return is.list[i]
		}
	}
	return nil
}

// of is the item that a piece belongs to, nil for one that is not ours to read. A piece
// whose item never started opens one: its words must not be lost.
func (is *items) of(index *int, id string, kind itemKind) (*item, error) {
	f := is.find(index, id)
	for i := len(is.list) - 1; f == nil && index == nil && id == "" && i >= 0; i-- {
		if is.list[i].kind == kind {
			f = is.list[i]
		}
	}
	switch {
	case f == nil:
		if f = is.open(&item{kind: kind, index: at(index), id: id}); f == nil {
			return nil, tooManyBlocks()
		}
	case f.kind == otherItem:
		return nil, nil
	case f.kind != kind:
		return nil, &Error{Class: Malformed, Message: "the server sent a piece of one kind for an item of another: which of the two is right cannot be told, so nothing of the reply is used; update the server, or use another"}
	}
	return f, nil
}

// part is the part with the index, or the last without one.
func (f *item) part(index *int) *itemPart {
	for i := len(f.parts) - 1; i >= 0; i-- {
		if p := f.parts[i]; index == nil || p.index == *index {
			return p
		}
	}
	p := &itemPart{index: at(index)}
	f.parts = append(f.parts, p)
	return p
}

// add takes a piece; first is true when it begins a part behind another.
func (f *item) add(part *int, s string) (first bool) {
	p := f.part(part)
	first = len(p.body) == 0 && p != f.parts[0]
	p.body = append(p.body, s...)
	return first
}

// finish takes an item as it ended. What the server says is the whole counts; it gives
// the text that no piece had brought.
func (f *item) finish(it responsesItem, raw json.RawMessage) (unsaid string) {
	f.ended = true
	switch f.kind {
	case messageItem:
		whole := strings.Join(it.Content, "")
		if f.text("") == "" {
			unsaid = whole
		}
		if whole != "" {
			f.final = whole
		}
	case reasoningItem:
		f.raw, f.sealed = compactItem(raw), it.Encrypted != ""
		if texts := append(it.Summary, it.Content...); f.text("") == "" {
			f.final = strings.Join(texts, "\n\n")
		}
	case callItem:
		if strings.TrimSpace(string(it.Arguments)) != "" {
			f.final = string(it.Arguments)
		}
	case otherItem:
	}
	return unsaid
}

// text is the whole of an item, else its parts with a gap between them.
func (f *item) text(gap string) string {
	if strings.TrimSpace(f.final) != "" {
		return joined(f.final)
	}
	var parts []string
	for _, p := range f.parts {
		parts = append(parts, string(p.body))
	}
	if text := strings.Join(parts, gap); strings.TrimSpace(text) != "" || f.first == "" {
		return joined(text)
	}
	return joined(f.first)
}

// agree takes what the end of the response says of its output. Where the stream had
// brought nothing, that is the reply; where the two differ in their calls, which of them
// is right cannot be told.
func (is *items) agree(said items) error {
	if len(said.list) == 0 {
		return nil
	}
	mine, theirs := is.reply(), said.reply()
	if mine.Text == "" && len(mine.Calls) == 0 {
		*is = said
		return nil
	}
	if len(mine.Calls) == len(theirs.Calls) && !sameCalls(mine.Calls, theirs.Calls) {
		return &Error{Class: Malformed, Message: "the server sent a tool call and says at the end that it was another: which of the two is right cannot be told, so nothing of the reply is used; update the server, or use another"}
	}
	if len(mine.Calls) != len(theirs.Calls) {
		return &Error{Class: Malformed, Message: fmt.Sprintf("the server sent %d tool calls and says at the end that there were %d: which of the two is right cannot be told, so nothing of the reply is used; update the server, or use another", len(mine.Calls), len(theirs.Calls))}
	}
	return nil
}

// sameCalls reports whether two lists make the same calls: the arguments as values, since
// a server may spell them anew, and what is no JSON as text.
func sameCalls(a, b []event.ToolCall) bool {
	return slices.EqualFunc(a, b, func(x, y event.ToolCall) bool {
		return x.Tool == y.Tool && (x.Args == y.Args || recovery.Canonical(x.Args) == recovery.Canonical(y.Args))
	})
}

// reply puts the items together in the order in which they began.
func (is *items) reply() (r event.Reply) {
	var text, thinking strings.Builder
	var thoughts []placed
	unsealed := false
	for _, f := range is.list {
		switch f.kind {
		case messageItem:
			text.WriteString(f.text(""))
		case callItem:
			c := event.ToolCall{Provider: joined(f.callID), Tool: f.name, Args: f.text("")}
			if !again(r.Calls, c) {
				r.Calls = append(r.Calls, c)
			}
		case reasoningItem:
			if t := f.text("\n\n"); t != "" {
				thinking.WriteString(gap(&thinking) + t)
			}
			unsealed = unsealed || !f.sealed
			thoughts = append(thoughts, placed{Text: text.Len(), Calls: len(r.Calls), Block: f.raw})
		case otherItem:
		}
	}
	r.Text, r.Thinking = text.String(), thinking.String()
	if !unsealed { // one item that cannot go back makes the others worthless
		r.Thoughts = thoughtsOf(WireResponses, thoughts)
	}
	return r
}
