package term

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/screen"
)

// programEnv makes the test binary the small program that these tests watch on a
// terminal; its value says how it behaves.
const programEnv = "TENET_TERM_PROGRAM"

func TestMain(m *testing.M) {
	if how, ok := os.LookupEnv(programEnv); ok {
		os.Exit(watched(how))
	}
	os.Exit(m.Run())
}

// watch starts the small program on a terminal.
func watch(t *testing.T, how string, cols, rows int, env ...string) *screen.Screen {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(screen.Environ(os.Environ()), append([]string{programEnv + "=" + how}, env...)...)
	return screen.Start(t, cmd, cols, rows)
}

// errSignal is the cause that the small program's signals have, as main's do.
var errSignal = errors.New("ended by a signal")

// watched runs the small program and returns its exit code.
func watched(how string) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	go func() {
		for s := range signals {
			if s != syscall.SIGINT || !Lent() {
				cancel(errSignal)
			}
		}
	}()
	m := &journal{how: how}
	err := Run(ctx, m, Options{In: os.Stdin, Out: os.Stdout, Mouse: how == "mouse" || how == "panic", Restore: func() string {
		return fmt.Sprintf("left after %d keys\n", m.keys)
	}})
	var crash *Crash
	switch {
	case err == nil:
		return 0
	case errors.As(err, &crash):
		fmt.Fprintln(os.Stderr, "crash:", crash.Value)
		return 3
	case errors.Is(err, errSignal):
		fmt.Fprintln(os.Stderr, "signal")
		return 4
	case errors.Is(err, ErrGone):
		return 5
	}
	fmt.Fprintln(os.Stderr, err)
	return 6
}

// journal shows what it was told, newest first, below a line of counts.
type journal struct {
	how                     string
	size                    tea.WindowSizeMsg
	keys, wheel, reports    int
	lines                   []string
	updates, views, resumes int
}

func (j *journal) Init() tea.Cmd { return nil }

func (j *journal) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	j.updates++
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		j.size = m
	case Wheel:
		j.wheel += m.Steps
		j.reports++
	case tea.MouseMsg:
		j.note("mouse " + tea.MouseEvent(m).String())
	case Paste:
		j.note(fmt.Sprintf("paste %d cut %d %.60q", len(m.Text), m.Cut, m.Text))
	case tea.FocusMsg, tea.BlurMsg:
		j.note(fmt.Sprintf("%T", m))
	case Edited:
		j.note(fmt.Sprintf("edited %q %v", m.Text, m.Err))
	case Copied:
		j.note(fmt.Sprintf("copied path=%v err=%v", m.Path != "", m.Err))
	case Resumed:
		j.resumes++
		j.note(fmt.Sprintf("resumed %d", j.resumes))
	case tea.KeyMsg:
		j.keys++
		j.note("key " + m.String())
		return j, j.act(m.String())
	}
	return j, nil
}

// act does what the tests ask for with a key.
func (j *journal) act(key string) tea.Cmd {
	switch key {
	case "q":
		return tea.Quit
	case "P":
		panic("in update")
	case "V":
		j.how = "view"
	case "C":
		return tea.Batch(nil, tea.Sequence(func() tea.Msg { return nil }, func() tea.Msg { panic("in a command") }))
	case "G":
		go Guard(func() { panic("in a goroutine") })
	case "H":
		go Guard(func() { panic("while the loop hangs") })
		select {}
	case "X":
		return tea.Exec(nil, nil)
	case "m":
		return SetMouse(true)
	case "n":
		return SetMouse(false)
	case "e":
		return Edit("the old text", os.Getenv("TENET_TERM_DIR"))
	case "c":
		return Copy("to the clipboard", "")
	case "ctrl+z":
		return Suspend
	case "ctrl+l":
		return Redraw
	case "t":
		return SetTitle("tenet\x1b]0;evil\x07")
	}
	return nil
}

func (j *journal) note(s string) {
	j.lines = append([]string{s}, j.lines[:min(len(j.lines), 30)]...)
}

func (j *journal) View() string {
	j.views++
	if j.how == "view" {
		panic("in view")
	}
	top := fmt.Sprintf("%dx%d keys %d wheel %d", j.size.Width, j.size.Height, j.keys, j.wheel)
	return top + "\n" + strings.Join(j.lines, "\n")
}

// Cursor stands behind the first line.
func (j *journal) Cursor() (x, y int, ok bool) { return 3, 0, j.how == "cursor" }
