package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tenet/adapters/docs"
	"tenet/adapters/pathpolicy"
	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/surface"
)

// openGate lets everything through: the gate has figures of its own.
type openGate struct{}

func (openGate) Permit(_ context.Context, plan func() []call.Step) gate.Outcome {
	plan()
	return gate.Outcome{Runs: true}
}
func (openGate) Confirm(call.Step, string) gate.Outcome { return gate.Outcome{Runs: true} }
func (openGate) Start(context.Context) error            { return nil }

// session is the documents tools on a workspace of one file.
type session struct {
	b    *testing.B
	root string
	d    *docs.Docs
	tag  string
}

func newSession(b *testing.B, root string) *session {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		b.Fatal(err)
	}
	judge := pathpolicy.New(pathpolicy.Options{Root: root, TenetHome: root + ".tenet", Env: []string{"HOME=" + root + ".home"}})
	return &session{b: b, root: root, d: docs.New(docs.Options{Root: root, Judge: judge})}
}

var tagged = regexp.MustCompile(`\[[^\s\]]+#([0-9A-F]{4})\]`)

func (s *session) call(tool string, args surface.Args) string {
	s.b.Helper()
	reply, err := s.d.Run(context.Background(), openGate{}, tool, args)
	if err != nil {
		s.b.Fatal(err)
	}
	if all := tagged.FindAllStringSubmatch(reply, -1); len(all) > 0 {
		s.tag = all[len(all)-1][1]
	}
	return reply
}

// BenchmarkEdit replaces one line in the middle of a file, beside a plain atomic rewrite
// of the same bytes with the same syncs: a temporary file, written and synced, renamed
// onto the name, the directory synced. They take turns; the ratio is that of the medians.
func BenchmarkEdit(b *testing.B) {
	// The larger one stays below the limit of what is edited when a line grows.
	b.Run("4KiB", func(b *testing.B) { benchEdit(b, 4<<10) })
	b.Run("4MiB", func(b *testing.B) { benchEdit(b, 4<<20-4096) })
}

func benchEdit(b *testing.B, size int) {
	s := newSession(b, b.TempDir())
	var lines strings.Builder
	for n := range size / 64 {
		fmt.Fprintf(&lines, "%-63s\n", fmt.Sprint("line ", n, " of 64 bytes, more or less what source has"))
	}
	text := lines.String()
	if err := os.WriteFile(filepath.Join(s.root, "f"), []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	middle := size / 64 / 2
	s.call("read", surface.Args{"path": fmt.Sprintf("f:%d-%d", middle-5, middle+5)})
	raw := filepath.Join(b.TempDir(), "f")
	var mine, plain []time.Duration
	n := 0
	for b.Loop() {
		n++
		patch := fmt.Sprintf("[f#%s]\nPUT %d:\n+the line is number %d now\n", s.tag, middle, n)
		began := time.Now()
		s.call("edit", surface.Args{"patch": patch})
		mine = append(mine, time.Since(began))
		began = time.Now()
		if err := rewrite(raw, []byte(text)); err != nil {
			b.Fatal(err)
		}
		plain = append(plain, time.Since(began))
	}
	slices.Sort(mine)
	slices.Sort(plain)
	b.ReportMetric(float64(mine[n/2])/float64(plain[n/2]), "x-plain")
	b.ReportMetric(float64(mine[n/2].Microseconds())/1000, "ms")
	b.ReportMetric(float64(plain[n/2].Microseconds())/1000, "plain-ms")
}

// rewrite is the least that changes a file so that a crash leaves it old or new.
func rewrite(path string, text []byte) error {
	temp := path + ".tmp"
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// bigLines is how many lines of 64 bytes the large file has: a gibibyte.
const bigLines = 1 << 24

// BenchmarkWindow reads 100 lines of a file of 1 GiB, near its beginning and in its
// middle, where what lies before is searched for the ends of lines and no more.
func BenchmarkWindow(b *testing.B) {
	dir := os.Getenv("TENET_BENCH_DIR")
	if dir == "" {
		b.Skip("TENET_BENCH_DIR names no place for a file of a gibibyte; make bench gives one")
	}
	root := filepath.Join(dir, "big")
	if err := layBig(root); err != nil {
		b.Fatal(err)
	}
	for _, at := range []struct {
		name string
		line int
	}{{"start", 1000}, {"middle", bigLines / 2}} {
		b.Run(at.name, func(b *testing.B) {
			s := newSession(b, root)
			read := readBytes()
			n := 0
			for b.Loop() {
				n++
				s.call("read", surface.Args{"path": fmt.Sprintf("f:%d+100", at.line)})
			}
			if now := readBytes(); read > 0 {
				b.ReportMetric(float64(now-read)/float64(n)/(1<<20), "MiB-read")
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(n), "ms")
		})
	}
}

// layBig writes the large file, once.
func layBig(root string) error {
	path := filepath.Join(root, "f")
	if info, err := os.Stat(path); err == nil && info.Size() == bigLines*64 {
		return nil
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for n := range bigLines {
		fmt.Fprintf(w, "%-63d\n", n+1)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// readBytes is how much this process has read from files, 0 where that is not told.
func readBytes() int {
	io, _ := os.ReadFile("/proc/self/io")
	for line := range strings.Lines(string(io)) {
		if rest, ok := strings.CutPrefix(line, "rchar: "); ok {
			n, _ := strconv.Atoi(strings.TrimSpace(rest))
			return n
		}
	}
	return 0
}
