package docs

import (
	"strconv"
	"strings"
	"testing"
)

// A call that is sent again never goes on to another file: a second file with the same
// bytes stays.
func TestARetriedRemovalTakesNoOther(t *testing.T) {
	r := newRig(t)
	r.put("a/x", "same\n")
	r.put("b/x", "same\n")
	r.ok("read", "path", "a/x")
	tag := r.tag("a/x")
	r.ok("read", "path", "b/x")
	r.ok("edit", "patch", "[a/x#"+tag+"]\nREM\n")
	r.fails("edit", []any{"patch", "[a/x#" + tag + "]\nREM\n"}, "a/x does not exist")
	want(t, r.disk("b/x"), "same\n")
}

// A retried append is known also where the file ended with that line before; with a tag
// that nobody gave nothing is called a retry.
func TestRetriesAreCounted(t *testing.T) {
	r := newRig(t)
	r.put("f", "x\n}\n")
	r.ok("read", "path", "f")
	patch := "[f#" + r.tag("f") + "]\nPUT >$:\n+}\n"
	r.ok("edit", "patch", patch)
	holds(t, r.ok("edit", "patch", patch), "already has")
	want(t, r.disk("f"), "x\n}\n}\n")
	r.put("g", "x\n}\n")
	r.ok("edit", "patch", "[g#0000]\nPUT >$:\n+}\n")
	want(t, r.disk("g"), "x\n}\n}\n")
}

// What an edit only tells about a file is judged as a read of it.
func TestWhatIsAlreadyThereIsRead(t *testing.T) {
	r := newRig(t)
	r.put("f", "x\n")
	r.put("g", "y\n")
	r.ok("read", "path", "f")
	r.ok("read", "path", "g")
	fh, gh := r.tag("f"), r.tag("g")
	r.ok("edit", "patch", "[g#"+gh+"]\nPUT >$:\n+z\n")
	r.gate.steps = nil
	r.ok("edit", "patch", "[f#"+fh+"]\nPUT 1:\n+w\n[g#"+gh+"]\nPUT >$:\n+z\n")
	if len(r.gate.steps) != 2 || !strings.HasPrefix(r.gate.steps[1], "read ") {
		t.Errorf("the steps are %q", r.gate.steps)
	}
}

// A header that was shown is read back as the same file.
func TestHeadersNameTheFileTheyWereShownFor(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{" lead", "lead", "trail ", "# h", "n\nl", "`t`", "*** x", "a#b", "a]b"} {
		r.put(name, name+"\nx\n")
	}
	for _, name := range []string{" lead", "trail ", "# h", "n\nl", "`t`", "*** x", "a#b", "a]b", "lead"} {
		lines := strings.SplitAfter(r.ok("read", "path", name), "\n")
		last := int64(strings.Count(name, "\n") + 2)
		r.ok("edit", "patch", lines[0]+"PUT "+strconv.FormatInt(last, 10)+":\n+y\n")
		want(t, r.disk(name), name+"\ny\n")
	}
}

func TestMovesNeedTheVersion(t *testing.T) {
	r := newRig(t)
	r.put("f", "x\n")
	r.fails("edit", []any{"patch", "[f#0000]\nPUT >$:\n+z\nMV k\n"}, "read it again")
	r.fails("edit", []any{"patch", "[f#0000]\nMV d/\n"}, "names a directory")
}
