package effect

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// follow keeps track of what a command changes in the shell itself.
func (w *walker) follow(argv []word) {
	name := argv[0].text
	if f := w.funcs[name]; f != nil && argv[0].sure == exact {
		if w.guessing == 0 && !w.idle {
			w.entered[name] = true
		}
		w.enter(name, f, argv[1:len(argv):len(argv)])
	}
	switch name {
	case "shopt":
		w.expands = w.expands || slices.ContainsFunc(argv, func(a word) bool { return a.text == "expand_aliases" })
	case "cd", "pushd":
		w.cd(argv[1:])
	case "popd":
		w.lost = true
	case "alias":
		w.aliases(argv[1:])
	case "read", "mapfile", "readarray", "getopts", "unset", "printf", "let":
		for _, a := range argv[1:] {
			w.forget(a.text)
		}
	case "set", "shift":
		w.params = true
	case "eval":
		if !w.settles(argv[1:]) {
			w.blinded()
		}
	case "source", ".":
		w.blinded()
	}
}

// aliases keeps what alias defines. A shell that runs a script does not expand them
// unless an option says so, and then a name means both.
func (w *walker) aliases(words []word) {
	for _, a := range words {
		name, text, ok := strings.Cut(a.text, "=")
		if ok && a.sure == exact && len(strings.Fields(text)) > 0 {
			w.alias[name] = exactWords(strings.Fields(text))
		}
	}
}

// blinded says that a text which nobody read has run in the shell itself.
func (w *walker) blinded() {
	w.vars = map[string]value{}
	w.blind, w.lost = true, true
}

// settles follows what a known text of eval changes in the shell.
func (w *walker) settles(words []word) bool {
	for _, a := range words {
		if a.sure != exact {
			return false
		}
	}
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(joined(words)), "")
	if err != nil || w.depth >= maxDepth {
		return false
	}
	w.depth++
	w.guessed(func() { w.stmts(f.Stmts) })
	w.depth--
	return true
}

// aliased keeps what a name that is an alias stands for, where the shell expands them.
func (w *walker) aliased(argv []word) {
	as := w.alias[argv[0].text]
	if as == nil || !w.expands || argv[0].sure != exact {
		return
	}
	w.everywhere(func(s *scene) {
		s.through("alias", func() { s.record(append(as[:len(as):len(as)], argv[1:]...)) })
	})
}

// cd adds the new directory: where "-" leads is already among the old ones.
func (w *walker) cd(words []word) {
	to := word{text: ""}
	for _, a := range words {
		if a.text == "-" || !a.option() {
			to = a
		}
	}
	switch {
	case to.text == "-" && to.sure == exact:
		return
	case to.text == "" && to.sure == exact:
		to.text, _ = w.look.Home("")
	}
	if to.sure != exact || len(w.dirs) >= maxDirs {
		w.lost = true
		return
	}
	for _, d := range w.dirs {
		w.dirs = append(w.dirs[:len(w.dirs):len(w.dirs)], join(d, to.text))
	}
}
