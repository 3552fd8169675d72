package effect

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirection judges one redirection and what stands in a here-document: a shell
// that reads one runs it.
func (w *walker) redirection(r *syntax.Redirect, cmd syntax.Command) {
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
		w.exec("a redirection stores a descriptor in a variable")
	}
	words := w.fields(r.Word)
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		if r.Hdoc != nil {
			words = w.document(r.Hdoc)
		}
		w.feeds(words, cmd)
		return
	case syntax.DplIn, syntax.DplOut:
		if len(words) == 1 && descriptor(words[0].text) {
			return
		}
		w.targets(ReadWrite, words)
	case syntax.RdrIn:
		w.targets(In, words)
	case syntax.RdrInOut:
		w.targets(ReadWrite, words)
	case syntax.RdrOut, syntax.RdrClob, syntax.AppOut, syntax.AppClob, syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob:
		w.targets(Out, words)
	default:
		w.strictest()
	}
}

func (w *walker) targets(op RedirOp, words []word) {
	if len(words) == 0 {
		words = []word{{sure: unknown}}
	}
	for _, t := range words {
		w.everywhere(func(s *scene) { s.redirect(op, t) })
	}
}

func descriptor(text string) bool {
	return strings.Trim(text, "0123456789-") == "" && text != ""
}

// feeds judges a text that a command reads: a shell runs it.
func (w *walker) feeds(words []word, cmd syntax.Command) {
	if !runsInput(cmd) {
		return
	}
	for _, t := range words {
		if t.sure == exact {
			w.script(t.text)
		}
	}
}

// runsInput reports whether a command is a shell, or a wrapper around one.
func runsInput(cmd syntax.Command) bool {
	c, ok := cmd.(*syntax.CallExpr)
	if !ok {
		return false
	}
	for _, a := range c.Args {
		name := a.Lit()
		switch name[strings.LastIndexByte(name, '/')+1:] {
		case "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "source", ".":
			return true
		}
	}
	return false
}

// fed judges what echo and printf send down a pipe: to a shell it is a script, to
// xargs the words of a command.
func (w *walker) fed(from, to *syntax.Stmt) {
	x, ok := from.Cmd.(*syntax.CallExpr)
	if !ok || len(x.Args) < 2 || x.Args[0].Lit() != "echo" && x.Args[0].Lit() != "printf" {
		return
	}
	for _, a := range x.Args[1:] {
		words := w.fields(a)
		w.feeds(words, to.Cmd)
		w.appended(words, to.Cmd)
	}
}

// appended judges a command that xargs completes.
func (w *walker) appended(words []word, cmd syntax.Command) {
	c, ok := cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || c.Args[0].Lit() != "xargs" {
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
