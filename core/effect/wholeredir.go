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
		if r.Op == syntax.WordHdoc {
			w.everywhere(func(s *scene) { s.loose(words) }) // read may make a path of it
		}
		w.here(words)
		w.guessed(func() { w.feeds(words, cmd) })
		return
	case syntax.DplIn, syntax.DplOut:
		if len(words) == 1 && descriptor(words[0].text) {
			return
		}
		w.targets(ReadWrite, words)
	case syntax.RdrIn:
		w.targets(In, words)
		w.substitutedInput(r.Word)
		if cmd != nil {
			w.guessed(func() { w.feed(r.Word, &syntax.Stmt{Cmd: cmd}) })
		}
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
		w.written(op, t)
	}
}

// here says that a text stands on the input, instead of what a pipe brings.
func (w *walker) here(words []word) {
	w.site.fed, w.site.input = "", ""
	if len(words) == 1 && words[0].sure == exact {
		w.site.input = words[0].text
	}
}

func descriptor(text string) bool {
	return strings.Trim(text, "0123456789-") == "" && text != ""
}

// feeds judges a text that a command reads: a shell runs it.
func (w *walker) feeds(words []word, cmd syntax.Command) {
	if cmd == nil || !runsInput(cmd) {
		return
	}
	for _, t := range words {
		if t.sure == exact {
			w.script(t.text)
		}
	}
}
