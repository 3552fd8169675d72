package term

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Colours is how many colours the terminal has, as the environment says it: nothing
// asks the terminal, which might not answer. NO_COLOR takes them all.
func Colours(getenv func(string) string) termenv.Profile {
	kind := getenv("TERM")
	switch {
	case getenv("NO_COLOR") != "", kind == "", kind == "dumb":
		return termenv.Ascii
	case getenv("TERM_PROGRAM") == "Apple_Terminal":
		return termenv.ANSI256
	case deep(getenv("COLORTERM")) && !strings.HasPrefix(kind, "screen"):
		return termenv.TrueColor
	case deepKind(kind):
		return termenv.TrueColor
	case strings.Contains(kind, "256color"):
		return termenv.ANSI256
	}
	return termenv.ANSI
}

func deep(colorterm string) bool {
	c := strings.ToLower(colorterm)
	return c == "truecolor" || c == "24bit"
}

// deepKind says whether the name of a terminal stands for 24 bits.
func deepKind(kind string) bool {
	if strings.HasSuffix(kind, "-direct") {
		return true
	}
	for _, name := range []string{"xterm-kitty", "xterm-ghostty", "alacritty", "wezterm", "foot", "contour"} {
		if kind == name || strings.HasPrefix(kind, name+"-") {
			return true
		}
	}
	return false
}

// UseColours sets how many colours every style has, once, before the first one is
// rendered. The background counts as dark; a theme says otherwise.
func UseColours(getenv func(string) string) {
	lipgloss.SetHasDarkBackground(true)
	lipgloss.SetColorProfile(Colours(getenv))
}
