package term

import (
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// SetMouse turns reports of the mouse on or off. While they are on, the terminal
// selects text only with Shift held (on macOS: Option or fn).
func SetMouse(on bool) tea.Cmd {
	return func() tea.Msg { return mouseMsg(on) }
}

// Redraw paints the whole screen anew.
func Redraw() tea.Msg { return redrawMsg{} }

// titleMax bounds a window's title, in runes.
const titleMax = 120

// SetTitle names the window; nothing does so by itself. The terminal's own title comes
// back at the end where it keeps one.
func SetTitle(text string) tea.Cmd {
	return func() tea.Msg { return titleMsg(text) }
}

// setTitle writes a title without anything that could end the sequence.
func (t *tty) setTitle(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.titled {
		t.write.queue("\x1b[22;0t")
	}
	t.titled = true
	t.write.queue("\x1b]0;" + title(text) + "\x07")
}

func title(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if unicode.IsPrint(r) && n < titleMax {
			b.WriteRune(r)
			n++
		}
	}
	return b.String()
}
