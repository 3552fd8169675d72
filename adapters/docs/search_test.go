package docs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestGrepShowsPathLineText(t *testing.T) {
	r := newRig(t)
	r.put("b.go", "package b\nfunc F() {}\n")
	r.put("a/a.go", "package a\r\n\r\nfunc F() {}\r\n")
	r.put(".github/x.yml", "run: func\n") // grep-004
	want(t, r.ok("grep", "pattern", "func"), ".github/x.yml:1:run: func\na/a.go:3:func F() {}\nb.go:2:func F() {}\n")
	want(t, r.ok("grep", "pattern", `^FUNC\s+F\(`, "ignore_case", true, "glob", "*.go", "path", "a"), "a/a.go:3:func F() {}\n")
	want(t, r.ok("grep", "pattern", "F()", "literal", true, "paths", []string{"b.go", "a", "a/a.go"}), "b.go:2:func F() {}\na/a.go:3:func F() {}\n")
	want(t, r.ok("grep", "pattern", "nothing"), `[no line matches "nothing" in 3 files]`)
	want(t, r.ok("grep", "pattern", "func", "glob", "a/*.go"), "a/a.go:3:func F() {}\n")
}

func TestGrepContext(t *testing.T) {
	r := newRig(t)
	r.put("f", "1\n2\nX3\n4\nX5\n6\n7\n8\n9\nX10\n")
	want(t, r.ok("grep", "pattern", "X", "context", 1),
		"f-2-2\nf:3:X3\nf-4-4\nf:5:X5\nf-6-6\n--\nf-9-9\nf:10:X10\n")
	want(t, r.ok("grep", "pattern", "X", "context", 1, "skip", 1), "f-4-4\nf:5:X5\nf-6-6\n--\nf-9-9\nf:10:X10\n")
}

// grep-005 and S8.9: what is skipped is counted, by class.
func TestGrepTellsWhatItSkipped(t *testing.T) {
	r := newRig(t)
	r.put(".git/HEAD", "needle")
	r.put(".gitignore", "*.log\nout/\n")
	r.put("a.log", "needle")
	r.put("out/x", "needle")
	r.put("nul.c", "needle\x00")
	r.put("a.c", "needle\n")
	r.put(".tenet-tmp-00-1-1", "needle")
	r.put("unread", "needle")
	r.put(".env", "needle=1")
	r.link("a.c", "l.c")
	syscall.Mkfifo(r.path("p"), 0o644)
	out := r.ok("grep", "pattern", "needle")
	holds(t, out, "a.c:1:needle\n", "1 binary, not searched: nul.c", "2 ignored", "1 symbolic links", "1 special", "1 .git", "1 temporary", "1 secret, not searched (name the file as the path to ask for it): .env")
	if strings.Contains(out, "needle=1") {
		t.Error("the search shows a secret")
	}
	holds(t, r.ok("grep", "pattern", "needle", "path", "a.log"), "a.log:1:needle")
	holds(t, r.ok("grep", "pattern", "needle", "no_ignore", true), "a.log:1:needle", "out/x:1:needle")
	r.fails("grep", []any{"pattern", "needle", "path", ".env"}, "(read+secret): it needs the user's approval")
	r.fails("grep", []any{"pattern", "needle", "path", "p"}, "pipe")
	r.fails("grep", []any{"pattern", "needle", "path", "none"}, "does not exist")
}

// grep-002: pages put together are the whole list, nothing twice.
func TestGrepPagesAreContiguous(t *testing.T) {
	r := newRig(t)
	var all []string
	for f := range 20 {
		var b strings.Builder
		for l := range 37 * (f % 3) {
			fmt.Fprintf(&b, "hit %d\nmiss\n", l)
			all = append(all, fmt.Sprintf("f%02d:%d:hit %d", f, 2*l+1, l))
		}
		r.put(fmt.Sprintf("f%02d", f), b.String())
	}
	next := regexp.MustCompile(`go on with skip=(\d+)`)
	var got []string
	for skip, more := 0, true; more; {
		out := r.ok("grep", "pattern", "hit", "skip", skip)
		for row := range strings.Lines(out) {
			if !strings.HasPrefix(row, "[") {
				got = append(got, strings.TrimSuffix(row, "\n"))
			}
		}
		m := next.FindStringSubmatch(out)
		if more = m != nil; more {
			holds(t, out, fmt.Sprintf("of %d, in 13 files", len(all)))
			fmt.Sscan(m[1], &skip)
		}
	}
	want(t, strings.Join(got, "\n"), strings.Join(all, "\n"))
	holds(t, r.ok("grep", "pattern", "hit", "skip", 5000), "past the end")
}

func TestGrepWindowsLongLines(t *testing.T) {
	r := newRig(t)
	r.put("min.js", strings.Repeat("é", 5000)+"needle"+strings.Repeat("b", 5000)+"\nneedle short\n")
	out := r.ok("grep", "pattern", "needle")
	if len(out) > 800 {
		t.Errorf("%d bytes", len(out))
	}
	holds(t, out, "min.js:1:…", "ééneedlebb", "b…\n", "min.js:2:needle short")
}

// A file that is larger than the buffer is searched in pieces.
func TestGrepLargeFile(t *testing.T) {
	r := newRig(t)
	line := strings.Repeat("x", 99) + "\n"
	n := 2*searchBytes/len(line) + 50
	r.put("big", strings.Repeat(line, n)+"needle\n"+strings.Repeat(line, 3)+"needle")
	want(t, r.ok("grep", "pattern", "needle"), fmt.Sprintf("big:%d:needle\nbig:%d:needle\n", n+1, n+5))
	r.put("oneline", strings.Repeat("x", 2*searchBytes)+"needle")
	holds(t, r.ok("grep", "pattern", "needle", "path", "oneline"), "needle", "searched in part")
}

func TestGrepRejectsBadQueries(t *testing.T) {
	r := newRig(t)
	r.put("a", "x")
	for _, tt := range []struct {
		kv   []any
		text string
	}{
		{[]any{"pattern", ""}, "empty"},
		{[]any{"pattern", "f("}, "missing closing )"},
		{[]any{"pattern", "(?=x)"}, "no look-ahead"},
		{[]any{"pattern", "a\nb"}, "one line at a time"},
		{[]any{"pattern", "x", "glob", "{a"}, "glob"},
		{[]any{"pattern", "x", "context", 99}, "0 to 10"},
		{[]any{"pattern", "x", "skip", -1}, "skip"},
		{[]any{"pattern", "x", "path", ".."}, "leaves the workspace"},
	} {
		r.fails("grep", tt.kv, tt.text)
	}
}

func TestGlob(t *testing.T) {
	r := newRig(t)
	for i, name := range []string{"old.go", "a/mid.go", "a/b/new.go", "a/x.txt"} {
		r.put(name, "")
		at := time.Unix(int64(1000+i), 0)
		os.Chtimes(r.path(name), at, at)
	}
	r.link("..", "a/loop") // glob-003
	want(t, r.ok("glob", "pattern", "**/*.go"), "a/b/new.go\na/mid.go\nold.go\n")
	want(t, r.ok("glob", "pattern", "*.go"), "old.go\n")
	want(t, r.ok("glob", "pattern", "a/**/*.{go,txt}"), "a/x.txt\na/b/new.go\na/mid.go\n")
	want(t, r.ok("glob", "pattern", "*.go", "path", "a"), "a/mid.go\n")
	want(t, r.ok("glob", "pattern", "a/*/"), "a/b/\n")
	want(t, r.ok("glob", "pattern", "**/loop"), "a/loop\n")
	want(t, r.ok("glob", "pattern", "**/*.go", "limit", 2), "a/b/new.go\na/mid.go\n[paths 1-2 of 3; go on with skip=2]")
	want(t, r.ok("glob", "pattern", "**/*.go", "skip", 2), "old.go\n")
	want(t, r.ok("glob", "pattern", "**/*.go", "skip", 9), "[skip=9 is past the end: 3 paths]")
	holds(t, r.ok("glob", "pattern", "*.txt"), "to look at any depth write **/*.txt")
	r.fails("glob", []any{"pattern", "../*"}, "leaves the workspace")
	r.fails("glob", []any{"pattern", "*/../../*"}, "..")
	r.fails("glob", []any{"pattern", "["}, "not valid")
	r.fails("glob", []any{"pattern", "none/*.go"}, "does not exist")
	r.fails("glob", []any{"pattern", "old.go/*"}, "a file")
}

func TestListDir(t *testing.T) {
	r := newRig(t)
	want(t, r.ok("list_dir"), "[. is an empty directory]")
	r.put("b.txt", "")
	r.put("a/x", "")
	r.link("b.txt", "link")
	r.put("odd\nname", "")
	syscall.Mkfifo(r.path("pipe"), 0o644)
	want(t, r.ok("list_dir"), "a/\nb.txt\nlink -> b.txt\nodd\\nname\npipe (a pipe (FIFO))\n")
	r.fails("list_dir", []any{"path", "b.txt"}, "use read")
	r.fails("list_dir", []any{"path", "none"}, "does not exist")
	for i := range 600 {
		r.put(fmt.Sprintf("a/n%03d", i), "")
	}
	holds(t, r.ok("list_dir", "path", "a"), "n000\n", "n499\n[names 1-500 of 601; go on with skip=500]")
	holds(t, r.ok("list_dir", "path", "a", "skip", 500), "n500\n", "n599\nx\n")
}

// path_reach_is_deliberate: what leaves the workspace by dots or a link is refused for
// every tool, and the gate is not even asked; a place that the call names by its own
// absolute path is the gate's to judge, under that name.
func TestNothingLeavesTheWorkspaceInSilence(t *testing.T) {
	r := newRig(t)
	outside := t.TempDir()
	os.WriteFile(outside+"/f", []byte("secret"), 0o644)
	r.put("d/f", "x")
	r.link(outside, "out")
	r.link("self", "self")
	for _, path := range []string{"../x", "d/../../x", "out", "out/f", "self", r.path("out/f")} {
		for tool, kv := range map[string][]any{
			"read": {"path", path}, "write": {"path", path, "content", "x"}, "search_replace": {"path", path, "old", "a", "new", "b"},
			"grep": {"pattern", "x", "path", path}, "glob": {"pattern", "*", "path", path}, "list_dir": {"path", path},
		} {
			r.fails(tool, kv)
		}
	}
	if len(r.gate.steps) > 0 || r.gate.started > 0 {
		t.Errorf("the gate was asked: %v", r.gate.steps)
	}
	r.gate.denyAll = true
	for tool, kv := range map[string][]any{
		"read": {"path", outside + "/f"}, "write": {"path", outside + "/f", "content", "x"}, "search_replace": {"path", outside + "/f", "old", "secret", "new", "b"},
		"grep": {"pattern", "x", "path", outside}, "glob": {"pattern", "*", "path", outside}, "list_dir": {"path", outside},
	} {
		r.fails(tool, kv, outside)
		holds(t, r.gate.last.Text, outside)
	}
	if b, _ := os.ReadFile(outside + "/f"); string(b) != "secret" {
		t.Error("the file outside changed")
	}
	r.gate.denyAll = false
	holds(t, r.ok("read", "path", r.path("d/f")), "]\n1:x\n")
}

// A refusal is the error, and nothing was opened; the record of the start stands
// before the effect.
func TestGateComesFirst(t *testing.T) {
	r := newRig(t)
	r.put("f", "old")
	r.gate.deny = "write"
	r.fails("write", []any{"path", "f", "content", "new"}, "did not run", "write "+r.path("f"))
	r.gate.deny = ""
	r.gate.onStart = func() error { return errors.New("the log is full") }
	r.fails("search_replace", []any{"path", "f", "old", "old", "new", "new"}, "the log is full")
	want(t, r.disk("f"), "old")
	r.fails("read", []any{"path", "f"}, "the log is full")
}

func TestCancelReturnsItsCause(t *testing.T) {
	r := newRig(t)
	r.put("f", "x")
	stopped := errors.New("the user stopped it")
	for _, tool := range []string{"read", "grep", "glob", "list_dir"} {
		ctx, cancel := context.WithCancelCause(context.Background())
		r.gate.onStart = func() error { cancel(stopped); return nil }
		if _, err := r.d.Run(ctx, r.gate, tool, map[string]any{"path": "f", "pattern": "x"}); !errors.Is(err, stopped) {
			t.Errorf("%s: %v", tool, err)
		}
	}
}

// glob-001: a deadline ends a search with what it found, and says so.
func TestDeadlineGivesAPartialResult(t *testing.T) {
	r := newRig(t)
	for i := range 600 {
		r.put(fmt.Sprintf("d%d/f", i), "x")
	}
	r.d = New(Options{Root: r.root, Judge: r.d.judge, Deadline: time.Nanosecond})
	holds(t, r.ok("glob", "pattern", "**/*"), "stopped after 1ns")
	holds(t, r.ok("grep", "pattern", "x"), "stopped after 1ns")
}
