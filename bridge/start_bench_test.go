package bridge

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	for b.Loop() {
		mine = append(mine, start(b, ours, "--version"))
		least = append(least, start(b, floor))
		bash = append(bash, start(b, "bash", "-c", "true"))
	}
	b.ReportMetric(ms(mine), "ms")
	if mib, ok := peak(ours); ok {
		b.ReportMetric(mib, "MiB")
	}
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

// start runs a program to its end and says how long it took.
func start(b *testing.B, name string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(name, args...)
	began := time.Now()
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

// peak is the most memory that `--version` holds, as GNU time sees it: a process that
// this one starts would be charged with this one's memory as well.
func peak(program string) (mib float64, ok bool) {
	out, err := exec.Command("/usr/bin/time", "-f", "%M", program, "--version").CombinedOutput()
	lines := strings.Fields(string(out))
	if err != nil || len(lines) == 0 {
		return 0, false
	}
	kib, err := strconv.Atoi(lines[len(lines)-1])
	return float64(kib) / 1024, err == nil
}

func ms(ds []time.Duration) float64 {
	slices.Sort(ds)
	return float64(ds[len(ds)/2].Microseconds()) / 1000
}
