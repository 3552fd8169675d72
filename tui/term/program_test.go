package term

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"tenet/tui/screen"
)

// These tests run a small program on a terminal that answers nothing, and look at what
// stands there.

// entered waits for the first frame.
func entered(t *testing.T, s *screen.Screen) {
	t.Helper()
	s.WaitFor(t, "keys 0")
}

// restored fails when the terminal is not as it was before.
func restored(t *testing.T, s *screen.Screen) {
	t.Helper()
	if s.Alt() {
		t.Error("the alternate screen is still shown")
	}
	if on := s.Modes(); len(on) > 0 {
		t.Errorf("these modes are still on: %v", on)
	}
	raw := s.Raw()
	if strings.Count(raw, "\x1b[>5u") != strings.Count(raw, "\x1b[<u") {
		t.Error("the keyboard's mode was not given back")
	}
	if on := lineMode(t, s); !on {
		t.Error("the line discipline is still raw")
	}
}

// lineMode says whether the terminal edits lines and echoes, as a shell needs it.
func lineMode(t *testing.T, s *screen.Screen) bool {
	t.Helper()
	got, err := &unix.Termios{}, error(nil)
	s.Control(func(fd int) { got, err = unix.IoctlGetTermios(fd, termiosGet) })
	if err != nil {
		t.Fatal(err)
	}
	const want = unix.ICANON | unix.ECHO | unix.ISIG
	return got.Lflag&want == want && got.Oflag&unix.OPOST != 0
}

// TestFirstFrame: the model knows its size in the first frame, and nothing asks the
// terminal anything.
func TestFirstFrame(t *testing.T) {
	s := watch(t, "", 80, 24)
	s.Wait(t, func(text string) bool { return text == "80x24 keys 0 wheel 0" })
	if !s.Alt() || lineMode(t, s) {
		t.Error("the program has no screen of its own")
	}
	if q := screen.Query(s.Raw()); q != "" {
		t.Errorf("it asked the terminal %q", q)
	}
	s.Send("q")
	if code := s.WaitExit(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	restored(t, s)
	if !strings.Contains(s.Text(), "left after 1 keys") {
		t.Errorf("the text for the normal screen is missing:\n%s", s.Text())
	}
}

// TestWheelBurstOnTerminal (tui-001): a fast wheel is 400 steps and no key.
func TestWheelBurstOnTerminal(t *testing.T) {
	s := watch(t, "mouse", 80, 24)
	entered(t, s)
	if on := s.Modes(); !slices.Contains(on, 1002) || !slices.Contains(on, 1006) {
		t.Errorf("modes %v", on)
	}
	s.Send(strings.Repeat("\x1b[<65;143;29M", 400))
	s.WaitFor(t, "keys 0 wheel 400")
	s.Send("q")
	s.WaitExit(t)
	restored(t, s)
}

// TestPasteWithoutEnd (tui-002): the keyboard comes back.
func TestPasteWithoutEnd(t *testing.T) {
	s := watch(t, "", 80, 24)
	entered(t, s)
	s.Send("\x1b[200~abc")
	s.WaitFor(t, `paste 3 cut 0 "abc"`)
	s.Send("x")
	s.WaitFor(t, "key x")
}

// TestBigPaste (tui-003): 4 MiB arrive as one paste, and so do line ends (tui-018).
func TestBigPaste(t *testing.T) {
	s := watch(t, "", 80, 24)
	entered(t, s)
	s.Send("\x1b[200~" + strings.Repeat("0123456\r", 1<<19) + "\x1b[201~")
	s.WaitFor(t, "paste 4194304 cut 0")
	s.Send("\x1b[200~a\r\nb\x1b[201~")
	s.WaitFor(t, `paste 3 cut 0 "a\nb"`)
}

// TestSplitOnTerminal (tui-004): an arrow that comes in two pieces is one key, and so is
// a rune; a lone ESC is one as well.
func TestSplitOnTerminal(t *testing.T) {
	s := watch(t, "", 80, 24)
	entered(t, s)
	s.Send("\x1b[")
	s.Send("A")
	s.WaitFor(t, "key up")
	s.Send("\xe6\x97")
	s.Send("\xa5\xe6\x9c\xac")
	s.WaitFor(t, "key 本\nkey 日\nkey up")
	s.Send("\x1b")
	s.WaitFor(t, "key esc")
	s.Send("\x1b[13;2u")
	s.WaitFor(t, "key ctrl+j\nkey esc")
}

// TestEnds (tui-012): however the program ends, with the mouse and everything else on,
// the terminal is given back, and who started it learns why.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(*screen.Screen)
		code int
		says string
	}{
		{"panic in Update", func(s *screen.Screen) { s.Send("P") }, 3, "crash: in update"},
		{"panic in View", func(s *screen.Screen) { s.Send("V") }, 3, "crash: in view"},
		{"panic in a command of a sequence of a batch", func(s *screen.Screen) { s.Send("C") }, 3, "crash: in a command"},
		{"panic in a goroutine", func(s *screen.Screen) { s.Send("G") }, 3, "crash: in a goroutine"},
		{"panic while the loop hangs", func(s *screen.Screen) { s.Send("H") }, 3, "crash: while the loop hangs"},
		{"the framework's Exec", func(s *screen.Screen) { s.Send("X") }, 3, "use term.Exec"},
		{"SIGTERM", func(s *screen.Screen) { s.Signal(syscall.SIGTERM) }, 4, "signal"},
		{"SIGHUP", func(s *screen.Screen) { s.Signal(syscall.SIGHUP) }, 4, "signal"},
		{"SIGINT", func(s *screen.Screen) { s.Signal(syscall.SIGINT) }, 4, "signal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := watch(t, "panic", 80, 24)
			entered(t, s)
			c.end(s)
			if code := s.WaitExit(t); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			restored(t, s)
			if text := s.Text(); !strings.Contains(text, c.says) || !strings.Contains(text, "left after") {
				t.Errorf("the normal screen does not say %q:\n%s", c.says, text)
			}
		})
	}
}

// TestHangUp: a terminal that goes away ends the program.
func TestHangUp(t *testing.T) {
	s := watch(t, "", 80, 24)
	entered(t, s)
	s.HangUp()
	if code := s.WaitExit(t); code != 4 && code != 5 {
		t.Errorf("exit code %d", code)
	}
}

// TestSizes: the smallest terminal and a storm of sizes leave one whole frame.
func TestSizes(t *testing.T) {
	s := watch(t, "", 1, 1)
	s.Wait(t, func(text string) bool { return text == "1" })
	for i := range 50 {
		s.Resize(20+i%7*10, 5+i%5)
	}
	s.Resize(40, 3)
	s.Wait(t, func(text string) bool { return text == "40x3 keys 0 wheel 0" })
	s.Send("ab")
	s.Wait(t, func(text string) bool { return text == "40x3 keys 2 wheel 0\nkey b\nkey a" })
	s.Control(func(fd int) { _ = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{}) })
	s.WaitFor(t, "80x24 keys 2") // a terminal that does not say
}

// TestSuspend: Ctrl+Z gives the terminal to the shell, and going on paints everything.
// The test stands for the shell.
func TestSuspend(t *testing.T) {
	s := watch(t, "mouse", 80, 24)
	entered(t, s)
	s.Send("\x1a") // no shell could continue this session: the system ignores the stop
	s.WaitFor(t, "resumed 1")
	if on := s.Modes(); !slices.Contains(on, 1002) || !slices.Contains(on, 2004) || !s.Alt() {
		t.Errorf("after going on the modes are %v", on)
	}
	if n := strings.Count(s.Raw(), "\x1b[?1049l"); n != 1 {
		t.Errorf("the normal screen was shown %d times while stopped", n)
	}
	s.Send("x")
	s.WaitFor(t, "key x\nresumed 1\nkey ctrl+z")
	s.Signal(syscall.SIGCONT) // as after a stop that nobody can see coming
	s.Send("\x0c")
	s.WaitFor(t, "key ctrl+l")
	s.Send("q")
	s.WaitExit(t)
	restored(t, s)
}

// TestStoppedByAShell: under a shell with jobs the process stops, the shell has the
// terminal as it left it, and fg paints everything anew.
func TestStoppedByAShell(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("SKIPPED: there is no bash, so no shell stops and continues the program")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "-c", `set -m; "$0"; echo the shell has it; read x; fg; echo over`, self)
	cmd.Env = append(screen.Environ(os.Environ()), programEnv+"=mouse")
	s := screen.Start(t, cmd, 80, 24)
	entered(t, s)
	s.Send("\x1a")
	s.WaitFor(t, "the shell has it")
	if s.Alt() || len(s.Modes()) > 0 || !lineMode(t, s) {
		t.Errorf("while stopped: alternate screen %v, modes %v, line mode %v", s.Alt(), s.Modes(), lineMode(t, s))
	}
	s.Send("\n")
	s.WaitFor(t, "keys 1 wheel 0\nresumed 1\nkey ctrl+z")
	if !s.Alt() || !slices.Contains(s.Modes(), 1002) || lineMode(t, s) {
		t.Errorf("after fg: alternate screen %v, modes %v", s.Alt(), s.Modes())
	}
	s.Send("q")
	s.WaitFor(t, "over")
	restored(t, s)
}

// TestNoGoroutineStays: after Run nothing of it runs any more.
func TestNoGoroutineStays(t *testing.T) {
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = terminal.Close(), tty.Close() }()
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(io.Discard, terminal)
	}()
	before := goleak.IgnoreCurrent()
	ctx, cancel := context.WithCancel(t.Context())
	m := &journal{}
	if _, err := terminal.WriteString("abc\x1b[A"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := Run(ctx, m, Options{In: tty, Out: tty}); !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v", err)
	}
	if err := goleak.Find(before, goleak.IgnoreTopFunction("os/signal.signal_recv"), goleak.IgnoreTopFunction("os/signal.loop")); err != nil {
		t.Error(err)
	}
}

// TestEditor: the editor has the terminal in line mode, its file is private and goes
// away, what it saved comes back; a failing one loses nothing.
func TestEditor(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "my editor")
	const body = "#!/bin/sh\nstat -c %a \"$2\" 2>/dev/null || stat -f %Lp \"$2\"\ncat \"$2\"; stty -a | grep -o ' icanon'\nread line\nprintf '%s %s\\n' \"$1\" \"$line\" > \"$2\"\n[ \"$line\" != fail ]\n"
	if err := os.WriteFile(script, []byte(body), 0o700); err != nil {
		t.Fatal(err)
	}
	files := filepath.Join(dir, "files")
	if err := os.Mkdir(files, 0o700); err != nil {
		t.Fatal(err)
	}
	s := watch(t, "", 80, 24, "EDITOR='"+script+"' --wait", "TENET_TERM_DIR="+files)
	entered(t, s)
	s.Send("e")
	s.WaitFor(t, "600\nthe old text icanon")
	if s.Alt() {
		t.Error("the editor stands on the interface's screen")
	}
	s.Send("new\n")
	s.WaitFor(t, "resumed 1\nedited \"--wait new\" <nil>")
	s.Send("e")
	s.WaitFor(t, "the old text icanon")
	s.Send("fail\n")
	s.WaitFor(t, "edited \"the old text\" the editor")
	if left, err := os.ReadDir(files); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	s.Send("q")
	s.WaitExit(t)
	restored(t, s)
}

// TestModes: the mouse is switched while it runs, a title cannot end its own sequence,
// and the cursor stands where the model says.
func TestModes(t *testing.T) {
	s := watch(t, "cursor", 80, 24)
	entered(t, s)
	if x, y, shown := s.Cursor(); x != 3 || y != 0 || !shown {
		t.Errorf("the cursor is at %d,%d, shown %v", x, y, shown)
	}
	s.Send("mt")
	s.WaitFor(t, "key t")
	s.Send("c")
	s.WaitFor(t, "copied path=false err=<nil>")
	if !slices.Contains(s.Modes(), 1002) {
		t.Error("the mouse is off")
	}
	s.Send("n")
	s.WaitFor(t, "key n")
	s.Send("q")
	s.WaitExit(t)
	if raw := s.Raw(); !strings.Contains(raw, "\x1b]0;tenet]0;evil\x07") || !strings.Contains(raw, "\x1b]52;c;dG8gdGhlIGNsaXBib2FyZA==\x07") {
		t.Errorf("%q", raw)
	}
	restored(t, s)
}

// TestNoTerminal: without a terminal it says so, and changes nothing.
func TestNoTerminal(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), programEnv+"=")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is not a terminal") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestStuckTerminal: a terminal that takes no bytes holds nothing up: keys are read,
// and the program ends when it is told to.
func TestStuckTerminal(t *testing.T) {
	s := watch(t, "", 80, 24)
	entered(t, s)
	s.Freeze()
	s.Send(strings.Repeat("\x1b[A\x0c", 2000)) // each redraws: far more than a pty holds
	s.Signal(syscall.SIGTERM)
	if code := s.WaitGone(t); code != 4 {
		t.Errorf("exit code %d", code)
	}
}
