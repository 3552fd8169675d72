package provider

import (
	"encoding/json"
)

// WireChat is event.Thought.Wire for the opaque blocks of a chat completions router.
const WireChat = "chat"

// detailBlocks are the reasoning_details of a stream. Each piece belongs to the block of its
// index and type; texts are joined, everything else is set once, so that what is
// signed goes back as it was signed.
type detailBlocks struct {
	list []map[string]json.RawMessage
	// bad is true when a piece could not be read: then nothing goes back, a gap would be
	// refused in every later request.
	bad bool
}

// joinedFields are the texts of a block that arrive in pieces.
var joinedFields = map[string]bool{"text": true, "summary": true, "data": true}

func (b *detailBlocks) take(pieces json.RawMessage) {
	if isNull(pieces) {
		return
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(pieces, &list) != nil {
		b.bad = true
		return
	}
	for _, p := range list {
		b.add(p)
	}
}

func (b *detailBlocks) add(p map[string]json.RawMessage) {
	for _, old := range b.list {
		if _, indexed := p["index"]; indexed && string(old["index"]) == string(p["index"]) && string(old["type"]) == string(p["type"]) {
			merge(old, p)
			return
		}
	}
	b.list = append(b.list, p)
}

func merge(old, p map[string]json.RawMessage) {
	for name, v := range p {
		switch before, there := old[name]; {
		case isNull(v):
		case !there || isNull(before):
			old[name] = v
		case joinedFields[name]:
			old[name] = concat(before, v)
		}
	}
}

// concat joins two JSON strings; what is none stays as it was.
func concat(a, b json.RawMessage) json.RawMessage {
	x, errX := unquote(a)
	y, errY := unquote(b)
	if errX != nil || errY != nil {
		return a
	}
	return compact(joined(x + y))
}

// raw is the blocks as one list, nil without any.
func (b *detailBlocks) raw() json.RawMessage {
	if b.bad || len(b.list) == 0 {
		return nil
	}
	return compact(b.list)
}
