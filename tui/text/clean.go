// Package text lays out lines of a terminal: it makes text of others safe to draw, and
// cuts, wraps and pads lines by one measure of cells. Every part of the interface
// measures with Width, so that no two of them disagree about where a line ends.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// TabStop is how far apart the stops are that Clean expands a tab to, in cells.
const TabStop = 4

// maxMarks bounds the combining marks on one letter: more make a column of ink that
// covers the lines above and below.
const maxMarks = 4

// Clean is s as text that is safe to lay out: only line ends (\n) and characters that
// take the same cells in every terminal stay. Escape sequences go as a whole, since a
// command's OSC 52 would write the clipboard; a carriage return overwrites its line, as
// a progress bar means it; controls that reorder or hide text go; tabs are spaces up to
// the next stop; flags, keycaps, skin tones and joined emoji, whose widths no two
// terminals agree about, take a plain form; a byte that is no UTF-8 is U+FFFD.
// Clean(Clean(s)) is Clean(s).
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	c := cleaner{in: s, out: make([]byte, 0, len(s)+8)}
	for c.at < len(s) {
		r, n := utf8.DecodeRuneInString(s[c.at:])
		c.at += n
		c.take(r, n)
	}
	return string(c.out)
}

// Line is Clean as one line: every run of blanks and line ends is one blank, none at
// the ends. It is for names and for texts that have one row.
func Line(s string) string {
	s = Clean(s)
	if !strings.Contains(s, "  ") && !strings.Contains(s, "\n") {
		return strings.Trim(s, " ")
	}
	return strings.Join(strings.Fields(s), " ")
}

func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n') || c > '~' {
			return false
		}
	}
	return true
}

// cleaner reads in from at; the current line of out begins at line and has col cells.
type cleaner struct {
	in        string
	at        int
	out       []byte
	line, col int
	// open is the end of the line up to which no string ends: looking again for each of
	// ten thousand introducers in it would be quadratic.
	open int
}

func (c *cleaner) take(r rune, n int) {
	switch {
	case r >= ' ' && r <= '~':
		c.out = append(c.out, byte(r))
		c.col++
	case r == utf8.RuneError:
		c.put(r)
	case r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || r == 0x2028 || r == 0x2029:
		c.control(r)
	case isFlag(r):
		c.flag(r)
	case r != ' ' && unicode.Is(unicode.Zs, r) || r == 0x2800:
		c.blank(r)
	case gone(r):
	case unicode.Is(unicode.M, r):
		c.mark(r)
	case !drawable(r):
		c.put(utf8.RuneError)
	case !c.syllable(r):
		c.put(r)
	}
}

func (c *cleaner) put(r rune) {
	before := len(c.out)
	c.out = utf8.AppendRune(c.out, r)
	c.col += runeWidth(string(c.out[before:]))
}

func (c *cleaner) newline() {
	c.out = append(c.out, '\n')
	c.line, c.col = len(c.out), 0
}

func (c *cleaner) control(r rune) {
	switch r {
	case '\n', 0x85, 0x2028, 0x2029:
		c.newline()
	case '\r':
		c.back()
	case '\t':
		for n := TabStop - c.col%TabStop; n > 0; n-- {
			c.out = append(c.out, ' ')
			c.col++
		}
	case '\v', '\f':
		c.put(' ')
	case '\b':
		c.erase()
	case 0x1b, 0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f:
		c.escape(r)
	}
}

// back is a carriage return: what comes next overwrites the line, unless the line or
// the text ends here.
func (c *cleaner) back() {
	rest := strings.TrimLeft(c.in[c.at:], "\r")
	if rest == "" || rest[0] == '\n' {
		return
	}
	c.out, c.col = c.out[:c.line], 0
}

// erase is a backspace: old manuals print a letter over itself to make it bold.
func (c *cleaner) erase() {
	for len(c.out) > c.line {
		r, n := utf8.DecodeLastRune(c.out)
		c.col = max(0, c.col-runeWidth(string(c.out[len(c.out)-n:])))
		c.out = c.out[:len(c.out)-n]
		if !unicode.Is(unicode.M, r) {
			return
		}
	}
}

// blank is a space of another width as plain ones.
func (c *cleaner) blank(r rune) {
	c.put(' ')
	if r == 0x3000 {
		c.put(' ')
	}
}

// mark puts a combining mark on its letter. One without a letter would join what stands
// before the text, a border for example, and gets a dotted circle.
func (c *cleaner) mark(r rune) {
	marks, base := 0, false
	for rest := c.out[c.line:]; len(rest) > 0 && !base; marks++ {
		last, n := utf8.DecodeLastRune(rest)
		if last == ' ' {
			break
		}
		base = !unicode.Is(unicode.M, last)
		rest = rest[:len(rest)-n]
	}
	switch {
	case !base:
		c.put('◌')
	case marks > maxMarks:
		return
	}
	c.put(r)
}
