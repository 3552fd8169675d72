package composer

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tenet/tui/keys"
)

// Enter sends, and the line is empty; a backslash before Enter, Ctrl+J and Shift+Enter make
// a new line.
func TestEnterSendsAndNewlinesStay(t *testing.T) {
	c := fresh(Options{})
	want(t, screen(t, c), "❯ ▏")
	press(c, "one", "ctrl+j", "two", `\`, "enter", "three")
	want(t, screen(t, c), "❯ one\n  two\n  three▏")
	if a := press(c, "enter"); a.Kind != Send || a.Text != "one\ntwo\nthree" {
		t.Errorf("%+v", a)
	}
	if !c.Empty() {
		t.Errorf("%q was left", c.Text())
	}
	if a := press(c, "space", "enter"); a.Kind != None || c.Text() != " " {
		t.Errorf("blanks were sent: %+v", a)
	}
	press(c, `\\`, "enter") // an escaped backslash is one
	if c.Text() != "" {
		t.Errorf("%q", c.Text())
	}
}

// While a turn runs Tab queues, and Alt+Enter too; with nothing written Tab is the
// transcript's. Alt+Up wants a queued message back, which stands before what is written.
func TestQueueAndTakeBack(t *testing.T) {
	c := fresh(Options{})
	if a := press(c, "tab"); a.Kind != Pass || a.Action != keys.Focus {
		t.Errorf("%+v", a)
	}
	if a := press(c, "later", "tab"); a.Kind != None || c.Text() != "later" {
		t.Errorf("with nothing to wait for: %+v, %q", a, c.Text())
	}
	want(t, screen(t, c), "! nothing runs that it could wait for; …\n❯ later▏")
	c.SetBusy(true)
	if a := press(c, "tab"); a.Kind != Queue || a.Text != "later" || !c.Empty() {
		t.Errorf("%+v", a)
	}
	if a := press(c, "more", "alt+enter"); a.Kind != Queue || a.Text != "more" {
		t.Errorf("%+v", a)
	}
	press(c, "draft")
	if a := press(c, "alt+up"); a.Kind != TakeBack {
		t.Errorf("%+v", a)
	}
	c.Prepend("more")
	want(t, c.Text(), "more\ndraft")
	press(c, "ctrl+u", "ctrl+u", "!", "ls")
}

// ! at the start of an empty line makes it the shell's; it goes with a backspace, and a
// pasted ! does nothing of the kind.
func TestShellLine(t *testing.T) {
	c := fresh(Options{})
	press(c, "!")
	want(t, screen(t, c), "! ▏")
	if c.Empty() {
		t.Error("a shell line is empty")
	}
	press(c, "ls -l")
	want(t, c.Text(), "!ls -l")
	if a := press(c, "enter"); a.Kind != Shell || a.Text != "ls -l" {
		t.Errorf("%+v", a)
	}
	press(c, "up")
	want(t, screen(t, c), "! ls -l▏")
	press(c, "ctrl+c", "!", "backspace")
	if !c.Empty() {
		t.Errorf("%q", c.Text())
	}
	press(c, "!", "esc")
	if !c.Empty() {
		t.Errorf("%q", c.Text())
	}
	c.Paste("!rm -r x")
	if a := press(c, "enter"); a.Kind != Send || a.Text != " !rm -r x" {
		t.Errorf("a paste became a shell line: %+v", a)
	}
	press(c, "up")
	if a := press(c, "enter"); a.Kind != Send {
		t.Errorf("a paste became a shell line by way of the history: %+v", a)
	}
}

// Ctrl+C empties the line, undo brings it back; with nothing written it is the interface's.
// So is Ctrl+D, which deletes while something is written.
func TestClearAndQuit(t *testing.T) {
	c := fresh(Options{})
	press(c, "a draft", "ctrl+c")
	if !c.Empty() {
		t.Error(c.Text())
	}
	if a := press(c, "ctrl+c"); a.Kind != Pass || a.Action != keys.Clear {
		t.Errorf("%+v", a)
	}
	press(c, "ctrl+_")
	want(t, c.Text(), "a draft")
	press(c, "home", "ctrl+d", "ctrl+d")
	want(t, c.Text(), "draft")
	press(c, "ctrl+k")
	if a := press(c, "ctrl+d"); a.Kind != Pass || a.Action != keys.Quit {
		t.Errorf("%+v", a)
	}
	if a := press(c, "?"); a.Kind != Pass || a.Action != keys.Help {
		t.Errorf("%+v", a)
	}
	if press(c, "why", "?"); c.Text() != "why?" {
		t.Error(c.Text())
	}
	if a := press(c, "home"); a.Kind != None || c.b.cur.at != 0 {
		t.Errorf("Home leaves the line: %+v", a)
	}
	for key, want := range map[string]keys.Action{"home": keys.First, "end": keys.Last, "pgup": keys.PageUp} {
		if a := press(c, "ctrl+c", key); a.Kind != Pass || a.Action != want {
			t.Errorf("%s with nothing written is %+v", key, a)
		}
	}
}

// A message that nobody took comes back: as it was, or before what was written since.
func TestRefusedMessageComesBack(t *testing.T) {
	c := fresh(Options{})
	c.Paste(strings.Repeat("z", 3000))
	first := press(c, "enter")
	press(c, "second")
	c.Restore(first.Text)
	if c.Text() != first.Text+"\nsecond" {
		t.Errorf("%d bytes", len(c.Text()))
	}
	press(c, "ctrl+c", "!", "ls", "enter")
	c.Restore("!ls")
	want(t, screen(t, c), "! ls▏")
	c.Restore("earlier")
	want(t, c.Text(), "earlier\n!ls")
}

// Up and Down go through the rows, then through what was sent; what is written comes back,
// and so does what was changed on the way.
func TestHistory(t *testing.T) {
	c := fresh(Options{History: []string{"first", "second\nof two", "!make"}})
	press(c, "draft", "up")
	want(t, c.Text(), "!make")
	press(c, "up", "up")
	want(t, screen(t, c), "❯ second▏\n  of two")
	press(c, "up", " changed", "up")
	want(t, c.Text(), "first changed")
	press(c, "down")
	want(t, c.Text(), "second\nof two")
	press(c, "up", "up")
	want(t, c.Text(), "first changed")
	press(c, "down", "down", "down")
	want(t, c.Text(), "draft")
	press(c, "down")
	want(t, c.Text(), "draft")
	press(c, "enter", "up")
	want(t, c.Text(), "draft")
	press(c, "ctrl+c", "draft", "enter", "up", "up")
	if c.Text() != "!make" {
		t.Error("one text twice in a row is remembered twice")
	}
}

// Ctrl+R searches in what was sent: Enter takes what is found into the line, Esc leaves
// what was written.
func TestHistorySearch(t *testing.T) {
	c := fresh(Options{History: []string{"make test", "ls", "make lint"}})
	press(c, "mine", "ctrl+r", "make")
	want(t, screen(t, c), "history: make▏   Ctrl+R older, Enter tak…\n❯ make lint▏")
	press(c, "ctrl+r")
	want(t, c.Text(), "make test")
	if press(c, "ctrl+r"); c.Text() != "make test" {
		t.Error("it went past the last")
	}
	press(c, "ctrl+s")
	want(t, c.Text(), "make lint")
	press(c, "esc")
	want(t, c.Text(), "mine")
	press(c, "ctrl+r", "test")
	if a := press(c, "enter"); a.Kind != None || c.Text() != "make test" || c.Popup() {
		t.Errorf("%+v %q", a, c.Text())
	}
	press(c, "down", "down", "down")
	want(t, c.Text(), "mine")
	press(c, "ctrl+r", "nowhere")
	want(t, screen(t, c), "history: nowhere▏   nothing that was sen…\n❯ mine▏")
	press(c, "backspace", "ctrl+u", "ctrl+g")
	want(t, c.Text(), "mine")
}

var some = func() []Command {
	return []Command{{Name: "model", Args: "[name]", Says: "choose the model"}, {Name: "more", Says: "show more"},
		{Name: "rename", Args: "<name>", Says: "name the session"}, {Name: "help", Says: "these keys", Keys: "?"}}
}

// A slash at the start lists commands; Enter runs one that needs no more, Tab completes.
func TestCommands(t *testing.T) {
	c := fresh(Options{Commands: some})
	press(c, "/mo")
	want(t, screen(t, c), "› /model [name]         choose the model\n  /more                 show more\n❯ /mo▏")
	press(c, "down", "tab")
	want(t, c.Text(), "/more ")
	if a := press(c, "enter"); a.Kind != Slash || a.Name != "more" || a.Args != "" {
		t.Errorf("%+v", a)
	}
	if a := press(c, "/mod", "enter"); a.Kind != Slash || a.Name != "model" {
		t.Errorf("%+v", a)
	}
	if a := press(c, "/ren", "enter"); a.Kind != None || c.Text() != "/rename " {
		t.Errorf("%+v", a)
	}
	want(t, screen(t, c), "/rename <name>  name the session\n❯ /rename ▏")
	if a := press(c, "my work", "enter"); a.Kind != Slash || a.Name != "rename" || a.Args != "my work" {
		t.Errorf("%+v", a)
	}
	if a := press(c, "/modle", "enter"); a.Kind != None || c.Text() != "/modle" {
		t.Errorf("%+v", a)
	}
	want(t, screen(t, c), "! there is no command /modle; did you m…\n❯ /modle▏")
	press(c, "ctrl+c", "/", "esc")
	if c.Popup() || c.Text() != "/" {
		t.Error("Esc did not close the list")
	}
	press(c, "h")
	if c.Popup() {
		t.Error("the list came back")
	}
	press(c, "ctrl+c")
	if a := press(c, "/etc/hosts is odd", "enter"); a.Kind != Send {
		t.Errorf("a path is a command: %+v", a)
	}
	if a := press(c, " /model", "enter"); a.Kind != Send || a.Text != " /model" {
		t.Errorf("%+v", a)
	}
}

// A list that is longer than its room says so, and the chosen row is always in it.
func TestLongListsSayThatThereIsMore(t *testing.T) {
	c := fresh(Options{Files: func(context.Context, string) []string { return strings.Split("abcdefghijkl", "") }})
	c.SetSize(20, 4)
	press(c, "@")
	want(t, screen(t, c), "› a\n  b\n↓ c\n❯ @▏")
	press(c, "down", "down", "down")
	want(t, screen(t, c), "↑ b\n  c\n› d\n❯ @▏")
	press(c, "up", "up", "up", "up")
	want(t, screen(t, c), "↑ j\n  k\n› l\n❯ @▏")
}

// @ lists files as the search knows them; Tab or Enter puts one in, quoted when it has
// blanks, and a folder stays open.
func TestFiles(t *testing.T) {
	asked := []string{}
	c := fresh(Options{Files: func(_ context.Context, q string) []string {
		asked = append(asked, q)
		return []string{"tui/", "tui/composer/view.go", "my notes.md", "bad\nname"}
	}})
	press(c, "see @")
	want(t, screen(t, c), "› tui/\n  tui/composer/view.go\n  my notes.md\n❯ see @▏")
	press(c, "view", "enter")
	want(t, c.Text(), "see @tui/composer/view.go ")
	press(c, "@no", "tab")
	want(t, c.Text(), `see @tui/composer/view.go @"my notes.md" `)
	press(c, "@tu", "tab")
	if !strings.HasSuffix(c.Text(), "@tui/") || !c.Popup() {
		t.Errorf("%q", c.Text())
	}
	press(c, "esc", "space", "a@view")
	if c.Popup() {
		t.Error("an address lists files")
	}
	if !slices.Contains(asked, "view") || slices.Contains(asked, "view.go") {
		t.Errorf("%q", asked)
	}
	if a := press(c, "enter"); a.Kind != Send {
		t.Errorf("%+v", a)
	}
}

// An answer that is late, of a search that was left, changes nothing.
func TestLateFilesAreNothing(t *testing.T) {
	c := fresh(Options{Files: func(_ context.Context, q string) []string { return []string{q + ".go"} }})
	_, first := c.Key(pressed("@"))
	_, second := c.Key(pressed("a"))
	late := first()
	run(c, second)
	c.Msg(late)
	want(t, screen(t, c), "› a.go\n❯ @a▏")
	_, third := c.Key(pressed("b"))
	press(c, "ctrl+c")
	c.Msg(third())
	if c.Popup() {
		t.Error("a list came after the text had gone")
	}
}

// Cuts join while nothing else happens; Ctrl+Y puts the last in, Alt+Y the one before it.
func TestKillAndYank(t *testing.T) {
	c := fresh(Options{})
	press(c, "one two three", "ctrl+w", "ctrl+w", "left", "ctrl+k", "ctrl+u")
	want(t, c.Text(), "")
	press(c, "ctrl+y")
	want(t, c.Text(), "one ")
	press(c, "alt+y")
	want(t, c.Text(), "two three")
	press(c, "alt+b", "alt+b", "alt+d")
	want(t, c.Text(), " three")
	press(c, "ctrl+_", "ctrl+_", "alt+_")
	want(t, c.Text(), "two three")
}

// Every character is one: letters with marks, emoji of several, wide ones and those that
// are written from the right.
func TestCharactersOfEveryScript(t *testing.T) {
	for _, s := range []string{"é", "e\u0301", "日", "👨‍👩‍👧", "🇺🇸", "👍🏽", "1️⃣", "שׁ", "س", "क्षि", "각", "\u1112\u1161\u11ab"} {
		c := fresh(Options{})
		press(c, "a", s, "b", "left", "left", "right", "backspace")
		want(t, c.Text(), "ab")
		c.SetSize(7, 9)
		press(c, s, s, s, s, s, s)
		screen(t, c)
	}
}

// The window follows the cursor, says where there is more, and has no more than 15 lines.
func TestLongTextScrolls(t *testing.T) {
	c := fresh(Options{})
	c.Set(strings.TrimSuffix(strings.Repeat("line\n", 40), "\n"))
	if c.Height() != maxRows {
		t.Error(c.Height())
	}
	if got := screen(t, c); !strings.HasPrefix(got, "↑ line\n  line") || !strings.HasSuffix(got, "\n  line▏") {
		t.Error(got)
	}
	press(c, "alt+<")
	if got := screen(t, c); !strings.HasPrefix(got, "❯ ▏line\n") || !strings.HasSuffix(got, "\n↓ line") {
		t.Error(got)
	}
}
