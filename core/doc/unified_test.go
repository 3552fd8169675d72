package doc

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"os"

	"pgregory.net/rapid"
)

// someLines is a text of few different lines, with or without an end of the last.
func someLines(rt *rapid.T, name string) string {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "@@ -1,1 +1,1 @@"}), 0, 14).Draw(rt, name)
	return strings.Join(lines, "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(rt, name+" end")
}

// TestUnifiedApplies: whatever was cut off, git makes the new text of the old one and
// the diff, at the very lines that it names.
func TestUnifiedApplies(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git to apply diffs with")
	}
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		above, below := someLines(rt, "above"), someLines(rt, "below")
		old, next := above+someLines(rt, "old")+below, above+someLines(rt, "next")+below
		d := unified("a/f", []byte(old), "b/f", []byte(next))
		if old == next {
			if len(d) > 0 {
				rt.Fatalf("equal texts differ:\n%s", d)
			}
			return
		}
		if old == "" || next == "" {
			return // git calls that a new or a removed file
		}
		file := filepath.Join(dir, "f")
		if err := os.WriteFile(file, []byte(old), 0o644); err != nil {
			rt.Fatal(err)
		}
		cmd := exec.Command(git, "apply", "--unidiff-zero", "--whitespace=nowarn", "-")
		cmd.Dir, cmd.Stdin, cmd.Env = dir, bytes.NewReader(d), []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir)}
		out, err := cmd.CombinedOutput()
		got, _ := os.ReadFile(file)
		if err != nil || string(got) != next {
			rt.Fatalf("%v %s\n%q\n%q\nmade %q of\n%s", err, out, old, next, got, d)
		}
	})
}

// TestUnifiedNamesLines: a change far down is shown at its own lines with what is around.
func TestUnifiedNamesLines(t *testing.T) {
	var old strings.Builder
	for n := range 10_000 {
		fmt.Fprintln(&old, "line", n+1)
	}
	next := strings.Replace(old.String(), "line 5000\n", "changed\n", 1)
	d := string(unified("a/f", []byte(old.String()), "b/f", []byte(next)))
	want := "--- a/f\n+++ b/f\n@@ -4997,7 +4997,7 @@\n line 4997\n line 4998\n line 4999\n-line 5000\n+changed\n line 5001\n line 5002\n line 5003\n"
	if d != want {
		t.Errorf("%s", d)
	}
}
