// Package screen is a terminal for tests: a program runs on a pty, an emulator says
// what stands on the screen. The terminal answers no query, as slow ones do.
package screen

import (
	"os/exec"
	"testing"
)

// Screen is a terminal with one program on it.
type Screen struct{}

// Start runs cmd on a terminal of cols by rows; the end of the test ends it.
func Start(t testing.TB, cmd *exec.Cmd, cols, rows int) *Screen {
	t.Helper()
	t.Fatal("not yet")
	return nil
}

// Send writes bytes to the program as the terminal would.
func (s *Screen) Send(keys string) {}

// Wait waits until the screen's text is as cond wants, and fails with the text when
// it does not become so in time.
func (s *Screen) Wait(t testing.TB, cond func(text string) bool) {}

// Text is what stands on the screen, without blanks at the ends of lines.
func (s *Screen) Text() string { return "" }

// Golden compares Text with testdata/name; UPDATE=1 writes it.
func (s *Screen) Golden(t testing.TB, name string) {}

// Resize gives the terminal another size.
func (s *Screen) Resize(cols, rows int) {}

// Close ends the program.
func (s *Screen) Close() {}
