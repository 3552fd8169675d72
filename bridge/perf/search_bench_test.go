package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The benchmarks of search need a tree that `go run ./bridge/perf/corpus DIR` lays out;
// TENET_BENCH_DIR names it. They start tenet's documents tools (bridge/perf/side) and
// ripgrep in turn, each in a process of its own, and report the median of the rounds'
// ratios. Both search hidden files, leave .git and ignored files out and write to a pipe.
var rounds = roundsFrom(os.Getenv("TENET_BENCH_ROUNDS"))

// roundsFrom is how often the programs run in turn: 7 times unless told.
func roundsFrom(s string) int {
	if n, err := strconv.Atoi(s); err == nil && n > 0 {
		return n
	}
	return 7
}

// field is what a benchmark of search runs on.
type field struct {
	b        *testing.B
	tree     string
	side, rg string
}

func newField(b *testing.B, tree string) *field {
	dir := os.Getenv("TENET_BENCH_DIR")
	if dir == "" {
		b.Skip("TENET_BENCH_DIR names no corpus; make bench lays one out")
	}
	f := &field{b: b, tree: filepath.Join(dir, tree), side: filepath.Join(b.TempDir(), "side"), rg: ripgrep(dir)}
	if f.rg == "" {
		b.Skip("there is no ripgrep, neither in the corpus nor on the PATH")
	}
	cmd := exec.Command("go", "build", "-o", f.side, "tenet/bridge/perf/side")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return f
}

// ripgrep is the one that Codex ships, which is the newest, else the one on the PATH.
func ripgrep(dir string) string {
	found, _ := filepath.Glob(filepath.Join(dir, "tools/node_modules/@openai/codex-*/vendor/*/codex-path/rg"))
	if len(found) > 0 {
		return found[0]
	}
	path, _ := exec.LookPath("rg")
	return path
}

// program is one side of a comparison.
type program []string

func (f *field) tool(args ...string) program {
	return append(program{f.side, f.tree}, args...)
}

// ripgrep searches the same files: hidden ones too, and .git never.
func (f *field) ripgrep(args ...string) program {
	return append(append(program{f.rg, "--hidden", "--glob=!.git"}, args...), f.tree)
}

// run starts a program, throws its output away and says how long it took.
func (f *field) run(p program) time.Duration {
	f.b.Helper()
	cmd := exec.Command(p[0], p[1:]...)
	cmd.Stdout = io.Discard
	began := time.Now()
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 { // 1: no match
		f.b.Fatalf("%v: %v", p, err)
	}
	return time.Since(began)
}

// output is what a program writes.
func (f *field) output(p program) (stdout, stderr []byte) {
	f.b.Helper()
	var out, err bytes.Buffer
	cmd := exec.Command(p[0], p[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &err
	if e := cmd.Run(); e != nil && cmd.ProcessState.ExitCode() != 1 {
		f.b.Fatalf("%v: %v\n%s", p, e, err.Bytes())
	}
	return out.Bytes(), err.Bytes()
}

// ratio runs programs in turn and reports the first one's time over each other's, by
// the median of the rounds.
func (f *field) ratio(names []string, programs ...program) {
	took := make([][]time.Duration, len(programs))
	for _, p := range programs {
		f.run(p) // fills the page cache
	}
	n := 0
	for f.b.Loop() {
		for range rounds {
			n++
			for i, p := range programs {
				took[i] = append(took[i], f.run(p))
			}
		}
	}
	for i, name := range names {
		var rs []float64
		for k := range n {
			rs = append(rs, float64(took[0][k])/float64(took[i+1][k]))
		}
		slices.Sort(rs)
		f.b.ReportMetric(rs[len(rs)/2], name)
	}
	slices.Sort(took[0])
	f.b.ReportMetric(float64(took[0][n/2].Microseconds())/1000, "ms")
}

// peak is the most memory that the tool's process held.
func (f *field) peak(p program) {
	_, log := f.output(p)
	for line := range strings.Lines(string(log)) {
		if rest, ok := strings.CutPrefix(line, "peak "); ok {
			kib, _ := strconv.Atoi(strings.TrimSpace(rest))
			f.b.ReportMetric(float64(kib)/1024, "MiB")
		}
	}
}

// searches are the kinds of pattern that cost a search different work.
var searches = []struct {
	name, pattern string
	fold, literal bool
}{
	{name: "rare", pattern: "ReadDirent", literal: true},
	{name: "common", pattern: "return nil", literal: true},
	{name: "fold", pattern: "readdirent", literal: true, fold: true},
	{name: "required", pattern: `func \(\w+ \*\w+\) Close\(`},
	{name: "alternation", pattern: `panicwrap|unreachable|FIXME`},
	{name: "none", pattern: `\b[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\b`},
	{name: "words", pattern: `\w{3,}\s+\d+\s+\w{7,}\s+\d+$`},
}

// BenchmarkSearch greps the large tree. The call asks for the last page, so that every
// file is searched, as ripgrep does: the first page alone ends sooner, see FirstPage. The
// tool needs one match a file and shows a page of them; ripgrep is measured both with all
// rows (x-rg) and with the names of the files alone (x-rg-files).
func BenchmarkSearch(b *testing.B) {
	for _, s := range searches {
		b.Run(s.name, func(b *testing.B) {
			f := newField(b, "tree")
			args, flags := []string{"grep", "pattern=" + s.pattern}, []string{"-nH", "--no-heading"}
			if s.fold {
				args, flags = append(args, "ignore_case=true"), append(flags, "-i")
			}
			if s.literal {
				args, flags = append(args, "literal=true"), append(flags, "-F")
			}
			flags = append(flags, "-e", s.pattern)
			files, _ := f.output(f.ripgrep(append(flags, "-l")...))
			last := max(0, bytes.Count(files, []byte{'\n'})-1)
			whole := f.tool(append(args, "skip="+strconv.Itoa(last))...)
			f.ratio([]string{"x-rg", "x-rg-files"}, whole, f.ripgrep(flags...), f.ripgrep(append(flags, "-l")...))
			f.peak(whole)
			f.compare(args, flags, last+1)
		})
	}
}

// paged bounds how many files with matches are compared row by row.
const paged = 400

// compare reads all pages of a search and reports how many rows only one side has.
// Rows that both show are of the same line of the same file; their text is not compared,
// since the tool cuts it.
func (f *field) compare(args, flags []string, files int) {
	if files > paged {
		return
	}
	out, _ := f.output(f.ripgrep(flags...))
	theirs := f.rows(out)
	mine := map[string]bool{}
	for skip := 0; skip < files+20; skip += 20 {
		page, _ := f.output(f.tool(append(args, "skip="+strconv.Itoa(skip), "limit=200")...))
		maps.Copy(mine, toolRows(string(page)))
	}
	only := func(a, b map[string]bool) (n int) {
		for row := range a {
			if !b[row] {
				if n++; n < 4 {
					f.b.Logf("only on one side: %s", row)
				}
			}
		}
		return n
	}
	f.b.ReportMetric(float64(len(theirs)), "rows")
	f.b.ReportMetric(float64(only(mine, theirs)), "rows-only-ours")
	f.b.ReportMetric(float64(only(theirs, mine)), "rows-only-rg")
}

// rows are PATH:LINE of ripgrep's rows; what it says of binary files is no row.
func (f *field) rows(out []byte) map[string]bool {
	rows := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		rel := strings.TrimPrefix(line, f.tree+"/")
		path, rest, _ := strings.Cut(rel, ":")
		n, _, ok := strings.Cut(rest, ":")
		if _, err := strconv.Atoi(n); ok && err == nil {
			rows[path+":"+n] = true
		}
	}
	return rows
}

// toolRows are PATH:LINE of the matches of a reply: groups under [PATH#TAG].
func toolRows(reply string) map[string]bool {
	rows, path := map[string]bool{}, ""
	for line := range strings.Lines(reply) {
		line = strings.TrimSuffix(line, "\n")
		if h, ok := strings.CutPrefix(line, "["); ok && strings.HasSuffix(h, "]") && !strings.Contains(h, " ") {
			path, _, _ = strings.Cut(strings.TrimSuffix(h, "]"), "#")
		} else if r, ok := strings.CutPrefix(line, "*"); ok {
			n, _, _ := strings.Cut(r, ":")
			rows[path+":"+n] = true
		}
	}
	return rows
}

// BenchmarkFirstPage is what a model waits for: the page of a common literal, and the
// first byte of it with a limit of one match, in the same process start to exit.
func BenchmarkFirstPage(b *testing.B) {
	f := newField(b, "tree")
	page, one := f.tool("grep", "pattern=return nil", "literal=true"), f.tool("grep", "pattern=return nil", "literal=true", "limit=1")
	f.ratio([]string{"x-rg", "x-limit-one"}, page, f.ripgrep("-nHF", "--no-heading", "-e", "return nil"), one)
	var first []time.Duration
	for range rounds {
		first = append(first, f.firstByte(one))
	}
	slices.Sort(first)
	b.ReportMetric(float64(first[rounds/2].Microseconds())/1000, "first-ms")
}

// firstByte is the time from the start of a program to its first output.
func (f *field) firstByte(p program) time.Duration {
	cmd := exec.Command(p[0], p[1:]...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		f.b.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		f.b.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		f.b.Fatal(err)
	}
	took := time.Since(began)
	io.Copy(io.Discard, out)
	cmd.Wait()
	return took
}

// BenchmarkFiles lists every file that the ignore rules leave, newest first as glob
// shows them; ripgrep lists them in any order. `git ls-files` is the third side.
func BenchmarkFiles(b *testing.B) {
	f := newField(b, "tree")
	list := f.tool("glob", "pattern=**/*")
	git := program{"git", "-C", f.tree, "ls-files", "-o", "--exclude-standard"}
	f.ratio([]string{"x-rg", "x-git"}, list, f.ripgrep("--files"), git)
	f.peak(list)
	rg, _ := f.output(f.ripgrep("--files"))
	b.ReportMetric(float64(bytes.Count(rg, []byte{'\n'})), "files")
}

// BenchmarkSmall is the same on a repository of 5,000 files.
func BenchmarkSmall(b *testing.B) {
	b.Run("grep", func(b *testing.B) {
		f := newField(b, "small")
		f.ratio([]string{"x-rg"}, f.tool("grep", "pattern=ReadDirent", "literal=true"), f.ripgrep("-nHF", "--no-heading", "-e", "ReadDirent"))
	})
	b.Run("files", func(b *testing.B) {
		f := newField(b, "small")
		f.ratio([]string{"x-rg"}, f.tool("glob", "pattern=**/*"), f.ripgrep("--files"))
	})
}

// BenchmarkSession is what a call costs in a session that is running, without the start
// of a process: ours beside ripgrep's, which a tool that starts it pays for.
func BenchmarkSession(b *testing.B) {
	for _, c := range []struct{ name, tree string }{{"tree", "tree"}, {"small", "small"}} {
		b.Run(c.name, func(b *testing.B) {
			f := newField(b, c.tree)
			rg := f.ripgrep("-nHF", "--no-heading", "-e", "ReadDirent")
			var rs []float64
			for b.Loop() {
				for range rounds {
					theirs := f.run(rg)
					rs = append(rs, float64(f.warm("grep", "pattern=ReadDirent", "literal=true"))/float64(theirs))
				}
			}
			slices.Sort(rs)
			b.ReportMetric(rs[len(rs)/2], "x-rg")
		})
	}
}

// warm is the time of a second call in one process.
func (f *field) warm(args ...string) time.Duration {
	p := append(program{f.side, "-times", "2", f.tree}, args...)
	_, log := f.output(p)
	for line := range strings.Lines(string(log)) {
		if rest, ok := strings.CutPrefix(line, "took "); ok {
			ns, _ := strconv.Atoi(strings.TrimSpace(rest))
			return time.Duration(ns)
		}
	}
	f.b.Fatal(fmt.Errorf("%v says no time: %s", p, log))
	return 0
}
