package blocks

import (
	"bytes"

	"tenet/core/doc"
)

// role is what a line of Markdown is.
type role uint8

const (
	blank role = iota
	prosaic
	heading
	rule   // the underline of a heading
	fence  // opens fenced text
	fenced // inside or closes it
	listed // begins a list item
	quoted // > text
	table  // | text
)

// markdown knows a role for each line, and the level of headings.
type markdown struct {
	t      *text
	roles  []role
	levels []uint8
	// fenceEnd is the last line of the fenced text that opens on a line.
	fenceEnd map[int]int
	// start is the first line of the paragraph that the lines seen last belong to, 0
	// when they belong to none or to a list or quotation.
	start int
	// list is true below a list item, until a line stands at the margin again: what is
	// indented there belongs to the item.
	list bool
}

var (
	atx      = lazy(`^ {0,3}(#{1,6})(?:[ \t]|$)`)
	setext   = lazy(`^ {0,3}(=+|-+)[ \t]*$`)
	fenceRow = lazy("^[ \t]*(`{3,}|~{3,})([^\n]*)$")
	itemRow  = lazy(`^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)`)
)

func readMarkdown(t *text) (grammar, error) {
	n := t.count()
	m := &markdown{t: t, roles: make([]role, n+2), levels: make([]uint8, n+2), fenceEnd: map[int]int{}}
	for line := m.frontMatter() + 1; line <= n; line++ {
		if line = m.see(line); line > n {
			break
		}
	}
	return m, nil
}

// frontMatter is the last line of the settings between --- at the top, 0 without any.
func (m *markdown) frontMatter() int {
	if m.t.count() == 0 || string(m.t.trimmed(1)) != "---" {
		return 0
	}
	for n := 2; n <= m.t.count(); n++ {
		if string(m.t.trimmed(n)) == "---" {
			m.fenceEnd[1] = n
			m.roles[1] = fence
			for in := 2; in <= n; in++ {
				m.roles[in] = fenced
			}
			return n
		}
	}
	return 0
}

// see gives a line its role, and the lines of fenced text theirs; it returns the last
// line that it saw.
func (m *markdown) see(n int) int {
	l := m.t.line(n)
	trim := bytes.TrimSpace(l)
	m.list = m.list && (len(trim) == 0 || l[0] == ' ' || l[0] == '\t')
	switch {
	case len(trim) == 0:
		m.roles[n] = blank
	case fenceRow().Match(l):
		return m.seeFence(n, l)
	case !m.list && atx().Match(l):
		m.roles[n], m.levels[n] = heading, uint8(len(atx().FindSubmatch(l)[1]))
	case m.start > 0 && setext().Match(l):
		m.underline(n, trim[0])
	case itemRow().Match(l):
		m.roles[n], m.list = listed, true
	case trim[0] == '>':
		m.roles[n] = quoted
	case trim[0] == '|':
		m.roles[n] = table
	default:
		m.roles[n] = prosaic
		m.paragraph(n)
	}
	if m.roles[n] != prosaic {
		m.start = 0
	}
	return n
}

// paragraph begins one where text stands below none, and below no list or quotation,
// which it would go on with.
func (m *markdown) paragraph(n int) {
	switch m.roles[n-1] {
	case prosaic, listed, quoted:
	case blank, heading, rule, fence, fenced, table:
		if !m.list {
			m.start = n
		}
	}
}

// underline makes the paragraph above a heading.
func (m *markdown) underline(n int, sign byte) {
	for in := m.start + 1; in <= n; in++ {
		m.roles[in] = rule
	}
	m.roles[m.start], m.levels[m.start] = heading, 2
	if sign == '=' {
		m.levels[m.start] = 1
	}
}

func (m *markdown) seeFence(n int, l []byte) int {
	f := fenceRow().FindSubmatch(l)
	m.roles[n] = fence
	for end := n + 1; end <= m.t.count(); end++ {
		m.roles[end] = fenced
		trim := m.t.trimmed(end)
		if len(trim) >= len(f[1]) && len(bytes.Trim(trim, string(f[1][:1]))) == 0 {
			m.fenceEnd[n] = end
			return end
		}
	}
	return m.t.count()
}

func (m *markdown) block(line int) (doc.Span, error) {
	switch m.roles[line] {
	case blank:
		return doc.Span{}, refuse("line %d is blank and opens no block", line)
	case fenced:
		return doc.Span{}, closing("line %d is inside fenced text or closes it", line)
	case rule:
		return doc.Span{}, closing("line %d goes on with the heading above it", line)
	case heading:
		return m.section(line)
	case fence:
		return m.fence(line)
	case listed:
		return span(line, m.deeper(line)), nil
	case prosaic, quoted, table:
		return m.run(line)
	}
	return doc.Span{}, refuse("no block opens on line %d", line)
}

// section goes up to the next heading of the same level or a higher one.
func (m *markdown) section(line int) (doc.Span, error) {
	next := line + 1
	for next <= m.t.count() && (m.roles[next] != heading || m.levels[next] > m.levels[line]) {
		next++
	}
	last := next - 1
	for last > line && m.roles[last] == blank {
		last--
	}
	return span(line, last), nil
}

func (m *markdown) fence(line int) (doc.Span, error) {
	end, ok := m.fenceEnd[line]
	if !ok {
		return doc.Span{}, refuse("the fence of line %d is never closed, so where its block ends cannot be told", line)
	}
	return span(line, end), nil
}

// deeper is the last line of a list item: what follows deeper, fenced text whole.
func (m *markdown) deeper(line int) int {
	base, _ := m.t.indent(line)
	last := line
	for n := line + 1; n <= m.t.count(); n++ {
		col, ok := m.t.indent(n)
		switch {
		case !ok || m.roles[n] == fenced:
		case col > base || m.roles[n] == prosaic && n == last+1:
		default:
			return last
		}
		if ok && (m.roles[n] != fenced || last == n-1) {
			last = n
		}
	}
	return last
}

// run is a paragraph, a quotation or a table: lines of one role, from its first.
func (m *markdown) run(line int) (doc.Span, error) {
	r := m.roles[line]
	if above := m.roles[line-1]; above == r || above == listed {
		return doc.Span{}, closing("line %d goes on with the text above it and opens no block", line)
	}
	last := line
	for last < m.t.count() && m.roles[last+1] == r {
		last++
	}
	return span(line, last), nil
}
