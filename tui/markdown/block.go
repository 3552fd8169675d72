package markdown

import (
	"fmt"
	"strings"

	"tenet/tui/text"

	"github.com/yuin/goldmark/ast"
)

// Below minWidth cells nothing is indented any more, and maxDepth is how deep blocks are
// drawn within blocks: what is deeper is drawn as it stands in the source.
const (
	minWidth = 8
	maxDepth = 12
)

// block is what a block is drawn with.
type block struct {
	p     *painter
	src   []byte
	w     int
	look  look
	depth int
	from  int     // of the source: what is before is drawn otherwise
	first ordinal // the number of a list's first item, where the list goes on
}

// prose draws a piece that is neither list nor table.
func (p *painter) prose(src string, w int) []string {
	if w < minWidth {
		return text.Wrap(strings.TrimRight(src, "\n"), w)
	}
	root, b := parse(src)
	return block{p: p, src: b, w: w}.children(root)
}

// item draws an item of a list that goes on after the ordinal, and says its own.
func (p *painter) item(src string, w int, after ordinal) ([]string, ordinal) {
	if w < minWidth {
		return text.Wrap(strings.TrimRight(src, "\n"), w), ordinal{}
	}
	root, b := parse(src)
	list, ok := root.FirstChild().(*ast.List)
	if !ok || !list.IsOrdered() {
		return block{p: p, src: b, w: w}.children(root), ordinal{}
	}
	first := ordinal{list.Start, list.Marker}
	if after.sign == list.Marker {
		first.n = after.n + 1
	}
	lines := block{p: p, src: b, w: w, first: first}.children(root)
	return lines, ordinal{first.n + list.ChildCount() - 1, list.Marker}
}

// children draws the blocks within a node.
func (b block) children(n ast.Node) (out []string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		lines := b.draw(c)
		if len(lines) > 0 && len(out) > 0 && c.HasBlankPreviousLines() {
			out = append(out, "")
		}
		out = append(out, lines...)
	}
	return out
}

func (b block) draw(n ast.Node) []string {
	if b.depth > maxDepth {
		return b.raw(n)
	}
	switch n := n.(type) {
	case *ast.Heading:
		return b.heading(n)
	case *ast.Paragraph, *ast.TextBlock:
		return b.paragraph(n)
	case *ast.ThematicBreak:
		return []string{b.p.edge.Paint(strings.Repeat("─", b.w))}
	case *ast.Blockquote:
		return b.quote(n)
	case *ast.List:
		return b.list(n)
	case *ast.FencedCodeBlock:
		return b.code(n, string(n.Language(b.src)))
	case *ast.CodeBlock:
		return b.code(n, "")
	case *ast.HTMLBlock:
		return b.html(n)
	}
	return b.raw(n)
}

func (b block) heading(n *ast.Heading) []string {
	s := b.p.ink(b.look | muted).Paint(strings.Repeat("#", n.Level) + " ")
	s += b.p.inline(n, b.src, b.look|title, 0)
	return text.Wrap(s, b.w)
}

func (b block) paragraph(n ast.Node) []string {
	if rows := b.lines(n); strings.Contains(rows, "|") && b.from == 0 {
		head, rest, _ := strings.Cut(rows, "\n")
		if row, _, _ := strings.Cut(rest, "\n"); isTable(head, row) {
			lines, _ := b.p.table(rows, b.w, nil)
			return lines
		}
	}
	return text.Wrap(b.p.inline(n, b.src, b.look, b.from), b.w)
}

// lines is the source of a block.
func (b block) lines(n ast.Node) string {
	var s strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		s.Write(seg.Value(b.src))
	}
	return s.String()
}

// narrower is the block that stands indented by n cells, where there is room for it.
func (b block) narrower(n int) (block, bool) {
	b.depth++
	if b.w-n < minWidth {
		return b, false
	}
	b.w -= n
	return b, true
}

func (b block) quote(n ast.Node) []string {
	in, fits := b.narrower(2)
	in.look |= quoted
	lines := in.children(n)
	if fits {
		bar := b.p.edge.Paint("│") + " "
		for i, l := range lines {
			lines[i] = bar + l
		}
	}
	return lines
}

func (b block) list(n *ast.List) (out []string) {
	number := n.Start
	if b.first.sign != 0 {
		number = b.first.n
	}
	b.first = ordinal{}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if len(out) > 0 && !n.IsTight && c.HasBlankPreviousLines() {
			out = append(out, "")
		}
		sign := "• "
		if n.IsOrdered() {
			sign = fmt.Sprintf("%d%c ", number, n.Marker)
			number++
		}
		out = append(out, b.listItem(c, sign)...)
	}
	return out
}

func (b block) listItem(n ast.Node, sign string) []string {
	if box, from := b.task(n); box != "" {
		sign, b.from = strings.TrimPrefix(sign, "• ")+box, from
	}
	in, fits := b.narrower(text.Width(sign))
	if b.from > 0 {
		in.from = b.from
	}
	lines := in.children(n)
	if len(lines) == 0 {
		lines = []string{""}
	}
	if !fits {
		return lines
	}
	indent := strings.Repeat(" ", text.Width(sign))
	for i, l := range lines {
		lead := indent
		if i == 0 {
			lead = b.p.ink(b.look | muted).Paint(sign)
		}
		if l != "" || i == 0 {
			lines[i] = lead + l
		}
	}
	return lines
}

// task is the box of a task's item, and where its text begins.
func (b block) task(n ast.Node) (box string, from int) {
	first := n.FirstChild()
	if first == nil || first.Lines() == nil || first.Lines().Len() == 0 {
		return "", 0
	}
	seg := first.Lines().At(0)
	line := string(seg.Value(b.src))
	switch {
	case strings.HasPrefix(line, "[ ] "):
		box = "☐ "
	case strings.HasPrefix(line, "[x] "), strings.HasPrefix(line, "[X] "):
		box = "☑ "
	default:
		return "", 0
	}
	return box, seg.Start + len("[ ] ")
}

func (b block) code(n ast.Node, lang string) (out []string) {
	l := lighter{lang: languageOf(lang)}
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		line := strings.Repeat(" ", seg.Padding) + strings.TrimSuffix(string(b.src[seg.Start:seg.Stop]), "\n")
		out = b.p.code(out, line, b.w, &l)
	}
	return out
}

func (b block) html(n *ast.HTMLBlock) []string {
	s := b.lines(n)
	if n.HasClosure() {
		s += string(n.ClosureLine.Value(b.src))
	}
	return b.plain(s)
}

// raw draws a node as it stands in the source.
func (b block) raw(n ast.Node) []string {
	if n.Type() == ast.TypeInline {
		return text.Wrap(b.p.inline(n, b.src, b.look, 0), b.w)
	}
	s := ""
	if n.Lines() != nil {
		s = b.lines(n)
	}
	for c := n.FirstChild(); c != nil && n.ChildCount() > 0 && c.Type() == ast.TypeBlock; c = c.NextSibling() {
		s += strings.Join(b.raw(c), "\n") + "\n"
	}
	return b.plain(s)
}

func (b block) plain(s string) []string {
	var out []string
	ink := b.p.ink(b.look | muted)
	for line := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		out = append(out, text.Wrap(ink.Paint(line), b.w)...)
	}
	return out
}
