package composer

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/tui/keys"
	"tenet/tui/text"
)

// naive is the editor as a list of characters, by the slowest and plainest means: the text
// is one string that is parted anew for each question.
type naive struct {
	s   string
	cur int
}

// clusters are where characters begin, and the end.
func (n naive) clusters() []int {
	out := []int{0}
	for at := 0; at < len(n.s); {
		if n.s[at] == '\n' {
			at++
		} else {
			line, _, _ := strings.Cut(n.s[at:], "\n")
			at += nextCluster(line)
		}
		out = append(out, at)
	}
	return out
}

func (n naive) step(at, by int) int {
	all := n.clusters()
	i, _ := slices.BinarySearch(all, at)
	return all[max(0, min(len(all)-1, i+by))]
}

func (n *naive) replace(from, to int, s string) {
	n.s = n.s[:from] + s + n.s[to:]
	n.cur = n.settle(from + len(s))
}

// settle is the next place between two characters.
func (n naive) settle(at int) int {
	i, _ := slices.BinarySearch(n.clusters(), at)
	return n.clusters()[i]
}

func (n naive) line() (from, to int) {
	from = strings.LastIndexByte(n.s[:n.cur], '\n') + 1
	if to = strings.IndexByte(n.s[n.cur:], '\n'); to < 0 {
		return from, len(n.s)
	}
	return from, n.cur + to
}

// word goes over blanks and one word.
func (n naive) word(at, by int) int {
	in := classBlank
	for {
		next := n.step(at, by)
		if next == at {
			return at
		}
		c := class(n.s[min(at, next):max(at, next)])
		if in == classBlank {
			in = c
		} else if c != in || in == classChip {
			return at
		}
		at = next
	}
}

func (n naive) blankLeft(at int) int {
	seen := false
	for {
		next := n.step(at, -1)
		if next == at {
			return at
		}
		if class(n.s[next:at]) != classBlank {
			seen = true
		} else if seen {
			return at
		}
		at = next
	}
}

// do is an action on the naive text; false when it knows none of it.
func (n *naive) do(a keys.Action) bool {
	from, to := n.line()
	switch {
	case a == keys.Left:
		n.cur = n.step(n.cur, -1)
	case a == keys.Right:
		n.cur = n.step(n.cur, 1)
	case a == keys.WordLeft:
		n.cur = n.word(n.cur, -1)
	case a == keys.WordRight:
		n.cur = n.word(n.cur, 1)
	case a == keys.LineStart:
		n.cur = from
	case a == keys.LineEnd:
		n.cur = to
	case a == keys.TextStart:
		n.cur = 0
	case a == keys.TextEnd:
		n.cur = len(n.s)
	case a == keys.Newline:
		n.replace(n.cur, n.cur, "\n")
	case a == keys.DeleteBack:
		n.replace(n.step(n.cur, -1), n.cur, "")
	case a == keys.DeleteForward:
		n.replace(n.cur, n.step(n.cur, 1), "")
	case a == keys.KillWord:
		n.replace(n.cur, n.word(n.cur, 1), "")
	case a == keys.KillWordBack:
		n.replace(n.blankLeft(n.cur), n.cur, "")
	case a == keys.KillToEnd && to == n.cur:
		n.replace(n.cur, n.step(n.cur, 1), "")
	case a == keys.KillToEnd:
		n.replace(n.cur, to, "")
	case a == keys.KillToStart && from == n.cur:
		n.replace(n.step(n.cur, -1), n.cur, "")
	case a == keys.KillToStart:
		n.replace(from, n.cur, "")
	default:
		return false
	}
	return true
}

// pieces are what is typed and pasted: parts of characters too, which join with what is
// there.
var pieces = []string{"a", "B9", "_", " ", "\t", ".", "-/", "é", "\u0301", "日本", "👨‍👩‍👧", "\u200d", "🇺🇸", "\U0001F1FA", "🏽", "\ufe0f", "س", "क", "\u094d", "\u0600",
	"\u1112", "\u1161", "\x1b", "\u202e", "\U0010F003", "a\r\nb", "x\ny", "\n", "\xff", strings.Repeat("long ", 500), strings.Repeat("l\n", 12), strings.Repeat("\u0301", 40)}

var edits = []keys.Action{keys.Left, keys.Right, keys.WordLeft, keys.WordRight, keys.LineStart, keys.LineEnd, keys.TextStart, keys.TextEnd, keys.Newline,
	keys.DeleteBack, keys.DeleteForward, keys.KillWord, keys.KillWordBack, keys.KillToEnd, keys.KillToStart}

// Any keys and pastes, at any width: the text and the cursor are the naive model's, every
// frame has its exact size, and all of it can be undone and done again.
func TestAnyKeysKeepTheText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := fresh(Options{})
		n := naive{}
		states := []string{""}
		for range rapid.IntRange(1, 40).Draw(rt, "keys") {
			switch what := rapid.IntRange(0, 9).Draw(rt, "what"); {
			case what < 3:
				s := rapid.SampledFrom(pieces).Draw(rt, "piece")
				chips := len(c.b.chips)
				if what == 0 {
					c.Paste(s)
				} else {
					c.typed(strings.NewReplacer("!", "", "?", "").Replace(s))
				}
				n.replace(n.cur, n.cur, model(c, plain(s), chips, what == 0))
			case what < 4:
				c.SetSize(rapid.IntRange(1, 30).Draw(rt, "w"), rapid.IntRange(1, 20).Draw(rt, "h"))
			case what < 5:
				c.b.vertical(rapid.SampledFrom([]int{-1, 1}).Draw(rt, "rows"), c.usable())
				n.cur = flat(c)
				if n.settle(n.cur) != n.cur {
					rt.Fatalf("the cursor stands in a character: %d of %q", n.cur, n.s)
				}
			default:
				a := rapid.SampledFrom(edits).Draw(rt, "action")
				c.Do(a)
				n.do(a)
			}
			if c.b.text() != n.s || flat(c) != n.cur {
				rt.Fatalf("the text is %q with the cursor at %d, want %q at %d", c.b.text(), flat(c), n.s, n.cur)
			}
			if c.b.size+len(c.b.lines)-1 != len(n.s) && c.b.size != len(n.s) {
				rt.Fatalf("the size is %d of %d bytes", c.b.size, len(n.s))
			}
			states = append(states, n.s)
			measured(rt, c)
		}
		undone(rt, c, states)
	})
}

// model is a text as the naive model holds it: with the characters of the chips that were
// made of it.
func model(c *Composer, s string, chips int, pasted bool) string {
	fresh := func(i int) string { return string(rune(firstChip + chips + i)) }
	if pasted && (len(s) > chipBytes || lines(s) > chipLines) {
		return fresh(0)
	}
	return strings.ReplaceAll(s, "\U0010F003", fresh(0))
}

// flat is the cursor as a byte of the whole text.
func flat(c *Composer) int {
	at := c.b.cur.at
	for _, l := range c.b.lines[:c.b.cur.line] {
		at += len(l.s) + 1
	}
	return at
}

// undone undoes everything, through states that were there, and does it again.
func undone(rt *rapid.T, c *Composer, states []string) {
	last := c.b.text()
	for c.b.back() {
		if !slices.Contains(states, c.b.text()) {
			rt.Fatalf("undo made a text that never was: %q", c.b.text())
		}
		measured(rt, c)
	}
	if c.b.text() != "" {
		rt.Fatalf("undone is %q", c.b.text())
	}
	for c.b.again() {
	}
	if c.b.text() != last {
		rt.Fatalf("done again is %q, want %q", c.b.text(), last)
	}
}

// At any size, one cell and one line too, with anything open: the view is exact and nothing
// panics (tui-019).
func TestEverySizeIsExact(t *testing.T) {
	names := []string{"/", "/mo", "@", "vi", "down", "up", "tab", "enter", "ctrl+r", "make", "esc", "backspace", "ctrl+c", "!", "日本 text", "pgdown", "ctrl+j", "alt+up", "?"}
	rapid.Check(t, func(rt *rapid.T) {
		c := fresh(Options{Commands: some, History: []string{"make test", "make\nlint", "!ls"}, Files: func(context.Context, string) []string { return []string{"view.go", "日本.go", "a b/"} }})
		c.Placeholder("Ask anything \x1b[31m日本")
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			c.SetSize(rapid.IntRange(1, 50).Draw(rt, "w"), rapid.IntRange(1, 12).Draw(rt, "h"))
			measured(rt, c)
			if rapid.IntRange(0, 5).Draw(rt, "paste") == 0 {
				c.Paste(strings.Repeat("日\tx\n", rapid.IntRange(1, 20).Draw(rt, "lines")))
				c.Do(keys.ShowChip)
			}
			press(c, rapid.SampledFrom(names).Draw(rt, "key"))
			measured(rt, c)
		}
	})
}

// Any text at any width: its rows hold all of it, and none is too wide.
func TestRowsHoldTheText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBuffer()
		b.replace(pos{}, pos{}, strings.ReplaceAll(plain(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(rt, "text"), "")), "\n", " "))
		usable := rapid.IntRange(1, 12).Draw(rt, "usable")
		s, rows := b.lines[0].s, b.rowsOf(0, usable)
		c := &Composer{b: b}
		at := 0
		for i := range rows {
			from, to := b.span(spot{0, i}, usable)
			if from != at || to < from || to == from && i < len(rows)-1 {
				rt.Fatalf("row %d is %d to %d after %d: %v", i, from, to, at, rows)
			}
			at = to
			width := 0
			for part := s[from:to]; part != ""; {
				n := nextCluster(part)
				cell, _ := c.cell(part[:n], usable)
				width += text.Width(cell)
				part = part[n:]
			}
			if width > usable || i == len(rows)-1 && width >= usable && usable > 1 {
				rt.Fatalf("row %d of %q has %d cells of %d", i, s, width, usable)
			}
		}
		if at != len(s) {
			rt.Fatalf("the rows end at %d of %d", at, len(s))
		}
	})
}

// The cursor gets back to the column it left, through shorter rows.
func TestUpAndDownKeepTheColumn(t *testing.T) {
	c := fresh(Options{})
	c.Set("a long line\nx\nanother one")
	press(c, "up", "up")
	if c.b.cur != (pos{0, 11}) {
		t.Errorf("%v", c.b.cur)
	}
	press(c, "left", "left", "down", "down")
	if c.b.cur != (pos{2, 9}) {
		t.Errorf("%v", c.b.cur)
	}
}
