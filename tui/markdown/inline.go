package markdown

import (
	"bytes"
	"strings"

	"tenet/tui/text"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// inline writes what stands within a paragraph as one styled text.
type inline struct {
	p    *painter
	src  []byte
	out  []byte
	look look
	from int // what stands before this in the source is passed over
}

// inline is the children of a block as styled text with its line ends.
func (p *painter) inline(n ast.Node, src []byte, l look, from int) string {
	w := inline{p: p, src: src, look: l, from: from}
	w.children(n)
	return string(w.out)
}

func (w *inline) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c)
	}
}

func (w *inline) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.text(n)
	case *ast.String:
		w.write(unescaped(n.Value))
	case *ast.CodeSpan:
		w.code(n)
	case *ast.Emphasis:
		if n.Level > 1 {
			w.within(n, strong, "**")
		} else {
			w.within(n, emph, "*")
		}
	case *strike:
		w.within(n, struck, "~~")
	case *ast.Link:
		w.link(n, n.Destination)
	case *ast.Image:
		w.write("[image: ")
		w.children(n)
		w.write("] ")
		w.address(string(n.Destination))
	case *ast.AutoLink:
		w.address(string(n.URL(w.src)))
	case *ast.RawHTML:
		for _, s := range n.Segments.Sliced(0, n.Segments.Len()) {
			w.styled(muted, string(s.Value(w.src)))
		}
	default:
		w.children(n)
	}
}

func (w *inline) text(n *ast.Text) {
	seg := n.Segment
	if seg.Stop > w.from {
		if seg.Start < w.from {
			seg.Start = w.from
		}
		w.write(unescaped(seg.Value(w.src)))
	}
	if n.SoftLineBreak() || n.HardLineBreak() {
		w.out = append(w.out, '\n')
	}
}

// unescaped is a text without its backslashes, and with what its entities stand for,
// which may be any control character: it is cleaned again.
func unescaped(b []byte) string {
	if !bytes.ContainsAny(b, `\&`) {
		return string(b)
	}
	b = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(b)))
	return strings.ReplaceAll(text.Clean(string(b)), "\n", " ")
}

func (w *inline) write(s string) { w.styled(0, s) }

func (w *inline) styled(add look, s string) {
	w.out = w.p.ink(w.look|add).Append(w.out, strings.TrimSuffix(s, "\n"))
}

// within draws children in a look. Where the theme has no ink for it the signs stay.
func (w *inline) within(n ast.Node, add look, sign string) {
	old := w.look
	bare := w.p.ink(old) == w.p.ink(old|add)
	w.look |= add
	if bare {
		w.write(sign)
	}
	w.children(n)
	if bare {
		w.write(sign)
	}
	w.look = old
}

func (w *inline) code(n *ast.CodeSpan) {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(w.src))
		}
	}
	s := strings.ReplaceAll(b.String(), "\n", " ")
	if w.p.ink(w.look|codeLook) == w.p.ink(w.look) {
		s = "`" + s + "`"
	}
	w.styled(codeLook, s)
}

// link shows the text and the address: a person sees where it leads. It is never a link
// of the terminal, whose text and address may differ.
func (w *inline) link(n ast.Node, to []byte) {
	before := len(w.out)
	w.children(n)
	dest := address(string(to))
	if shown := text.Line(string(w.out[before:])); shown != dest && dest != "" {
		w.write(" (")
		w.address(dest)
		w.write(")")
	}
}

func (w *inline) address(s string) { w.styled(link, address(s)) }

// address is where a link leads, in full and in one line.
func address(s string) string { return text.Line(unescaped([]byte(s))) }
