package tui

import (
	"strings"

	"tenet/tui/status"
	"tenet/tui/text"
)

// The sizes of the layout.
const (
	sidebarFrom  = 120 // columns from which the sidebar may stand
	sidebarWidth = 36
	mostWaiting  = 3 // rows of messages that wait
	leastRows    = 4 // below this only one line is drawn
)

// frame is how the screen is divided.
type frame struct {
	main, side       int // columns
	body, foot, line int // rows of the transcript, of what stands below it, and of the line in it
	waiting          int
}

// frame divides the screen: the status line is the last row, the line that is written or
// the card stands above it, and the transcript has the rest.
func (m *model) frame() frame {
	f := frame{main: m.width}
	if m.look.Sidebar && m.width >= sidebarFrom {
		f.side = sidebarWidth
		f.main = m.width - sidebarWidth - 1
	}
	f.waiting = min(mostWaiting, m.activity.Queue)
	m.composer.SetSize(f.main, max(1, min(15, m.height/3)))
	f.line = m.composer.Height()
	if m.cards.Up() || m.asking != nil {
		f.line = 1
	}
	f.foot = f.line + 1 + f.waiting + 1 // a rule above, the status below
	f.body = m.height - f.foot
	return f
}

// drawn are parts of the frame that seldom change.
type drawn struct {
	bar       string
	rule      string
	ruleWidth int
	side      []string
	sideOf    sideOf
}

// place gives the children their sizes.
func (m *model) place() {
	if m.width < 1 || m.height < 1 {
		return
	}
	f := m.frame()
	m.transcript.SetSize(f.main, max(1, f.body))
}

// View draws exactly the rows and columns of the terminal.
func (m *model) View() string {
	if m.width < 1 || m.height < 1 {
		return ""
	}
	if m.pager != nil && m.cards.Up() {
		return m.pager.View(m.width, m.height)
	}
	if m.height < leastRows && !m.cards.Up() {
		return text.Block(m.statusLine(m.width), m.width, m.height)
	}
	if m.cards.Up() && (m.cards.Full() || m.height < 2*leastRows) {
		return text.Block(m.cards.View(m.width, m.height), m.width, m.height)
	}
	f := m.frame()
	rows := make([]string, 0, m.height+2)
	if f.body > 0 {
		rows = append(rows, m.bodyRows(f)...)
	}
	rows = append(rows, m.footRows(f)...)
	if over := len(rows) + 1 - m.height; over > 0 {
		rows = rows[over:]
	}
	return m.join(rows, f)
}

// bodyRows are exactly the rows above the line: a child that draws fewer leaves the rest
// empty.
func (m *model) bodyRows(f frame) []string {
	rows := strings.Split(m.bodyView(f), "\n")
	for len(rows) < f.body {
		rows = append(rows, "")
	}
	return rows[:f.body]
}

// join puts the rows, what stands beside them and the status line into one text. It runs for
// every frame, so that it writes into one buffer.
func (m *model) join(rows []string, f frame) string {
	var b strings.Builder
	b.Grow((len(rows) + 1) * (m.width + 32))
	var side []string
	if f.side > 0 {
		side = m.sidebar(f.side, len(rows))
	}
	for i, r := range rows {
		b.WriteString(r)
		if side != nil {
			for range f.main - text.Width(r) {
				b.WriteByte(' ')
			}
			b.WriteString(m.drawn.bar)
			b.WriteString(side[i])
		}
		b.WriteByte('\n')
	}
	b.WriteString(m.statusLine(m.width))
	return b.String()
}

// bodyView is what stands above the line: the transcript, or what lies over it; a card
// takes rows from below it, so that what led to the question stays in sight.
func (m *model) bodyView(f frame) string {
	switch {
	case m.pager != nil:
		return m.pager.View(f.main, f.body)
	case m.cards.Up():
		c := m.cards.View(f.main, max(leastRows, f.body*2/3))
		rest := f.body - strings.Count(c, "\n") - 1
		if rest <= 0 {
			return c
		}
		m.transcript.SetSize(f.main, rest)
		return text.Block(m.transcript.View(), f.main, rest) + "\n" + c
	case m.start != nil:
		return m.start.view(f.main, f.body, m.theme)
	case m.menu != nil:
		c := m.menu.View(f.main, max(leastRows, f.body*2/3))
		rest := f.body - strings.Count(c, "\n") - 1
		if rest <= 0 {
			return c
		}
		m.transcript.SetSize(f.main, rest)
		return text.Block(m.transcript.View(), f.main, rest) + "\n" + c
	}
	return m.transcript.View()
}

// footRows are the messages that wait, a rule, and the line.
func (m *model) footRows(f frame) []string {
	var rows []string
	if f.waiting > 0 {
		rows = m.waitingRows(f)
	}
	rows = append(rows, m.rule(f.main))
	switch {
	case m.asking != nil:
		return append(rows, m.asking.View(f.main))
	case m.cards.Up():
		return append(rows, m.theme.Muted.Render(text.Cut("the line waits for your answer; what you wrote stays", f.main)))
	}
	return append(rows, strings.Split(m.composer.View(), "\n")...)
}

// rule is the line above the line, drawn once for a width.
func (m *model) rule(w int) string {
	if m.drawn.ruleWidth != w {
		m.drawn.rule, m.drawn.ruleWidth = m.theme.Border.Render(strings.Repeat("─", w)), w
	}
	return m.drawn.rule
}

// waitingRows are the messages that wait, the next one first; the last row counts the rest.
func (m *model) waitingRows(f frame) (rows []string) {
	queue := m.queued()
	for i, q := range queue {
		words := "queued: "
		if q.How == "steer" {
			words = "steers: "
		}
		line := words + text.Line(q.Text)
		if i == 0 {
			line += "  (" + m.keyOf() + " takes it back)"
		}
		if i == f.waiting-1 && len(queue) > f.waiting {
			line = text.Cut(line, max(1, f.main-20)) + " and " + plural(len(queue)-f.waiting, "more")
		}
		rows = append(rows, m.theme.Muted.Render(text.Cut("› "+line, f.main)))
		if len(rows) == f.waiting {
			return rows
		}
	}
	for len(rows) < f.waiting {
		rows = append(rows, "")
	}
	return rows
}

// statusLine says what goes on, and what the session stands at.
func (m *model) statusLine(w int) string {
	now := m.o.Now()
	left, style := m.activity.Does(now), m.theme.Text
	switch {
	case now.Before(m.toast.until):
		left, style = m.toast.text, m.theme.Accent
	case m.opening:
		left = status.Spin(now, m.look.ReducedMotion) + " opening the session"
	case m.host == nil:
		left = "no session"
	case m.activity.Phase == status.Asking:
		left, style = "? "+left, m.theme.Warn
	case m.activity.Busy():
		left = status.Spin(now, m.look.ReducedMotion) + " " + left + " · Esc interrupts"
	case m.reading:
		left = "reading · i writes · ? helps"
	default:
		left = "ready · / commands · ? helps"
	}
	left = text.Cut(text.Line(left), w)
	rest := w - text.Width(left) - 2
	right := ""
	if rest > 0 && m.host != nil {
		right = status.Fit(m.activity.Parts(m.facts()), rest, text.Width)
	}
	gap := max(0, w-text.Width(left)-text.Width(right))
	return style.Render(left) + strings.Repeat(" ", gap) + m.theme.Muted.Render(right)
}

func (m *model) facts() status.Facts {
	i := m.info
	f := status.Facts{Profile: i.Profile, Model: i.Model, Window: i.Context, Cost: i.Price.Of(m.activity.Input, m.activity.Output, m.activity.Cached)}
	if !m.transcript.Following() {
		f.Unseen = m.transcript.Unseen()
	}
	if m.look.Mouse {
		f.Quiet = "mouse"
	}
	return f
}
