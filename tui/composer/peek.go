package composer

import (
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/keys"
	"tenet/tui/text"
)

// peek is a view into a chip.
type peek struct {
	at    pos // of its character
	label string
	// lines is its text as lines, cleaned as they are drawn; top is the first that is drawn.
	lines []string
	top   int
}

// maxPeek bounds what is shown of a chip, in bytes.
const maxPeek = 256 << 10

// chipHere is the chip at the cursor, or before it.
func (c *Composer) chipHere() (chip, pos, bool) {
	for _, p := range []pos{c.b.cur, c.b.left(c.b.cur)} {
		if p.line != c.b.cur.line {
			continue
		}
		if ch, ok := c.b.chipOf(c.b.lines[p.line].s[p.at:]); ok {
			return ch, p, true
		}
	}
	return chip{}, pos{}, false
}

// showChip shows what a chip holds; asked again, it puts the text into the line when it is
// not too long for that.
func (c *Composer) showChip() (Act, tea.Cmd) {
	ch, at, ok := c.chipHere()
	open := c.peek
	c.close()
	switch {
	case !ok:
		c.note = "there is no chip at the cursor"
	case open == nil || open.at != at:
		shown := ch.text
		if len(shown) > maxPeek {
			shown = shown[:maxPeek]
		}
		c.peek = &peek{at: at, label: ch.label, lines: cut(shown)}
	case ch.image != "" || ch.odd || len(ch.text) > lineBytes:
		c.note = "this is too large for the line; it is sent as a whole"
	default:
		c.b.edit(at, pos{at.line, at.at + chipLen}, c.b.foreign(ch.text), editOther)
	}
	return Act{}, nil
}

// cut parts a text into lines that cost little to draw.
func cut(s string) (out []string) {
	const most = 2000
	for s != "" {
		n := 0
		for n < len(s) && n < most && s[n] != '\n' {
			n++
		}
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n--
		}
		out = append(out, s[:n])
		if s = s[n:]; s != "" && s[0] == '\n' {
			s = s[1:]
		}
	}
	return out
}

// peeking takes a key while a chip is shown.
func (c *Composer) peeking(a keys.Action) (taken bool) {
	p := c.peek
	last := max(0, len(p.lines)-1)
	switch {
	case a == keys.Cancel:
		c.peek = nil
	case a == keys.Older:
		p.top = max(0, p.top-1)
	case a == keys.Newer:
		p.top = min(last, p.top+1)
	case a == keys.PageUp:
		p.top = max(0, p.top-popupRows)
	case a == keys.PageDown:
		p.top = min(last, p.top+popupRows)
	default:
		return false
	}
	return true
}

// row is one line of the chip.
func (p *peek) row(i int) string {
	if p.top+i >= len(p.lines) {
		return ""
	}
	return text.Clean(p.lines[p.top+i])
}
