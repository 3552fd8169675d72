package effect

import (
	"strings"

	"tenet/core/call"
	"tenet/core/pathpolicy"
)

// maxUp bounds how far a repository is looked for upwards.
const maxUp = 64

// gitDir judges where a git step writes: the repository of its directory. A link on
// the way to it leads the write out; a file instead of a directory, or a directory
// shared with another work tree, names another place that only reading would tell.
func (s *scene) gitDir(names []string) {
	for _, v := range []string{"GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"} {
		if _, set := s.look.Var(v); set {
			s.exec("%s says where git writes", v)
		}
	}
	up := "."
	for range maxUp {
		dir := up + "/.git"
		switch {
		case s.look.Exists(dir + "/HEAD"):
			s.gitFiles(dir, names)
			return
		case s.look.Exists(dir):
			s.exec("what .git says is not known: git writes where it points")
			return
		case s.look.Exists(up+"/HEAD") && s.look.Exists(up+"/objects") && s.look.Exists(up+"/refs"):
			s.gitFiles(up, names) // and on: git passes by one that only looks so
		}
		if at := s.look.Word(up).Real.Path; at == "/" || at == "" {
			return
		}
		up += "/.."
	}
}

// gitFiles judges the files that git may write in a repository.
func (s *scene) gitFiles(dir string, names []string) {
	if s.look.Exists(dir + "/commondir") {
		s.exec("the repository is shared with another work tree: git writes there")
	}
	for _, n := range append([]string{"HEAD", "config", "objects/x", "refs/heads/x", "packed-refs", "logs/HEAD", "logs/refs/heads/x"}, names...) {
		s.leads(dir + "/" + n)
	}
}

// leads judges where a word really leads, and not the entry that stands there: .git is
// protected wherever it lies, and a git step is what may write in it, so the place
// that holds it counts.
func (s *scene) leads(path string) {
	t := s.look.Word(path)
	if t.Real.Path != "" && t.Class != pathpolicy.Secret {
		holder, _, _ := strings.Cut(t.Real.Path+"/", "/.git/")
		t = s.look.Word(holder + "/x")
	}
	switch t.Class {
	case pathpolicy.Outside, pathpolicy.Protected:
		s.add(t.WriteEffects() & call.Grantable)
		s.note("the repository lies outside of what may be written: %q", cited(t.Real.Path))
	case pathpolicy.Secret:
		s.secret(word{text: path}, t)
	case pathpolicy.Inside:
	}
}

// gitWrites judges the repository of a subcommand that writes in it; log, show and
// diff only write the file that --output names.
func (s *scene) gitWrites(sub string, a *args) {
	switch sub {
	case "log", "show", "diff":
		return
	case "init":
		s.relinks = true
		s.gitInit(a)
		return
	}
	s.relinks = true
	if a.has("stdin") {
		s.exec("git %s --stdin writes refs that only its input names", sub)
	}
	var names []string
	for _, w := range a.operands {
		if w.sure == exact {
			names = append(names, w.text, "logs/"+w.text, "refs/heads/"+w.text, "logs/refs/heads/"+w.text)
		}
	}
	s.gitDir(names)
}

// gitInit makes or completes the repository in its operand, or in the working directory.
func (s *scene) gitInit(a *args) {
	dir := "."
	if len(a.operands) > 0 && a.operands[0].sure == exact {
		dir = a.operands[0].text
	}
	if a.has("bare") {
		s.gitFiles(dir, nil)
		return
	}
	dir = strings.TrimRight(dir, "/") + "/.git"
	if s.look.Exists(dir) && !s.look.Exists(dir+"/HEAD") {
		s.exec("what .git says is not known: git writes where it points")
	}
	s.gitFiles(dir, []string{"hooks/x", "info/exclude", "description", "objects/info/x", "refs/tags/x"})
}

// gitMerges: a merge shown as git would make it again runs the repository's merge
// drivers. The calm forms are known by name.
func gitMerges(s *scene, a *args) call.Effects {
	for _, g := range a.opts {
		if g.name != "diff-merges" {
			continue
		}
		switch g.value.text {
		case "off", "none", "first-parent", "1", "separate", "m", "combined", "c", "dense-combined", "cc":
			if g.value.sure == exact {
				continue
			}
		}
		s.note("git --diff-merges=%s may run a merge driver", cited(g.value.text))
		return call.Of(call.Exec)
	}
	return 0
}
