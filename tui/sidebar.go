package tui

import (
	"cmp"
	"fmt"
	"strings"

	"tenet/core/event"
	"tenet/tui/keys"
	"tenet/tui/text"
)

// sideOf is what the sidebar is drawn from, but for the files and the work, whose changes are
// counted.
type sideOf struct{ w, h, questions, changes int }

// sidebar is exactly h rows: what the session is, which files it changed, what runs beside
// it, and what waits for a person. It is drawn again only when one of them changed.
func (m *model) sidebar(w, h int) []string {
	if of := (sideOf{w, h, m.cards.Count(), m.changes}); m.drawn.sideOf != of || m.drawn.side == nil {
		m.drawn.side, m.drawn.sideOf = m.sideRows(w, h), of
	}
	return m.drawn.side
}

func (m *model) sideRows(w, h int) []string {
	var out []string
	head := func(title string, n int) {
		if len(out) > 0 {
			out = append(out, "")
		}
		if n > 0 {
			title = fmt.Sprintf("%s %d", title, n)
		}
		out = append(out, m.theme.Heading.Render(text.Cut(title, w)))
	}
	row := func(s string) { out = append(out, text.Cut(s, w)) }
	if m.host != nil {
		head("Session", 0)
		row(text.Line(m.named()))
		row(m.theme.Muted.Render(text.Cut(text.Line(m.info.Workspace), w)))
		m.fileRows(head, row, w)
		m.workRows(head, row, w)
	}
	for len(out) < h {
		out = append(out, "")
	}
	if len(out) > h {
		out = append(out[:max(0, h-1)], m.theme.Muted.Render(text.Cut(fmt.Sprintf("… %d more", len(out)-h+1), w)))
	}
	for i := range out {
		out[i] = text.Pad(" "+out[i], w)
	}
	return out[:h]
}

func (m *model) named() string {
	if m.info.Name != "" {
		return m.info.Name
	}
	return m.info.Session
}

func (m *model) fileRows(head func(string, int), row func(string), w int) {
	if len(m.files) == 0 {
		return
	}
	head("Files changed", len(m.files))
	for _, f := range m.files {
		counts := m.theme.Added.Render(fmt.Sprintf("+%d", f.Added)) + " " + m.theme.Removed.Render(fmt.Sprintf("-%d", f.Removed))
		room := max(1, w-text.Width(counts)-2)
		row(text.Pad(text.CutFront(text.Line(f.Path), room), room) + " " + counts)
	}
}

func (m *model) workRows(head func(string, int), row func(string), w int) {
	if len(m.work.Jobs) > 0 {
		head("Jobs", len(m.work.Jobs))
		for _, j := range m.work.Jobs {
			row("▸ " + text.Line(j.Job) + " " + text.Line(j.Command))
		}
	}
	if n := m.cards.Count(); n > 0 {
		head("Questions", n)
		row("? waiting for you")
	}
	if len(m.work.Queue) > 0 {
		head("Waiting messages", len(m.work.Queue))
		for _, q := range m.work.Queue {
			row("› " + text.Line(q.Text))
		}
	}
}

// queued are the messages that wait, the oldest first.
func (m *model) queued() []event.Submission { return m.work.Queue }

// keyOf names the key that takes a message back.
func (m *model) keyOf() string {
	return cmp.Or(keys.Title(m.keys.Key(keys.TakeBack)), "/queue")
}

func plural(n int, what string) string { return strings.TrimSpace(fmt.Sprintf("%d %s", n, what)) }
