package docs

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"tenet/core/call"
)

var tagShape = regexp.MustCompile(`#([0-9A-F]{4})\]`)

// header reads a file, so that all of its lines are seen, and gives its header.
func (r *rig) header(name string) string {
	r.t.Helper()
	return "[" + name + "#" + r.tag(r.ok("read", "path", name)) + "]\n"
}

func (r *rig) tag(text string) string {
	r.t.Helper()
	m := tagShape.FindStringSubmatch(text)
	if m == nil {
		r.t.Fatalf("no tag in %q", text)
	}
	return m[1]
}

func TestEditChangesOnlyItsLines(t *testing.T) {
	r := newRig(t)
	r.put("f", "\xef\xbb\xbfone\r\ntwo\nthree\r\nfour")
	out := r.ok("edit", "patch", r.header("f")+"PUT 2:\n+2a\n+2b\nPUT >$:\n+five\n")
	want(t, r.disk("f"), "\xef\xbb\xbfone\r\n2a\r\n2b\r\nthree\r\nfour\r\nfive")
	holds(t, out, "Applied to f\n", "[f#"+r.tag(out)+"]\n", " 1:one\n2:2a\n3:2b\n", "6:five\n")
	out = r.ok("edit", "patch", "[f#"+r.tag(out)+"]\nCUT 2.=3\n")
	want(t, r.disk("f"), "\xef\xbb\xbfone\r\nthree\r\nfour\r\nfive")
}

func TestEditOfSeveralFilesLandsWhole(t *testing.T) {
	r := newRig(t)
	r.put("a", "1\n2\n")
	r.put("b", "x\n")
	r.put("c", "gone\n")
	a, b, c := r.header("a"), r.header("b"), r.header("c")
	out := r.ok("edit", "patch", a+"CUT 2 @r\n"+b+"PUT >1 @r\nMV d/b2\n"+c+"REM\n")
	want(t, r.disk("a"), "1\n")
	want(t, r.disk("d/b2"), "x\n2\n")
	for _, gone := range []string{"b", "c"} {
		if exists(r.path(gone)) {
			t.Errorf("%s is still there", gone)
		}
	}
	holds(t, out, "Applied to a, b, c\n", "b is now d/b2\n", "c is removed\n")
	r.ok("edit", "patch", "[d/b2#"+r.tag(strings.SplitAfter(out, "is now d/b2\n")[1])+"]\nPUT 1:\n+y\n") // what was seen moved along
}

// One file changed meanwhile: none is written (S8.1).
func TestEditIsAllOrNothing(t *testing.T) {
	r := newRig(t)
	r.put("a", "1\n")
	r.put("b", "2\n")
	patch := r.header("a") + "PUT 1:\n+one\n" + r.header("b") + "PUT 1:\n+two\n"
	r.put("b", "3\n")
	r.fails("edit", []any{"patch", patch}, "b", "1:3")
	want(t, r.disk("a"), "1\n")
	r.put("b", "2\n")
	r.gate.onStart = func() error { r.put("b", "4\n"); return nil } // between the verdict and the lock
	r.fails("edit", []any{"patch", patch}, "b was changed by something else meanwhile")
	want(t, r.disk("a"), "1\n")
	want(t, r.disk("b"), "4\n")
}

func TestEditFollowsLinesThatMoved(t *testing.T) {
	r := newRig(t)
	r.put("f", "a\nb\nc\n")
	patch := r.header("f") + "PUT 2:\n+B\n"
	r.put("f", "new\nnew2\na\nb\nc\n")
	out := r.ok("edit", "patch", patch)
	want(t, r.disk("f"), "new\nnew2\na\nB\nc\n")
	holds(t, out, "2 lines further down")
	r.put("f", "a\nb\nc\na\nb\n")
	r.fails("edit", []any{"patch", patch}, "is not certain")
}

// An anchor that was not seen is shown, and the very same call then applies (S8.8).
func TestEditRevealsThenApplies(t *testing.T) {
	r := newRig(t)
	r.put("f", "a\nb\nc\nd\ne\nf\ng\nh\ni\n")
	tag := r.tag(r.ok("read", "path", "f:1"))
	patch := "[f#" + tag + "]\nPUT 9:\n+I\n"
	r.fails("edit", []any{"patch", patch}, "*9:i")
	want(t, r.disk("f"), "a\nb\nc\nd\ne\nf\ng\nh\ni\n")
	r.ok("edit", "patch", patch)
	want(t, r.disk("f"), "a\nb\nc\nd\ne\nf\ng\nh\nI\n")
}

func TestEditKnowsAnInsertThatLanded(t *testing.T) {
	r := newRig(t)
	r.put("f", "a\n")
	patch := r.header("f") + "PUT <1:\n+top\nPUT >$:\n+end\n"
	r.ok("edit", "patch", patch)
	holds(t, r.ok("edit", "patch", patch), "already holds")
	want(t, r.disk("f"), "top\na\nend\n")
}

func TestEditMovesNeverReplace(t *testing.T) {
	r := newRig(t)
	r.put("a", "1\n")
	r.put("b", "2\n")
	r.fails("edit", []any{"patch", r.header("a") + "MV b\n"}, "b exists")
	want(t, r.disk("a"), "1\n")
	want(t, r.disk("b"), "2\n")
}

func TestEditRefusals(t *testing.T) {
	r := newRig(t)
	r.put("f", "a\nb\n")
	r.put("latin", "caf\xe9\n")
	r.put("d/x", "x\n")
	h := r.header("f")
	for _, c := range []struct{ patch, want string }{
		{"hello", "not with the header"},
		{h + "PUT 1:\n+a\n", "no-op"},
		{h + "PUT 9:\n+x\n", "The file has 2 lines"},
		{"[g#0000]\nCUT 1\n", "g does not exist"},
		{"[latin#0000]\nCUT 1\n", "is not UTF-8"},
		{"[d#0000]\nCUT 1\n", "a directory"},
		{"[../x#0000]\nCUT 1\n", "leaves the workspace"},
		{h + "CUT 1\n[./d/../f#" + r.tag(h) + "]\nCUT 2\nMV f\n", "the file itself"},
	} {
		r.fails("edit", []any{"patch", c.patch}, c.want)
	}
	want(t, r.disk("f"), "a\nb\n")
	for range 2 {
		r.run("edit", "patch", h+"PUT 1:\n+a\n")
	}
	r.fails("edit", []any{"patch", h + "PUT 1:\n+a\n"}, "in a row")
}

// A link stays a link, two names of one file are one file.
func TestEditThroughLinks(t *testing.T) {
	r := newRig(t)
	r.put("f", "a\nb\n")
	r.link("f", "l")
	r.ok("edit", "patch", r.header("l")+"PUT 1:\n+x\n")
	want(t, r.disk("f"), "x\nb\n")
	if st, err := os.Lstat(r.path("l")); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", st, err)
	}
	r.fails("edit", []any{"patch", r.header("f") + "CUT 1\n" + r.header("l") + "CUT 2\n"}, "the same file")
}

// A file that is removed was seen whole, or stays.
func TestEditRemovesOnlyWhatWasSeen(t *testing.T) {
	r := newRig(t)
	r.put("f", strings.Repeat("line\n", 40))
	tag := r.tag(r.ok("read", "path", "f:1-5"))
	r.fails("edit", []any{"patch", "[f#" + tag + "]\nREM\n"}, "was not seen")
	r.ok("read", "path", "f")
	r.ok("edit", "patch", "[f#"+tag+"]\nREM\n")
	if exists(r.path("f")) {
		t.Error("f is still there")
	}
}

// Each file of an edit is a step with its diff, and a refusal is judged as a read.
func TestEditIsJudgedWhole(t *testing.T) {
	r := newRig(t)
	r.put("a", "1\n")
	r.put("b", "2\n")
	patch := r.header("a") + "PUT 1:\n+one\nMV c\n" + r.header("b") + "PUT 1:\n+two\n"
	r.gate.steps = nil
	var diffs []string
	r.gate.onPermit = func() { diffs = append(diffs, r.gate.last.Diff+strings.Join(r.gate.last.Notes, "")) }
	r.ok("edit", "patch", patch)
	if len(r.gate.steps) != 3 {
		t.Fatalf("the steps are %q", r.gate.steps)
	}
	holds(t, diffs[0], "-1\n+one", "moves to c")
	holds(t, diffs[1], "comes from a")
	holds(t, diffs[2], "-2\n+two")
	r.gate.steps, r.gate.onPermit = nil, nil
	r.fails("edit", []any{"patch", "[b#0000]\nPUT 1:\n+x\n"}, "#0000")
	if len(r.gate.steps) != 1 || !strings.HasPrefix(r.gate.steps[0], "read ") || r.gate.last.Effects.Has(call.Write) {
		t.Errorf("a refusal that shows lines was judged as %q", r.gate.steps)
	}
}

// A secret's lines do not come out of a refused edit.
func TestEditRefusalsTellNoSecret(t *testing.T) {
	r := newRig(t)
	r.put(".env", "KEY=hunter2\n")
	out, err := r.run("edit", "patch", "[.env#0000]\nPUT 1:\n+x\n")
	if err == nil || strings.Contains(fmt.Sprint(out, err), "hunter2") {
		t.Errorf("%q %v", out, err)
	}
}

func TestEditOfABlock(t *testing.T) {
	r := newRig(t)
	r.put("f.go", "package f\n\nfunc a() {\n\tif x {\n\t\ty()\n\t}\n}\n\nfunc b() {}\n")
	h := r.header("f.go")
	out := r.ok("edit", "patch", h+"PUT 4*:\n+\tz()\nPUT >9*:\n+\n+func c() {}\n")
	want(t, r.disk("f.go"), "package f\n\nfunc a() {\n\tz()\n}\n\nfunc b() {}\n\nfunc c() {}\n")
	out = r.ok("edit", "patch", "[f.go#"+r.tag(out)+"]\nPUT 5:\n+\t{\n")
	holds(t, out, "no longer does")
}

func TestEditKeepsWhatTheFileIs(t *testing.T) {
	r := newRig(t)
	r.put("f.sh", "a\n")
	if err := os.Chmod(r.path("f.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.ok("edit", "patch", r.header("f.sh")+"PUT 1:\n+b\nMV g.sh\n")
	if st, err := os.Stat(r.path("g.sh")); err != nil || st.Mode().Perm() != 0o755 {
		t.Errorf("%v %v", st, err)
	}
}

// A path that does not exist is the one file that this session knows by that name and tag.
func TestEditFindsTheFileThatIsMeant(t *testing.T) {
	r := newRig(t)
	r.put("deep/er/f.go", "a\n")
	h := r.header("deep/er/f.go")
	out := r.ok("edit", "patch", "[f.go#"+r.tag(h)+"]\nPUT 1:\n+b\n")
	want(t, r.disk("deep/er/f.go"), "b\n")
	holds(t, out, "f.go does not exist; the edit was made to deep/er/f.go")
}
