package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Patterns name the same files as in bash, whatever stands in them: a pattern that
// named one more would remove one more.
func TestGlobsSameAsBash(t *testing.T) {
	d := t.TempDir()
	for _, n := range []string{"a", "b", "ab", "a.b", ".a", ".ab", "a-b", "-", "]", "[", "[a]", "a]", "!", "^", "!a", "a b", "\\", "a\\b", "*", "?", "B", "1", "_", "é", "d/a", "d/.b", "d/ab", ".e/a", ".e/.c", "-a/b"} {
		p := filepath.Join(d, n)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("nowhere", filepath.Join(d, "dangling")); err != nil {
		t.Fatal(err)
	}
	part := rapid.SampledFrom([]string{"a", "b", ".", "*", "?", "[", "]", "!", "^", "-", "/", "[a]", "[!a]", "[^b]", "[a-b]", "[.]", "[]a]", "[!]a]", "[[:alpha:]]",
		"[[:punct:]]", "[[:nope:]]", "[a", "\\*", "'*'", "\"?\"", "'['", "\\[", "\\]", "d/", ".e/", "**", "[*]", "[\\]]", "['a']", "$P", "\"$P\"", "[b-a]", "[-a]", "[a-]", "[\"!\"a]", "é", "B", "[A-Z]"})
	rapid.Check(t, func(rt *rapid.T) {
		var src strings.Builder
		src.WriteString("P=" + rapid.SampledFrom([]string{"'*'", "'[!a]*'", "'\\*'", "a", "'.*'", "'[a'", "'] b'", "'\\a*'"}).Draw(rt, "P") + "\n")
		for range 12 {
			src.WriteString("printf '<%s>' " + strings.Join(rapid.SliceOfN(part, 1, 5).Draw(rt, "pattern"), "") + "; echo\n")
		}
		r := run1(t, d, src.String())
		want, _ := bash(t, d, src.String())
		if r.Output != want {
			for i, line := range strings.Split(want, "\n") {
				if got := strings.Split(r.Output, "\n"); i >= len(got) || got[i] != line {
					rt.Fatalf("%s\nline %d %s\nmine %s\nbash %s", strings.SplitN(src.String(), "\n", 2)[0], i, strings.Split(src.String(), "\n")[i+1], got[i], line)
				}
			}
		}
	})
}
