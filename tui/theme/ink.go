package theme

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Ink is a style as the two texts that turn it on and off. It paints a part of a line in
// a fraction of the time that a style's Render takes, which lays out blocks. It is made
// for the colours that the terminal has at that time.
type Ink struct{ on, off string }

// InkOf is the ink of a style, whose blocks and margins it leaves out.
func InkOf(s lipgloss.Style) Ink {
	const probe = "x"
	on, off, found := strings.Cut(s.Render(probe), probe)
	if !found {
		return Ink{}
	}
	return Ink{on, off}
}

// Paint is a part of a line in this ink. s has no line end; what is styled within it
// ends with the ink off, as after any style.
func (k Ink) Paint(s string) string {
	if s == "" || k.on == "" {
		return s
	}
	return k.on + s + k.off
}

// Append is Paint at the end of b.
func (k Ink) Append(b []byte, s string) []byte {
	if s == "" || k.on == "" {
		return append(b, s...)
	}
	return append(append(append(b, k.on...), s...), k.off...)
}
