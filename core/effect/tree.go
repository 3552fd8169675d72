package effect

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// follows marks a command that walks a tree and goes through the links in it: what
// they lead to is known to nobody before it has run.
func (s *scene) follows(name string) {
	s.part.Secret = true
	s.note("%s follows every link below what it names, to a secret too", name)
}

// tree judges a directory whose files are read, whatever they are called.
func (s *scene) tree(w word) {
	if w.sure != exact {
		return
	}
	if t := s.look.Tree(w.text); t.Secret() {
		s.secret(w, t)
	}
}

// trees judges the operands as trees, or the working directory when there are none.
func (s *scene) trees(operands []word) {
	if len(operands) == 0 {
		s.tree(word{text: "."})
	}
	for _, w := range operands {
		s.tree(w)
	}
}

// grepMore: with -r it reads every file below its operands, with -R through links.
func grepMore(s *scene, a *args) call.Effects {
	patternFirst(s, a)
	if a.has("R", "dereference-recursive") {
		s.follows("grep -R")
	}
	if recursive(a) {
		s.trees(a.operands)
	}
	return 0
}

// rgMore: --files and --type-list take no pattern at all. Hidden files, secrets among
// them, are read only when an option says so.
func rgMore(s *scene, a *args) call.Effects {
	list := a.has("files", "type-list")
	if !list {
		patternFirst(s, a)
	}
	if a.has("L", "follow") {
		s.follows("rg --follow")
	}
	if !list && (a.has("hidden", ".", "u", "unrestricted") || unhides(a)) {
		s.trees(a.operands)
	}
	return 0
}

// unhides reports whether a glob of rg may name a hidden file, which is read then. One
// that asks for an extension of source files does not.
func unhides(a *args) bool {
	for _, g := range a.opts {
		if g.name != "g" && g.name != "glob" && g.name != "iglob" {
			continue
		}
		t := g.value.text
		t = t[strings.LastIndexByte(t, '/')+1:]
		ext, plain := strings.CutPrefix(t, "*.")
		switch {
		case g.value.sure == exact && strings.HasPrefix(g.value.text, "!"):
		case !plain || g.value.sure != exact || strings.Trim(ext, "abcdefghijklmnopqrstuvwxyz0123456789") != "":
			return true
		case slices.Contains(stages, ext):
			return true
		}
	}
	return false
}

// stages are the suffixes that a file of variables usually has.
var stages = strings.Fields("env local dev development test testing stage staging prod production ci")

// gitGrepMore: outside of the index it reads every file below.
func gitGrepMore(s *scene, a *args) call.Effects {
	patternFirst(s, a)
	if a.has("untracked", "no-index") {
		s.trees(a.operands)
	}
	return 0
}

// diffMore: two directories are compared file by file, with -r whole trees, and
// through every link unless an option forbids it.
func diffMore(s *scene, a *args) call.Effects {
	if a.has("r", "recursive") && !a.has("no-dereference") {
		s.follows("diff -r without --no-dereference")
	}
	for _, w := range a.operands {
		s.tree(w)
	}
	for _, w := range values(a) {
		s.tree(w)
	}
	return 0
}

// lsMore and duMore: through links they walk anywhere.
func lsMore(s *scene, a *args) call.Effects {
	if a.has("R", "recursive") && a.has("L", "dereference") {
		s.follows("ls -RL")
	}
	return 0
}

func duMore(s *scene, a *args) call.Effects {
	if a.has("L", "dereference") {
		s.follows("du -L")
	}
	return 0
}

// ownerMore: a recursive change goes through links when it is told to.
func ownerMore(s *scene, a *args) call.Effects {
	modeFirst(s, a)
	if a.has("R", "recursive") && a.has("L", "dereference") {
		s.follows("a recursive change")
		return call.Of(call.Outside, call.Protected)
	}
	return 0
}

// findFollows judges a find that goes through links. One that removes or writes there
// may do so anywhere.
func findFollows(s *scene, argv []word, does call.Effects) {
	for _, w := range argv {
		all, named := w.text == "-L" || w.text == "-follow", w.text == "-H"
		if !all && !(named && does.Has(call.Write)) {
			continue
		}
		s.follows("find " + strings.TrimSpace(w.text))
		if does.Has(call.Write) {
			s.add(call.Of(call.Outside, call.Protected))
		}
	}
}
