package patch

import (
	"bytes"
	"cmp"
	"slices"

	"tenet/core/doc"
)

// window is the lines of the file that a change takes away, and the line on each side
// where there is one.
type window struct {
	lines         [][]byte
	before, after []byte
	hasBefore     bool
	hasAfter      bool
}

// strings copies the lines, so that a register does not hold a whole file.
func (w window) strings() []string {
	out := make([]string, len(w.lines))
	for i, l := range w.lines {
		out[i] = string(l)
	}
	return out
}

// look finds the windows of all changes in one pass over the file; a line outside of
// them costs nothing but the search for its end.
func (b *building) look(text []byte) {
	var order []int
	for i, c := range b.changes {
		if c.rank == overLines {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(b.changes[i].at, b.changes[j].at) })
	rest, line := bytes.TrimPrefix(text, []byte(doc.BOM)), int64(1)
	for _, i := range order {
		for first := max(1, b.changes[i].at); line < first; line++ {
			_, rest = doc.Cut(rest)
		}
		b.changes[i].old = b.changes[i].window(rest)
	}
}

// window reads the lines of a change from a text that begins with the line before them,
// or with the first of them at the top of the file.
func (c change) window(rest []byte) (w window) {
	var l doc.Line
	if c.at > 0 {
		l, rest = doc.Cut(rest)
		w.before, w.hasBefore = l.Text, true
	}
	w.lines = make([][]byte, 0, c.to-c.at)
	for range c.to - c.at {
		l, rest = doc.Cut(rest)
		w.lines = append(w.lines, l.Text)
	}
	if w.hasAfter = len(rest) > 0; w.hasAfter {
		l, _ = doc.Cut(rest)
		w.after = l.Text
	}
	return w
}
