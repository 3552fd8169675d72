package mutate

import (
	"os"
	"strings"
	"testing"
	"time"
)

// fixtureRun runs every mutant of the fixture's list, each in the program that
// prints what all functions of the fixture answer.
func fixtureRun(t *testing.T) map[string]Result {
	t.Helper()
	text, err := os.ReadFile("testdata/fixture.mutants")
	if err != nil {
		t.Fatal(err)
	}
	ms, err := Parse("fixture", string(text))
	if err != nil {
		t.Fatal(err)
	}
	ms = append([]Mutant{{Name: "none", File: "shape/shape.go", Old: "n == 0", New: "n <= 0"}}, ms...)
	for i := range ms {
		ms[i].ID = i + 1
	}
	r := Runner{
		Root: "testdata/fixture", Package: "./prog", Deadline: 3 * time.Second, Workers: 2,
		Args: func(m Mutant) []string { return []string{m.Name} },
	}
	results, err := r.Run(t.Context(), ms)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Result{}
	for _, res := range results {
		out[res.Name] = res
	}
	return out
}

// TestRun is the whole tool on one function of every form: each mutant changes the
// answers that it should and no other; what cannot be built in is refused by name.
func TestRun(t *testing.T) {
	got := fixtureRun(t)
	none := got["none"]
	if none.Err != nil || none.By == "" {
		t.Fatalf("the program without an effective mutant: %+v", none)
	}
	t.Run("changes", func(t *testing.T) {
		for name, want := range map[string]string{
			"table":       "table=2",
			"size":        "size=8",
			"plain-add":   "started=24 plain=24",
			"plain-times": "started=33 plain=33",
			"no-result":   "noresult=6",
			"same":        "same=21",
			"blank":       "blank=31",
			"under":       "under=a?",
			"join":        "join=a+b",
			"hidden":      "hidden=41",
			"max":         "max=3",
			"swap":        "swap=l",
			"value":       "value=0",
			"named":       "named=0 <nil>",
			"down":        "down=6",
			"init":        "INIT",
		} {
			if diff := differing(none.By, got[name].By); diff != want || got[name].Err != nil {
				t.Errorf("mutant %s changes %q, want %q (%v)", name, diff, want, got[name].Err)
			}
		}
	})
	t.Run("refuses", func(t *testing.T) {
		for name, want := range map[string]string{
			"not-there":     "stands 0 times",
			"twice":         "stands 2 times",
			"constant":      "a const declaration",
			"type":          "a type declaration",
			"signature":     "signature",
			"two-functions": "touches 2 declarations",
			"new-function":  "adds or removes a declaration",
			"import":        "a import declaration",
			"comment":       "touches 0 declarations",
			"no-go":         "does not parse",
			"no-file":       "no such file",
			"no-source":     "is not a source file",
			"no-compile":    "declared and not used: x",
		} {
			if err := got[name].Err; err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
				t.Errorf("mutant %s: %v, want an error that names it and says %q", name, err, want)
			}
		}
	})
	t.Run("other ends", func(t *testing.T) {
		if r := got["other-system"]; !r.Elsewhere || r.By != "" {
			t.Errorf("a mutant of a file that is not built here was judged: %+v", r)
		}
		if r := got["crash"]; r.CrashLine() != "panic: down it goes" || r.By != "" {
			t.Errorf("a crash is reported as %+v", r)
		}
		if r := got["hang"]; !r.Late {
			t.Errorf("a program that never ends is reported as %+v", r)
		}
	})
}

// differing lists the words of b that are not in a at the same place.
func differing(a, b string) string {
	x, y := answers(a), answers(b)
	var out []string
	for i := range y {
		if i >= len(x) || x[i] != y[i] {
			out = append(out, y[i])
		}
	}
	return strings.Join(out, " ")
}

// answers splits "a=1 b=2 nil c=3" before each name.
func answers(s string) []string {
	var out []string
	for _, w := range strings.Fields(s) {
		if strings.Contains(w, "=") || len(out) == 0 {
			out = append(out, w)
		} else {
			out[len(out)-1] += " " + w
		}
	}
	return out
}

func TestParse(t *testing.T) {
	ms, err := Parse("lease", "# a note\n\nlifo | lease_fifo | core/lease/lease.go | \tappend(a, b)⏎\tx => \tappend(b, a)\ndrop | lease_fifo | core/lease/lease.go | x++ =>\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []Mutant{
		{Area: "lease", Name: "lifo", Law: "lease_fifo", File: "core/lease/lease.go", Old: "\tappend(a, b)\n\tx", New: "\tappend(b, a)"},
		{Area: "lease", Name: "drop", Law: "lease_fifo", File: "core/lease/lease.go", Old: "x++"},
	}
	if len(ms) != 2 || ms[0] != want[0] || ms[1] != want[1] {
		t.Errorf("read %+v, want %+v", ms, want)
	}
	for text, want := range map[string]string{
		"lifo | lease_fifo | core/lease.go": "lease.mutants:1: a mutant is written as",
		"\na | b | c | d":                   "lease.mutants:2: mutant a has no \" => \"",
		"a b | c | d | e => f":              "a name is one word",
	} {
		if _, err := Parse("lease", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestLoadNumbersAndRefusesDoubles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.mutants", "x | l | f.go | o => n\n")
	write("b.mutants", "x | l | f.go | o => n\ny | l | f.go | o => n\n")
	ms, err := Load(dir)
	if err != nil || len(ms) != 3 || ms[0].ID != 1 || ms[2].ID != 3 || ms[2].String() != "b/y" {
		t.Errorf("%+v, %v", ms, err)
	}
	write("a.mutants", "x | l | f.go | o => n\nx | l | f.go | o => n\n")
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "listed twice") {
		t.Errorf("two mutants of one name: %v", err)
	}
}
