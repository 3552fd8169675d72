package composer

import (
	"fmt"
	"strings"

	"tenet/tui/keys"
	"tenet/tui/menu"
	"tenet/tui/text"
)

// The most lines of the parts.
const (
	maxRows   = 15 // of the text
	popupRows = 8  // of a list, or of a view into a chip
)

// markWidth is the cells before the text: its mark, and a blank.
func (c *Composer) markWidth() int {
	if c.w < 6 {
		return 0
	}
	return 2
}

// usable is the cells that the text has, the cursor's own included.
func (c *Composer) usable() int { return max(1, c.w-c.markWidth()) }

// layout is how many lines the text gets, and what lies above it. A list takes at most half
// of the room from a long text.
func (c *Composer) layout() (rows, above int) {
	rows = c.b.tall(min(maxRows, c.maxH), c.usable())
	above = min(c.above(), c.maxH-1)
	if rows+above > c.maxH {
		above = min(above, max(c.maxH-rows, c.maxH/2))
		rows = max(1, c.maxH-above)
	}
	return rows, above
}

// above is how many lines want to lie above the text.
func (c *Composer) above() int {
	n := 0
	switch {
	case c.search != nil:
		n = 1
	case c.peek != nil:
		n = 1 + min(popupRows, len(c.peek.lines))
	case c.list != nil:
		n = max(1, min(popupRows, len(c.list.rows)))
	case c.hint() != nil:
		n = 1
	}
	if c.note != "" {
		n++
	}
	return n
}

// Height is how many lines View has: as the size and what is written want it.
func (c *Composer) Height() int {
	rows, above := c.layout()
	return rows + above
}

// View draws it: Height lines of exactly the width, the cursor in reverse. It costs what it
// shows, however long the text is.
func (c *Composer) View() string {
	rows, above := c.layout()
	out := c.drawAbove(above)
	out = append(out, c.drawText(rows)...)
	for i, l := range out {
		out[i] = text.Pad(l, c.w)
	}
	return strings.Join(out, "\n")
}

// drawAbove draws n lines of what lies above the text.
func (c *Composer) drawAbove(n int) (out []string) {
	if n == 0 {
		return nil
	}
	th := c.o.Theme
	if c.note != "" {
		out = append(out, th.Warn.Render(text.Cut("! "+text.Line(c.note), c.w)))
		n--
	}
	switch {
	case n == 0:
	case c.search != nil:
		out = append(out, c.drawSearch())
	case c.peek != nil:
		out = append(out, c.drawPeek(n)...)
	case c.list != nil:
		out = append(out, c.drawList(n)...)
	case c.hint() != nil:
		cmd := c.hint()
		out = append(out, th.Muted.Render(text.Cut(strings.TrimSpace("/"+text.Line(cmd.Name)+" "+text.Line(cmd.Args)+"  "+text.Line(cmd.Says)), c.w)))
	}
	return out
}

func (c *Composer) drawSearch() string {
	th, s := c.o.Theme, c.search
	state := "Ctrl+R older, Enter takes it, Esc leaves it"
	if s.query != "" && s.at == 0 {
		state = "nothing that was sent has it"
	}
	label := "history: " + text.Clean(s.query)
	return th.Accent.Render(text.Cut(label, max(1, c.w-1))) + cursor(" ") + th.Muted.Render("  "+state)
}

func (c *Composer) drawPeek(n int) []string {
	th, p := c.o.Theme, c.peek
	more := ""
	if len(p.lines) > popupRows {
		more = fmt.Sprintf(", line %d of %d", p.top+1, len(p.lines))
	}
	out := []string{th.Muted.Render(text.Cut(p.label+more+"; "+c.keyOf()+" puts it into the line, Esc closes", c.w))}
	for i := range n - 1 {
		out = append(out, th.Code.Render(text.Cut("│ "+p.row(i), c.w)))
	}
	return out
}

// drawList draws n rows of a list, the chosen one among them.
func (c *Composer) drawList(n int) (out []string) {
	th, l := c.o.Theme, c.list
	if len(l.rows) == 0 {
		return []string{th.Muted.Render(text.Cut("  looking for files …", c.w))}
	}
	l.top = max(0, min(l.top, l.sel, len(l.rows)-n))
	l.top = max(l.top, l.sel-n+1)
	last := min(l.top+n, len(l.rows)) - 1
	for i := l.top; i <= last; i++ {
		sign := "  "
		switch {
		case i == l.sel:
			sign = "› "
		case i == l.top && i > 0:
			sign = "↑ "
		case i == last && i < len(l.rows)-1:
			sign = "↓ "
		}
		out = append(out, c.drawChoice(l.rows[i], sign, i == l.sel, l.commands))
	}
	return out
}

// drawChoice draws a row behind its sign: that it is chosen, or that there are more.
func (c *Composer) drawChoice(r choice, sign string, chosen, command bool) string {
	th := c.o.Theme
	look := th.Text
	if chosen {
		look = th.Selected
	}
	s := r.shown
	if command {
		s = "/" + menu.Marked(s, r.at, look.Render, th.Match.Render)
		s += th.Muted.Render(strings.TrimRight(" "+text.Line(r.command.Args), " "))
		s = text.Pad(s, min(24, c.w/2)) + "  " + th.Muted.Render(text.Line(r.command.Says))
		if k := text.Line(r.command.Keys); k != "" {
			s += th.Muted.Render("  (" + k + ")")
		}
		return look.Render(sign) + s
	}
	if room := c.w - 2; room > 0 && text.Width(s) > room {
		return look.Render(sign + text.CutFront(s, room))
	}
	return look.Render(sign) + menu.Marked(s, r.at, look.Render, th.Match.Render)
}

// cursor draws a cell in reverse. It is written out, since it must be seen without colours
// too.
func cursor(s string) string { return "\x1b[7m" + s + "\x1b[27m" }

// drawText draws n rows of the text, the cursor's among them.
func (c *Composer) drawText(n int) (out []string) {
	usable := c.usable()
	here := c.b.spotOf(c.b.cur, usable)
	c.scroll(here, n, usable)
	s := c.top
	for i := range n {
		out = append(out, c.drawMark(i, n, s, usable)+c.drawRow(s, s == here, usable))
		var ok bool
		if s, ok = c.b.step(s, 1, usable); !ok {
			for len(out) < n {
				out = append(out, "")
			}
			return out
		}
	}
	return out
}

// scroll moves the window so that the cursor is in it, and no further.
func (c *Composer) scroll(here spot, n, usable int) {
	if c.top.line >= len(c.b.lines) || c.top.row >= len(c.b.rowsOf(c.top.line, usable)) {
		c.top = spot{min(c.top.line, len(c.b.lines)-1), 0}
	}
	highest, _ := c.b.step(here, 1-n, usable) // the window's first row at the lowest
	switch {
	case here.before(c.top):
		c.top = here
	case c.top.before(highest):
		c.top = highest
	}
	if end, _ := c.b.step(c.top, n-1, usable); end == c.last(usable) {
		c.top, _ = c.b.step(end, 1-n, usable) // no empty rows under a long text
	}
}

func (s spot) before(t spot) bool { return s.line < t.line || s.line == t.line && s.row < t.row }

// last is the last row of the text.
func (c *Composer) last(usable int) spot {
	l := len(c.b.lines) - 1
	return spot{l, len(c.b.rowsOf(l, usable)) - 1}
}

// drawMark draws what stands before a row: the mark of the line, or where there is more.
func (c *Composer) drawMark(i, n int, s spot, usable int) string {
	if c.markWidth() == 0 {
		return ""
	}
	th := c.o.Theme
	first := spot{}
	switch {
	case i == 0 && s != first:
		return th.Muted.Render("↑ ")
	case i == n-1 && s != c.last(usable):
		return th.Muted.Render("↓ ")
	case i > 0:
		return "  "
	case c.shell:
		return th.Warn.Render("! ")
	}
	return th.Accent.Render("❯ ")
}

// drawRow draws a row of the text.
func (c *Composer) drawRow(s spot, here bool, usable int) string {
	th := c.o.Theme
	if c.b.empty() {
		return cursor(" ") + th.Muted.Render(text.Cut(text.Line(c.placeholder), max(0, usable-1)))
	}
	from, to := c.b.span(s, usable)
	line := c.b.lines[s.line].s
	var out, run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			out.WriteString(th.Text.Render(run.String()))
			run.Reset()
		}
	}
	for at := from; at < to; {
		n := nextCluster(line[at:])
		cell, chip := c.cell(line[at:at+n], usable)
		switch {
		case here && at == c.b.cur.at:
			flush()
			out.WriteString(cursor(cell))
		case chip:
			flush()
			out.WriteString(th.Accent.Render(cell))
		default:
			run.WriteString(cell)
		}
		at += n
	}
	flush()
	if here && c.b.cur.at == to {
		out.WriteString(cursor(" "))
	}
	return out.String()
}

// cell is a cluster as it is drawn, in no more cells than a row has.
func (c *Composer) cell(cluster string, usable int) (s string, isChip bool) {
	limit := max(1, usable-1)
	if ch, ok := c.b.chipOf(cluster); ok {
		return text.Cut(ch.label, limit), true
	}
	if s = shown(cluster); len(s) > 1 && text.Width(s) > limit {
		s = text.Cut(s, limit)
	}
	return s, false
}

func (c *Composer) keyOf() string { return keys.Title(c.o.Keys.Key(keys.ShowChip)) }
