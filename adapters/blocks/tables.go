package blocks

import (
	"bytes"

	"tenet/core/doc"
)

// tables is TOML: a table goes up to the next header, a value to its bracket.
type tables struct {
	*braces
	headers map[int]bool
}

func readTOML(t *text) (grammar, error) {
	g, err := syntaxes()["TOML"].read(t)
	if err != nil {
		return nil, err
	}
	b := &tables{braces: g.(*braces), headers: map[int]bool{}}
	for i := 0; i < len(b.toks); i++ {
		t := b.toks[i]
		if t.kind != open {
			continue
		}
		if i == 0 || b.toks[i-1].last < t.line && b.toks[i-1].ch != '=' {
			b.headers[int(t.line)] = true
		}
		i = int(t.pair)
	}
	return b, nil
}

func (b *tables) block(line int) (doc.Span, error) {
	if !b.headers[line] {
		return b.braces.block(line)
	}
	return section(b.t, line, func(n int) bool { return b.headers[n] }, '#')
}

// section goes from a line to the one before the next head; blank lines and comments
// right above that belong to it, not to the section.
func section(t *text, line int, head func(int) bool, comment byte) (doc.Span, error) {
	next := line + 1
	for next <= t.count() && !head(next) {
		next++
	}
	last := next - 1
	for last > line && loose(t.trimmed(last), comment) {
		last--
	}
	if last == line {
		return doc.Span{}, refuse("the section of line %d is empty, so it opens no block", line)
	}
	return span(line, last), nil
}

func loose(l []byte, comment byte) bool {
	return len(l) == 0 || comment != 0 && l[0] == comment
}

// sections is INI: lines under headers in brackets.
type sections struct{ t *text }

func readINI(t *text) (grammar, error) { return sections{t}, nil }

func (s sections) header(n int) bool {
	l := s.t.trimmed(n)
	return bytes.HasPrefix(l, []byte{'['}) && bytes.Contains(l, []byte{']'})
}

func (s sections) block(line int) (doc.Span, error) {
	if !s.header(line) {
		return doc.Span{}, refuse("line %d is no [section] and opens no block", line)
	}
	return section(s.t, line, s.header, '#')
}
