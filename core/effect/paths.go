package effect

import (
	"slices"
	"strings"

	"tenet/core/call"
	"tenet/core/pathpolicy"
)

// maxPaths bounds the places that are named one by one. Of those beyond it one of
// each kind is kept without its name: whoever decides must take it for any of them.
const maxPaths = 256

// reached keeps a place that a command names.
func (s *scene) reached(w word, t pathpolicy.Target, use call.Use) {
	if s.guessing > 0 || s.away || s.mute && !t.Secret() {
		return
	}
	if s.asRead {
		use = call.Reads
	}
	s.addPath(call.Path{Real: t.Real.Path, Written: w.shown(), Use: use, Class: t.Class.String(), Holds: t.Holds})
}

// unreached keeps a place of which nobody knows where it is.
func (s *scene) unreached(w word, use call.Use) {
	s.reached(w, pathpolicy.Target{Class: pathpolicy.Protected}, use)
}

func (s *scene) addPath(p call.Path) {
	kind := p
	kind.Real, kind.Written = "", call.Hole
	switch {
	case slices.Contains(s.more, kind), slices.Contains(s.paths, p):
	case len(s.paths) < maxPaths:
		s.paths = append(s.paths, p)
	default:
		s.more = append(s.more, kind)
		s.note("more than %d paths are named", maxPaths)
	}
}

// unnamed judges words that are no places worth keeping, unless they lead to a secret.
func (s *scene) unnamed(judge func()) {
	mute := s.mute
	s.mute = true
	judge()
	s.mute = mute
}

// pathlike reports whether a word of a program that nobody vouches for looks like a
// path: most of its words are names of other things.
func pathlike(text string) bool {
	if strings.ContainsAny(text, "='\"() \t\n") {
		return false
	}
	return strings.Contains(text, "/") || strings.HasPrefix(text, "~") || text == ".." || text == "."
}
