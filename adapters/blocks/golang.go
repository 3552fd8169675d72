package blocks

import (
	"errors"
	"go/ast"
	"go/parser"
	goscanner "go/scanner"
	gotoken "go/token"

	"tenet/core/doc"
)

// tree is a text with a syntax tree of which only this is kept: for each line, where
// the largest node ends that begins with the line's first byte of text.
type tree struct {
	t    *text
	ends []int32
	// mids are the lines inside a string or comment that began on a line before.
	shut func(line int) bool
}

func newTree(t *text) *tree { return &tree{t: t, ends: make([]int32, t.count()+1)} }

// add notes a node that covers the bytes from..to of the text.
func (tr *tree) add(from, to int) {
	n := tr.t.lineAt(from)
	if n > 0 && tr.t.first(n) == from {
		tr.ends[n] = max(tr.ends[n], int32(min(to, len(tr.t.src))))
	}
}

func (tr *tree) block(line int) (doc.Span, error) {
	first := tr.t.first(line)
	switch {
	case first < 0:
		return doc.Span{}, refuse("line %d is blank and opens no block", line)
	case tr.shut(line):
		return doc.Span{}, closing("line %d closes or goes on with a block and opens none of its own", line)
	case tr.ends[line] == 0:
		return doc.Span{}, refuse("no block opens on line %d", line)
	}
	end := int(tr.ends[line])
	last := tr.t.lineAt(end - 1)
	if !tail(tr.t, end, last) {
		return doc.Span{}, refuse("what opens on line %d ends in the middle of line %d, and a block is whole lines", line, last)
	}
	if last == line && tr.t.src[end-1] != '}' {
		return doc.Span{}, refuse("line %d is a whole statement and opens no block", line)
	}
	return span(line, last), nil
}

// tail is true when nothing of weight follows a block on its last line.
func tail(t *text, end, last int) bool {
	l := t.line(last)
	rest := l[min(len(l), end-int(t.starts[last-1])):]
	for len(rest) > 0 {
		switch rest[0] {
		case ' ', '\t', ',', ';', '\r':
			rest = rest[1:]
		case '/', '#':
			return true
		default:
			return false
		}
	}
	return true
}

// readGo parses Go. Only what begins its line counts, so comments, which no node
// covers, and the lines of a raw string have no block.
func readGo(t *text) (grammar, error) {
	fset := gotoken.NewFileSet()
	f, err := parser.ParseFile(fset, t.path, t.src, parser.SkipObjectResolution)
	if err != nil {
		return nil, goError(err)
	}
	tr, base := newTree(t), int(f.FileStart)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.File:
		default:
			tr.add(int(n.Pos())-base, int(n.End())-base)
		}
		return true
	})
	tr.shut = func(line int) bool { return shutsFirst(t, line) }
	return tr, nil
}

func goError(err error) error {
	var list goscanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return &broken{line: list[0].Pos.Line, why: list[0].Msg}
	}
	return err
}
