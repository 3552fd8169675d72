package keys

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

// Every action has a name of its own, a sentence and a context, and no two of a context one
// key; each default key is written as the reader of the terminal names it.
func TestEveryActionIsWhole(t *testing.T) {
	names := map[string]bool{}
	taken := map[string]Action{}
	for _, a := range Actions() {
		if a.String() == "" || a.Says() == "" || names[a.String()] {
			t.Errorf("%d %q: %q", a, a, a.Says())
		}
		names[a.String()] = true
		if len(table[a].keys) == 0 {
			t.Errorf("%s has no key", a)
		}
		for _, k := range table[a].keys {
			at := fmt.Sprint(a.In(), k)
			if other, ok := taken[at]; ok {
				t.Errorf("%s and %s have %q", a, other, k)
			}
			taken[at] = a
			if canon, err := Parse(k); err != nil || canon != k {
				t.Errorf("%s: %q is written %q (%v)", a, k, canon, err)
			}
			if why := refused(a, k); why != "" {
				t.Errorf("%s has %q, which nobody could give it: %s", a, k, why)
			}
		}
	}
}

// A key that a terminal can send is one that the reader names, and the other way round.
func TestNamesAreTheReaders(t *testing.T) {
	for typ := tea.KeyType(-60); typ < 128; typ++ {
		name := (tea.Key{Type: typ}).String()
		if name == "" || name == "runes" {
			continue
		}
		canon, err := Parse(Of(name))
		if err != nil && name != "ctrl+h" || err == nil && canon != Of(name) {
			t.Errorf("%q is %q: %v", name, canon, err)
		}
	}
}

// The habits that people bring along.
func TestCommonHabits(t *testing.T) {
	m := Default()
	for _, h := range []struct {
		at   Context
		key  string
		want Action
	}{
		{Composer, "enter", Send}, {Composer, "tab", Queue}, {Composer, "alt+enter", Queue}, {Composer, "ctrl+j", Newline}, {Composer, "shift+enter", Newline},
		{Composer, "esc", Cancel}, {Composer, "ctrl+c", Clear}, {Composer, "ctrl+d", Quit}, {Composer, "ctrl+p", Palette}, {Composer, "ctrl+r", HistorySearch},
		{Composer, "ctrl+o", Expand}, {Composer, "ctrl+t", Todo}, {Composer, "ctrl+b", Sidebar}, {Composer, "shift+tab", Profile}, {Composer, "ctrl+l", Redraw},
		{Composer, "ctrl+g", Editor}, {Composer, "ctrl+x ctrl+e", Editor}, {Composer, "pgup", PageUp}, {Composer, "ctrl+end", Last}, {Composer, "home", LineStart},
		{Composer, "alt+up", TakeBack}, {Composer, "ctrl+f", Search}, {Composer, "ctrl+x m", Models},
		{Composer, "j", None}, {Composer, "?", None}, {Composer, "/", None}, {Menu, "?", None}, {Card, "j", CardDown}, {Card, "g", None}, {Card, "?", None},
		{Transcript, "j", ScrollDown}, {Transcript, "k", ScrollUp}, {Transcript, "g", First}, {Transcript, "G", Last}, {Transcript, "d", HalfDown}, {Transcript, "u", HalfUp},
		{Transcript, "/", Search}, {Transcript, "n", NextMatch}, {Transcript, "N", PreviousMatch}, {Transcript, "y", Copy}, {Transcript, " ", Toggle}, {Transcript, "?", Help}, {Transcript, "ctrl+c", Clear},
		{Card, "y", CardOnce}, {Card, "a", CardOnce}, {Card, "s", CardSession}, {Card, "A", CardAlways}, {Card, "enter", CardDeny}, {Card, "esc", CardDeny}, {Card, "n", CardDeny},
		{Card, "ctrl+c", Clear}, {Menu, "ctrl+p", MenuUp}, {Menu, "ctrl+n", MenuDown}, {Menu, "esc", MenuClose},
	} {
		if a, _ := m.Lookup(h.at, h.key); a != h.want {
			t.Errorf("%q in %s is %s, want %s", h.key, h.at, a, h.want)
		}
	}
	if !m.Leads("ctrl+x") || m.Leads("ctrl+c") {
		t.Error("ctrl+x leads, ctrl+c does not")
	}
}

// Keys as people write them, and those that no program can tell apart.
func TestParse(t *testing.T) {
	for s, want := range map[string]string{
		"Ctrl+T": "ctrl+t", "control+t": "ctrl+t", "option+x": "alt+x", "Shift+Enter": "ctrl+j", "Shift+Tab": "shift+tab", "shift+a": "A", "A": "A", "PageDown": "pgdown",
		"Escape": "esc", "Ctrl+Space": "ctrl+@", "ctrl+/": "ctrl+_", "F5": "f5", "ctrl+x  T": "ctrl+x T", "alt++": "alt++", "+": "+", " ": "space", "space": "space", "alt+Return": "alt+enter",
		"ctrl+shift+left": "ctrl+shift+left", "é": "é", "Ctrl+Alt+X": "alt+ctrl+x",
	} {
		if got, err := Parse(s); err != nil || got != want {
			t.Errorf("%q is %q (%v), want %q", s, got, err, want)
		}
	}
	for s, why := range map[string]string{
		"ctrl+m": "same for Enter", "Ctrl+I": "same for Tab", "ctrl+[": "same for Esc", "ctrl+1": "nothing of its own", "ctrl+shift+t": "with and without Shift", "ctrl+enter": "as for enter alone",
		"cmd+t": "window system", "hyper+t": "none of ctrl, alt, shift", "": "no key is named", "a b": "writes a character", "ctrl+x a b": "at most two", "frobnicate": "no key", "\x1b": "no key", "shift+f3": "as for f3 alone",
	} {
		if got, err := Parse(s); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q is %q (%v), want %q", s, got, err, why)
		}
	}
}

// What is wrong in the file is listed with its line, and the rest counts.
func TestFileIsReadAsFarAsItGoes(t *testing.T) {
	m, problems := Read([]byte(`{
  // comments stay
  "sidebar": ["F2", "ctrl+m"],
  "sidebr": ["f3"],
  "todo": "f4",
  "mouse": [],
  "palette": [7],
  "card_always": ["enter"],
  "card_once": ["space", "o"],
  "clear": [],
  "send": ["ctrl+s"],
  "expand": ["ctrl+l"],
  "todo": ["f5"],
  "export": ["f2"],
  "compose": ["x"], "editor": ["x"],
}`))
	got := fmt.Sprint(problems[0])
	for _, p := range problems[1:] {
		got += "\n" + p.String()
	}
	want := `line 3: sidebar: "ctrl+m" cannot be bound: a terminal sends the same for Enter
line 4: there is no action "sidebr"; did you mean "sidebar"?
line 7: a key of palette is no text; write for example "f2"
line 8: card_always cannot have "enter": an answer that allows takes a letter, Alt with a letter, or a function key, so that no key that is pressed while writing or leaving allows anything
line 9: card_once cannot have "space": an answer that allows takes a letter, Alt with a letter, or a function key, so that no key that is pressed while writing or leaving allows anything
line 10: clear keeps "ctrl+c": it is the way out
line 12: "ctrl+l" is expand's now; redraw has no key
line 13: todo stands there twice; the one in line 5 counts
line 14: "f2" is sidebar's already (line 3), so export does not get it
line 15: editor cannot have "x": that key writes a character there`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for a, keys := range map[Action]string{Sidebar: "f2", Todo: "f4", Mouse: "", Palette: "ctrl+p", CardAlways: "A", CardOnce: "o", Clear: "ctrl+c", Send: "ctrl+s enter", Expand: "ctrl+l",
		Redraw: "", Export: "", Compose: "x", Editor: "ctrl+g ctrl+x ctrl+e ctrl+x e"} {
		if got := strings.Join(m.Of(a), " "); got != keys {
			t.Errorf("%s has %q, want %q", a, got, keys)
		}
	}
}

// Two keys that get in each other's way are named.
func TestConflictsAreNamed(t *testing.T) {
	for text, why := range map[string]string{
		`{"todo": ["ctrl+x"]}`:           `"ctrl+x" is todo's, so quit cannot be reached by "ctrl+x q"`,
		`{"todo": ["ctrl+b t"]}`:         `"ctrl+b t" does nothing: "ctrl+b" alone is sidebar's`,
		`{"kill_to_end": ["ctrl+p"]}`:    `"ctrl+p" is kill_to_end's in The line, where palette cannot be reached by it`,
		`{"copy": ["e"]}`:                `"e" is copy's now; explain has no key`,
		`{"copy": ["y"], "toggle": "y"}`: `"y" is copy's already (line 1), so toggle does not get it`,
		`{"palette": ["ctrl+c"]}`:        `palette cannot have "ctrl+c": it is clear's and stays it`,
		`{"card_full": ["enter"]}`:       `card_full cannot have "enter": it is card_deny's and stays it`,
		`["todo"]`:                       `nothing of the file counts: it is no object`,
		`{"todo": {"a": 1}}`:             `the keys of todo are no list of texts`,
		`{"todo": ["f1" "f2"]}`:          `nothing of the file counts:`,
		strings.Repeat("[", 5000):        `nested deeper`,
	} {
		_, problems := Read([]byte(text))
		if !slices.ContainsFunc(problems, func(p Problem) bool { return strings.Contains(p.String(), why) }) {
			t.Errorf("%.60s: %v, want %q", text, problems, why)
		}
	}
	if _, problems := Read([]byte(" \n")); problems != nil {
		t.Errorf("an empty file: %v", problems)
	}
}

// A file that is not there changes nothing; one that cannot be read is an error, and the
// keys are the default ones.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	if m, problems, err := Load(path); err != nil || problems != nil || m.Key(Palette) != "ctrl+p" {
		t.Errorf("%v %v", problems, err)
	}
	if m, _, err := Load(dir); err == nil || m.Key(Palette) != "ctrl+p" {
		t.Errorf("a folder: %v", err)
	}
	if err := os.WriteFile(path, []byte(`{"palette": "f2"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if m, problems, err := Load(path); err != nil || problems != nil || m.Key(Palette) != "f2" {
		t.Errorf("%v %v", problems, err)
	}
	if err := os.WriteFile(path, make([]byte, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Load(path); err == nil {
		t.Error("a file of any size is read")
	}
}

// Whatever a file says: nothing that is pressed without looking allows a card, Enter and Esc
// deny it, and the ways out stay.
func TestNoFileMakesEnterAllow(t *testing.T) {
	var all []string
	for _, a := range Actions() {
		all = append(all, a.String())
	}
	keys := []string{"enter", "esc", "space", " ", "tab", "ctrl+j", "shift+enter", "ctrl+c", "ctrl+m", "y", "n", "up", "ctrl+x y", "alt+enter", "f1", "a", "Return", "backspace", "alt+space", "ctrl+d"}
	rapid.Check(t, func(rt *rapid.T) {
		var members []string
		for range rapid.IntRange(0, 6).Draw(rt, "members") {
			list := rapid.SliceOfN(rapid.SampledFrom(keys), 0, 4).Draw(rt, "keys")
			for i := range list {
				list[i] = fmt.Sprintf("%q", list[i])
			}
			members = append(members, fmt.Sprintf("%q: [%s]", rapid.SampledFrom(all).Draw(rt, "action"), strings.Join(list, ",")))
		}
		m, _ := Read([]byte("{" + strings.Join(members, ",") + "}"))
		for _, k := range []string{"enter", "esc", " ", "tab", "ctrl+j", "ctrl+c", "ctrl+d", "up", "alt+enter", "backspace", "alt+ "} {
			if a, _ := m.Lookup(Card, k); a.Allows() {
				rt.Fatalf("%q is %s", k, a)
			}
		}
		for at, ways := range map[Context]map[string]Action{Card: {"enter": CardDeny, "esc": CardDeny, "ctrl+c": Clear}, Composer: {"enter": Send, "esc": Cancel, "ctrl+c": Clear}, Transcript: {"ctrl+c": Clear}, Menu: {"esc": MenuClose}} {
			for k, want := range ways {
				if a, _ := m.Lookup(at, k); a != want {
					rt.Fatalf("%q in %s is %s, want %s", k, at, a, want)
				}
			}
		}
	})
}

// docs/keys.md is what the code says. UPDATE=1 writes it.
func TestKeysPage(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "keys.md")
	want := page + Default().Markdown()
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("docs/keys.md is not what the keys are (%v); write it with: UPDATE=1 go test ./tui/keys -run TestKeysPage", err)
	}
	if !utf8.Valid(got) {
		t.Error("it is no UTF-8")
	}
}

const page = `# Keys

Made from the code by a test. In the interface ` + "`?`" + ` shows them as they are with your own changes.

A key that is pressed after another stands behind it with a blank: ` + "`Ctrl+X M`" + ` is Ctrl+X, then m. What stands under Anywhere counts in each
of the other places that does not use the key itself; where you write, a letter is a letter. From the line, keys of the transcript that write nothing (` + "`PgUp`, `Ctrl+End`, `Ctrl+Up`" + `) work too.

## Change them

` + "`~/.tenet/keys.json`" + ` (` + "`TENET_HOME`" + ` moves it) is JSON with comments: an action, and the list of all its keys. An empty list takes its keys away.

` + "```json" + `
{
  "sidebar": ["F2"],             // instead of Ctrl+B
  "todo": ["ctrl+t", "ctrl+x k"],
  "mouse": []                    // no key
}
` + "```" + `

What is wrong in the file is told at start with its line, and the rest of it counts. A key that you give to an action is taken from the one that had it in the same place, and you are told.

Some keys cannot be bound, because a terminal sends the same for another: ` + "`Ctrl+M` is Enter, `Ctrl+I` is Tab, `Ctrl+[` is Esc, Ctrl with Shift is Ctrl" + `. Shift+Enter is ` + "`Ctrl+J`" + ` where the terminal tells it apart from Enter.

Some may not be: what allows a call takes a letter, Alt with a letter, or a function key, and Enter and Esc always deny, so that nobody who writes on while a card appears has allowed something. ` + "`Ctrl+C`" + ` and ` + "`Esc`" + ` always lead out.
`
