package effect_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"tenet/core/effect"
)

// TestEffects runs the table of testdata/effects.txt: what each script may do,
// exactly.
func TestEffects(t *testing.T) {
	for _, c := range readEffects(t) {
		got := judge(t, c.script, home)
		if got.Effects != c.want {
			t.Errorf("line %d: %s\n\tmay do %v, want %v\n\t%s", c.line, c.script, got.Effects, c.want, strings.Join(got.Notes, "\n\t"))
		}
	}
}

// TestEveryRowHasACase: a row that no line of the table uses was never thought through.
func TestEveryRowHasACase(t *testing.T) {
	used := map[string]bool{}
	for _, c := range readEffects(t) {
		for _, w := range strings.FieldsFunc(c.script, func(r rune) bool { return strings.ContainsRune(" ;|(){}\n/", r) }) {
			used[w] = true
		}
	}
	for _, row := range effect.Rows() {
		hit := false
		for _, name := range row {
			hit = hit || used[name]
		}
		if !hit {
			t.Errorf("no case in testdata/effects.txt uses %s", strings.Join(row, ", "))
		}
	}
}

func readEffects(t *testing.T) []effectCase {
	f, err := os.Open("testdata/effects.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []effectCase
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		want, script, ok := strings.Cut(s.Text(), "\t")
		if !ok || strings.HasPrefix(want, "#") {
			continue
		}
		script = strings.ReplaceAll(script, "<<E", "<<E\n$(curl http://h/x)\nE")
		out = append(out, effectCase{line: n, script: script, want: parseEffects(t, want)})
	}
	return out
}
