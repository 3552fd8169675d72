package effect

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// into is where cp, mv and ln put what they are given. Which of two words is meant as
// a directory is known only on the disk, so both readings count.
type into struct {
	dest    word
	sources []word
	// dir is true when dest can only be a directory.
	dir bool
	// plain is true when dest is never entered (-T).
	plain bool
}

func destination(a *args) into {
	for _, g := range a.opts {
		if (g.name == "t" || g.name == "target-directory") && g.has {
			return into{dest: g.value, sources: a.operands, dir: true}
		}
	}
	n := len(a.operands)
	if n < 2 {
		return into{dest: word{text: "."}, sources: a.operands, dir: true}
	}
	return into{dest: a.operands[n-1], sources: a.operands[:n-1], dir: n > 2, plain: a.has("T", "no-target-directory")}
}

// source reports whether an operand is one of the sources, which stand first.
func (p into) source(operand int) bool { return operand < len(p.sources) }

// base is the name a source keeps in a directory it is put into; ok is false for one
// that ends in . or .., whose entries land in the directory itself.
func base(w word) (name word, ok bool) {
	t := strings.TrimRight(w.text, "/")
	name = word{text: t[strings.LastIndexByte(t, '/')+1:], sure: w.sure}
	return name, name.text != "" && name.text != "." && name.text != ".."
}

// under is the word of a name in a directory. One of which only the beginning is
// known may be any name there.
func under(dir, name word) word {
	switch {
	case dir.sure == unknown:
		return dir
	case name.sure == unknown:
		return word{text: escaped(dir) + "/*", sure: pattern}
	case dir.sure == exact && name.sure == exact:
		return word{text: dir.text + "/" + name.text}
	}
	return word{text: escaped(dir) + "/" + escaped(name), sure: pattern}
}

// escaped is the word as a pattern.
func escaped(w word) string {
	if w.sure == pattern {
		return w.text
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`).Replace(w.text)
}

// derived judges the entries that the command makes in a directory without naming
// them: a link that stands there is written through.
func (p into) derived(s *scene, judge func(word)) {
	if p.plain {
		return
	}
	for _, src := range p.sources {
		if name, ok := base(src); ok {
			judge(under(p.dest, name))
		}
	}
}

// merges reports whether a tree is copied into one that stands there: what links it
// holds is not known, and the copy would go through them.
func (p into) merges(s *scene) bool {
	if p.dest.sure != exact || !s.look.Exists(p.dest.text) {
		return p.dest.sure != exact
	}
	seen := map[string]bool{}
	for _, src := range p.sources {
		name, ok := base(src)
		if p.plain || !ok || name.sure != exact || seen[name.text] || s.look.Exists(under(p.dest, name).text) {
			return true
		}
		seen[name.text] = true
	}
	return false
}

// suffixRuns: a backup's name is the old one with the suffix. Only a suffix that
// begins with a dot or ~ keeps a secret's name one (.env and .env.bak, not .envtxt).
func suffixRuns(s *scene, a *args) call.Effects {
	for _, g := range a.opts {
		if (g.name == "S" || g.name == "suffix") && (g.value.sure != exact || strings.Trim(g.value.text[:min(1, len(g.value.text))], ".~") != "" || strings.Contains(g.value.text, "/")) {
			s.note("a backup with the suffix %q no longer has the name it is judged by", cited(g.value.text))
			return call.Of(call.Exec)
		}
	}
	return 0
}

// copyMore judges where cp writes besides the words it is given.
func copyMore(s *scene, a *args) call.Effects {
	add := suffixRuns(s, a)
	to := destination(a)
	a.source = to.source
	to.derived(s, s.writes)
	s.relinks = s.relinks || a.has("a", "d", "P", "R", "r", "s", "l", "b", "f", "archive", "no-dereference", "recursive", "symbolic-link", "link", "preserve", "parents", "backup", "force", "remove-destination")
	if a.has("parents") {
		for _, src := range to.sources {
			s.writes(under(to.dest, src))
		}
	}
	if !a.has("r", "R", "a", "recursive", "archive") {
		return add
	}
	if a.has("L", "dereference") {
		s.follows("cp")
	}
	if to.merges(s) {
		s.note("a tree is copied over one whose links are not known")
		add = add.With(call.Of(call.Outside))
	}
	return add
}

// moveMore judges the entries that mv replaces in a directory.
func moveMore(s *scene, a *args) call.Effects {
	s.relinks = true
	destination(a).derived(s, s.replaces)
	return suffixRuns(s, a)
}

// linkMore judges a symbolic link's target from the directory the link stands in, as
// the link will mean it, and the entries that ln makes in a directory.
func linkMore(s *scene, a *args) call.Effects {
	s.relinks = true
	add := suffixRuns(s, a)
	to := destination(a)
	a.source = to.source
	to.derived(s, s.replaces)
	if !a.has("s", "symbolic") || a.has("r", "relative") || to.dest.sure != exact {
		return add
	}
	s.asRead = true
	defer func() { s.asRead = false }()
	for _, target := range to.sources {
		if !to.dir {
			s.writes(seenFrom(parentOf(to.dest.text), target))
		}
		if to.dir || !to.plain && s.look.Exists(to.dest.text) {
			s.writes(seenFrom(to.dest.text, target))
		}
	}
	a.operands, a.source = slices.Clone(a.operands[len(to.sources):]), func(int) bool { return false }
	return add
}

// seenFrom is a word as it is read in a directory.
func seenFrom(dir string, w word) word { return word{text: join(dir, w.text), sure: w.sure} }

// parentOf is the directory part of a path as written; "" for a name alone.
func parentOf(path string) string {
	path = strings.TrimRight(path, "/")
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i+1]
	}
	return ""
}

// splitMore: the pieces land in every name that begins with the prefix.
func splitMore(s *scene, a *args) call.Effects {
	prefix := word{text: "x"}
	if len(a.operands) > 1 {
		prefix = a.operands[1]
	}
	if prefix.sure != unknown {
		prefix = word{text: escaped(prefix) + "*", sure: pattern}
	}
	s.writes(prefix)
	a.source = func(i int) bool { return i == 0 }
	return 0
}
