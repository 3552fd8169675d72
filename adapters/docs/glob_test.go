package docs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"tenet/adapters/docs/tree"
	"tenet/core/doc"
)

// aged makes files that were changed one second after the other.
func (r *rig) aged(names ...string) {
	for i, name := range names {
		r.put(name, "")
		at := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(r.path(name), at, at); err != nil {
			r.t.Fatal(err)
		}
	}
}

func TestGlob(t *testing.T) {
	r := newRig(t)
	r.aged("old.go", "a/mid.go", "a/b/new.go", "a/x.txt")
	r.link("..", "a/loop") // glob-003: it is a name, and nothing is visited through it
	want(t, r.ok("glob", "pattern", "**/*.go"), "a/b/new.go\na/mid.go\nold.go\n")
	want(t, r.ok("glob", "pattern", "*.go"), "old.go\n")
	want(t, r.ok("glob", "pattern", "a/**/*.{go,txt}"), "a/x.txt\na/b/new.go\na/mid.go\n")
	want(t, r.ok("glob", "pattern", "{a/b,a}/*.go"), "a/b/new.go\na/mid.go\n")
	want(t, r.ok("glob", "pattern", "*.go", "path", "a"), "a/mid.go\n")
	want(t, r.ok("glob", "pattern", r.path("a")+"/*.go"), "a/mid.go\n")
	want(t, r.ok("glob", "pattern", "./a//*.go"), "a/mid.go\n")
	want(t, r.ok("glob", "pattern", "a/mid.go"), "a/mid.go\n")
	want(t, r.ok("glob", "pattern", "a/*/"), "a/b/\n")
	want(t, r.ok("glob", "pattern", "**/loop"), "a/loop\n")
	want(t, r.ok("glob", "pattern", "**/loop/**/old.go"), `[nothing matches "**/loop/**/old.go"]`)
	holds(t, r.ok("glob", "pattern", "*.txt"), "to look at any depth write **/*.txt")
}

// Hidden files are listed, .git, temporary files, pipes and what is ignored are not,
// and each of them is told.
func TestGlobTellsWhatItLeavesOut(t *testing.T) {
	r := newRig(t)
	emptyRepository(t, r.root)
	r.put(".gitignore", "*.log\nbuild/\n")
	for _, name := range []string{".env.example", "a.log", "build/x", "src/f", "src/" + doc.TempName(1, 2, 3)} {
		r.put(name, "")
	}
	unix.Mkfifo(r.path("src/pipe"), 0o600)
	out := r.ok("glob", "pattern", "**/*")
	holds(t, out, ".env.example\n", "src/f\n", "src/\n", "2 ignored by an ignore rule", "1 .git, always left out", "1 temporary files", "1 special files")
	if strings.Contains(out, "a.log") || strings.Contains(out, "build") || strings.Contains(out, "HEAD") {
		t.Error(out)
	}
	holds(t, r.ok("glob", "pattern", "**/*", "no_ignore", true), "a.log\n", "build/x\n")
	holds(t, r.ok("glob", "pattern", "build/*"), "build/x\n") // a place that is named is looked at
}

// The user's own excludes hold, from the home of the session and no other.
func TestGlobKeepsToTheUsersExcludes(t *testing.T) {
	r := newRig(t)
	home := t.TempDir()
	put(t, home+"/.config/git/ignore", "*.swp\n")
	r.put("a.swp", "")
	r.put("b", "")
	holds(t, r.ok("glob", "pattern", "*"), "a.swp\n")
	r.d = New(Options{Root: r.root, Judge: r.d.judge, Env: []string{"HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"}})
	want(t, r.ok("glob", "pattern", "*"), "b\n[skipped: 1 ignored by an ignore rule, directories counted once (no_ignore takes them in)]")
}

// The pages put together are the whole list, newest first then by path, nothing twice.
func TestGlobPages(t *testing.T) {
	r := newRig(t)
	var all []string
	for i := range 450 {
		name := fmt.Sprintf("d%d/f%03d", i%7, i)
		r.put(name, "")
		at := time.Unix(int64(5000-i/2), 0) // two of each time
		os.Chtimes(r.path(name), at, at)
		all = append(all, name)
	}
	var got []string
	for _, tt := range []struct {
		skip int
		tail string
	}{{0, "[paths 1-200 of 450; go on with skip=200]"}, {200, "[paths 201-400 of 450; go on with skip=400]"}, {400, ""}} {
		out := r.ok("glob", "pattern", "*/f*", "skip", tt.skip, "limit", 1000)
		rows := strings.SplitAfter(out, "\n")
		want(t, rows[len(rows)-1], tt.tail)
		for _, row := range rows[:len(rows)-1] {
			got = append(got, strings.TrimSuffix(row, "\n"))
		}
	}
	for i := 0; i < len(all); i += 2 { // the pairs of one time, by path
		slices.Sort(all[i : i+2])
	}
	want(t, strings.Join(got, "\n"), strings.Join(all, "\n"))
	want(t, r.ok("glob", "pattern", "*/f00?", "limit", 2, "skip", 9), "d2/f009\n")
	want(t, r.ok("glob", "pattern", "*/f00?", "skip", 10), "[skip=10 is past the end: 10 paths]")
}

func TestGlobRefuses(t *testing.T) {
	r := newRig(t)
	r.put("old.go", "")
	r.put(".git/config", "")
	for _, tt := range []struct {
		kv   []any
		text string
	}{
		{[]any{"pattern", ""}, "empty"},
		{[]any{"pattern", "../*"}, "leaves the workspace"},
		{[]any{"pattern", "*/../../*"}, ".."},
		{[]any{"pattern", "["}, "not valid"},
		{[]any{"pattern", "none/*.go"}, "does not exist"},
		{[]any{"pattern", "old.go/*"}, "a file"},
		{[]any{"pattern", "/**/*.go"}, "whole machine"},
		{[]any{"pattern", "/"}, "whole machine"},
		{[]any{"pattern", "*", "path", "/"}, "whole machine"},
		{[]any{"pattern", ".git/*"}, "never lists"},
		{[]any{"pattern", "*", "limit", 0}, "limit is 0"},
		{[]any{"pattern", "*", "skip", -1}, "skip is -1"},
	} {
		r.fails("glob", tt.kv, tt.text)
	}
}

// A file that vanishes between the reading of its directory and the look at it is left
// out and counted, and a name cannot pretend to be a row.
func TestGlobWhileTheTreeChanges(t *testing.T) {
	r := newRig(t)
	r.put("gone", "")
	r.put("odd\nname", "")
	q, err := r.d.globQuery(map[string]any{"pattern": "*"})
	if err != nil {
		t.Fatal(err)
	}
	s := newGlobSearch(q)
	dir, err := openDir(r.root)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	walked := tree.Walk(ctx0, tree.Options{Root: int(dir.Fd()), Visit: func(worker int, e *tree.Entry) bool {
		if e.Name() == "gone" {
			os.Remove(r.path("gone"))
		}
		return s.visit(worker, e)
	}})
	want(t, r.d.globResult(s, &walked), "odd\\nname\n[skipped: 1 gone or changed since their directory was read]")
}

// A walk enters every directory below which the pattern can match.
func TestGlobEntersWhatItMust(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "b", "*", "?", "**", "a*", "[ab]", "{a,b}", "{a/b,b}", "**a", "{**,a}", `\a`, "[^a]", "b?", "{a,**/b}"})
	name := rapid.SampledFrom([]string{"a", "b", "ab", "ba", "c"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, "pattern"), "/")
		names := rapid.SliceOfN(name, 1, 5).Draw(t, "path")
		p, path := newGlobPattern(text, false), strings.Join(names, "/")
		if matched := p.matches(path, false); matched != doublestar.MatchUnvalidated(text, path) {
			t.Fatalf("%q matches %q: %v", text, path, matched)
		} else if !matched {
			return
		}
		for i := 1; i < len(names); i++ {
			if dir := strings.Join(names[:i], "/") + "/"; !p.below(dir) {
				t.Fatalf("%q matches %q, and %q is not entered", text, path, dir)
			}
		}
	})
	for pattern, entered := range map[string]bool{"*.md": false, "src/*.go": false, "a/*.go": true, "*/b/c": true, "**/x": true, "a": false} {
		if p := newGlobPattern(pattern, false); p.below("a/") != entered {
			t.Errorf("%q enters a: %v", pattern, !entered)
		}
	}
}

// glob-001: a glob over very many files ends at once when its context does.
func TestGlobEndsWithItsContext(t *testing.T) {
	r := newRig(t)
	for i := range 300 {
		r.put(fmt.Sprintf("d%d/f", i), "")
	}
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	r.gate.onStart = func() error { cancel(stopped); return nil }
	if _, err := r.d.Run(ctx, r.gate, "glob", map[string]any{"pattern": "**"}); !errors.Is(err, stopped) {
		t.Error(err)
	}
}

// emptyRepository makes a repository by hand, without git's own start.
func emptyRepository(t testing.TB, root string) {
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\trepositoryformatversion = 0\n", "objects/x": "", "refs/x": ""} {
		put(t, filepath.Join(root, ".git", name), text)
	}
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// gitEnv is an environment in which git has the repository's configuration only.
func gitEnv(home string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"}
}
