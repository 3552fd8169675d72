package transcript

import (
	"strings"
	"time"
	"unicode/utf8"

	"tenet/tui/markdown"
)

// kind is what an item shows. The set is closed.
type kind uint8

const (
	asked    kind = iota // a person's words
	said                 // the model's words
	thought              // what it thought
	called               // a tool call
	grouped              // calls that only read, in one row
	noted                // a row for people: a notice, a setting, a note of the interface
	failed               // a reply that failed
	inquired             // the model's question to a person
	settled              // the end of a job
	changed              // a change of a file that no call of the model made
	ended                // the end of a turn
	banner               // what session this is
	missing              // how many older rows were let go
)

// item is one row of the list, with all that it takes to draw it again.
type item struct {
	kind  kind
	label string // what the kind says of it in a word: a mark, a type
	head  string // its one line, where it has one
	body  clipped
	more  []string // lines under the head that are always there
	open  bool     // it is shown in full
	live  *stream  // it still arrives
	tool  *tool    // of a call
	subs  []*item  // of a group
	group *item    // the group that it is in
	count int      // how often the same came in a row, less one

	drawn
}

// stream is a text that still arrives.
type stream struct {
	page *markdown.Page // of the model's words, at the width and theme of its making
	text strings.Builder
	era  int
}

// The bounds of what an item keeps, in bytes. What is more is counted; the log has it.
const (
	maxText   = 256 << 10 // of a text that a person or the model wrote
	maxOutput = 16 << 10  // of what a call wrote, half from its beginning
	maxArg    = 4 << 10   // of one argument
	maxDiff   = 96 << 10  // of the diffs of one call
	maxLive   = 4 << 10   // of what a running command wrote last
	maxRow    = 2 << 10   // of a reason, a rule, a name
)

// clipped is a text of which the middle may be gone.
type clipped struct {
	head, tail string
	lines      int // how many lines are gone between them
	bytes      int
}

// clip keeps the first and the last half of most bytes, at line ends where there are
// some near. It keeps a copy: the rest is let go.
func clip(s string, most int) clipped {
	if len(s) <= most {
		return clipped{head: s}
	}
	from, to := most/2, len(s)-most/2
	if i := strings.LastIndexByte(s[:from], '\n') + 1; i > from/2 {
		from = i
	}
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	if i := strings.IndexByte(s[to:], '\n') + 1; i > 0 && i < most/4 {
		to += i
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	return clipped{strings.Clone(s[:from]), strings.Clone(s[to:]), strings.Count(s[from:to], "\n"), to - from}
}

// empty reports whether there is nothing to show.
func (c clipped) empty() bool { return c.bytes == 0 && strings.TrimSpace(c.head+c.tail) == "" }

// size is how many bytes are kept.
func (c clipped) size() int { return len(c.head) + len(c.tail) }

// all is what is kept, as one text.
func (c clipped) all() string {
	if c.bytes == 0 {
		return c.head
	}
	return c.head + "\n" + gone(c) + "\n" + c.tail
}

// row is the first maxRow bytes of a text that has one row.
func row(s string) string {
	if len(s) <= maxRow {
		return s
	}
	return strings.Clone(lastValid(s[:maxRow])) + "…"
}

func lastValid(s string) string {
	for n := len(s); n > len(s)-utf8.UTFMax && n > 0; n-- {
		if r, _ := utf8.DecodeLastRuneInString(s[:n]); r != utf8.RuneError {
			return s[:n]
		}
	}
	return s
}

// lastBytes is the end of s, from a letter's beginning.
func lastBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	for s != "" && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return strings.Clone(s)
}

// What an item and a call cost beside their texts, in bytes.
const (
	itemCost = 300
	toolCost = 600
)

// kept is how many bytes an item keeps.
func (it *item) kept() int {
	n := itemCost + len(it.head) + it.body.size()
	for _, m := range it.more {
		n += len(m)
	}
	if it.tool != nil {
		n += it.tool.kept()
	}
	for _, s := range it.subs {
		n += s.kept()
	}
	return n
}

// span is a time in a few signs, empty for one that is not worth telling.
func span(d time.Duration) string {
	switch {
	case d < 100*time.Millisecond:
		return ""
	case d < time.Minute:
		return trimZero(d.Seconds()) + "s"
	case d < time.Hour:
		return two(int(d.Minutes()), "m", int(d.Seconds())%60, "s")
	}
	return two(int(d.Hours()), "h", int(d.Minutes())%60, "m")
}
