package markdown

import (
	"sync"

	"tenet/tui/theme"

	"github.com/charmbracelet/lipgloss"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// look is how a part of a line is drawn: a set of these.
type look uint8

const (
	strong look = 1 << iota
	emph
	struck
	link
	codeLook
	title
	quoted
	muted
)

// painter draws pieces in one theme.
type painter struct {
	th   *theme.Theme
	inks [256]*theme.Ink
	hues struct{ plain, word, str, number, comment, added, removed, hunk theme.Ink }
	edge theme.Ink
}

func newPainter(th *theme.Theme) *painter {
	p := &painter{th: th, edge: theme.InkOf(th.Border)}
	c := &p.hues
	c.plain, c.word, c.str, c.number = theme.InkOf(th.Code), theme.InkOf(th.Keyword), theme.InkOf(th.String), theme.InkOf(th.Number)
	c.comment, c.added, c.removed, c.hunk = theme.InkOf(th.Comment), theme.InkOf(th.Added), theme.InkOf(th.Removed), theme.InkOf(th.Hunk)
	return p
}

// ink is the ink of a look, made when it is first asked for.
func (p *painter) ink(l look) theme.Ink {
	if p.inks[l] == nil {
		k := theme.InkOf(p.style(l))
		p.inks[l] = &k
	}
	return *p.inks[l]
}

func (p *painter) style(l look) lipgloss.Style {
	s := p.th.Text
	for _, part := range []struct {
		of    look
		style lipgloss.Style
	}{{muted, p.th.Muted}, {quoted, p.th.Quote}, {title, p.th.Heading}, {codeLook, p.th.Code}, {link, p.th.Link}} {
		if l&part.of != 0 {
			s = part.style
		}
	}
	if l&strong != 0 {
		s = s.Bold(true)
	}
	if l&emph != 0 {
		s = s.Italic(true)
	}
	if l&struck != 0 {
		s = s.Strikethrough(true)
	}
	return s
}

// parsing is the parser, made when the first text is drawn. It has no transformer of
// paragraphs: definitions of links stay as text, since a model could hide words in them.
var parsing = sync.OnceValue(func() parser.Parser {
	inline := append(parser.DefaultInlineParsers(), util.Prioritized(strikes{}, 500))
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...), parser.WithInlineParsers(inline...))
})

// parse is the tree of a piece.
func parse(src string) (ast.Node, []byte) {
	b := []byte(src)
	return parsing().Parse(text.NewReader(b)), b
}
