package composer

import (
	"slices"
	"strings"
)

// pos is a place in the text: a line and a byte in it, between two clusters.
type pos struct{ line, at int }

func (p pos) before(q pos) bool { return p.line < q.line || p.line == q.line && p.at < q.at }

// line is one line of the text. Its rows are where it breaks at a width; they are made when
// it is looked at, so that a text costs what can be seen of it.
type line struct {
	s     string
	rows  []int
	width int
}

// buffer is the text: lines, the cursor, chips, and what can be undone. Every change goes
// through replace.
type buffer struct {
	lines []line
	cur   pos
	// goal is the column that up and down keep, -1 when none is kept.
	goal int
	// size is the bytes of the lines with their ends.
	size  int
	chips []chip
	// held is the bytes that the chips hold, number that of the last one.
	held, number int
	undo         history
	// version counts the changes of the text.
	version int
}

func newBuffer() *buffer { return &buffer{lines: []line{{}}, goal: -1} }

// text is the whole text, chips as their characters.
func (b *buffer) text() string {
	if len(b.lines) == 1 {
		return b.lines[0].s
	}
	var out strings.Builder
	out.Grow(b.size + len(b.lines))
	for i, l := range b.lines {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(l.s)
	}
	return out.String()
}

func (b *buffer) empty() bool { return len(b.lines) == 1 && b.lines[0].s == "" }

// end is behind the last character.
func (b *buffer) end() pos {
	last := len(b.lines) - 1
	return pos{last, len(b.lines[last].s)}
}

// slice is the text from one place to another.
func (b *buffer) slice(from, to pos) string {
	if from.line == to.line {
		return b.lines[from.line].s[from.at:to.at]
	}
	var out strings.Builder
	out.WriteString(b.lines[from.line].s[from.at:])
	for _, l := range b.lines[from.line+1 : to.line] {
		out.WriteByte('\n')
		out.WriteString(l.s)
	}
	out.WriteByte('\n')
	out.WriteString(b.lines[to.line].s[:to.at])
	return out.String()
}

// after is the place behind a text that was put in at p.
func after(p pos, s string) pos {
	n := strings.Count(s, "\n")
	if n == 0 {
		return pos{p.line, p.at + len(s)}
	}
	return pos{p.line + n, len(s) - strings.LastIndexByte(s, '\n') - 1}
}

// replace puts a text in the place of what stands between two places, and the cursor
// behind it. What was there is returned. It is the only way in which the text changes.
func (b *buffer) replace(from, to pos, s string) (removed string) {
	removed = b.slice(from, to)
	if s == "" && removed == "" {
		b.moveTo(from)
		return ""
	}
	head, tail := b.lines[from.line].s[:from.at], b.lines[to.line].s[to.at:]
	if !strings.Contains(s, "\n") {
		b.lines[from.line] = line{s: head + s + tail}
		b.lines = slices.Delete(b.lines, from.line+1, to.line+1)
	} else {
		parts := strings.Split(s, "\n")
		parts[0] = head + parts[0]
		parts[len(parts)-1] += tail
		fresh := make([]line, len(parts))
		for i, p := range parts {
			fresh[i].s = p
		}
		b.lines = slices.Replace(b.lines, from.line, to.line+1, fresh...)
	}
	b.size += len(s) - len(removed)
	b.version++
	b.moveTo(after(from, s))
	return removed
}

// moveTo puts the cursor at a place, or behind the cluster that the place is in.
func (b *buffer) moveTo(p pos) {
	p.line = max(0, min(p.line, len(b.lines)-1))
	p.at = snap(b.lines[p.line].s, p.at)
	b.cur, b.goal = p, -1
}

// edit is a change that can be undone.
func (b *buffer) edit(from, to pos, s string, kind editKind) string {
	was := b.cur
	removed := b.replace(from, to, s)
	if removed != "" || s != "" {
		b.undo.note(change{at: from, removed: removed, inserted: s, before: was, after: b.cur, kind: kind})
	}
	return removed
}

// insert puts a text at the cursor.
func (b *buffer) insert(s string, kind editKind) { b.edit(b.cur, b.cur, s, kind) }

// setAll replaces the whole text; it can be undone.
func (b *buffer) setAll(s string) { b.edit(pos{}, b.end(), s, editOther) }
