package docs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tenet/core/doc"
)

// tagged is the header of a file as grep shows it.
func (r *rig) tagged(name string) string {
	return fmt.Sprintf("[%s#%s]\n", name, doc.Tag(digest([]byte(r.disk(name)))))
}

func TestGrepShowsRowsUnderTheirFile(t *testing.T) {
	r := newRig(t)
	r.put("b.go", "package b\nfunc F() {}\n")
	r.put("a/a.go", "package a\r\n\r\nfunc F() {}\r\n")
	r.put(".github/x.yml", "run: func\n") // grep-004
	aGo, bGo, yml := r.tagged("a/a.go")+"*3:func F() {}\n", r.tagged("b.go")+"*2:func F() {}\n", r.tagged(".github/x.yml")+"*1:run: func\n"
	want(t, r.ok("grep", "pattern", "func"), yml+aGo+bGo)
	want(t, r.ok("grep", "pattern", `^FUNC\s+F\(`, "ignore_case", true, "glob", "*.go", "path", "a"), aGo)
	want(t, r.ok("grep", "pattern", "F()", "literal", true, "paths", []string{"b.go", "a", "a/a.go"}), aGo+bGo)
	want(t, r.ok("grep", "pattern", "nothing"), "[no line matches \"nothing\" in 3 files]\n")
	want(t, r.ok("grep", "pattern", "func", "glob", "a/*.go"), aGo+"[skipped: 2 not of the glob or type]\n")
	want(t, r.ok("grep", "pattern", "func", "type", "go"), aGo+bGo+"[skipped: 1 not of the glob or type]\n")
}

func TestGrepContext(t *testing.T) {
	r := newRig(t)
	r.put("f", "1\n2\nX3\n4\nX5\n6\n7\n8\n9\nX10\n")
	head := r.tagged("f")
	want(t, r.ok("grep", "pattern", "X", "context", 1), head+" 2:2\n*3:X3\n 4:4\n*5:X5\n 6:6\n...\n 9:9\n*10:X10\n")
	want(t, r.ok("grep", "pattern", "X", "context", 1, "path", "f:5-"), head+" 4:4\n*5:X5\n 6:6\n...\n 9:9\n*10:X10\n")
	want(t, r.ok("grep", "pattern", "X", "paths", []string{"f:1-3", "f:10"}), head+"*3:X3\n*10:X10\n")
	want(t, r.ok("grep", "pattern", "X", "limit", 2), head+"*3:X3\n*5:X5\n[2 of 3 matches in f; the path \"f:10-\" goes on]\n")
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
	holds(t, out, r.tagged("a.c")+"*1:needle\n", "1 binary, not searched: nul.c", "2 ignored", "1 symbolic links", "1 special", "1 .git", "1 temporary", "1 secret, not searched (name the file as the path to ask for it): .env")
	if strings.Contains(out, "needle=1") {
		t.Error("the search shows a secret")
	}
	want(t, r.ok("grep", "pattern", "needle", "path", "a.log"), r.tagged("a.log")+"*1:needle\n")
	holds(t, r.ok("grep", "pattern", "needle", "no_ignore", true), r.tagged("a.log")+"*1:needle", r.tagged("out/x")+"*1:needle")
	r.fails("grep", []any{"pattern", "needle", "path", ".env"}, "(read+secret): it needs the user's approval")
	r.fails("grep", []any{"pattern", "needle", "path", "p"}, "pipe")
	r.fails("grep", []any{"pattern", "needle", "path", "none"}, "does not exist")
}

var (
	nextPage = regexp.MustCompile(`go on with skip=(\d+)`)
	nextLine = regexp.MustCompile(`the path "([^"]+)" goes on`)
	fileHead = regexp.MustCompile(`^\[([^#]+)#[0-9A-F]{4}\]$`)
)

// matchRows are the matches of a result as PATH:LINE.
func matchRows(out string) (rows []string) {
	file := ""
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if m := fileHead.FindStringSubmatch(line); m != nil {
			file = m[1]
		}
		if rest, ok := strings.CutPrefix(line, "*"); ok {
			n, _, _ := strings.Cut(rest, ":")
			rows = append(rows, file+":"+n)
		}
	}
	return rows
}

// grep-002: pages, and what each cuts of a file, put together are the whole list,
// nothing twice.
func TestGrepPagesAreContiguous(t *testing.T) {
	r := newRig(t)
	var all []string
	for f := range 70 {
		var b strings.Builder
		for l := range 37 * (f % 3) {
			fmt.Fprintf(&b, "hit %d\nmiss\n", l)
			all = append(all, fmt.Sprintf("f%02d:%d", f, 2*l+1))
		}
		r.put(fmt.Sprintf("f%02d", f), b.String())
	}
	for _, extra := range [][]any{{}, {"limit", 7}, {"limit", 150}} {
		var got []string
		for skip, more := 0, true; more; {
			out := r.ok("grep", append([]any{"pattern", "hit", "skip", skip}, extra...)...)
			got = append(got, matchRows(out)...)
			for _, cut := range nextLine.FindAllStringSubmatch(out, -1) {
				for path := cut[1]; path != ""; {
					rest := r.ok("grep", append([]any{"pattern", "hit", "path", path}, extra...)...)
					got = append(got, matchRows(rest)...)
					if path = ""; nextLine.MatchString(rest) {
						path = nextLine.FindStringSubmatch(rest)[1]
					}
				}
			}
			m := nextPage.FindStringSubmatch(out)
			if more = m != nil; more {
				holds(t, out, "of 46 with matches")
				fmt.Sscan(m[1], &skip)
			}
		}
		slices.SortFunc(got, func(a, b string) int { return cmp.Compare(place3(a), place3(b)) })
		want(t, strings.Join(got, "\n"), strings.Join(all, "\n"))
	}
	holds(t, r.ok("grep", "pattern", "hit", "skip", 50), "[skip=50 is past the end by 4: 46 files with matches]")
	holds(t, r.ok("grep", "pattern", "hit", "skip", 5, "path", "f01"), "skip=5 was not used")
}

// place3 makes PATH:LINE sort by number.
func place3(row string) string {
	file, line, _ := strings.Cut(row, ":")
	return fmt.Sprintf("%s:%03s", file, line)
}

func TestGrepWindowsLongLines(t *testing.T) {
	r := newRig(t)
	r.put("min.js", strings.Repeat("é", 5000)+"needle"+strings.Repeat("b", 5000)+"\nneedle short\n")
	out := r.ok("grep", "pattern", "needle")
	if len(out) > 800 {
		t.Errorf("%d bytes", len(out))
	}
	holds(t, out, "*1:…", "ééneedlebb", "b…\n", "*2:needle short")
}

// A file that is larger than the buffer is searched in pieces.
func TestGrepLargeFile(t *testing.T) {
	r := newRig(t)
	line := strings.Repeat("x", 99) + "\n"
	n := 2*doc.SearchBytes/len(line) + 50
	r.put("big", strings.Repeat(line, n)+"needle\n"+strings.Repeat(line, 3)+"needle")
	want(t, r.ok("grep", "pattern", "needle"), fmt.Sprintf("[big]\n*%d:needle\n*%d:needle\n[big is over 4 MiB and has no tag: read it in ranges, change it with write or a command]\n", n+1, n+5))
	r.put("oneline", strings.Repeat("x", 2*doc.SearchBytes)+"needle")
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
		{[]any{"pattern", "x", "limit", 0}, "limit is 0"},
		{[]any{"pattern", "x", "type", "cobol"}, "no file type"},
		{[]any{"pattern", "x", "path", "a:0"}, "names no line"},
		{[]any{"pattern", "x", "path", "a:raw"}, "for read"},
		{[]any{"pattern", "x", "path", ".:3"}, "has no lines"},
		{[]any{"pattern", "x", "path", ".."}, "leaves the workspace"},
	} {
		r.fails("grep", tt.kv, tt.text)
	}
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
