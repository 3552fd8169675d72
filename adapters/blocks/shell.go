package blocks

import (
	"bytes"
	"errors"
	"fmt"

	sh "mvdan.cc/sh/v3/syntax"

	"tenet/core/script"
)

// shellBytes bounds a script: its parser calls itself for every level of nesting.
const shellBytes = 1 << 20

// readShell parses a shell script as bash does.
func readShell(t *text) (grammar, error) {
	if len(t.src) > shellBytes || nesting(t.src) > script.MaxNesting {
		return nil, fmt.Errorf("it is longer than %d bytes or nested deeper than %d", shellBytes, script.MaxNesting)
	}
	f, err := sh.NewParser(sh.Variant(sh.LangBash)).Parse(bytes.NewReader(t.src), "")
	if err != nil {
		return nil, shellError(err)
	}
	tr := newTree(t)
	w := shellWalk{tr: tr}
	sh.Walk(f, w.visit)
	tr.shut = func(line int) bool { return shellShut().Match(t.line(line)) }
	return tr, nil
}

var shellShut = lazy(`^\s*(?:[)}]|(?:fi|done|esac|then|do|else|elif)\b)`)

// shellWalk notes the statements of a script with the here-documents that they read,
// whose bodies stand after everything else of a line.
type shellWalk struct {
	tr *tree
	// path are the nodes that the walk is in, and where each ends so far.
	path []sh.Node
	ends []int
}

func (w *shellWalk) visit(n sh.Node) bool {
	if n == nil {
		w.leave()
		return true
	}
	end := int(n.End().Offset())
	if r, ok := n.(*sh.Redirect); ok && r.Hdoc != nil {
		end = hereEnd(w.tr.t, int(r.Hdoc.End().Offset()))
	}
	w.path, w.ends = append(w.path, n), append(w.ends, end)
	return true
}

// leave notes the node whose children were all seen, and stretches its parent.
func (w *shellWalk) leave() {
	last := len(w.path) - 1
	n, end := w.path[last], w.ends[last]
	w.path, w.ends = w.path[:last], w.ends[:last]
	if last > 0 {
		w.ends[last-1] = max(w.ends[last-1], end)
	}
	switch n.(type) {
	case *sh.Stmt, *sh.CaseItem:
		w.tr.add(int(n.Pos().Offset()), end)
	}
}

// hereEnd is the end of the line that ends a here-document whose body ends at a byte:
// the body's end is the beginning of that line.
func hereEnd(t *text, at int) int {
	n := t.lineAt(min(at, len(t.src)-1))
	return int(t.starts[n-1]) + len(bytes.TrimRight(t.line(n), " \t"))
}

// nesting counts brackets without reading quotes: it bounds work and judges nothing.
func nesting(src []byte) (deepest int) {
	open := 0
	for _, c := range src {
		switch c {
		case '(', '[', '{':
			open++
			deepest = max(deepest, open)
		case ')', ']', '}':
			open = max(0, open-1)
		}
	}
	return deepest
}

func shellError(err error) error {
	var pe sh.ParseError
	if errors.As(err, &pe) {
		return &broken{line: int(pe.Pos.Line()), why: pe.Text}
	}
	return err
}
