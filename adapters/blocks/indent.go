package blocks

import (
	"bytes"

	"tenet/core/doc"
)

// indented is a text whose blocks are told by indentation: a line and those below it
// that are deeper.
type indented struct {
	t *text
	// same is true for a line as deep as the first that still belongs to the block.
	same func(first, next []byte) bool
	// comment begins a line that opens nothing, when not empty.
	comment string
	// closes lets a line as deep as the first end the block, such as a bracket.
	closes bool
}

// readIndented reads a text of no known language.
func readIndented(t *text) (grammar, error) {
	return &indented{t: t, closes: true, same: func(_, _ []byte) bool { return false }}, nil
}

// readYAML reads YAML, whose structure is its indentation. A list may stand as deep as
// the key that it belongs to.
func readYAML(t *text) (grammar, error) {
	for n := 1; n <= t.count(); n++ {
		l := t.line(n)
		if i := bytes.IndexFunc(l, func(r rune) bool { return r != ' ' }); i >= 0 && l[i] == '\t' && len(bytes.TrimSpace(l)) > 0 {
			return nil, failure(n, "a tab indents it")
		}
	}
	return &indented{t: t, comment: "#", same: yamlItem}, nil
}

func yamlItem(first, next []byte) bool { return item(next) && !item(first) }

func item(l []byte) bool {
	return len(l) > 0 && l[0] == '-' && (len(l) == 1 || l[1] == ' ')
}

var closers = lazy(`^(?:[)\]}]|(?:end|fi|done|esac|endif|endfunction)\b)`)

func (g *indented) block(line int) (doc.Span, error) {
	deep, ok := g.t.indent(line)
	first := g.t.trimmed(line)
	switch {
	case !ok:
		return doc.Span{}, refuse("line %d is blank and opens no block", line)
	case g.comment != "" && bytes.HasPrefix(first, []byte(g.comment)):
		return doc.Span{}, refuse("line %d is a comment and opens no block", line)
	case g.closes && closers().Match(first):
		return doc.Span{}, closing("line %d closes a block and opens none of its own", line)
	}
	last := g.last(line, deep, first)
	if last == line {
		return doc.Span{}, refuse("nothing below line %d is indented deeper, so it opens no block", line)
	}
	return span(line, last), nil
}

func (g *indented) last(line, deep int, first []byte) int {
	last := line
	for n := line + 1; n <= g.t.count(); n++ {
		col, ok := g.t.indent(n)
		switch {
		case !ok:
		case col > deep, col == deep && g.same(first, g.t.trimmed(n)):
			last = n
		case g.closes && col == deep && closers().Match(g.t.trimmed(n)) && last > line:
			return n
		default:
			return last
		}
	}
	return last
}
