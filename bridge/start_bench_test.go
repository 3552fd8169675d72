package bridge

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// hello is the least a Go program can be: the floor of a start.
const hello = `package main

import "os"

func main() { os.Stdout.WriteString("hello\n") }
`

// BenchmarkVersion starts the released program beside the smallest Go program and
// bash, in turn, and compares the medians: exec to exit of `tenet --version`, and
// its largest resident memory.
func BenchmarkVersion(b *testing.B) {
	dir := b.TempDir()
	ours := released(b, filepath.Join(dir, "tenet"), "..")
	if err := os.WriteFile(filepath.Join(dir, "hello.go"), []byte(hello), 0o644); err != nil {
		b.Fatal(err)
	}
	floor := released(b, filepath.Join(dir, "hello"), filepath.Join(dir, "hello.go"))
	var mine, least, bash []time.Duration
	var memory int64
	for b.Loop() {
		d, rss := start(b, ours, "--version")
		mine, memory = append(mine, d), max(memory, rss)
		d, _ = start(b, floor)
		least = append(least, d)
		d, _ = start(b, "bash", "-c", "true")
		bash = append(bash, d)
	}
	b.ReportMetric(ms(mine), "ms")
	b.ReportMetric(float64(memory)/1024, "MiB")
	b.ReportMetric(ms(mine)/ms(least), "x-hello")
	b.ReportMetric(ms(mine)/ms(bash), "x-bash")
}

func released(b *testing.B, out, pkg string) string {
	b.Helper()
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", pkg, err, text)
	}
	return out
}

// start runs a program to its end: how long it took, and its peak memory in KiB.
func start(b *testing.B, name string, args ...string) (time.Duration, int64) {
	b.Helper()
	cmd := exec.Command(name, args...)
	began := time.Now()
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	took := time.Since(began)
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return took, usage.Maxrss
}

func ms(ds []time.Duration) float64 {
	slices.Sort(ds)
	return float64(ds[len(ds)/2].Microseconds()) / 1000
}
