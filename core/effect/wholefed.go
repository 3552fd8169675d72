package effect

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// runsInput reports whether a command is a shell, a wrapper around one, or holds one.
func runsInput(cmd syntax.Node) bool {
	return anyCall(cmd, func(c *syntax.CallExpr) bool {
		return slices.ContainsFunc(c.Args, func(a *syntax.Word) bool {
			name := plainText(a)
			switch name[strings.LastIndexByte(name, '/')+1:] {
			case "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "source", ".":
				return true
			}
			return false
		})
	})
}

// anyCall reports whether a simple command in the tree passes the test.
func anyCall(n syntax.Node, test func(*syntax.CallExpr) bool) (found bool) {
	if n == nil {
		return false
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		c, ok := n.(*syntax.CallExpr)
		found = found || ok && test(c)
		return !found
	})
	return found
}

// plainText is the text of a word as far as it stands there, quoted or not.
func plainText(w *syntax.Word) string {
	var b strings.Builder
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(n.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(n.Value)
		}
		return true
	})
	return b.String()
}

// feed judges what echo and printf, wherever they stand in from, send down a pipe: to a
// shell it is a script, to xargs the words of a command. A here-document that cat hands
// on is a script as well.
func (w *walker) feed(from syntax.Node, to *syntax.Stmt) {
	if to.Cmd == nil || !runsInput(to.Cmd) && !isXargs(to.Cmd) {
		return
	}
	syntax.Walk(from, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			w.echoed(n, to.Cmd)
		case *syntax.Redirect:
			if n.Hdoc != nil {
				w.feeds(w.document(n.Hdoc), to.Cmd)
			}
		}
		return true
	})
}

// echoed judges the words of echo or printf, each alone and all as the line they make.
func (w *walker) echoed(x *syntax.CallExpr, to syntax.Command) {
	if len(x.Args) < 2 || plainText(x.Args[0]) != "echo" && plainText(x.Args[0]) != "printf" {
		return
	}
	var words []word
	for _, a := range x.Args[1:] {
		words = append(words, w.fields(a)...)
	}
	w.feeds(append(words, word{text: joined(words)}), to)
	w.appended(words, to)
}

// handed judges what a shell reads from a process substitution among its words.
func (w *walker) handed(c *syntax.CallExpr) {
	for _, a := range c.Args {
		for _, p := range a.Parts {
			if sub, ok := p.(*syntax.ProcSubst); ok {
				w.feed(&syntax.Block{Stmts: sub.Stmts}, &syntax.Stmt{Cmd: c})
			}
		}
	}
}

func isXargs(cmd syntax.Command) bool {
	c, ok := cmd.(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && plainText(c.Args[0]) == "xargs"
}

// appended judges a command that xargs completes.
func (w *walker) appended(words []word, cmd syntax.Command) {
	c, ok := cmd.(*syntax.CallExpr)
	if !ok || !isXargs(cmd) {
		return
	}
	var argv []word
	for _, a := range c.Args {
		argv = append(argv, w.fields(a)...)
	}
	for _, t := range words {
		for f := range strings.FieldsSeq(ansi(t.text)) {
			argv = append(argv, word{text: f, sure: t.sure})
		}
	}
	w.everywhere(func(s *scene) { s.runs(argv) })
}
