package recovery

import (
	"fmt"
	"sync"

	"tenet/core/event"
	"tenet/core/recovery"
)

// Entry is one entry of a context: a message, or a round with its results.
type Entry uint8

// The entries.
const (
	NoEntry   Entry = iota
	Person          // a person's message
	Harness         // the harness's
	Reply           // an answer of the model
	A               // the calls A with one result
	AOther          // with another
	AFailed         // with the same text as an error
	B               // the calls B
	Both            // A and B in one round
	BothAgain       // the same two, the other way round, spelled in another way
	entries   = iota - 1
)

var entryNames = [...]string{"-", "person", "harness", "reply", "A", "A other", "A failed", "B", "A+B", "B+A"}

// String names the entry.
func (e Entry) String() string { return entryNames[e] }

// Context is the entries of a context; what is not there is NoEntry.
type Context [5]Entry

// rounds is the calls of a round, 0 for what is none, and what its results amount to: two
// rounds are the same when both numbers are.
func (e Entry) rounds() (calls uint8, results int) {
	switch e {
	case A:
		return 1, 1
	case AOther:
		return 1, 2
	case AFailed:
		return 1, 3
	case B:
		return 2, 1
	case Both, BothAgain:
		return 3, 1
	case NoEntry, Person, Harness, Reply:
	}
	return 0, 0
}

// Rounds is how many rounds in a row end the context with the calls and the same
// results: the plainest count.
func (c Context) Rounds(calls uint8) int {
	row, results := 0, 0
	for _, e := range c {
		made, gave := e.rounds()
		switch {
		case e == NoEntry || e == Harness:
		case made != calls:
			row = 0
		case row > 0 && gave == results:
			row++
		default:
			row, results = 1, gave
		}
	}
	return row
}

// Person reports whether a person spoke after the last round of the context.
func (c Context) Person() bool {
	spoke := false
	for _, e := range c {
		if made, _ := e.rounds(); made > 0 || e == Reply {
			spoke = false
		}
		spoke = spoke || e == Person
	}
	return spoke
}

// looks is every context of four entries, alone and behind one more round of A, seen with
// each of the calls.
func looks(yield func(Op) bool) bool {
	var c Context
	for {
		for _, calls := range []uint8{1, 2, 3} {
			if !yield(Op{Kind: Look, Context: c, Calls: calls}) {
				return false
			}
		}
		if !c.next() {
			return true
		}
	}
}

// next counts the contexts through; the first entry is none or A.
func (c *Context) next() bool {
	for at := len(c) - 1; at > 0; at-- {
		if c[at]++; c[at] <= entries {
			return true
		}
		c[at] = NoEntry
	}
	first := c[0]
	c[0] = A
	return first == NoEntry
}

// messages is the context as a provider would get it.
func (c Context) messages() (out []event.Message) {
	for i, e := range c {
		out = append(out, e.messages(i)...)
	}
	return out
}

func (e Entry) messages(at int) []event.Message {
	one := event.ToolCall{ID: fmt.Sprintf("call_%d_1", at), Tool: "see", Args: fmt.Sprintf(`{"i":"look %d","at":"x","deep":{"b":1.0,"a":[2]}}`, at)}
	two := event.ToolCall{ID: fmt.Sprintf("call_%d_2", at), Tool: "now", Args: "{}"}
	said := func(c event.ToolCall, text string) event.Message {
		return event.Message{Role: event.Tool, Call: c, Text: text}
	}
	switch e {
	case Person:
		return []event.Message{{Role: event.User, Text: "go on"}}
	case Harness:
		return []event.Message{{Role: event.User, Harness: true, Text: "a job settled"}}
	case Reply:
		return []event.Message{{Role: event.Assistant, Text: "done"}}
	case A:
		return []event.Message{{Role: event.Assistant, Text: fmt.Sprint("try ", at), Calls: []event.ToolCall{one}}, said(one, "one")}
	case AOther:
		return []event.Message{{Role: event.Assistant, Calls: []event.ToolCall{one}}, said(one, "another")}
	case AFailed:
		failed := said(one, "one")
		failed.Error = true
		return []event.Message{{Role: event.Assistant, Calls: []event.ToolCall{one}}, failed}
	case B:
		return []event.Message{{Role: event.Assistant, Calls: []event.ToolCall{two}}, said(two, "noon")}
	case Both:
		return []event.Message{{Role: event.Assistant, Calls: []event.ToolCall{one, two}}, said(one, "one"), said(two, "noon")}
	case BothAgain:
		one.Args, two.Args = "{\"deep\": {\"a\": [2], \"b\": 1.0},\n \"at\": \"x\"}", `{"i":"which hour"}`
		return []event.Message{{Role: event.Assistant, Calls: []event.ToolCall{two, one}}, said(two, "noon"), said(one, "one")}
	case NoEntry:
	}
	return nil
}

// calls are the calls 1 (A), 2 (B) or 3 (both) as a new reply makes them.
func calls(n uint8) (out []event.ToolCall) {
	if n&1 != 0 {
		out = append(out, event.ToolCall{Tool: "see", Args: `{"deep":{"a":[2],"b":1.0},"at":"x"}`})
	}
	if n&2 != 0 {
		out = append(out, event.ToolCall{Tool: "now"})
	}
	return out
}

// inContext asks core how many rounds in a row end the context of the state with the
// calls. The state's context is made of its last round alone, so the answers are few.
func inContext(s State, calls uint8) int {
	at := int(s.Last)*most*2 + int(max(s.Same, 1)-1)*2
	if s.Murmur {
		at++
	}
	return asked()[calls-1][at]
}

var asked = sync.OnceValue(func() [2][5 * most * 2]int { return [2][5 * most * 2]int{askAll(1), askAll(2)} })

func askAll(n uint8) (out [5 * most * 2]int) {
	for last := Round(0); last <= 4; last++ {
		for same := range most {
			for murmur := range 2 {
				at := int(last)*most*2 + same*2 + murmur
				out[at] = recovery.Rounds(rounds(last, same+1, murmur == 1), calls(n))
			}
		}
	}
	return out
}

// rounds is a context that ends with the round so many times.
func rounds(r Round, times int, murmur bool) []event.Message {
	kind := [...]Entry{NoEntry, A, AOther, B, B}[r]
	out := Person.messages(99)
	for i := range times {
		ms := kind.messages(i)
		if r == 4 {
			ms[1].Text = "midnight"
		}
		out = append(out, ms...)
	}
	if murmur {
		out = append(out, Harness.messages(99)...)
	}
	return out
}
