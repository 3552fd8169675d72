package composer

import "slices"

// wrap is where a line breaks into rows of usable cells, the last of which the cursor needs
// at the end of the line. The first row begins at 0. A row breaks behind a blank, or inside
// a word that has no room of its own.
func (b *buffer) wrap(s string, usable int) []int {
	limit := max(1, usable-1)
	rows := []int{0}
	col, gap, gapCol := 0, -1, 0 // gap is behind the last blank of the row
	for at := 0; at < len(s); {
		n := nextCluster(s[at:])
		w := min(b.cells(s[at:at+n]), limit)
		if col+w > limit && blank(s[at:at+n]) && col < usable && w == 1 && usable > 1 {
			// A blank at the edge hangs over it: the next row begins with a word.
			at, col = at+n, col+w
			gap, gapCol = at, col
			continue
		}
		for col+w > limit && col > 0 {
			if gap > rows[len(rows)-1] {
				rows = append(rows, gap)
				col -= gapCol
			} else {
				rows = append(rows, at)
				col = 0
			}
			gap = -1
		}
		at, col = at+n, col+w
		if blank(s[at-n : at]) {
			gap, gapCol = at, col
		}
	}
	if col >= usable && len(s) > 0 {
		rows = append(rows, len(s)) // for the cursor behind the last character
	}
	return rows
}

// cells is how wide a cluster is drawn, a chip too.
func (b *buffer) cells(cluster string) int {
	if c, ok := b.chipOf(cluster); ok {
		return c.width
	}
	return cells(cluster)
}

// rowsOf are the rows of a line.
func (b *buffer) rowsOf(i, usable int) []int {
	l := &b.lines[i]
	if l.width != usable || l.rows == nil {
		l.rows, l.width = b.wrap(l.s, usable), usable
	}
	return l.rows
}

// spot is a row of the text: of a line, the how manieth.
type spot struct{ line, row int }

// spotOf is the row that a place stands in.
func (b *buffer) spotOf(p pos, usable int) spot {
	row, found := slices.BinarySearch(b.rowsOf(p.line, usable), p.at)
	if !found {
		row--
	}
	return spot{p.line, row}
}

// span is where the row of a spot begins and ends in its line.
func (b *buffer) span(s spot, usable int) (from, to int) {
	rows := b.rowsOf(s.line, usable)
	if to = len(b.lines[s.line].s); s.row+1 < len(rows) {
		to = rows[s.row+1]
	}
	return rows[s.row], to
}

// step is the row n rows below a spot, above it when n is negative; ok is false, and the
// row is the first or the last, when there are not so many.
func (b *buffer) step(s spot, n, usable int) (out spot, ok bool) {
	for ; n > 0; n-- {
		switch {
		case s.row+1 < len(b.rowsOf(s.line, usable)):
			s.row++
		case s.line+1 < len(b.lines):
			s = spot{s.line + 1, 0}
		default:
			return s, false
		}
	}
	for ; n < 0; n++ {
		switch {
		case s.row > 0:
			s.row--
		case s.line > 0:
			s.line--
			s.row = len(b.rowsOf(s.line, usable)) - 1
		default:
			return s, false
		}
	}
	return s, true
}

// tall is how many rows the text has, at most limit.
func (b *buffer) tall(limit, usable int) (n int) {
	for i := range b.lines {
		if n += len(b.rowsOf(i, usable)); n >= limit {
			return limit
		}
	}
	return n
}

// vertical moves the cursor n rows down, up when n is negative; false when there is no such
// row, and nothing moved.
func (b *buffer) vertical(n, usable int) bool {
	here := b.spotOf(b.cur, usable)
	to, ok := b.step(here, n, usable)
	if !ok {
		return false
	}
	goal := b.goal
	if goal < 0 {
		goal = b.column(here, usable)
	}
	b.moveTo(pos{to.line, b.atColumn(to, goal, usable)})
	b.goal = goal
	return true
}

// column is the cells before the cursor in its row.
func (b *buffer) column(s spot, usable int) (col int) {
	from, _ := b.span(s, usable)
	for text := b.lines[s.line].s[from:b.cur.at]; text != ""; {
		n := nextCluster(text)
		col += b.cells(text[:n])
		text = text[n:]
	}
	return col
}

// atColumn is the place of a row that is nearest to a column from the left. The place that
// a row shares with the next one belongs to the next.
func (b *buffer) atColumn(s spot, goal, usable int) int {
	from, to := b.span(s, usable)
	last := to == len(b.lines[s.line].s) && s.row == len(b.rowsOf(s.line, usable))-1
	text := b.lines[s.line].s[:to]
	for at, col := from, 0; ; {
		if at >= to {
			return at
		}
		n := nextCluster(text[at:])
		if col += b.cells(text[at : at+n]); col > goal || at+n >= to && !last {
			return at
		}
		at += n
	}
}
