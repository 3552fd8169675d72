package markdown

import (
	"slices"
	"strings"

	"tenet/tui/text"
)

// maxColumns is the most columns that are drawn as a table.
const maxColumns = 40

// columns is how a table is laid out, for rows that come later.
type columns []column

type column struct {
	name  string
	width int
	align align
}

// table draws rows. Those of a table that goes on have the columns of its beginning; a
// new one has a head and a row of signs. It says the columns.
func (p *painter) table(src string, w int, cols columns) ([]string, columns) {
	lines := strings.Split(strings.TrimRight(src, "\n"), "\n")
	var out []string
	if cols != nil {
		return p.rows(out, lines, w, cols), cols
	}
	aligns := delimiters(lines[1])
	head := cells(lines[0])
	for i, a := range aligns {
		cols = append(cols, column{name: head[i], align: a})
	}
	p.measure(cols, lines, w)
	if cols[0].width > 0 {
		out = p.row(out, head, cols, strong)
		out = append(out, p.edge.Paint(text.Cut(rule(cols), w)))
	}
	return p.rows(out, lines[2:], w, cols), cols
}

func rule(cols columns) string {
	parts := make([]string, len(cols))
	for i, c := range cols {
		parts[i] = strings.Repeat("─", c.width)
	}
	return strings.Join(parts, "─┼─")
}

// measure gives each column its width: what its cells want, and where that is too much
// the widest give up first. Width 0 says that there is no room for columns.
func (p *painter) measure(cols columns, lines []string, w int) {
	for n, line := range lines {
		if n == 1 {
			continue
		}
		for i, c := range fold(cells(line), len(cols)) {
			cols[i].width = max(cols[i].width, text.Width(p.cell(c, 0)), 1)
		}
	}
	room := w - 3*(len(cols)-1)
	if room < 4*len(cols) && room < total(cols) {
		for i := range cols {
			cols[i].width = 0
		}
		return
	}
	for over := total(cols) - room; over > 0; over = total(cols) - room {
		shrink(cols, over)
	}
}

func total(cols columns) (n int) {
	for _, c := range cols {
		n += c.width
	}
	return n
}

// shrink takes cells from the widest columns, down to the next widest.
func shrink(cols columns, over int) {
	widest, second, many := 0, 0, 0
	for _, c := range cols {
		switch {
		case c.width > widest:
			widest, second, many = c.width, widest, 1
		case c.width == widest:
			many++
		default:
			second = max(second, c.width)
		}
	}
	take := min(max(over/many, 1), widest-second)
	for i := range cols {
		if cols[i].width == widest && over > 0 {
			cols[i].width -= take
			over -= take
		}
	}
}

// cell is a cell's text with its styles.
func (p *painter) cell(s string, l look) string {
	s = strings.ReplaceAll(s, `\|`, "|")
	if !strings.ContainsAny(s, "`*_[]<>\\&~!") {
		return p.ink(l).Paint(s)
	}
	root, src := parse(s)
	if first := root.FirstChild(); first != nil && first.NextSibling() == nil && first.Lines() != nil && first.FirstChild() != nil {
		return strings.ReplaceAll(p.inline(first, src, l, 0), "\n", " ")
	}
	return p.ink(l).Paint(s)
}

func (p *painter) rows(out []string, lines []string, w int, cols columns) []string {
	for i, line := range lines {
		if cols[0].width > 0 {
			out = p.row(out, cells(line), cols, 0)
			continue
		}
		if i > 0 {
			out = append(out, "")
		}
		out = p.record(out, cells(line), w, cols)
	}
	return out
}

// record draws a row as a list of names and values, where there is no room for columns.
func (p *painter) record(out []string, row []string, w int, cols columns) []string {
	for i, c := range row {
		name := ""
		if i < len(cols) {
			name = p.ink(muted).Paint(cols[i].name + ": ")
		}
		out = append(out, text.Wrap(name+p.cell(c, 0), w)...)
	}
	return out
}

// fold is a row in n cells: those beyond the last are added to it, nothing is lost.
func fold(row []string, n int) []string {
	if len(row) <= n {
		return row
	}
	return append(slices.Clone(row[:n-1]), strings.Join(row[n-1:], " | "))
}

// row draws one row, whose cells may take several lines.
func (p *painter) row(out []string, row []string, cols columns, l look) []string {
	row = fold(row, len(cols))
	wrapped := make([][]string, len(cols))
	height := 1
	for i := range cols {
		if i < len(row) {
			wrapped[i] = text.Wrap(p.cell(row[i], l), cols[i].width)
			height = max(height, len(wrapped[i]))
		}
	}
	bar := " " + p.edge.Paint("│") + " "
	for n := range height {
		var b strings.Builder
		for i, c := range cols {
			s := ""
			if n < len(wrapped[i]) {
				s = wrapped[i][n]
			}
			if i > 0 {
				b.WriteString(bar)
			}
			b.WriteString(placed(s, c, i == len(cols)-1))
		}
		out = append(out, b.String())
	}
	return out
}

// placed is a cell's line where its column has it; the last column has no blanks after.
func placed(s string, c column, last bool) string {
	free := max(c.width-text.Width(s), 0)
	before := 0
	switch c.align {
	case right:
		before = free
	case center:
		before = free / 2
	case left:
	}
	s = strings.Repeat(" ", before) + s
	if last {
		return s
	}
	return s + strings.Repeat(" ", free-before)
}
