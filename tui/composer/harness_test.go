package composer

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/text"
	"tenet/tui/theme"
)

// types are the keys that tests press, by the names of the reader.
var types = func() map[string]tea.KeyType {
	out := map[string]tea.KeyType{}
	for t := tea.KeyType(-120); t < 128; t++ {
		if n := (tea.Key{Type: t}).String(); n != "" && n != "runes" {
			out[n] = t
		}
	}
	out["space"] = tea.KeySpace
	return out
}()

// pressed is a key by its name; a text that names none is typed.
func pressed(name string) tea.KeyMsg {
	base, alt := strings.CutPrefix(name, "alt+")
	if t, ok := types[base]; ok && base != "" {
		k := tea.KeyMsg{Type: t, Alt: alt}
		if t == tea.KeySpace {
			k.Runes = []rune(" ")
		}
		return k
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(base), Alt: alt}
}

func fresh(o Options) *Composer {
	o.Theme, _ = theme.Named("mono")
	c := New(o)
	c.SetSize(40, 20)
	return c
}

// press presses keys one after the other and is what the last one came to. What a key
// starts is run at once.
func press(c *Composer, names ...string) (act Act) {
	for _, n := range names {
		var cmd tea.Cmd
		act, cmd = c.Key(pressed(n))
		run(c, cmd)
	}
	return act
}

func run(c *Composer, cmd tea.Cmd) {
	for cmd != nil {
		cmd = c.Msg(cmd())
	}
}

// screen is the view without its styles and without blanks at the ends; the cursor is ▏
// before its cell.
func screen(t *testing.T, c *Composer) string {
	t.Helper()
	measured(t, c)
	v := strings.ReplaceAll(c.View(), "\x1b[7m", "▏")
	lines := strings.Split(text.Clean(v), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// measured fails unless the view has exactly its lines, each of exactly its width.
func measured(t interface {
	Helper()
	Fatalf(string, ...any)
}, c *Composer) {
	t.Helper()
	lines := strings.Split(c.View(), "\n")
	if len(lines) != c.Height() || len(lines) > c.maxH {
		t.Fatalf("%d lines; Height says %d, at most %d: %q", len(lines), c.Height(), c.maxH, lines)
	}
	cursors := 0
	for _, l := range lines {
		if w := text.Width(l); w != c.w {
			t.Fatalf("a line of %d cells in a width of %d: %q", w, c.w, l)
		}
		cursors += strings.Count(l, "\x1b[7m")
	}
	if cursors == 0 {
		t.Fatalf("no cursor is drawn at %v in %q: %q", c.b.cur, c.b.text(), lines)
	}
}

func want(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
