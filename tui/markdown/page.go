// Package markdown draws the Markdown of a model in lines of cells, also while it still
// arrives. The text is cut into pieces at places where what follows cannot change what
// stands before; only the last piece is parsed again when more comes, so that the work
// for a reply grows with its length and not with the square of it. A text has the same
// lines however it arrived.
package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"tenet/tui/text"
	"tenet/tui/theme"
)

// maxLine is the most bytes of one source line that are laid out together: the line that
// is still open is cleaned again with every delta.
const maxLine = 4 << 10

// Page is one text at one width. It is used by one goroutine.
type Page struct {
	width int
	raw   []byte // all that came, to see whether a new text goes on from it
	rest  int    // where in raw the line begins that has no end yet
	s     splitter
	lines []string
	fixed int // how many of lines stand for good
	drawn bool
}

// New is an empty page of lines of at most width cells. The theme is read once.
func New(th *theme.Theme, width int) *Page {
	p := &Page{width: max(width, 1), drawn: true}
	p.s = splitter{p: newPainter(th), width: p.width}
	p.s.reset()
	return p
}

// Set makes s the text of the page. Where it goes on from the text before, only what is
// new is new work.
func (p *Page) Set(s string) {
	if len(s) >= len(p.raw) && s[:len(p.raw)] == string(p.raw) {
		p.Append(s[len(p.raw):])
		return
	}
	p.raw, p.rest, p.lines, p.fixed = p.raw[:0], 0, p.lines[:0], 0
	p.s.reset()
	p.Append(s)
}

// Append adds s to the end of the text.
func (p *Page) Append(s string) {
	if s == "" {
		return
	}
	p.raw = append(p.raw, s...)
	p.drawn = false
	for {
		n := wholeLine(p.raw[p.rest:])
		if n == 0 {
			return
		}
		p.lines = p.feed(p.lines[:p.fixed], string(p.raw[p.rest:p.rest+n]))
		p.fixed = len(p.lines)
		p.rest += n
	}
}

// Lines are the lines of the text. They hold until the text changes.
func (p *Page) Lines() []string {
	if p.drawn {
		return p.lines
	}
	keep := p.s.state
	p.lines = p.lines[:p.fixed]
	if p.rest < len(p.raw) {
		p.lines = p.feed(p.lines, string(p.raw[p.rest:]))
	}
	p.lines = p.s.flush(p.lines)
	p.s.state = keep
	p.drawn = true
	return p.lines
}

// Parsed counts the bytes that were parsed until now, those of the open piece each time:
// what the work for a stream is measured by.
func (p *Page) Parsed() int { return p.s.parsed }

// feed takes one line, which is more than one where it holds line ends of other systems.
func (p *Page) feed(out []string, line string) []string {
	clean := strings.TrimSuffix(text.Clean(line), "\n")
	for l := range strings.SplitSeq(clean, "\n") {
		out = p.s.line(out, l)
	}
	return out
}

// wholeLine is the length of the first line of b with its end, 0 when its end is not
// there yet. A line of more than maxLine bytes ends at a blank before that.
func wholeLine(b []byte) int {
	n := bytes.IndexByte(b[:min(len(b), maxLine)], '\n') + 1
	if n > 0 || len(b) < maxLine {
		return n
	}
	if n = bytes.LastIndexByte(b[:maxLine], ' ') + 1; n > maxLine/2 {
		return n
	}
	for n = maxLine; n > maxLine-utf8.UTFMax && !utf8.RuneStart(b[n-1]); n-- {
	}
	return n - 1
}
