package effect_test

import (
	"strings"
	"testing"

	"tenet/core/call"
	"tenet/core/effect"
)

// TestPaths runs the table of testdata/paths.txt: the places that each script names, and
// where the words lead that a program which changes files is given.
func TestPaths(t *testing.T) {
	for _, c := range readTable(t, "testdata/paths.txt") {
		if got := shownPaths(judge(t, c.script, home)); got != c.want {
			t.Errorf("%s\n\tis  %s\n\tnot %s", c.script, got, c.want)
		}
	}
}

// shownPaths writes what is read and written as use, class and place, and behind a bar
// the words with the places that they lead to.
func shownPaths(f effect.Finding) string {
	var paths, words []string
	for _, p := range f.Paths {
		paths = append(paths, shownPath(p))
	}
	for _, c := range f.Commands {
		for _, w := range append(c.Words, c.Outs...) {
			if w.Real != "" {
				words = append(words, w.Text+"="+w.Real)
			}
		}
	}
	return strings.Join(paths, " ") + " | " + strings.Join(words, " ")
}

func shownPath(p call.Path) string {
	use := "reads"
	if p.Use == call.Writes {
		use = "writes"
	}
	if p.Holds {
		use += ",holds"
	}
	at := p.Real
	if at == "" {
		at = strings.ReplaceAll(p.Written, call.Hole, "…")
	}
	return use + "," + p.Class + ":" + at
}

// TestManyPathsAreCounted: of the places beyond the bound one of each kind is kept,
// without its name.
func TestManyPathsAreCounted(t *testing.T) {
	words := []string{"cat"}
	for i := range 1000 {
		words = append(words, strings.Repeat("a", 1+i%7)+strings.Repeat("b", i/7))
	}
	f := effect.Of(effect.Command{Argv: append(words, ".env", "/etc/x")}, home)
	if n := len(f.Paths); n != 256+3 {
		t.Fatalf("%d places", n)
	}
	kinds := ""
	for _, p := range f.Paths[256:] {
		kinds += shownPath(p) + " "
	}
	if kinds != "reads,inside:… reads,secret:… reads,outside:… " {
		t.Errorf("beyond the bound are %s", kinds)
	}
	if !strings.Contains(strings.Join(f.Notes, "\n"), "more than 256 paths") {
		t.Errorf("nobody is told: %q", f.Notes)
	}
}
