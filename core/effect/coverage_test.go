package effect_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/script"
)

// TestNoRowIsUntried: every command of the table, by each of its names, and every option
// that adds an effect is used by a case: of testdata/effects.txt and
// testdata/options.txt, of the guard cases, or of the ordinary commands. A row that no
// case uses was never thought through.
func TestNoRowIsUntried(t *testing.T) {
	seen := effect.Count(t)
	n := 0
	for _, text := range everyScript(t) {
		if s, err := script.Parse(text); err == nil && s.Whole {
			effect.Whole(s.File, home)
			n++
		} else if err == nil {
			effect.Every(s.File, home)
			n++
		}
	}
	for _, u := range seen.Untried() {
		t.Errorf("no case uses %s", u)
	}
	all, tried := seen.Plain()
	t.Logf("%d scripts; %d options without an effect, %d of them are used by a case", n, all, tried)
}

// TestOptions runs testdata/options.txt: options that add an effect, one command each,
// and what it may do, exactly.
func TestOptions(t *testing.T) {
	for _, line := range lines(t, "testdata/options.txt") {
		want, text, _ := strings.Cut(line, "\t")
		if got := judge(t, text, home); got.Effects != parseEffects(t, want) {
			t.Errorf("%s may do %v, want %s\n\t%s", text, got.Effects, want, strings.Join(got.Notes, "\n\t"))
		}
	}
}

// TestADescriptionIsTrue: the words of the page are what the table does. An option that
// is said to add an effect adds it, and one that is not known makes the command exec.
func TestADescriptionIsTrue(t *testing.T) {
	for _, d := range effect.Describe() {
		for _, o := range d.Options {
			words := append(strings.Fields(d.Names[0]), o.Name)
			if o.Value {
				words = append(words, "1")
			}
			if got := effect.Of(effect.Command{Argv: words}, home).Effects; !got.Has(call.Exec) && got.With(o.Adds) != got {
				t.Errorf("%v may %v, and the page says that the option adds %v", words, got, o.Adds)
			}
		}
		if len(d.Options) == 0 || d.Free {
			continue // it has none, or a function of its own reads them
		}
		words := append(strings.Fields(d.Names[0]), "--surely-not-an-option")
		if got := effect.Of(effect.Command{Argv: words}, home).Effects; !got.Has(call.Exec) {
			t.Errorf("%v may only %v", words, got)
		}
	}
}

// everyScript is all cases that are written down anywhere.
func everyScript(t *testing.T) (out []string) {
	for _, c := range readEffects(t) {
		out = append(out, c.script)
	}
	for _, line := range lines(t, "testdata/options.txt") {
		_, text, _ := strings.Cut(line, "\t")
		out = append(out, text)
	}
	for _, line := range lines(t, "../../testdata/cases/guard.jsonl") {
		var c struct{ Kind, Input string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Kind == "shell" {
			out = append(out, c.Input)
		}
	}
	for _, line := range lines(t, "../../testdata/cases/ordinary.tsv") {
		text, _, _ := strings.Cut(line, "\t")
		out = append(out, strings.ReplaceAll(text, "⏎", "\n"))
	}
	return out
}

// lines is the lines of a file without the empty ones and the remarks.
func lines(t testing.TB, path string) (out []string) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if l := s.Text(); l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, l)
		}
	}
	return out
}
