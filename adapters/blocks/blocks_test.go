package blocks

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLanguages reads testdata: in each file every line of a source text stands behind
// the line on which the block that opens there ends, or behind nothing where none does.
// A file's name is the source's with .txt behind it. UPDATE=1 writes the numbers anew;
// read them then.
func TestLanguages(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files of test data, %v", len(files), err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".txt")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			got := numbered(t, name, stripped(want))
			if os.Getenv("UPDATE") != "" {
				os.WriteFile(f, []byte(got), 0o644)
				return
			}
			if got != string(want) {
				t.Errorf("the blocks are otherwise:\n%s", difference(string(want), got))
			}
		})
	}
}

const gutter = "|"

// stripped is the source behind the numbers.
func stripped(numbered []byte) []byte {
	var out []byte
	for l := range bytes.Lines(numbered) {
		if len(l) > 4 && l[4] == gutter[0] && len(bytes.Trim(l[:4], " 0123456789")) == 0 {
			l = l[5:]
		}
		out = append(out, l...)
	}
	return out
}

func numbered(t *testing.T, name string, src []byte) string {
	t.Helper()
	if ok, known := Parses(name, src); known && !ok {
		_, _, err := Of(name, src, 1)
		t.Errorf("it does not parse: %v", err)
	}
	var out strings.Builder
	n := int64(0)
	for l := range bytes.Lines(src) {
		n++
		end := ""
		if s, _, err := Of(name, src, n); err == nil {
			end = fmt.Sprint(s.To)
			if s.From != n {
				t.Errorf("the block of line %d begins on line %d", n, s.From)
			}
		}
		fmt.Fprintf(&out, "%3s %s%s", end, gutter, l)
	}
	return out.String()
}

func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out strings.Builder
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			fmt.Fprintf(&out, "line %d\n  want %s\n  got  %s\n", i+1, w[i], g[i])
		}
	}
	return out.String()
}

// sources are the texts of testdata by their names.
func sources(t testing.TB) map[string][]byte {
	t.Helper()
	files, _ := filepath.Glob("testdata/*.txt")
	out := map[string][]byte{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".txt")] = stripped(b)
	}
	return out
}
