package diff

import (
	"fmt"
	"strconv"
	"strings"

	"tenet/tui/text"
	"tenet/tui/theme"
)

// SideWidth is from how many cells on old and new stand side by side.
const SideWidth = 140

// narrow is below how many cells lines have no numbers.
const narrow = 30

// Lines draws a diff as the width allows: side by side from SideWidth on.
func Lines(d string, w int, th *theme.Theme) []string {
	if w >= SideWidth {
		return SideBySide(d, w, th)
	}
	return Unified(d, w, th)
}

// Bounded is the first lines of a drawn diff, at most n with the row that counts the
// rest. It does not change lines.
func Bounded(lines []string, n, w int, th *theme.Theme) []string {
	if len(lines) <= n || n < 1 {
		return lines
	}
	more := fmt.Sprintf("… %d lines more", len(lines)-n+1)
	return append(lines[:n-1:n-1], theme.InkOf(th.Muted).Paint(text.Cut(more, w)))
}

// Unified draws a diff in lines of at most w cells, old lines above new ones, each with
// its number, its sign, and what changed in it marked.
func Unified(d string, w int, th *theme.Theme) []string {
	rows := parse(d)
	p := newPens(th, rows, w)
	var out []string
	for i := 0; i < len(rows); {
		if rows[i].sort != removed && rows[i].sort != added {
			out = p.single(out, rows[i])
			i++
			continue
		}
		n := change(rows[i:])
		minus, plus := halves(rows[i : i+n])
		before, after := p.marked(minus, plus)
		for k, r := range minus {
			out = p.numbered(out, r.old, "-", before[k], p.minus)
		}
		for k, r := range plus {
			out = p.numbered(out, r.next, "+", after[k], p.plus)
		}
		i += n
	}
	return out
}

// SideBySide draws old on the left and new on the right. Without room for two columns it
// is Unified.
func SideBySide(d string, w int, th *theme.Theme) []string {
	half := (w - text.Width(" │ ")) / 2
	if half < narrow {
		return Unified(d, w, th)
	}
	rows := parse(d)
	p := newPens(th, rows, half)
	bar := " " + p.edge.Paint("│") + " "
	var out []string
	for i := 0; i < len(rows); {
		r := rows[i]
		switch r.sort {
		case file, hunk, note:
			out = append(out, p.lone(r, w)...)
			i++
			continue
		case context, added, removed:
		}
		n := change(rows[i:])
		minus, plus := halves(rows[i : i+n])
		if n == 0 {
			n, minus, plus = 1, rows[i:i+1], rows[i:i+1]
		}
		out = p.pairs(out, minus, plus, half, bar)
		i += n
	}
	return out
}

// change is how many rows one change has: removed ones, then added ones.
func change(rows []row) (n int) {
	for n < len(rows) && rows[n].sort == removed {
		n++
	}
	for n < len(rows) && rows[n].sort == added {
		n++
	}
	return n
}

func halves(rows []row) (minus, plus []row) {
	n := 0
	for n < len(rows) && rows[n].sort == removed {
		n++
	}
	return rows[:n], rows[n:]
}

// pens draws the lines of one diff.
type pens struct {
	plus, minus, plusWord, minusWord, where, muted, strong, plain, edge theme.Ink

	w, digits int
}

func newPens(th *theme.Theme, rows []row, w int) pens {
	p := pens{
		plus: theme.InkOf(th.Added), minus: theme.InkOf(th.Removed), plusWord: theme.InkOf(th.AddedWord), minusWord: theme.InkOf(th.RemovedWord),
		where: theme.InkOf(th.Hunk), muted: theme.InkOf(th.Muted), strong: theme.InkOf(th.Strong), plain: theme.InkOf(th.Text), edge: theme.InkOf(th.Border), w: w,
	}
	for _, r := range rows {
		p.digits = max(p.digits, len(strconv.Itoa(max(r.old, r.next))))
	}
	return p
}

// lone is a row that is no line of a file.
func (p pens) lone(r row, w int) []string {
	ink := p.muted
	switch r.sort {
	case hunk:
		ink = p.where
	case file:
		ink = p.strong
	case note, context, added, removed:
	}
	return text.Wrap(ink.Paint(r.text), w)
}

func (p pens) single(out []string, r row) []string {
	if r.sort == context {
		return p.numbered(out, r.next, " ", p.plain.Paint(r.text), p.muted)
	}
	return append(out, p.lone(r, p.w)...)
}

// numbered is a line of a file, wrapped under its text.
func (p pens) numbered(out []string, n int, sign, s string, ink theme.Ink) []string {
	lead, rest := ink.Paint(sign), " "
	switch {
	case p.w < 3:
		return append(out, text.Wrap(s, p.w)...)
	case p.w >= narrow:
		number := strings.Repeat(" ", p.digits)
		if n > 0 {
			number = fmt.Sprintf("%*d", p.digits, n)
		}
		lead = p.muted.Paint(number) + " " + lead + " "
		rest = strings.Repeat(" ", p.digits+3)
	}
	for i, l := range text.Wrap(s, p.w-text.Width(rest)) {
		if i > 0 {
			lead = rest
		}
		out = append(out, lead+l)
	}
	return out
}

// pairs draws old and new lines beside each other.
func (p pens) pairs(out []string, minus, plus []row, half int, bar string) []string {
	before, after := p.marked(minus, plus)
	for i := range max(len(minus), len(plus)) {
		var l, r []string
		if i < len(minus) {
			l = p.numbered(nil, minus[i].old, sign(minus[i], "-"), before[i], p.minus)
		}
		if i < len(plus) {
			r = p.numbered(nil, plus[i].next, sign(plus[i], "+"), after[i], p.plus)
		}
		for k := range max(len(l), len(r)) {
			out = append(out, strings.TrimRight(text.Pad(at(l, k), half)+bar+at(r, k), " "))
		}
	}
	return out
}

func sign(r row, s string) string {
	if r.sort == context {
		return " "
	}
	return s
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
