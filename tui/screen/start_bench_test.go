package screen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"

	"tenet/tui/screen"
)

// These benchmarks start the real program on a terminal and look at when it writes what.
// Beside the time on the clock they give the CPU time that the program had taken by
// then: what a free core would need, on a machine that is busy as well (Linux).

// built is the program as it is released.
func built(b *testing.B) string {
	b.Helper()
	out := filepath.Join(b.TempDir(), "tenet")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, "tenet")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, text)
	}
	return out
}

// session is a program on a pty.
type session struct {
	b   *testing.B
	cmd *exec.Cmd
	tty *os.File
	buf []byte
}

func begin(b *testing.B, args ...string) *session {
	b.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	home := b.TempDir()
	cmd.Dir = b.TempDir()
	if err := os.WriteFile(filepath.Join(home, "a.rehearsal"), []byte(`{"text": "done"}`), 0o600); err != nil {
		b.Fatal(err)
	}
	for i, a := range cmd.Args {
		cmd.Args[i] = strings.Replace(a, "HOME/", home+"/", 1)
	}
	cmd.Env = append(screen.Environ(os.Environ()), "HOME="+home, "TENET_HOME="+filepath.Join(home, "tenet"))
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		b.Fatal(err)
	}
	return &session{b: b, cmd: cmd, tty: tty, buf: make([]byte, 64<<10)}
}

func (s *session) end() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	_ = s.tty.Close()
}

// until reads until ok likes what came since; it says how long that took and how much
// CPU time the program has had in all.
func (s *session) until(ok func(got string) bool) (took, cpu time.Duration) {
	s.b.Helper()
	began, got := time.Now(), ""
	for !ok(got) {
		n, err := s.tty.Read(s.buf)
		if err != nil {
			s.b.Fatalf("the program ended with %q: %v", got, err)
		}
		got += string(s.buf[:n])
	}
	return time.Since(began), s.cpu()
}

// cpu is the time that the program's threads have run; 0 where the system does not say.
func (s *session) cpu() (sum time.Duration) {
	stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", s.cmd.Process.Pid))
	for _, f := range stats {
		b, _ := os.ReadFile(f)
		ran, _, _ := strings.Cut(string(b), " ")
		n, _ := strconv.ParseInt(ran, 10, 64)
		sum += time.Duration(n)
	}
	return sum
}

// rss is the memory that the program holds, in MiB; 0 where the system does not say.
func (s *session) rss() float64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.cmd.Process.Pid))
	f := strings.Fields(string(b))
	if len(f) < 2 {
		return 0
	}
	n, _ := strconv.Atoi(f[1])
	return float64(n*os.Getpagesize()) / (1 << 20)
}

// hasText says whether anything but control sequences and blanks was written.
func hasText(got string) bool {
	inside := false
	for _, r := range got {
		switch {
		case r == 0x1b:
			inside = true
		case inside:
			inside = r == '[' || r < 0x40 || r > 0x7e
		case r > ' ' && r != utf8.RuneError:
			return true
		}
	}
	return false
}

// hello prints a line and stays: the least a Go program can be.
const hello = "package main\n\nimport (\"os\"; \"time\")\n\nfunc main() { os.Stdout.WriteString(\"hello\\n\"); time.Sleep(time.Minute) }\n"

// BenchmarkFirstText is the time from exec to the first letter on the screen: of the
// interface without a model, with one, and of the smallest Go program, in turn, so that
// a busy machine is as busy for each.
func BenchmarkFirstText(b *testing.B) {
	program := built(b)
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hello.go"), []byte(hello), 0o600); err != nil {
		b.Fatal(err)
	}
	floor := filepath.Join(dir, "hello")
	if text, err := exec.Command("go", "build", "-o", floor, floor+".go").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, text)
	}
	var took, cpu [3][]time.Duration
	for b.Loop() {
		for i, args := range [][]string{{program}, {program, "--script", "HOME/a.rehearsal"}, {floor}} {
			began := time.Now()
			s := begin(b, args...)
			_, ran := s.until(hasText)
			took[i], cpu[i] = append(took[i], time.Since(began)), append(cpu[i], ran)
			s.end()
		}
	}
	for i, name := range []string{"start", "session", "hello"} {
		b.ReportMetric(millis(took[i], 50), name+"-ms")
		b.ReportMetric(millis(cpu[i], 50), name+"-cpu-ms")
	}
}

// BenchmarkKeyToEcho is the time from a key to the letter on the screen.
func BenchmarkKeyToEcho(b *testing.B) {
	s := begin(b, built(b), "--script", "HOME/a.rehearsal")
	defer s.end()
	s.until(hasText)
	s.settle()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		key := string(rune('a' + i%26))
		_, _ = s.tty.WriteString(key)
		d, _ := s.until(func(got string) bool { return strings.Contains(got, key) })
		took = append(took, d)
		s.settle()
	}
	b.ReportMetric(millis(took, 50), "p50-ms")
	b.ReportMetric(millis(took, 95), "p95-ms")
}

// settle reads until nothing comes for a while.
func (s *session) settle() {
	got := make(chan struct{}, 1)
	for {
		go func() {
			if n, _ := s.tty.Read(s.buf); n > 0 {
				got <- struct{}{}
			}
		}()
		select {
		case <-got:
		case <-time.After(300 * time.Millisecond):
			_, _ = s.tty.WriteString("\x0c") // Ctrl+L: the read that waits gets a frame
			<-got
			return
		}
	}
}

// BenchmarkIdle is what the interface takes while nobody does anything: memory after
// five seconds, and CPU time in the second after.
func BenchmarkIdle(b *testing.B) {
	s := begin(b, built(b))
	defer s.end()
	go func() {
		for buf := make([]byte, 4096); ; {
			if _, err := s.tty.Read(buf); err != nil {
				return
			}
		}
	}()
	time.Sleep(5 * time.Second)
	was := s.cpu()
	for b.Loop() {
		time.Sleep(time.Second)
	}
	b.ReportMetric(s.rss(), "MiB")
	b.ReportMetric(float64((s.cpu()-was).Microseconds())/1000/b.Elapsed().Seconds(), "cpu-ms/s")
}

func millis(d []time.Duration, percent int) float64 {
	slices.Sort(d)
	return float64(d[(len(d)-1)*percent/100].Microseconds()) / 1000
}
