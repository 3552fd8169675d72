// Package term is the terminal under the full-screen interface: it reads whole events,
// paints frames, and gives the terminal back whatever happens.
package term

import (
	"os"

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

// Resumed comes when the terminal is ours again after it was lent or the process was
// stopped. The screen is painted anew by itself.
type Resumed struct{}

// Cursor is what a model may have beside View: where the terminal's own cursor stands,
// from 0; without it, or when ok is false, the cursor is hidden.
type Cursor interface {
	Cursor() (x, y int, ok bool)
}
