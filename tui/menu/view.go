package menu

import (
	"fmt"
	"strings"

	"tenet/tui/keys"
	"tenet/tui/text"
)

// View draws the menu in at most maxH lines of exactly w cells, fewer when it needs no more.
// The chosen row is among them, also on a single line.
func (m *Menu) View(w, maxH int) string {
	w, maxH = max(1, w), max(1, maxH)
	var out []string
	m.drawn = nil
	add := func(line string, hit int) {
		out = append(out, text.Pad(line, w))
		m.drawn = append(m.drawn, hit)
	}
	foot := maxH >= 6
	if maxH >= 3 {
		add(m.head(w), -1)
	}
	if maxH >= 2 {
		add(m.line(w), -1)
	}
	room := maxH - len(out)
	if foot {
		room--
	}
	for _, l := range m.list(w, room) {
		add(l.s, l.hit)
	}
	if foot {
		add(m.foot(w), -1)
	}
	return strings.Join(out, "\n")
}

// head is the title, and how many there are.
func (m *Menu) head(w int) string {
	count := fmt.Sprintf("%d", len(m.rows))
	if m.query != "" {
		count = fmt.Sprintf("%d of %d", len(m.hits), len(m.rows))
	}
	title := text.Line(m.o.Title)
	if text.Width(title)+2+len(count) > w {
		return m.o.Theme.Heading.Render(text.Cut(title, w))
	}
	return m.o.Theme.Heading.Render(text.Pad(title, w-len(count))) + m.o.Theme.Muted.Render(count)
}

// line is what was typed, the end of it where it is too long.
func (m *Menu) line(w int) string {
	const mark = "❯ "
	if w < 4 {
		return ""
	}
	query := text.CutFront(m.query, w-3)
	hint := ""
	if m.query == "" {
		hint = text.Cut("type to filter", w-3)
	}
	return m.o.Theme.Accent.Render(mark) + m.o.Theme.Text.Render(query) + "\x1b[7m \x1b[27m" + m.o.Theme.Muted.Render(hint)
}

func (m *Menu) foot(w int) string {
	k := m.o.Keys
	s := fmt.Sprintf("%s choose · %s close · %s %s move", keys.Title(k.Key(keys.MenuChoose)), keys.Title(k.Key(keys.MenuClose)),
		keys.Title(k.Key(keys.MenuUp)), keys.Title(k.Key(keys.MenuDown)))
	return m.o.Theme.Muted.Render(text.Cut(s, w))
}

// entry is a line of the list: a row, or a heading.
type entry struct {
	s   string
	hit int
}

// list draws at most n lines of the list, the chosen row among them.
func (m *Menu) list(w, n int) []entry {
	m.page = max(1, n-1)
	if len(m.hits) == 0 {
		return []entry{{m.o.Theme.Muted.Render(text.Cut("  "+m.nothing(), w)), -1}}
	}
	plan := m.plan()
	at := 0
	for i, h := range plan {
		if h == m.sel {
			at = i
		}
	}
	m.top = max(0, min(m.top, at, len(plan)-n))
	m.top = max(m.top, at-n+1)
	if at == m.top && at > 0 && plan[at-1] < 0 && n > 1 {
		m.top-- // the heading of the first row that is drawn
	}
	cols := m.columns(w)
	var out []entry
	for _, h := range plan[m.top:min(m.top+n, len(plan))] {
		if h < 0 {
			out = append(out, entry{m.o.Theme.Muted.Render(text.Cut(m.rows[m.hits[-h-1].row].group, w)), -1})
		} else {
			out = append(out, entry{m.row(m.hits[h], h == m.sel, cols, w), h})
		}
	}
	return out
}

// plan lists the lines of the whole list: hits, and before the first hit h of a group its
// heading, as -h-1. What is searched stands in the order of its worth, without headings.
func (m *Menu) plan() []int {
	out := make([]int, 0, len(m.hits)+8)
	group := ""
	for i, h := range m.hits {
		if g := m.rows[h.row].group; g != group && m.query == "" {
			if group = g; g != "" {
				out = append(out, -i-1)
			}
		}
		out = append(out, i)
	}
	return out
}

// nothing says why the list is empty.
func (m *Menu) nothing() string {
	switch {
	case len(m.rows) > 0:
		return "nothing matches; Backspace widens it"
	case m.o.Empty != "":
		return text.Line(m.o.Empty)
	}
	return "there is nothing here"
}

// columns is how wide the titles are drawn: as the widest of those that are near, at most
// half of the width when there are details.
func (m *Menu) columns(w int) int {
	widest, detail := 0, false
	for _, h := range m.hits[max(0, m.sel-100):min(len(m.hits), m.sel+100)] {
		r := m.rows[h.row]
		widest = max(widest, text.Width(r.title))
		detail = detail || r.detail != "" || r.keys != ""
	}
	if detail {
		return min(widest, w/2)
	}
	return min(widest, max(1, w-2))
}

// row draws a row: its title, what stands beside it, and its keys at the right.
func (m *Menu) row(h hit, chosen bool, titles, w int) string {
	th := m.o.Theme
	r := m.rows[h.row]
	sign, look, side := "  ", th.Text, th.Muted
	if chosen {
		sign, look, side = "› ", th.Selected, th.Selected
	}
	s := look.Render(sign) + pad(Marked(r.title, h.title, look.Render, th.Match.Render), text.Width(r.title), titles, look.Render)
	right := ""
	if r.keys != "" && w > titles+8+text.Width(r.keys) {
		right = "  " + r.keys
	}
	room := w - 2 - titles - text.Width(right)
	if room > 4 {
		s += pad(side.Render("  ")+Marked(r.detail, h.more, side.Render, th.Match.Render), 2+text.Width(r.detail), room, side.Render)
	} else if room > 0 {
		s += side.Render(strings.Repeat(" ", room))
	}
	return s + side.Render(right)
}

// pad makes a styled text of some cells as wide as it is to be.
func pad(styled string, has, want int, look func(...string) string) string {
	if has > want {
		return text.Pad(styled, want)
	}
	if has == want {
		return styled
	}
	return styled + look(strings.Repeat(" ", want-has))
}
