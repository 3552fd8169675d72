package provider

import (
	"strings"

	"tenet/core/event"
)

// maxCalls bounds the calls of one reply; a reply with more is no work but a fault.
const maxCalls = 512

// draft is a call that is still arriving.
type draft struct {
	index int // the wire's index, noIndex without one
	id    string
	name  string
	args  []byte
	chunk int // the chunk that touched it last
}

const noIndex = -1

// drafts tells calls apart by what the wire gives: an index that may be missing or
// always 0, an id that may come late, repeat or never come, a name that may be
// sent once or with every piece. Two calls never become one: a wrong join could
// run what the model did not say, a wrong split is refused as an unknown tool or
// as arguments that are no JSON.
type drafts struct {
	list []draft
}

// take adds one piece. chunk numbers the event it came in; false means maxCalls.
func (d *drafts) take(c callDelta, chunk int) bool {
	at := d.find(c, chunk)
	if at >= 0 && d.list[at].repeats(c) {
		return true
	}
	if at < 0 || d.list[at].ended(c) {
		if len(d.list) == maxCalls {
			return false
		}
		d.list = append(d.list, draft{index: noIndex})
		at = len(d.list) - 1
	}
	d.list[at].add(c, chunk)
	return true
}

// find is the call that a piece may belong to, -1 without one.
func (d *drafts) find(c callDelta, chunk int) int {
	switch {
	case c.Index != nil:
		if at := d.last(func(f draft) bool { return f.index == *c.Index }); at >= 0 || c.ID == "" {
			return at
		}
		return d.last(func(f draft) bool { return f.index == noIndex && f.id == string(c.ID) })
	case c.ID != "":
		if at := d.last(func(f draft) bool { return f.id == string(c.ID) }); at >= 0 || c.Function.Name != "" {
			return at
		}
		return d.anonymous() // an id that comes late
	}
	at := len(d.list) - 1
	if at >= 0 && d.list[at].chunk == chunk && c.Function.Name != "" {
		return -1 // two entries of one list are two calls
	}
	return at
}

func (d *drafts) last(is func(draft) bool) int {
	for i := len(d.list) - 1; i >= 0; i-- {
		if is(d.list[i]) {
			return i
		}
	}
	return -1
}

// anonymous is the last call if it has no id yet.
func (d *drafts) anonymous() int {
	at := len(d.list) - 1
	if at >= 0 && d.list[at].id != "" {
		return -1
	}
	return at
}

// ended reports whether a piece that could belong to f opens a call of its own:
// another id, another name, or the name again with arguments after whole arguments.
func (f *draft) ended(c callDelta) bool {
	if c.ID != "" && f.id != "" && string(c.ID) != f.id {
		return true
	}
	if c.Function.Name == "" || f.name == "" {
		return false
	}
	return c.Function.Name != f.name || (!blank(c.Function.Arguments) && isObject(f.args))
}

// repeats reports whether c is the whole of f once more under the same id: a
// repeated event, not a second call.
func (f *draft) repeats(c callDelta) bool {
	return c.ID != "" && string(c.ID) == f.id && c.Function.Name == f.name &&
		string(c.Function.Arguments) == string(f.args) && isObject(f.args)
}

// add takes a piece. A name and an id are set once, never joined; arguments are
// kept byte for byte, and whatever does not fit stays as it came, to be refused.
func (f *draft) add(c callDelta, chunk int) {
	f.chunk = chunk
	if c.Index != nil {
		f.index = *c.Index
	}
	if f.id == "" {
		f.id = string(c.ID)
	}
	if f.name == "" {
		f.name = c.Function.Name
	}
	f.args = append(f.args, c.Function.Arguments...)
}

func blank(a arguments) bool { return strings.TrimSpace(string(a)) == "" }

func (d *drafts) calls() []event.ToolCall {
	var out []event.ToolCall
	for _, f := range d.list {
		out = append(out, event.ToolCall{Provider: joined(f.id), Tool: f.name, Args: joined(string(f.args))})
	}
	return out
}
