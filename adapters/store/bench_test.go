package store_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tenet/adapters/store"
	"tenet/core/event"
)

// record is a body whose line has about 415 bytes, the usual size in a session.
var record = event.Result{Call: "c1", Text: strings.Repeat("x", 150)}

// BenchmarkAppend measures one durable record, and a bare write and fdatasync of as
// many bytes beside it in the same run, in turns, since a disk's speed drifts. The
// ratio of the medians is what counts: the goal is 1.15 at most.
func BenchmarkAppend(b *testing.B) {
	l, err := store.Create(b.TempDir(), "s", store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	bare, err := store.Disk{}.Create(filepath.Join(b.TempDir(), "bare"))
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	line := make([]byte, 415)
	var ours, theirs samples
	for b.Loop() {
		theirs.time(b, func() error {
			_, err := bare.Write(line)
			if err != nil {
				return err
			}
			return bare.Sync()
		})
		ours.time(b, func() error { _, err := l.Commit(record); return err })
	}
	b.ReportMetric(float64(ours.median())/float64(theirs.median()), "ratio")
	b.ReportMetric(float64(ours.median().Microseconds()), "append-us")
	b.ReportMetric(float64(theirs.median().Microseconds()), "bare-us")
}

// BenchmarkGroup measures 64 writers that append at the same time and share writes.
func BenchmarkGroup(b *testing.B) {
	l, err := store.Create(b.TempDir(), "s", store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	const writers = 64
	for b.Loop() {
		var wg sync.WaitGroup
		for range writers {
			wg.Go(func() {
				if _, err := l.Commit(record); err != nil {
					b.Error(err)
				}
			})
		}
		wg.Wait()
	}
	b.ReportMetric(float64(b.N)*writers/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkCommit64 measures 64 records in one commit.
func BenchmarkCommit64(b *testing.B) {
	l, err := store.Create(b.TempDir(), "s", store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	bodies := make([]event.Body, 64)
	for i := range bodies {
		bodies[i] = record
	}
	for b.Loop() {
		if _, err := l.Commit(bodies...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*64/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkOpen measures how long a log takes to be ready for append; the goal is
// 20 ms for 1e5 records. The ratio is against finding the lines and nothing else,
// in turns in the same run, since a busy machine slows both.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{1e3, 1e5, 1e6} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path := written(b, n)
			var ours, theirs samples
			for b.Loop() {
				theirs.time(b, func() error { return bareLines(path, n) })
				ours.time(b, func() error {
					l, _, err := store.Open(path)
					if err != nil {
						return err
					}
					return l.Close()
				})
			}
			b.ReportMetric(float64(ours.median().Microseconds())/1000, "open-ms")
			b.ReportMetric(float64(ours.median())/float64(theirs.median()), "ratio")
		})
	}
}

// BenchmarkLoad measures how long a session takes to be ready for its next turn: its
// log held for append, its state with the whole context in memory. The goals are 20 ms
// for 1e5 records and 150 ms for 1e6. The last of them are behind the checkpoint, as
// after a kill.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1e5, 1e6} {
		path := worked(b, n)
		for _, c := range []struct {
			name   string
			forget bool
		}{{"checkpoint", false}, {"fold", true}} {
			b.Run(fmt.Sprint(n, "/", c.name), func(b *testing.B) {
				var took samples
				for b.Loop() {
					if c.forget {
						b.StopTimer()
						_ = os.Remove(path + ".state")
						b.StartTimer()
					}
					took.time(b, func() error { return loaded(path, n) })
				}
				b.ReportMetric(float64(took.median().Microseconds())/1000, "load-ms")
			})
		}
	}
}

func loaded(path string, n int) error {
	s, l, _, err := store.Load(path)
	if err != nil {
		return err
	}
	if s.Seq != uint64(n) || len(s.Messages) < n/4 || len(s.Disorders) > 0 {
		return fmt.Errorf("record %d, %d messages, %v", s.Seq, len(s.Messages), s.Disorders)
	}
	return l.Close()
}

// BenchmarkCheckpoint measures what a turn's end costs in a session of 1e5 records.
func BenchmarkCheckpoint(b *testing.B) {
	path := worked(b, 1e5)
	s, l, _, err := store.Load(path)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	var took samples
	for b.Loop() {
		b.StopTimer()
		bodies := turnBodies(int(s.Seq))
		recs, err := l.Commit(bodies...)
		if err != nil {
			b.Fatal(err)
		}
		for i, r := range recs {
			s = s.With(r.Seq, bodies[i])
		}
		b.StartTimer()
		took.time(b, func() error { return l.Checkpoint(s) })
	}
	b.ReportMetric(float64(took.median().Microseconds()), "checkpoint-us")
}

// turnBodies are the records of one turn of five tool rounds, 34 of them.
func turnBodies(at int) []event.Body {
	text := record.Text
	step := event.JudgedStep{N: 1, Text: "go test ./...", Effects: []string{"exec"}, Class: "simple", Verdict: "allow", Stage: "rules", Rule: event.Rule{Name: "go test", Source: "default", Position: 7}}
	out := []event.Body{event.Prompt{Text: text}}
	for i := range 5 {
		id := fmt.Sprintf("call_%d_%d", at, i)
		out = append(out,
			event.Request{Round: i, Attempt: 1, Messages: at},
			event.Reply{Text: text, Calls: []event.ToolCall{{ID: id, Tool: "bash", Args: `{"command":"go test ./..."}`}}, Stop: "toolUse"},
			event.Call{Call: id, Tool: "bash", Args: `{"command":"go test ./..."}`},
			event.Judgement{Call: id, Tool: "bash", Ruling: event.Ruling{Verdict: "allow", Stage: "rules", Effects: []string{"exec"}, Steps: []event.JudgedStep{step}}},
			event.Dispatch{Call: id, Steps: []int{1}},
			event.Result{Call: id, Text: text + text},
		)
	}
	return append(out, event.Request{Round: 5, Attempt: 1}, event.Reply{Text: text, Stop: "stop"}, event.Ending{How: "answered", Rounds: 5})
}

// worked is the log of a session of n records that kept its checkpoints, the last one
// half a hundred records before its end.
func worked(b *testing.B, n int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "w.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	sum, line, seq := event.NoSum, []byte(nil), 0
	add := func(body event.Body) {
		seq++
		line, sum = event.Encode(line[:0], sum, uint64(seq), time.Unix(int64(seq), 0), body)
		_, _ = w.Write(line)
		if seq == n-50 {
			_ = w.Flush()
			if err := loaded(path, n-50); err != nil {
				b.Fatal(err)
			}
		}
	}
	add(event.Opening{Session: "w", Workspace: "/w", Model: "m", Tools: []string{"bash"}})
	for seq < n {
		for _, body := range turnBodies(seq) {
			if seq < n {
				add(body)
			}
		}
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		b.Fatal(err)
	}
	return path
}

// bareLines reads a file and counts its lines.
func bareLines(path string, want int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buf, n := make([]byte, 256<<10), 0
	for {
		m, err := f.Read(buf)
		for rest := buf[:m]; ; n++ {
			i := bytes.IndexByte(rest, '\n')
			if i < 0 {
				break
			}
			rest = rest[i+1:]
		}
		if err != nil {
			if n != want {
				return fmt.Errorf("%d lines: %w", n, err)
			}
			return nil
		}
	}
}

// BenchmarkVerify measures the whole check: every sum, every body, the fold.
func BenchmarkVerify(b *testing.B) {
	path := written(b, 1e5)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		if r, err := store.Verify(path); err != nil || r.Records != 1e5 {
			b.Fatal(err, r.Text())
		}
	}
}

// written is a log of n records on disk.
func written(b *testing.B, n int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "s.jsonl")
	var buf bytes.Buffer
	sum := event.NoSum
	var line []byte
	for i := range n {
		line, sum = event.Encode(line[:0], sum, uint64(i+1), time.Unix(int64(i), 0), event.Prompt{Text: record.Text})
		buf.Write(line)
	}
	if err := os.WriteFile(path, buf.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

type samples []time.Duration

func (s *samples) time(b *testing.B, f func() error) {
	start := time.Now()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	*s = append(*s, time.Since(start))
}

func (s samples) median() time.Duration {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[len(sorted)/2]
}
