package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tenet/core/call"
	"tenet/core/doc"
)

// tag is the tag of a file as it is on the disk.
func (r *rig) tag(name string) string {
	r.t.Helper()
	return doc.Tag(doc.Digest([]byte(r.disk(name))))
}

// section is a section over a file as it is on the disk.
func (r *rig) section(name string, ops ...string) string {
	return fmt.Sprintf("[%s#%s]\n%s\n", name, r.tag(name), strings.Join(ops, "\n"))
}

func (r *rig) edit(sections ...string) string {
	r.t.Helper()
	return r.ok("edit", "patch", strings.Join(sections, ""))
}

func (r *rig) noEdit(sections []string, texts ...string) {
	r.t.Helper()
	r.fails("edit", []any{"patch", strings.Join(sections, "")}, texts...)
}

func TestEditChangesOnlyItsLines(t *testing.T) {
	r := newRig(t)
	r.put("a", "\xef\xbb\xbfone\r\ntwo\nthr\ree\r\nfour")
	os.Chmod(r.path("a"), 0o755)
	r.ok("read", "path", "a")
	out := r.edit(r.section("a", "PUT 2:", "+2", "+2b", "PUT >$:", "+five"))
	want(t, r.disk("a"), "\xef\xbb\xbfone\r\n2\r\n2b\r\nthr\ree\r\nfour\r\nfive")
	want(t, out, "[a#"+r.tag("a")+"]\n1:one\n2:2\n3:2b\n4:thr\ree\n5:four\n6:five\n")
	if fi, _ := os.Stat(r.path("a")); fi.Mode() != 0o755 {
		t.Errorf("mode %v", fi.Mode())
	}
	r.edit(r.section("a", "PUT 3:", "+x")) // what the edit wrote is seen
}

// S8.1: several files in one call, in order, told one by one.
func TestEditOfSeveralFiles(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		r.put(name, "1\n2\n3\n")
		r.ok("read", "path", name)
	}
	mtime := func(name string) string { fi, _ := os.Stat(r.path(name)); return fi.ModTime().String() }
	before := mtime("c")
	out := r.edit(r.section("a", "CUT 2 @x"), r.section("b", "PUT >3 @x", "MV sub/b2"), r.section("c", "MV c2"), r.section("d", "REM"))
	want(t, out, fmt.Sprintf("Applied to a, b, c, d\n[a#%s]\n1:1\n2:3\nmoved b to sub/b2\n[sub/b2#%s]\n2:2\n3:3\n4:2\nmoved c to c2\n[c2#%s]\nremoved d\n", r.tag("a"), r.tag("sub/b2"), r.tag("c2")))
	want(t, r.disk("a")+r.disk("sub/b2")+r.disk("c2"), "1\n3\n1\n2\n3\n2\n1\n2\n3\n")
	if mtime("c2") != before {
		t.Error("a file that only moved has another time")
	}
	for _, gone := range []string{"b", "c", "d"} {
		if _, err := os.Lstat(r.path(gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	steps := strings.Join(r.gate.steps, "\n")
	for _, s := range []string{"write " + r.path("a"), "write " + r.path("b"), "write " + r.path("sub/b2"), "write " + r.path("d")} {
		holds(t, steps, s)
	}
	r.edit(r.section("sub/b2", "PUT 1:", "+one")) // the move carried what was seen
}

// Law edit_all_or_nothing_on_conflict, on real files.
func TestEditWritesNothingWhenOneFileChanged(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"a", "b", "c"} {
		r.put(name, "1\n2\n3\n")
		r.ok("read", "path", name)
	}
	all := []string{r.section("a", "PUT 1:", "+x"), r.section("b", "PUT 1:", "+x"), r.section("c", "MV new/c")}
	r.d.at = func(a doc.Action) error {
		if a == doc.CheckFiles {
			r.put("b", "theirs\n")
		}
		return nil
	}
	r.noEdit(all, "b was changed by something else", "nothing was written to any file")
	want(t, r.disk("a")+r.disk("b")+r.disk("c"), "1\n2\n3\ntheirs\n1\n2\n3\n")
	if _, err := os.Lstat(r.path("new")); err == nil {
		t.Error("a directory was made for nothing")
	}
	r.d.at = func(doc.Action) error { return nil }
	r.noEdit(all, "b was not changed: the edit is for #", "Nothing was changed in any of the 3 files")
	want(t, r.disk("a"), "1\n2\n3\n")
}

// S8.4
func TestMoveNeverReplaces(t *testing.T) {
	r := newRig(t)
	r.put("a", "1\n")
	r.put("b", "2\n")
	r.link("nowhere", "l")
	os.Mkdir(r.path("dir"), 0o755)
	r.ok("read", "path", "a")
	r.noEdit([]string{r.section("a", "MV b")}, "b exists", "a move never replaces a file", "nothing was written")
	r.noEdit([]string{r.section("a", "MV dir")}, "dir exists")
	r.d.at = func(a doc.Action) error {
		if a == doc.LinkNew {
			r.put("late", "theirs\n")
		}
		return nil
	}
	r.noEdit([]string{r.section("a", "PUT 1:", "+x", "MV late")}, "late was created by another program")
	want(t, r.disk("a")+r.disk("b")+r.disk("late"), "1\n2\ntheirs\n")
	if names, _ := os.ReadDir(r.root); len(names) != 5 {
		t.Errorf("left behind: %v", names)
	}
}

// S8.1: whatever fails at whatever action, the reply tells what is on the disk.
func TestEditTellsWhatLanded(t *testing.T) {
	for at := 1; ; at++ {
		r := newRig(t)
		for _, name := range []string{"a", "b", "c", "d"} {
			r.put(name, "old\n")
			r.ok("read", "path", name)
		}
		n := 0
		r.d.at = func(a doc.Action) error {
			if n++; n == at && a != doc.CheckFiles && a != doc.SweepTemps {
				return unix.ENOSPC
			}
			return nil
		}
		out, err := r.run("edit", "patch", r.section("a", "PUT 1:", "+new")+r.section("b", "PUT 1:", "+new", "MV m")+r.section("c", "REM")+r.section("d", "PUT 1:", "+new"))
		has := func(name, text string) bool { b, _ := os.ReadFile(r.path(name)); return string(b) == text }
		landed := map[string]bool{"a": has("a", "new\n"), "b": has("m", "new\n"), "c": has("c", ""), "d": has("d", "new\n")}
		first, _, _ := strings.Cut(out, "\n")
		applied, _, _ := strings.Cut(strings.TrimPrefix(first, "Applied to "), "; NOT applied")
		for name, is := range landed {
			if told := err == nil && strings.Contains(applied, name); told != is {
				t.Fatalf("failure %d: %s landed: %v, and the reply is %q, %v", at, name, is, out, err)
			}
			if !is && name != "c" && !has(name, "old\n") {
				t.Fatalf("failure %d: %s is neither old nor new", at, name)
			}
		}
		if err != nil && strings.Contains(err.Error(), "nothing was changed") == (landed["a"]) {
			t.Fatalf("failure %d: %v, and a landed: %v", at, err, landed["a"])
		}
		names, _ := os.ReadDir(r.root)
		for _, e := range names {
			if doc.IsTemp(e.Name()) && !strings.Contains(out, "temporary file") {
				t.Fatalf("failure %d: %s is left and not told: %q", at, e.Name(), out)
			}
		}
		if n < at {
			return
		}
	}
}

// S8.8 and 7.5: an anchor that was not seen is shown, and then applies.
func TestEditOfUnseenLines(t *testing.T) {
	r := newRig(t)
	r.put("a", strings.Repeat("x\n", 8)+"nine\n")
	r.ok("read", "path", "a:1-2")
	s := r.section("a", "PUT 9:", "+9")
	_, err := r.run("edit", "patch", s)
	if err == nil {
		t.Fatal("an unseen line was changed")
	}
	holds(t, err.Error(), "a was not changed", "anchors at 9", "[a#"+r.tag("a")+"]\n*9:nine\n", "send the same edit again")
	want(t, r.edit(s), "[a#"+r.tag("a")+"]\n7:x\n8:x\n9:9\n")
	r.put("b", strings.Repeat("line\n", 100))
	r.ok("grep", "pattern", "line", "path", "b")
	r.put("b", strings.Repeat("line\n", 99)+"last\n")
	r.ok("read", "path", "b:1-2")
	r.noEdit([]string{r.section("b", "REM")}, "b was not changed")
}

// S8.2
func TestRetriedEndInsertIsRecognised(t *testing.T) {
	r := newRig(t)
	r.put("a", "1\n2\n")
	r.ok("read", "path", "a")
	s := r.section("a", "PUT >$:", "+3", "PUT <1:", "+0")
	r.edit(s)
	holds(t, r.edit(s), "a already has these lines, from an earlier call or another program")
	want(t, r.disk("a"), "0\n1\n2\n3\n")
	r.edit(r.section("a", "PUT >$:", "+3")) // another tag: another insert
	want(t, r.disk("a"), "0\n1\n2\n3\n3\n")
}

// 7.4: one offset for all anchors, or nothing.
func TestEditFollowsLinesThatMoved(t *testing.T) {
	r := newRig(t)
	r.put("a", "one\ntwo\nthree\n")
	r.ok("read", "path", "a")
	s := r.section("a", "PUT 2:", "+2")
	r.put("a", "zero\none\ntwo\nthree\n")
	holds(t, r.edit(s), "is no longer #", "something other than this session", "1 line further down")
	want(t, r.disk("a"), "zero\none\n2\nthree\n")
	r.noEdit([]string{s}, "a was not changed: the edit is for #", "2:one")
}

func TestEditFindsAFileThatMoved(t *testing.T) {
	r := newRig(t)
	r.put("x/y/a.go", "one\n")
	r.ok("read", "path", "x/y/a.go")
	s := strings.Replace(r.section("x/y/a.go", "PUT 1:", "+1"), "x/y/", "z/", 1)
	holds(t, r.edit(s), "z/a.go does not exist; taken as x/y/a.go")
	want(t, r.disk("x/y/a.go"), "1\n")
}

func TestEditThatChangesNothing(t *testing.T) {
	r := newRig(t)
	r.put("a", "one\n")
	r.ok("read", "path", "a")
	s := []string{r.section("a", "PUT 1:", "+one")}
	r.noEdit(s, "no-op")
	r.noEdit(s, "no-op")
	r.noEdit(s, "no-op", "sent 3 times in a row")
}

func TestEditRefusals(t *testing.T) {
	r := newRig(t)
	r.put("a", "one\n")
	r.put("latin", "caf\xe9\n")
	r.put("dir/a", "x")
	r.link("a", "l")
	r.ok("read", "path", "a")
	for patch, text := range map[string]string{
		"":                                   "nothing was changed",
		"PUT 1:\n+x\n":                       "nothing was changed",
		"[gone#0000]\nPUT 1:\n+x\n":          "gone does not exist",
		"[no/dir/x#0000]\nPUT 1:\n+x\n":      "does not exist",
		"[latin#0000]\nPUT 1:\n+x\n":         "would have another encoding",
		"[dir#0000]\nREM\n":                  "a directory",
		"[../x#0000]\nREM\n":                 "leaves the workspace",
		"[a#0000]\nMV ../x\n":                "leaves the workspace",
		"[a#FFFF]\nPUT 1:\n+x\n":             "the edit is for #FFFF",
		"[a#0000]\nREM\n[l#0000]\nREM\n":     "both lead to a",
		"[a#0000]\nMV b\n[dir/a#0000]\nMV b": "both lead to b",
	} {
		r.noEdit([]string{patch}, text)
	}
	r.put("big", strings.Repeat("x\n", SnapshotBytes/2+1))
	r.noEdit([]string{"[big#0000]\nPUT 1:\n+x\n"}, "has no tag", "bash")
	want(t, r.disk("a"), "one\n")
}

// A symbolic link stays; the file behind it is changed.
func TestEditThroughALink(t *testing.T) {
	r := newRig(t)
	r.put("d/file", "one\n")
	r.link("d/file", "l")
	r.ok("read", "path", "l")
	want(t, r.edit("[l#"+r.tag("d/file")+"]\nPUT 1:\n+1\n"), "[d/file#"+r.tag("d/file")+"]\n1:1\n")
	if to, _ := os.Readlink(r.path("l")); to != "d/file" {
		t.Error("the link is gone")
	}
}

// A formatter that rewrites the file the moment it changes: its bytes are what counts.
func TestEditTellsOfAFormatter(t *testing.T) {
	r := newRig(t)
	r.put("a", "one\n")
	r.ok("read", "path", "a")
	r.d.at = func(a doc.Action) error {
		if a == doc.SyncDir {
			r.put("a", "1 // formatted\n")
		}
		return nil
	}
	out := r.edit(r.section("a", "PUT 1:", "+1"))
	holds(t, out, "[a#"+r.tag("a")+"]", "another program changed the file right after")
	r.noEdit([]string{r.section("a", "PUT 1:", "+x")}, "has not seen")
}

// The card of an edit shows the diff of every file, and what is moved or removed.
func TestEditCards(t *testing.T) {
	r := newRig(t)
	r.put("a", "one\n")
	r.put("b", "two\n")
	r.ok("read", "path", "a")
	r.ok("read", "path", "b")
	cards := r.gate.plans(func() { r.edit(r.section("a", "PUT 1:", "+1"), r.section("b", "PUT 1:", "+2", "MV c")) })
	holds(t, cards[0].Diff, "--- a/a\n+++ b/a\n", "-one\n+1\n")
	holds(t, cards[1].Diff, "-two\n+2\n")
	holds(t, strings.Join(cards[1].Notes, ";"), "the file moves to c")
	holds(t, strings.Join(cards[2].Notes, ";"), "the file comes from b")
	cards = r.gate.plans(func() { r.edit(r.section("a", "REM")) })
	holds(t, cards[0].Diff, "--- a/a\n+++ /dev/null\n", "-1\n")
	holds(t, strings.Join(cards[0].Notes, ";"), "the file is removed")
}

// Calls that lock several directories in any order never wait for each other.
func TestEditsOfSeveralDirectoriesTakeTurns(t *testing.T) {
	r := newRig(t)
	const dirs, rounds = 4, 20
	for i := range dirs {
		r.put(filepath.Join(fmt.Sprint("d", i), "f"), "0\n")
	}
	done := make(chan error)
	for w := range 4 {
		go func() {
			mine := &rig{t: t, root: r.root, d: New(Options{Root: r.root, Judge: r.d.judge}), gate: &openGate{}}
			for n := range rounds {
				var patch string
				for i := range dirs {
					name := fmt.Sprintf("d%d/f", (i*(1+2*(w%2))+w)%dirs)
					mine.run("read", "path", name)
					b, _ := os.ReadFile(r.path(name))
					patch += fmt.Sprintf("[%s#%s]\nPUT 1:\n+%d-%d\n", name, doc.Tag(doc.Digest(b)), w, n)
				}
				mine.run("edit", "patch", patch)
			}
			done <- nil
		}()
	}
	for range 4 {
		<-done
	}
	for i := range dirs { // every call was whole: all files have the same text
		want(t, r.disk(fmt.Sprintf("d%d/f", i)), r.disk("d0/f"))
	}
}

// What a refusal shows of a file is judged as a read of it; a secret's lines stay inside.
func TestEditRefusalsAreJudgedAsReads(t *testing.T) {
	r := newRig(t)
	r.put("b", "2\n")
	r.put(".env", "KEY=hunter2\n")
	r.noEdit([]string{"[b#0000]\nPUT 1:\n+x\n"}, "#0000", "1:2")
	if len(r.gate.steps) != 1 || !strings.HasPrefix(r.gate.steps[0], "read ") || r.gate.last.Effects.Has(call.Write) {
		t.Errorf("a refusal that shows lines was judged as %q", r.gate.steps)
	}
	out, err := r.run("edit", "patch", "[.env#0000]\nPUT 1:\n+x\n")
	if err == nil || strings.Contains(fmt.Sprint(out, err), "hunter2") {
		t.Errorf("%q %v", out, err)
	}
}

func TestEditOfABlock(t *testing.T) {
	r := newRig(t)
	r.put("f.go", "package f\n\nfunc a() {\n\tif x {\n\t\ty()\n\t}\n}\n\nfunc b() {}\n")
	r.ok("read", "path", "f.go")
	r.edit(r.section("f.go", "PUT 4*:", "+\tz()", "PUT >9*:", "+", "+func c() {}"))
	want(t, r.disk("f.go"), "package f\n\nfunc a() {\n\tz()\n}\n\nfunc b() {}\n\nfunc c() {}\n")
	holds(t, r.edit(r.section("f.go", "PUT 5:", "+\t{")), "no longer does")
}

// A file that is removed was seen whole, or stays.
func TestEditRemovesOnlyWhatWasSeen(t *testing.T) {
	r := newRig(t)
	r.put("f", strings.Repeat("line\n", 60))
	r.ok("read", "path", "f:1-5")
	r.noEdit([]string{r.section("f", "REM")}, "anchors at 9-60", "Read f:9-60 first")
	r.ok("read", "path", "f")
	r.edit(r.section("f", "REM"))
	if _, err := os.Lstat(r.path("f")); err == nil {
		t.Error("f is still there")
	}
}
