package menu

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"tenet/tui/text"
	"tenet/tui/theme"
)

func fresh(items ...Item) *Menu {
	th, _ := theme.Named("mono")
	return New(Options{Title: "Sessions", Items: items, Theme: th})
}

var special = map[string]tea.KeyType{"up": tea.KeyUp, "down": tea.KeyDown, "enter": tea.KeyEnter, "esc": tea.KeyEsc, "backspace": tea.KeyBackspace,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "ctrl+u": tea.KeyCtrlU, "ctrl+w": tea.KeyCtrlW, "ctrl+c": tea.KeyCtrlC}

func press(m *Menu, names ...string) (chosen *Item, done bool) {
	for _, n := range names {
		k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(n)}
		if t, ok := special[n]; ok {
			k = tea.KeyMsg{Type: t}
		}
		chosen, done = m.Key(k)
	}
	return chosen, done
}

// screen is the view without styles and without blanks at the ends of lines.
func screen(m *Menu, w, h int) string {
	lines := strings.Split(text.Clean(m.View(w, h)), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

func want(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

var kinds = []Item{{Title: "New session", Group: "Session", Keys: "Ctrl+X N", Value: "new"}, {Title: "Rename", Group: "Session", Detail: "give it a name", Value: "rename"},
	{Title: "Choose the model", Group: "Looks", Detail: "of this session", Value: "model"}, {Title: "Theme", Group: "Looks", Value: "theme"}}

// Rows stand under their groups, with details beside them and keys at the right.
func TestRowsAreGrouped(t *testing.T) {
	want(t, screen(fresh(kinds...), 50, 12), strings.Join([]string{
		"Sessions                                         4",
		"❯  type to filter",
		"Session",
		"› New session                             Ctrl+X N",
		"  Rename            give it a name",
		"Looks",
		"  Choose the model  of this session",
		"  Theme",
		"Enter choose · Esc close · ↑ ↓ move",
	}, "\n"))
}

// What is typed filters, the best first; Enter takes the row that the key before it moved
// to, however fast they come (tui-017).
func TestFilterAndChoose(t *testing.T) {
	m := fresh(kinds...)
	press(m, "se")
	want(t, screen(m, 50, 8), strings.Join([]string{
		"Sessions                                    3 of 4",
		"❯ se",
		"› New session                             Ctrl+X N",
		"  Choose the model  of this session",
		"  Rename            give it a name",
		"Enter choose · Esc close · ↑ ↓ move",
	}, "\n"))
	if it, done := press(m, "down", "enter"); !done || it.Value != "model" {
		t.Errorf("%+v", it)
	}
	if it, done := press(m, "zzz", "enter"); done || it != nil {
		t.Errorf("%+v", it)
	}
	want(t, screen(m, 50, 4), "Sessions                                    0 of 4\n❯ sezzz\n  nothing matches; Backspace widens it")
	press(m, "backspace", "backspace", "backspace")
	if m.Chosen() == nil || m.Query() != "se" {
		t.Error(m.Query())
	}
	if it, done := press(m, "ctrl+u", "up", "enter"); !done || it.Value != "theme" {
		t.Errorf("up from the first is not the last: %+v", it)
	}
	if it, done := press(m, "esc"); !done || it != nil {
		t.Errorf("%+v", it)
	}
}

// An empty list says so.
func TestEmptyStates(t *testing.T) {
	m := fresh()
	want(t, screen(m, 40, 5), "Sessions                               0\n❯  type to filter\n  there is nothing here")
	m.o.Empty = "no session yet"
	want(t, screen(m, 40, 1), "  no session yet")
	if it, done := press(m, "enter", "down", "pgdown", "end", "enter"); done || it != nil {
		t.Errorf("%+v", it)
	}
}

// What is chosen stays chosen when the list is made anew.
func TestChosenStays(t *testing.T) {
	m := fresh(kinds...)
	press(m, "down", "down")
	m.SetItems(append([]Item{{Title: "one more", Value: "more"}}, kinds...))
	if m.Chosen().Value != "model" {
		t.Errorf("%+v", m.Chosen())
	}
}

// A click takes the row that stands on the line, and no other line.
func TestClick(t *testing.T) {
	m := fresh(kinds...)
	m.View(50, 12)
	for line, value := range map[int]string{3: "new", 4: "rename", 6: "model", 7: "theme"} {
		if it, done := m.Click(line); !done || it.Value != value {
			t.Errorf("line %d is %+v", line, it)
		}
	}
	for _, line := range []int{-1, 0, 1, 2, 5, 8, 20} {
		if it, done := m.Click(line); done || it != nil {
			t.Errorf("line %d is %+v", line, it)
		}
	}
}

// Any items, size and keys: the view has its exact size, and the chosen row is in it
// (tui-019).
func TestViewIsExact(t *testing.T) {
	words := rapid.SampledFrom([]string{"", "a", "session", "日本語", "👨‍👩‍👧", "\x1b[31mred", "two\nlines", "\u202e", "e\u0301", strings.Repeat("long ", 30)})
	rapid.Check(t, func(rt *rapid.T) {
		var items []Item
		for i := range rapid.IntRange(0, 30).Draw(rt, "items") {
			items = append(items, Item{Title: words.Draw(rt, "title"), Detail: words.Draw(rt, "detail"), Group: words.Draw(rt, "group"), Keys: words.Draw(rt, "keys"), Value: fmt.Sprint(i)})
		}
		m := fresh(items...)
		for range rapid.IntRange(0, 8).Draw(rt, "presses") {
			press(m, rapid.SampledFrom([]string{"up", "down", "pgup", "pgdown", "home", "end", "backspace", "ctrl+w", "a", "s", "日", " "}).Draw(rt, "key"))
			w, h := rapid.IntRange(1, 60).Draw(rt, "w"), rapid.IntRange(1, 15).Draw(rt, "h")
			lines := strings.Split(m.View(w, h), "\n")
			if len(lines) > h {
				rt.Fatalf("%d lines of %d", len(lines), h)
			}
			seen := len(m.hits) == 0
			for i, l := range lines {
				if text.Width(l) != w {
					rt.Fatalf("a line of %d cells in a width of %d: %q", text.Width(l), w, l)
				}
				seen = seen || m.drawn[i] == m.sel
			}
			if !seen {
				rt.Fatalf("the chosen row %d is not drawn: %v", m.sel, m.drawn)
			}
		}
	})
}

// A word that stands as it is beats letters here and there, the start of a word its middle,
// and a file's name its folder.
func TestMatchPrefersWhatIsMeant(t *testing.T) {
	for query, order := range map[string][]string{
		"view":   {"tui/view.go", "tui/composer/review.go", "vendor/i/e/w.go"},
		"model":  {"model", "choose model", "remodel", "make old things early, later"},
		"cv":     {"composer/view.go", "docs/covers.md", "archive"},
		"tui go": {"tui/a.go", "go/tools/ui.txt"},
		"View":   {"View.go"},
	} {
		last := 1 << 30
		for _, s := range order {
			score, at, ok := Match(query, s)
			if !ok || score >= last {
				t.Errorf("%q in %q: %d after %d, %v", query, s, score, last, ok)
			}
			for i := range at {
				if at[i] >= len(s) || i > 0 && at[i] <= at[i-1] {
					t.Errorf("%q in %q is at %v", query, s, at)
				}
			}
			last = score
		}
	}
	for query, s := range map[string]string{"View": "view.go", "ab": "ba", "x": "", "日": "nichi"} {
		if _, _, ok := Match(query, s); ok {
			t.Errorf("%q was found in %q", query, s)
		}
	}
}

// The marks lie on the letters that were found, whatever the texts are.
func FuzzMatch(f *testing.F) {
	f.Add("se", "New session")
	f.Add("\xff", "a\xffb")
	f.Add("ſ", "S")
	f.Fuzz(func(t *testing.T, query, s string) {
		_, at, ok := Match(query, s)
		if !ok {
			return
		}
		plain := func(p ...string) string { return strings.Join(p, "") }
		if got := Marked(s, at, plain, plain); got != strings.ToValidUTF8(s, "\uFFFD") && got != s && !strings.ContainsRune(got, '\uFFFD') {
			t.Errorf("%q became %q", s, got)
		}
		for i := range at {
			if at[i] < 0 || at[i] >= len(s) || i > 0 && at[i] <= at[i-1] {
				t.Errorf("%q in %q is at %v", query, s, at)
			}
		}
	})
}

// Ten thousand rows are filtered and drawn while one types.
func BenchmarkKeyInTenThousand(b *testing.B) {
	items := make([]Item, 10_000)
	for i := range items {
		items[i] = Item{Title: fmt.Sprintf("session %d of the project", i), Detail: "3 turns, yesterday"}
	}
	m := fresh(items...)
	b.ReportAllocs()
	var from, to syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &from)
	for b.Loop() {
		press(m, "5")
		m.View(120, 40)
		press(m, "backspace")
		m.View(120, 40)
	}
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &to)
	used := to.Utime.Nano() + to.Stime.Nano() - from.Utime.Nano() - from.Stime.Nano()
	b.ReportMetric(float64(used)/float64(b.N), "cpu-ns/op")
}
