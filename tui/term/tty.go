package term

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	xterm "github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// What the interface asks of a terminal, in the order of entering: the alternate
// screen, no cursor, no wrapping at the edge (a rune that the terminal takes for wider
// than we do must not move the lines below), pastes in brackets, focus, keys that tell
// Shift+Enter from Enter in both protocols for it. The reset after the second one is
// for terminals that take it for colours. Nothing here asks a question: no answer is
// waited for, whatever the terminal.
const (
	enterScreen = "\x1b[?1049h\x1b[2J\x1b[H\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[?1004h\x1b[>5u\x1b[>4;1m\x1b[m"
	leaveScreen = "\x1b\\\x1b[?2026l" + mouseOff + "\x1b[>4m\x1b[<u\x1b[?1004l\x1b[?2004l\x1b[m\x1b[?7h\x1b[?25h\x1b[?1049l"
	mouseOn     = "\x1b[?1002h\x1b[?1006h"
	mouseOff    = "\x1b[?1002l\x1b[?1006l"
)

// tty is the terminal and what it was like before. Its methods may be called by any
// goroutine; leave by the one that saw a crash.
type tty struct {
	in, out *os.File
	write   *writer

	mu     sync.Mutex
	before *xterm.State
	inside bool
	mouse  bool
	titled bool
}

// openTTY takes the terminal of the options; nothing changes on it yet.
func openTTY(o Options) (*tty, error) {
	for name, f := range map[string]*os.File{"input": o.In, "output": o.Out} {
		if f == nil || !xterm.IsTerminal(f.Fd()) {
			return nil, fmt.Errorf("the %s is not a terminal: the full-screen interface needs one on both ends", name)
		}
	}
	before, err := xterm.GetState(o.In.Fd())
	if err != nil {
		return nil, fmt.Errorf("read the terminal's state: %w", err)
	}
	return &tty{in: o.In, out: o.Out, before: before, mouse: o.Mouse}, nil
}

// enter makes the terminal ours: raw, and on the alternate screen.
func (t *tty) enter() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.inside {
		return nil
	}
	if _, err := xterm.MakeRaw(t.in.Fd()); err != nil {
		return fmt.Errorf("put the terminal into raw mode: %w", err)
	}
	t.inside = true
	t.write.queue(enterScreen)
	if t.mouse {
		t.write.queue(mouseOn)
	}
	return nil
}

// leave gives the terminal back as it was: every mode off, the cursor shown, the
// normal screen, the old line discipline. A second call does nothing. It waits only so
// long for a terminal that takes no bytes.
func (t *tty) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.inside {
		return
	}
	t.inside = false
	t.write.queue(leaveScreen)
	if t.titled {
		t.write.queue("\x1b[23;0t")
		t.titled = false
	}
	t.write.drain(drainWait)
	if t.mouse {
		dropInput(t.in) // reports on their way would be typed into the shell
	}
	_ = xterm.Restore(t.in.Fd(), t.before)
}

// setMouse turns reports of the mouse on or off, now or when the screen is entered again.
func (t *tty) setMouse(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mouse = on
	if !t.inside {
		return
	}
	if on {
		t.write.queue(mouseOn)
	} else {
		t.write.queue(mouseOff)
	}
}

// size is the terminal's size in cells. Some terminals do not say: then the environment
// does, or it is 80 by 24.
func (t *tty) size() (w, h int) {
	if ws, err := unix.IoctlGetWinsize(int(t.out.Fd()), unix.TIOCGWINSZ); err == nil {
		w, h = int(ws.Col), int(ws.Row)
	}
	return sizeOr(w, "COLUMNS", 80), sizeOr(h, "LINES", 24)
}

// sizeMax bounds what a terminal may say of its size: a frame is built for every row.
const sizeMax = 4096

func sizeOr(n int, name string, otherwise int) int {
	if n <= 0 {
		n, _ = strconv.Atoi(strings.TrimSpace(os.Getenv(name)))
	}
	if n <= 0 {
		n = otherwise
	}
	return min(n, sizeMax)
}
