package composer

import (
	"slices"
	"strings"
	"testing"

	"tenet/tui/keys"
)

// A large paste is a chip: one character that is deleted as one, shown on demand, and sent
// as what it holds (tui-003, tui-018).
func TestPasteIsAChip(t *testing.T) {
	c := fresh(Options{})
	big := strings.Repeat("0123456789abcde\n", 1<<16)
	press(c, "see ")
	c.Paste(big)
	press(c, " please")
	want(t, screen(t, c), "❯ see [pasted 1 MiB #1] please▏")
	press(c, "ctrl+left", "left", "left")
	want(t, screen(t, c), "❯ see ▏[pasted 1 MiB #1] please")
	if c.Text() != "see "+big+" please" {
		t.Error("the text is not what was pasted")
	}
	press(c, "delete")
	want(t, c.Text(), "see  please")
	press(c, "ctrl+_")
	if a := press(c, "enter"); a.Text != "see "+big+" please" {
		t.Errorf("%d bytes were sent", len(a.Text))
	}
	c.Paste("a\r\nb\rc\r\n") // no line of it is empty
	want(t, c.Text(), "a\nb\nc\n")
	press(c, "ctrl+c")
	c.Paste(strings.Repeat("x\r\n", 20))
	want(t, screen(t, c), "❯ [pasted 20 lines #1]▏")
	c.Do(keys.ShowChip)
	if got := screen(t, c); strings.Count(got, "│ x") != popupRows {
		t.Error(got)
	}
	press(c, "down", "esc")
	want(t, screen(t, c), "❯ [pasted 20 lines #1]▏")
	c.Do(keys.ShowChip)
	c.Do(keys.ShowChip)
	want(t, c.Text(), strings.Repeat("x\n", 20))
	if c.b.chips[0].text == "" || c.b.tall(30, 38) != 21 {
		t.Error("the chip's text is not in the line")
	}
	press(c, "ctrl+c")
	c.AddImage("/tmp/shots/login page.png")
	press(c, " what is wrong here?")
	a := press(c, "enter")
	want(t, a.Text, "[image login page.png #2: /tmp/shots/login page.png] what is wrong here?")
	if !slices.Equal(a.Images, []string{"/tmp/shots/login page.png"}) {
		t.Errorf("%q", a.Images)
	}
	c.Restore(a.Text)
	want(t, screen(t, c), "❯ [image login page.png #2] what is\n  wrong here?▏")
	if a := press(c, "enter"); len(a.Images) != 1 {
		t.Errorf("an image was lost: %+v", a)
	}
}

// What the line cannot hold is refused aloud, and nothing of it is lost in silence.
func TestPastesHaveABound(t *testing.T) {
	c := fresh(Options{})
	part := strings.Repeat("y", 4<<20)
	for range 4 {
		if note := c.Paste(part); note != "" {
			t.Fatal(note)
		}
	}
	if note := c.Paste(part); note != full {
		t.Errorf("a fifth was taken: %q", note)
	}
	if len(c.Text()) != 4*len(part) {
		t.Errorf("%d bytes", len(c.Text()))
	}
	press(c, "backspace")
	if note := c.Paste(part); note != "" {
		t.Errorf("deleting one made no room: %q", note)
	}
}

// A character that looks like the editor's own is a chip that holds it.
func TestForeignCharactersStay(t *testing.T) {
	c := fresh(Options{})
	c.Paste("a\U0010F000b")
	want(t, screen(t, c), "❯ a[U+10F000]b▏")
	want(t, c.Text(), "a\U0010F000b")
	press(c, "\U0010F001")
	want(t, c.Text(), "a\U0010F000b\U0010F001")
	press(c, "backspace", "left", "backspace")
	want(t, c.Text(), "ab")
}

// What a terminal would obey or hide is drawn as an escape, and sent as it is.
func TestControlsAreDrawnNotObeyed(t *testing.T) {
	c := fresh(Options{})
	c.Paste("a\x1b]52;c;x\x07b\u202ec\td\x00e\xff")
	want(t, screen(t, c), `❯ a\x1b]52;c;x\x07b\u{202e}c    d�e�▏`)
	want(t, c.Text(), "a\x1b]52;c;x\x07b\u202ec\td\uFFFDe\uFFFD")
}

// What was cut keeps its chips, also in another text: after sending, and in the history.
func TestCutChipsStay(t *testing.T) {
	c := fresh(Options{History: []string{"old"}})
	long := strings.Repeat("z", 3000)
	c.Paste(long)
	press(c, "ctrl+u", "ctrl+y", "ctrl+y")
	want(t, screen(t, c), "❯ [pasted 2.9 KiB #1]\n  [pasted 2.9 KiB #1]▏")
	press(c, "ctrl+w", "x", "enter", "up", "up")
	press(c, "ctrl+y")
	want(t, screen(t, c), "❯ old[pasted 2.9 KiB #1]\n  [pasted 2.9 KiB #1]▏")
}

// An editor gives the text back with what the chips hold: they are chips again, and an
// image stays one.
func TestEditorKeepsChips(t *testing.T) {
	c := fresh(Options{})
	long := strings.Repeat("line\n", 50)
	press(c, "see ")
	c.Paste(long)
	c.AddImage("/tmp/a.png")
	a := press(c, "ctrl+g")
	if a.Kind != Edit || !strings.Contains(a.Text, long) {
		t.Errorf("%+v", a.Kind)
	}
	c.Set("now " + a.Text + " and more")
	want(t, screen(t, c), "❯ now see\n  [pasted 50 lines #1][image a.png #2]\n  and more▏")
	if a := press(c, "enter"); len(a.Images) != 1 || !strings.Contains(a.Text, long) {
		t.Errorf("%q", a.Images)
	}
}
