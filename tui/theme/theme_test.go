package theme_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenet/tui/text"
	"tenet/tui/theme"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func profile(t *testing.T, p termenv.Profile) {
	t.Helper()
	old := lipgloss.ColorProfile()
	lipgloss.SetColorProfile(p)
	t.Cleanup(func() { lipgloss.SetColorProfile(old) })
}

func styles(th *theme.Theme) map[string]lipgloss.Style {
	out := map[string]lipgloss.Style{}
	v := reflect.ValueOf(*th)
	for i := range v.NumField() {
		if s, ok := v.Field(i).Interface().(lipgloss.Style); ok {
			out[v.Type().Field(i).Name] = s
		}
	}
	return out
}

func TestEveryNameHasATheme(t *testing.T) {
	for _, name := range theme.Names() {
		if th, ok := theme.Named(name); !ok || th.Name != name {
			t.Errorf("%s: got %q, %t", name, th.Name, ok)
		}
	}
	if th, ok := theme.Named("solarized"); ok || th.Name != theme.Default {
		t.Errorf("an unknown name gave %q, %t", th.Name, ok)
	}
}

// With 16 colours the states are still told apart, and nothing is drawn in the colour of
// its own ground.
func TestThemesWorkInEveryProfile(t *testing.T) {
	for _, p := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI} {
		profile(t, p)
		for _, name := range theme.Names() {
			th, _ := theme.Named(name)
			if name == "mono" {
				continue
			}
			looks := []string{}
			for _, s := range []lipgloss.Style{th.Muted, th.Good, th.Warn, th.Bad, th.User} {
				looks = append(looks, s.Render("x"))
			}
			slices.Sort(looks)
			if n := len(slices.Compact(looks)); n != 5 {
				t.Errorf("%s in profile %d: the five states have %d looks", name, p, n)
			}
			for part, s := range styles(th) {
				if fg, bg := s.GetForeground(), s.GetBackground(); reflect.DeepEqual(fg, bg) && fg != (lipgloss.NoColor{}) {
					t.Errorf("%s: %s is drawn on its own colour", name, part)
				}
			}
		}
	}
}

func TestMonoHasNoColour(t *testing.T) {
	profile(t, termenv.TrueColor)
	th, _ := theme.Named("mono")
	for part, s := range styles(th) {
		if s.GetForeground() != (lipgloss.NoColor{}) || s.GetBackground() != (lipgloss.NoColor{}) {
			t.Errorf("%s has a colour", part)
		}
	}
}

// NO_COLOR gives the profile without colours: text is text alone.
func TestWithoutColoursTextIsPlain(t *testing.T) {
	profile(t, termenv.Ascii)
	for _, name := range theme.Names() {
		th, _ := theme.Named(name)
		for part, s := range styles(th) {
			if got := theme.InkOf(s).Paint("x"); got != "x" {
				t.Errorf("%s %s: %q", name, part, got)
			}
		}
	}
}

func TestInkIsTheStyle(t *testing.T) {
	profile(t, termenv.TrueColor)
	for _, name := range theme.Names() {
		th, _ := theme.Named(name)
		for part, s := range styles(th) {
			k := theme.InkOf(s)
			if got, want := k.Paint("word"), s.Render("word"); got != want && !strings.Contains(part, "Strike") && part != "Link" && s.GetUnderline() == false {
				t.Errorf("%s %s: %q, the style gives %q", name, part, got, want)
			}
			if got := string(k.Append([]byte("a"), "b")); got != "a"+k.Paint("b") || text.Width(got) != 2 {
				t.Errorf("%s %s: appended %q", name, part, got)
			}
		}
	}
}
