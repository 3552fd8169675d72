// Package pager shows a text that is longer than the screen: help, the explanation of a
// verdict, an audit, a diff. It wraps to the width it is given, scrolls and searches.
package pager

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tenet/tui/text"
	"tenet/tui/theme"
)

// Move is one way to look at another part. The set is closed.
type Move uint8

// The moves.
const (
	Up Move = iota
	Down
	PageUp
	PageDown
	HalfUp
	HalfDown
	Top
	Bottom
	NextMatch
	PreviousMatch
)

// Pager is one text. The zero value is not usable; see New. It is used by one goroutine.
type Pager struct {
	title, source string
	theme         *theme.Theme
	lines         []string // of the text, wrapped to width
	width, height int      // of the part that shows lines
	top           int
	query         string
	matches       []int // lines that hold the query
}

// New shows a text that may hold styles; what was not made by tenet is cleaned by whoever
// makes the text.
func New(title, source string, th *theme.Theme) *Pager {
	return &Pager{title: title, source: source, theme: th}
}

// Title names what is shown.
func (p *Pager) Title() string { return p.title }

// Source is the whole text, for a copy of it.
func (p *Pager) Source() string { return p.source }

// View is exactly h lines of at most w cells: a head, the text, and a foot that says how
// much of it is above and below.
func (p *Pager) View(w, h int) string {
	p.fit(w, max(0, h-2))
	out := make([]string, 0, max(h, 0))
	if h > 1 {
		out = append(out, p.theme.Heading.Render(text.Cut(p.title, w)))
	}
	for i := range p.height {
		line := ""
		if n := p.top + i; n < len(p.lines) {
			line = p.mark(n)
		}
		out = append(out, line)
	}
	if h > 0 {
		out = append(out, p.theme.Muted.Render(text.Cut(p.foot(), w)))
	}
	return strings.Join(out, "\n")
}

// fit wraps the text anew when the width changed; the line at the top stays near it.
func (p *Pager) fit(w, h int) {
	p.height = h
	if w != p.width || p.lines == nil {
		before := len(p.lines)
		p.width, p.lines = w, text.Wrap(strings.TrimRight(p.source, "\n"), max(1, w))
		if before > 0 {
			p.top = p.top * len(p.lines) / before
		}
		p.find()
	}
	p.top = min(max(0, p.top), max(0, len(p.lines)-h))
}

func (p *Pager) mark(n int) string {
	if p.query != "" && p.holds(n) {
		return p.theme.Selected.Render(p.lines[n])
	}
	return p.lines[n]
}

func (p *Pager) foot() string {
	at := "all of it"
	if len(p.lines) > p.height {
		at = fmt.Sprintf("%d to %d of %d lines", p.top+1, min(len(p.lines), p.top+p.height), len(p.lines))
	}
	if p.query != "" {
		at += fmt.Sprintf(" · %d lines with %q, n next, N before", len(p.matches), p.query)
	}
	return at + " · / searches · y copies · q closes"
}

// Move looks at another part.
func (p *Pager) Move(m Move) {
	switch m {
	case Up:
		p.top--
	case Down:
		p.top++
	case PageUp:
		p.top -= max(1, p.height-1)
	case PageDown:
		p.top += max(1, p.height-1)
	case HalfUp:
		p.top -= max(1, p.height/2)
	case HalfDown:
		p.top += max(1, p.height/2)
	case Top:
		p.top = 0
	case Bottom:
		p.top = len(p.lines)
	case NextMatch:
		p.next(1)
	case PreviousMatch:
		p.next(-1)
	}
	p.top = min(max(0, p.top), max(0, len(p.lines)-p.height))
}

// Search marks the lines that hold the words, without regard to case, and goes to the
// first of them. Empty words end it.
func (p *Pager) Search(query string) int {
	p.query = query
	if p.find(); len(p.matches) > 0 {
		p.top = p.matches[0]
	}
	return len(p.matches)
}

func (p *Pager) find() {
	p.matches = p.matches[:0]
	for n := range p.lines {
		if p.query != "" && p.holds(n) {
			p.matches = append(p.matches, n)
		}
	}
}

func (p *Pager) holds(n int) bool {
	return strings.Contains(strings.ToLower(ansi.Strip(p.lines[n])), strings.ToLower(p.query))
}

// next goes to the nearest match in a direction, around the ends.
func (p *Pager) next(step int) {
	if len(p.matches) == 0 {
		return
	}
	at := p.matches[0]
	if step < 0 {
		at = p.matches[len(p.matches)-1]
	}
	for i := range p.matches {
		if step > 0 && p.matches[i] > p.top {
			at = p.matches[i]
			break
		}
		if m := p.matches[len(p.matches)-1-i]; step < 0 && m < p.top {
			at = m
			break
		}
	}
	p.top = at
}

// Scroll looks further down, or up when lines is negative.
func (p *Pager) Scroll(lines int) { p.top = min(max(0, p.top+lines), max(0, len(p.lines)-p.height)) }
