// Package screen is a terminal for tests: a program runs on a pty, an emulator says
// what stands on the screen. The terminal answers no query, as some never do. Nothing
// here sleeps: a wait ends when the program wrote what is waited for.
package screen

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// patience is how long a wait may take before it fails. It is long: it ends only tests
// that fail.
const patience = 60 * time.Second

// rawMax bounds how many bytes of the program are kept for Raw.
const rawMax = 16 << 20

// Screen is a terminal with one program on it. Its methods may be used by one
// goroutine, the test's.
type Screen struct {
	cmd *exec.Cmd
	tty *os.File // the terminal's side of the pty

	mu      sync.Mutex
	vt      *vt.Emulator
	raw     []byte
	modes   map[ansi.Mode]bool
	changed chan struct{} // closed and replaced at each change
	thaw    chan struct{} // closed by Thaw
	melt    func()
	drained chan struct{} // closed when follow has ended
	over    bool          // the program wrote its last byte
	gone    chan struct{} // closed when the program has ended
	end     error         // how it ended
}

// Start runs cmd on a terminal of cols by rows; the end of the test ends it. Without an
// environment of its own, cmd gets this one with TERM=xterm-256color, true colours, and
// nothing that says it runs in CI or in a multiplexer.
func Start(t testing.TB, cmd *exec.Cmd, cols, rows int) *Screen {
	t.Helper()
	if cmd.Env == nil {
		cmd.Env = Environ(os.Environ())
	}
	s := &Screen{cmd: cmd, vt: vt.NewEmulator(cols, rows), modes: map[ansi.Mode]bool{}, changed: make(chan struct{}), thaw: make(chan struct{}), gone: make(chan struct{}), drained: make(chan struct{})}
	s.melt = sync.OnceFunc(func() { close(s.thaw) })
	s.vt.SetCallbacks(vt.Callbacks{
		EnableMode:  func(m ansi.Mode) { s.modes[m] = true },
		DisableMode: func(m ansi.Mode) { delete(s.modes, m) },
	})
	go s.dropAnswers()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)})
	if err != nil {
		t.Fatalf("start %s on a pty: %v", cmd.Path, err)
	}
	if s.tty, err = polled(tty); err != nil {
		t.Fatal(err)
	}
	go s.reap()
	go s.follow()
	t.Cleanup(s.Close)
	return s
}

// polled is the same file for the runtime's poller, so that closing it ends a read.
func polled(f *os.File) (*os.File, error) {
	defer func() { _ = f.Close() }()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// Query is the first question to the terminal in what a program wrote; "" when it asked
// nothing. A program that asks waits for an answer that some terminals never give.
func Query(raw string) string {
	for _, q := range []string{
		"\x1b]4;", "\x1b]10;?", "\x1b]11;?", "\x1b]12;?", "\x1b[6n", "\x1b[5n", "\x1b[c", "\x1b[0c", "\x1b[>c", "\x1b[>0c",
		"\x1b[>q", "\x1b[>0q", "\x1b[?u", "\x1b[14t", "\x1b[16t", "\x1b[18t", "$p", "\x1bP+q", "\x1bP$q",
	} {
		if strings.Contains(raw, q) {
			return q
		}
	}
	return ""
}

// Environ is env as a person's terminal has it.
func Environ(env []string) []string {
	var out []string
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "TERM", "COLORTERM", "CI", "NO_COLOR", "TMUX", "STY", "TERM_PROGRAM", "COLUMNS", "LINES", "VISUAL", "EDITOR":
		default:
			out = append(out, v)
		}
	}
	return append(out, "TERM=xterm-256color", "COLORTERM=truecolor")
}

// dropAnswers takes what the emulator would answer to queries.
func (s *Screen) dropAnswers() {
	buf := make([]byte, 256)
	for {
		if _, err := s.vt.Read(buf); err != nil {
			return
		}
	}
}

// follow feeds the emulator until the program has ended.
func (s *Screen) follow() {
	defer close(s.drained)
	buf := make([]byte, 32<<10)
	for {
		n, err := s.read(buf)
		s.change(func() {
			_, _ = s.vt.Write(buf[:n])
			if len(s.raw) < rawMax {
				s.raw = append(s.raw, buf[:n]...)
			}
		})
		if err != nil {
			break
		}
	}
	<-s.gone
	s.change(func() { s.over = true })
}

// reap waits for the program's end.
func (s *Screen) reap() {
	s.end = s.cmd.Wait()
	close(s.gone)
}

// read reads what the program wrote, unless the terminal is frozen.
func (s *Screen) read(buf []byte) (int, error) {
	n, err := s.tty.Read(buf)
	for errors.Is(err, os.ErrDeadlineExceeded) {
		<-s.thaw
		n, err = s.tty.Read(buf)
	}
	return n, err
}

// Freeze makes the terminal take no more bytes, until Thaw.
func (s *Screen) Freeze() { _ = s.tty.SetReadDeadline(time.Unix(1, 0)) }

// Thaw makes a frozen terminal take bytes again.
func (s *Screen) Thaw() {
	_ = s.tty.SetReadDeadline(time.Time{})
	s.melt()
}

// change does f under the lock and wakes who waits.
func (s *Screen) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

// Send writes bytes to the program as the terminal would.
func (s *Screen) Send(keys string) {
	_, _ = s.tty.WriteString(keys)
}

// Wait waits until the screen's text is as cond wants, and fails with the text when it
// does not become so in time, or cannot any more because the program ended.
func (s *Screen) Wait(t testing.TB, cond func(text string) bool) {
	t.Helper()
	s.until(t, "the screen is not as awaited", func() bool { return cond(s.text()) })
}

// WaitFor waits until text stands on the screen.
func (s *Screen) WaitFor(t testing.TB, text string) {
	t.Helper()
	s.until(t, fmt.Sprintf("%q does not appear", text), func() bool { return strings.Contains(s.text(), text) })
}

// WaitExit waits for the program's end and returns its exit code; -1 after a signal.
func (s *Screen) WaitExit(t testing.TB) int {
	t.Helper()
	s.until(t, "the program does not end", func() bool { return s.over })
	return s.cmd.ProcessState.ExitCode()
}

// WaitGone is WaitExit for a program whose last bytes nobody reads.
func (s *Screen) WaitGone(t testing.TB) int {
	t.Helper()
	select {
	case <-s.gone:
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		t.Fatalf("the program does not end within %v", patience)
		return 0
	}
}

// until waits until cond, under the lock, is true.
func (s *Screen) until(t testing.TB, what string, cond func() bool) {
	t.Helper()
	late := time.After(patience)
	for {
		s.mu.Lock()
		ok, over, changed := cond(), s.over, s.changed
		text := s.text()
		s.mu.Unlock()
		switch {
		case ok:
			return
		case over:
			t.Fatalf("%s, and the program has ended (%v):\n%s", what, s.end, text)
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("%s within %v:\n%s", what, patience, text)
		}
	}
}

// Text is what stands on the screen: a line a row, without blanks at the ends of lines
// and without empty lines at the end.
func (s *Screen) Text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text()
}

func (s *Screen) text() string {
	rows := make([]string, s.vt.Height())
	for y := range rows {
		rows[y] = row(s.vt.Width(), func(x int) (string, int) {
			c := s.vt.CellAt(x, y)
			if c == nil {
				return "", 1
			}
			return c.Content, c.Width
		})
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}

// row is one line of cells, each with its content and width.
func row(width int, at func(x int) (string, int)) string {
	var b strings.Builder
	for x := 0; x < width; {
		content, cells := at(x)
		if content == "" {
			content = " "
		}
		b.WriteString(content)
		x += max(1, cells)
	}
	return strings.TrimRight(b.String(), " ")
}

// Styled is the screen with its styles as escape sequences.
func (s *Screen) Styled() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.vt.Render()
}

// Scrollback is what scrolled off the top of the normal screen.
func (s *Screen) Scrollback() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := make([]string, s.vt.ScrollbackLen())
	for y := range rows {
		rows[y] = row(s.vt.Width(), func(x int) (string, int) {
			c := s.vt.ScrollbackCellAt(x, y)
			if c == nil {
				return "", 1
			}
			return c.Content, c.Width
		})
	}
	return strings.Join(rows, "\n")
}

// Raw is every byte that the program wrote.
func (s *Screen) Raw() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.raw)
}

// Modes are the private modes that are on, by number, beside those that a terminal
// has on from the start (7: wrapping, 25: the cursor), which are named when they are off
// as -7 and -25.
func (s *Screen) Modes() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var on []int
	for m := range s.modes {
		if _, ok := m.(ansi.DECMode); ok && m.Mode() != 7 && m.Mode() != 25 {
			on = append(on, m.Mode())
		}
	}
	if _, off := s.modes[ansi.DECMode(7)]; !off && strings.Contains(string(s.raw), "\x1b[?7") {
		on = append(on, -7)
	}
	if s.vt.CursorHidden() {
		on = append(on, -25)
	}
	slices.Sort(on)
	return on
}

// Alt says whether the alternate screen is shown.
func (s *Screen) Alt() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.vt.IsAltScreen()
}

// Cursor is where the cursor stands, from 0, and whether it is shown.
func (s *Screen) Cursor() (x, y int, shown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.vt.CursorPosition()
	return at.X, at.Y, !s.vt.CursorHidden()
}

// Resize gives the terminal another size; the program is told by SIGWINCH.
func (s *Screen) Resize(cols, rows int) {
	s.change(func() { s.vt.Resize(cols, rows) })
	s.Control(func(fd int) {
		_ = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(cols)})
	})
}

// Signal sends the program a signal.
func (s *Screen) Signal(sig syscall.Signal) { _ = s.cmd.Process.Signal(sig) }

// Control calls f with the terminal's side of the pty, for what no method here does.
func (s *Screen) Control(f func(fd int)) {
	if c, err := s.tty.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { f(int(fd)) })
	}
}

// HangUp closes the terminal, as a lost connection does.
func (s *Screen) HangUp() { _ = s.tty.Close() }

// Close ends the program and everything in its session, and waits for it.
func (s *Screen) Close() {
	select {
	case <-s.gone:
	default:
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		_ = s.cmd.Process.Kill()
		<-s.gone
	}
	_ = s.tty.Close()
	s.Thaw()
	<-s.drained
	_ = s.vt.Close()
}
