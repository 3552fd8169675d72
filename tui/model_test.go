package tui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"tenet/adapters/approvals"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/settings"
	"tenet/tui/keys"
	"tenet/tui/term"
	"tenet/tui/text"
)

var start0 = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// quiet is a model without a session, with a clock that the test moves.
func quiet(t testing.TB, w, h int) (*model, *time.Time) {
	t.Helper()
	now := start0
	m := newModel(t.Context(), Options{Now: func() time.Time { return now }}, t.TempDir(), settings.Interface{Theme: "mono", Sidebar: true}, keys.Default())
	m.opening = false
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m, &now
}

// styles are the only sequences that a frame may hold.
var styles = regexp.MustCompile("\x1b\\[[0-9;]*m")

// fits fails when a frame is not exactly the rows of the terminal, each within its columns
// and without anything that a terminal obeys.
func fits(view string, w, h int) error {
	lines := strings.Split(view, "\n")
	if len(lines) != h {
		return fmt.Errorf("%d rows, want %d", len(lines), h)
	}
	for i, l := range lines {
		if text.Width(l) > w {
			return fmt.Errorf("row %d has %d cells, more than %d: %q", i, text.Width(l), w, l)
		}
		if strings.ContainsFunc(styles.ReplaceAllString(l, ""), call.Hidden) {
			return fmt.Errorf("row %d has something that a terminal obeys or hides: %q", i, l)
		}
	}
	return nil
}

var anyKey = rapid.SampledFrom([]tea.KeyMsg{
	{Type: tea.KeyRunes, Runes: []rune("a")}, {Type: tea.KeyRunes, Runes: []rune("/")}, {Type: tea.KeyRunes, Runes: []rune("?")}, {Type: tea.KeyRunes, Runes: []rune("!")},
	{Type: tea.KeyRunes, Runes: []rune("日本")}, {Type: tea.KeySpace, Runes: []rune(" ")}, {Type: tea.KeyEnter}, {Type: tea.KeyEsc}, {Type: tea.KeyTab}, {Type: tea.KeyShiftTab},
	{Type: tea.KeyUp}, {Type: tea.KeyDown}, {Type: tea.KeyPgUp}, {Type: tea.KeyPgDown}, {Type: tea.KeyHome}, {Type: tea.KeyEnd}, {Type: tea.KeyBackspace},
	{Type: tea.KeyCtrlP}, {Type: tea.KeyCtrlF}, {Type: tea.KeyCtrlB}, {Type: tea.KeyCtrlO}, {Type: tea.KeyCtrlX}, {Type: tea.KeyCtrlR}, {Type: tea.KeyCtrlT},
	{Type: tea.KeyRunes, Runes: []rune("j")}, {Type: tea.KeyRunes, Runes: []rune("y")}, {Type: tea.KeyRunes, Runes: []rune("q")},
})

// hostileText is what models, commands and files may say.
var hostileText = rapid.SampledFrom([]string{
	"plain", "\x1b[2J\x1b]52;c;x\x07", "a\rb", "\u202egnp.exe", "👩‍👩‍👧‍👦 🇺🇸 1️⃣", "日本語の文", "e\u0301\u0327", "\t\ttabs", strings.Repeat("long ", 300), "line\nline\n\n# h\n```go\nx := 1\n", "\x00\xff\xfe",
})

func anyBody(rt *rapid.T) event.Body {
	words := hostileText.Draw(rt, "words")
	return rapid.SampledFrom([]event.Body{
		event.Prompt{Text: words}, event.Request{}, event.Reply{Text: words, Thinking: words, Calls: []event.ToolCall{{ID: "call_1", Tool: words, Args: words}}, Input: 5},
		event.Failure{Message: words, RetryMS: 2000}, event.Call{Call: "call_1", Tool: words, Args: `{"command":"` + "x" + `"}`}, event.Result{Call: "call_1", Text: words},
		event.Submission{ID: "m1", Text: words, How: event.Queue}, event.Detachment{Job: "job_1", Call: "call_1", Command: words}, event.Ending{How: "answered", Cause: words}, event.Notice{Type: "tenet.x", Text: words},
		event.Inquiry{ID: "q1", Call: "call_1", Text: words, Options: []string{words, "b"}}, event.Compaction{Summary: words},
	}).Draw(rt, "body")
}

// Whatever happens and whatever is pressed, at any size: a frame is exactly the screen, and
// nothing breaks (case tui-019).
func TestEveryFrameFits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(1, 210).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h")
		m, now := quiet(t, w, h)
		if rapid.Bool().Draw(rt, "no model") {
			m.start = newStart("no model")
		}
		prev, seq := event.NoSum, uint64(0)
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			*now = now.Add(time.Duration(rapid.IntRange(0, 5000).Draw(rt, "ms")) * time.Millisecond)
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0:
				w, h = rapid.IntRange(1, 210).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h")
				m.Update(tea.WindowSizeMsg{Width: w, Height: h})
			case 1, 2:
				m.Update(anyKey.Draw(rt, "key"))
			case 3:
				m.Update(term.Paste{Text: hostileText.Draw(rt, "paste"), Cut: rapid.IntRange(0, 1).Draw(rt, "cut")})
			case 4:
				var line []byte
				seq++
				line, prev = event.Encode(nil, prev, seq, *now, anyBody(rt))
				head, _ := event.Cut(line[:len(line)-1])
				m.record(head.Record())
				m.place()
			case 5:
				words := hostileText.Draw(rt, "words")
				m.cards.Add(approvals.Approval{ID: fmt.Sprint("q", seq), Tool: words, Agent: words, Dir: words, Steps: []approvals.ApprovalStep{{N: 1, Text: words, Effects: []string{"exec"}}}, Answers: []approvals.ApprovalAnswer{{Key: "deny", Means: "no"}, {Key: "allow_once", Means: "yes"}}})
			case 6:
				m.say(hostileText.Draw(rt, "toast"))
			}
			if err := fits(m.View(), w, h); err != nil {
				rt.Fatal(err)
			}
		}
	})
}

// An interface that has nothing to do asks for no beat: idle costs nothing.
func TestAnIdleInterfaceIsStill(t *testing.T) {
	m, now := quiet(t, 80, 24)
	if m.tick() != nil {
		t.Error("idle, and a beat is asked for")
	}
	m.say("a word")
	if m.tick() == nil {
		t.Error("a word that goes away asks for no beat")
	}
	*now = now.Add(time.Minute)
	m.Update(beat{})
	if m.ticking {
		t.Error("still beating after the word went away")
	}
}
