package effect

import (
	"fmt"
	"strings"

	"tenet/core/call"
	"tenet/core/pathpolicy"
)

// maxNotes bounds the notes of one step: a question must stay readable.
const maxNotes = 8

// maxDepth bounds how deep commands inside commands are followed. What lies deeper
// stays exec, and its words are judged as words.
const maxDepth = 8

// scene gathers what one step does while its parts are judged.
type scene struct {
	look  Look
	part  Part
	notes []string
	depth int
	// judged counts statements and scripts, see maxJudged; scriptBytes the bytes of the latter.
	judged, scriptBytes int
	// relinks is true once something may change where names lead.
	relinks bool
	// over is true once a bound was passed: nothing can be worse, so nothing more is judged.
	over bool
	// within is true while the words of a wrapper are judged.
	within bool
	// mute is true while words are judged that name no place worth keeping, asRead while
	// a command that writes is judged by words it only reads.
	mute, asRead bool
	facts
}

func (s *scene) add(e call.Effects) { s.part.Own = s.part.Own.With(e) }

func (s *scene) exec(format string, a ...any) {
	s.add(call.Of(call.Exec))
	s.note(format, a...)
}

func (s *scene) note(format string, a ...any) {
	if len(s.notes) >= maxNotes {
		return
	}
	n := fmt.Sprintf(format, a...)
	for _, have := range s.notes {
		if have == n {
			return
		}
	}
	s.notes = append(s.notes, n)
}

// names judges a word that the command reads, or only mentions. A ~ that the shell has
// left alone is one that the program, or another shell, may take for the home.
func (s *scene) names(w word) {
	if rest, ok := strings.CutPrefix(w.text, "~/"); ok {
		if dir, known := s.look.Home(""); known {
			s.mentions(word{text: dir + "/" + rest, sure: w.sure})
		}
	}
	s.mentions(w)
}

// mentions judges a word as the path that stands there.
func (s *scene) mentions(w word) {
	t, ok := w.target(s.look)
	switch {
	case !ok:
		s.unreached(w, call.Reads)
	case t.Secret():
		s.secret(w, t)
		s.reached(w, t, call.Reads)
	default:
		s.reached(w, t, call.Reads)
	}
}

// writes judges a word of a command that writes: its class counts as well. A word
// that is known only when it runs may be anything.
func (s *scene) writes(w word) {
	t, ok := w.target(s.look)
	if !ok {
		s.add(call.Of(call.Write, call.Outside, call.Protected))
		s.note("what it writes is known only when it runs")
		s.unreached(w, call.Writes)
		return
	}
	if !w.sink() {
		s.reached(w, t, call.Writes)
	}
	if t.Secret() {
		s.secret(w, t)
	}
	if !w.sink() && !sink(t.Real.Path) {
		s.class(w, t)
	}
}

// replaces judges a word whose entry itself is removed or replaced: no sink there.
func (s *scene) replaces(w word) {
	if t, ok := w.target(s.look); ok && (w.sink() || sink(t.Real.Path)) {
		s.class(w, t)
	}
	s.writes(w)
}

// sink reports whether writing to a path changes nothing on the disk.
func sink(path string) bool {
	switch path {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/full", "/dev/zero", "/dev/fd/1", "/dev/fd/2":
		return true
	}
	return false
}

// sink reports whether writing to a word changes nothing on the disk; a process
// substitution that reads is a pipe.
func (w word) sink() bool { return sink(w.text) || w.full == "/dev/fd/"+call.Hole }

func (s *scene) class(w word, t pathpolicy.Target) {
	s.add(t.WriteEffects() & call.Grantable)
	switch t.Class {
	case pathpolicy.Protected:
		s.note("%q is protected: it decides over tenet, git or what a program's name runs", cited(w.text))
	case pathpolicy.Outside:
		s.note("%q is outside the workspace", cited(w.text))
	case pathpolicy.Secret, pathpolicy.Inside:
	}
}

func (s *scene) secret(w word, t pathpolicy.Target) {
	s.part.Secret = true
	if t.Class == pathpolicy.Secret {
		s.note("%q is a secret", cited(w.text))
		return
	}
	s.note("%q holds a secret", cited(w.text))
}

// home judges a file in the user's home that the command reads without naming it.
func (s *scene) home(name string) {
	if dir, ok := s.look.Home(""); ok {
		s.names(word{text: dir + "/" + name})
	}
}

// cwd judges the working directory of a command that reads it.
func (s *scene) cwd() {
	t := s.look.Dir()
	s.reached(word{text: "."}, t, call.Reads)
	if t.Secret() {
		s.part.Secret = true
		s.note("the working directory holds a secret")
	}
}

// environ is a dump of the process environment, where credentials are passed: it
// reads the pseudo-path that stands for it (DESIGN, "Decisions").
func (s *scene) environ() {
	s.add(call.Of(call.Read))
	s.names(word{text: "/proc/self/environ"})
}

// loose judges the words of a command whose options are not known: every place in
// a word where a path may begin counts.
func (s *scene) loose(words []word) {
	for _, w := range words {
		if path, isURL := w.url(); isURL {
			if path.text != "" {
				s.names(path)
			}
			continue
		}
		s.perhaps(w)
		for _, c := range inner(w) {
			s.perhaps(c)
		}
	}
}

// perhaps judges what may be a path. It is kept as one when it looks like one, or
// leads to a secret.
func (s *scene) perhaps(w word) {
	mute := s.mute
	s.mute = mute || !pathlike(w.text)
	s.names(w)
	s.mute = mute
}

// inner is the pieces of a word that may be paths: what stands between = @ , and :,
// what follows the first = or @ whole, and what stands behind the letters of an
// option. Together they are no longer than a few times the word.
func inner(w word) []word {
	var out []word
	for _, sign := range []string{"=", "@"} {
		if _, after, ok := w.cut(sign); ok {
			out = append(out, after)
		}
	}
	if strings.ContainsAny(w.text, "=@,:") {
		for piece := range strings.FieldsFuncSeq(w.text, func(r rune) bool { return strings.ContainsRune("=@,:", r) }) {
			out = append(out, word{text: piece})
		}
	}
	if strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "--") {
		for i := 2; i < len(w.text) && i < 6; i++ {
			out = append(out, w.tail(i))
		}
	}
	return out
}

// cited is a word as a note shows it.
func cited(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return text[:most/2] + "…" + text[len(text)-most/2:]
}
