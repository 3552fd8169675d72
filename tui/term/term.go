// Package term is the terminal under the full-screen interface: it reads whole events,
// paints frames, and gives the terminal back whatever happens.
package term

import (
	"context"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/early"
)

func init() { early.Done() }

// Options say on which terminal Run works and how.
type Options struct {
	// In and Out are the terminal; both must be one.
	In, Out *os.File
	// Mouse asks for reports of the mouse from the start; SetMouse changes it.
	Mouse bool
	// Restore gives the text that is printed on the normal screen after leaving; nil: none.
	Restore func() string
}

// Paste is a text that was pasted, whole, with LF as the end of each line.
type Paste struct {
	Text string
	// Cut counts the bytes beyond the bound, which were dropped.
	Cut int
}

// Wheel is the turn of a mouse wheel; fast turns come as one.
type Wheel struct {
	// X and Y are the cell under the mouse, from 0.
	X, Y int
	// Steps is how far it was turned: positive is down, negative is up.
	Steps int
}

// Copied says how Copy went.
type Copied struct {
	// Path is the file that holds the text when the terminal could not take it.
	Path string
	Err  error
}

// Edited is what the external editor left.
type Edited struct {
	Text string
	Err  error
}

// Resumed comes after the program was suspended or lent its terminal.
type Resumed struct{}

// Cursor is what a model may have beside View: where the terminal's own cursor stands,
// from 0; without it, or when ok is false, the cursor is hidden.
type Cursor interface {
	Cursor() (x, y int, ok bool)
}

// Run shows a model on the terminal until it quits, ctx ends or the terminal goes away.
func Run(ctx context.Context, m tea.Model, o Options) error {
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithAltScreen(), tea.WithFPS(30)}
	_, err := tea.NewProgram(m, opts...).Run()
	return err
}

// SetMouse turns reports of the mouse on or off: while on, the terminal selects text
// only with Shift held.
func SetMouse(on bool) tea.Cmd { return nil }

// Copy gives text to the clipboard of the terminal (OSC 52), or writes it to the file
// where the terminal cannot take it; Copied follows.
func Copy(text, fallbackPath string) tea.Cmd { return nil }

// Edit opens text in the person's editor, as a file below dir; Edited follows.
func Edit(text, dir string) tea.Cmd { return nil }

// Suspend stops the program until it is continued; Resumed follows.
func Suspend() tea.Msg { return tea.Suspend() }

// Redraw paints the whole screen anew.
func Redraw() tea.Msg { return tea.ClearScreen() }
