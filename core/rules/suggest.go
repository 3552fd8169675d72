package rules

import (
	"path"
	"slices"
	"strings"

	"tenet/core/call"
)

// interpreters run code that stands in their words or in their input: no pattern over
// them says what they do.
var interpreters = strings.Fields("sh bash dash ash zsh ksh mksh fish csh tcsh busybox toybox python python2 python3 pypy pypy3 ipython node nodejs deno bun tsx ts-node perl ruby php lua luajit tclsh osascript Rscript awk gawk mawk nawk sqlite3 psql mysql ssh sudo doas su env xargs parallel watch eval source . trap exec")

// maxSuggested bounds a pattern that may be offered, in bytes: a person must be able
// to read the whole of what stands from then on.
const maxSuggested = 200

// Suggest is the patterns that may be offered as a standing allow for a command, most
// specific first; each matches the command's text. The first is the command itself,
// the second the beginning that says what the command is for with * for its
// arguments. It is none for a command whose words do not say all that runs, and no
// more than the command itself for one that runs the code of others (law
// suggest_never_over_generalizes).
func Suggest(place Place, c call.Command) []string {
	if !plain(place, c) || c.Words[0].Pattern {
		return nil
	}
	text := c.Text()
	var out []string
	if len(text) <= maxSuggested && !strings.Contains(text, "*") && ranInRoot(place, c) {
		out = append(out, text)
	}
	n, ok := meaning(place, c)
	if !ok || n >= len(c.Words) {
		return out
	}
	for _, w := range c.Words[:n] {
		if w.Pattern || strings.ContainsAny(w.Text, "* \t\n'\"\\") || strings.HasPrefix(w.Text, "-") || w.Text == "" {
			return out
		}
	}
	prefix := call.Command{Words: c.Words[:n]}.Text()
	if len(prefix) > maxSuggested {
		return out
	}
	return append(out, prefix+" *")
}

// meaning is how many leading words say what the command is for; ok is false when
// nobody knows.
func meaning(place Place, c call.Command) (n int, ok bool) {
	for l := min(maxArity, len(c.Words)); l > 0; l-- {
		key := call.Command{Words: c.Words[:l]}.Text()
		if n, ok = arity()[key]; ok {
			return n, n > 0 && !runsCode(key, c)
		}
	}
	return 1, script(place, c)
}

// runsCode reports whether the beginning runs a program that the next word names, and
// that is one no pattern can speak for.
func runsCode(key string, c call.Command) bool {
	l := strings.Count(key, " ") + 1
	if !slices.Contains(runsOthers, strings.ReplaceAll(key, " ", "_")) {
		return false
	}
	return len(c.Words) <= l || slices.Contains(interpreters, base(c.Words[l].Text))
}

// script reports whether the program is a file of the workspace, named by its path
// from the root.
func script(place Place, c call.Command) bool {
	w := c.Words[0]
	if !strings.Contains(w.Text, "/") || !ranInRoot(place, c) {
		return false
	}
	real := w.Real
	if real == "" {
		real = join(c.Dir, w.Text)
	}
	return real != path.Clean(place.Root) && within(real, place.Root)
}

// ranInRoot: a program that is named by a relative path is another one in another
// directory, and a rule does not know the directory.
func ranInRoot(place Place, c call.Command) bool {
	w := c.Words[0].Text
	return !strings.Contains(w, "/") || strings.HasPrefix(w, "/") || path.Clean(c.Dir) == path.Clean(place.Root)
}
