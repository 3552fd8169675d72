package card

import (
	"slices"
	"strconv"
	"strings"

	core "tenet/core/card"
	diff "tenet/tui/diffview"
	"tenet/tui/text"
	"tenet/tui/theme"
)

// border stands before every line of a card's body; no text can reach it.
const border = "│"

// lay makes the lines of the body for a width. They are made anew only when something
// about them is another.
func (s *Stack) lay(w int, patterns bool) {
	at := &s.screen
	want := drawn{width: w, details: at.details, patterns: patterns, columns: s.inColumns(w), theme: s.theme.Name}
	if at.drawn == want && at.lines != nil {
		return
	}
	at.drawn, at.seen, at.beside = want, 0, nil
	rows := s.rows(want)
	if want.columns {
		rows = slices.DeleteFunc(rows, func(r core.Row) bool { return r.Kind == core.Change })
		at.beside = diff.SideBySide(s.questions[at.id].Diff, w-text.Width(border), s.theme)
	}
	at.lines = core.Lines(rows, w-text.Width(border), text.Width)
	at.top = max(0, min(at.top, s.length()-1))
}

// inColumns reports whether the change stands with the old lines beside the new ones: on
// the whole of a wide screen, until a person wants it otherwise.
func (s *Stack) inColumns(w int) bool {
	return s.screen.full && !s.screen.single && w >= diff.SideWidth && s.questions[s.screen.id].Diff != ""
}

// length is how many lines the body has.
func (s *Stack) length() int { return len(s.screen.lines) + len(s.screen.beside) }

func (s *Stack) rows(d drawn) []core.Row {
	if s.screen.model {
		q := s.inquiries[s.screen.id]
		return core.Asked(q.Text, q.Options)
	}
	return core.Rows(s.questions[s.screen.id], core.Show{Details: d.details, Patterns: d.patterns})
}

// row is one line of the body. The option that is moved to has a mark.
func (s *Stack) row(i, w int) string {
	if i >= len(s.screen.lines) {
		return s.ink.border.Paint(border) + text.Cut(s.screen.beside[i-len(s.screen.lines)], w-1)
	}
	l := s.screen.lines[i]
	t := l.String()
	if n := s.desk.Front.Focus; s.screen.model && n > 0 && l.Kind == core.Fact && !l.Goes && strings.HasPrefix(l.Text, strconv.Itoa(n)+" ") {
		return s.ink.border.Paint(border) + s.ink.selected.Paint(text.Cut("▸"+t[1:], w-1))
	}
	return s.ink.border.Paint(border) + s.look(l).Paint(text.Cut(t, w-1))
}

// look is how a line looks. All of it is said by its sign too.
func (s *Stack) look(l core.Line) theme.Ink {
	switch l.Kind {
	case core.Asks:
		return s.ink.strong
	case core.Allowed, core.More, core.Place:
		return s.ink.text
	case core.Risk:
		return s.ink.warn
	case core.Change:
		return s.changed(l.Text)
	case core.Fact:
	}
	return s.ink.muted
}

func (s *Stack) changed(t string) theme.Ink {
	switch {
	case strings.HasPrefix(t, "@@"):
		return s.ink.hunk
	case strings.HasPrefix(t, "+"):
		return s.ink.added
	case strings.HasPrefix(t, "-"):
		return s.ink.removed
	}
	return s.ink.text
}

// line is a text of somebody else in one line of ours.
func line(t string) string { return core.OneLine(t) }
