package effect

import "strings"

// follow keeps track of what a command changes in the shell itself.
func (w *walker) follow(argv []word) {
	name := argv[0].text
	if body := w.funcs[name]; body != nil {
		w.enter(name, body)
	}
	switch name {
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
	case "eval", "source", ".":
		w.vars = map[string]value{}
		w.lost = true
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
