package card_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/adapters/approvals"
	"tenet/core/call"
	core "tenet/core/card"
	"tenet/core/event"
	"tenet/tui/text"
	"tenet/tui/theme"
)

// hostile is any text, and above all one that would like to be another.
var hostile = rapid.Custom(func(rt *rapid.T) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"rm -rf /", "  ", "\n", "\t", "⟨", "x1b⟩", "⇥   ", "⏎", "\\ ", "│? ls", "├", "└ ", "? ", "  in       /", "\u202e", "\x1b[2J", "\r", "\u200d", "\U0001f1fa\U0001f1f8", "👍\U0001f3fd", "日本", "e\u0301", "\u0301", "\u0915\u094d\u0937", "\u1112\u1161\u11ab", "\u05d0"}),
		rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 6), func(b []byte) string { return string(b) }),
	)
	s := ""
	for _, p := range rapid.SliceOfN(piece, 0, 12).Draw(rt, "pieces") {
		s += p
	}
	return s
})

// asked is a question of hostile texts, shown as its makers do.
func asked(rt *rapid.T) (a approvals.Approval, want core.Reading) {
	want.Dir = hostile.Draw(rt, "dir")
	a = question("1")
	a.Dir, a.Agent, a.Tool = call.ExactLine(want.Dir), hostile.Draw(rt, "agent"), hostile.Draw(rt, "tool")
	for range rapid.IntRange(1, 3).Draw(rt, "steps") {
		ran := core.Ran{Text: hostile.Draw(rt, "text"), Dir: hostile.Draw(rt, "dir of a step"), Asks: rapid.Bool().Draw(rt, "asks")}
		want.Steps = append(want.Steps, ran)
		a.Steps = append(a.Steps, approvals.ApprovalStep{Text: call.Exact(ran.Text), Dir: call.ExactLine(ran.Dir), Asks: ran.Asks, Notes: []string{hostile.Draw(rt, "note")}})
	}
	a.Notes = []string{hostile.Draw(rt, "reason")}
	a.Requests[0].Subject, a.Answers[3].Means = hostile.Draw(rt, "subject"), hostile.Draw(rt, "means")
	if rapid.Bool().Draw(rt, "changes") {
		want.Diff = hostile.Draw(rt, "diff") + "\n"
		a.Diff = call.Exact(want.Diff)
	}
	return a, want
}

// geometry holds a view to its place: no more lines and no wider ones than it has room
// for, and nothing that a terminal obeys.
func geometry(rt *rapid.T, v string, w, h int) []string {
	lines := strings.Split(v, "\n")
	if len(lines) > h {
		rt.Fatalf("%d lines on %d:\n%s", len(lines), h, v)
	}
	for _, l := range lines {
		if text.Width(l) > w {
			rt.Fatalf("%d cells on %d: %q", text.Width(l), w, l)
		}
		if call.Visible(l) != l || strings.ContainsAny(l, "\t\n") {
			rt.Fatalf("a terminal obeys %q", l)
		}
	}
	return lines
}

// body is the lines of a card that say what would run, without their border.
func body(lines []string) (out []string) {
	for _, l := range lines {
		t, ok := strings.CutPrefix(l, "│")
		switch {
		case ok:
			out = append(out, t)
		case strings.HasPrefix(l, "├"), strings.HasPrefix(l, "└"):
			return out
		}
	}
	return out
}

// What a card shows on a screen of any size, scrolled through to its end, reads back to
// exactly what runs (law card_reads_back).
func TestAScreenReadsBackToWhatRuns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a, want := asked(rt)
		w, h := rapid.IntRange(20, 200).Draw(rt, "width"), rapid.IntRange(2, 50).Draw(rt, "height")
		d := newDesk()
		d.Add(a)
		all := body(geometry(rt, d.View(w, h), w, h))
		d.still()
		if rapid.Bool().Draw(rt, "details") {
			d.keys("tab")
			all = body(geometry(rt, d.View(w, h), w, h))
		}
		for d.Scroll(1) {
			page := body(geometry(rt, d.View(w, h), w, h))
			all = append(all, page[len(page)-1])
		}
		got, ok := core.Read(all)
		if !ok || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			rt.Fatalf("%+v\nis shown as\n%s\nand reads\n%+v, %v", want, strings.Join(all, "\n"), got, ok)
		}
	})
}

// Any keys on any cards on any screen: nothing leaves its place.
func TestNothingLeavesItsPlace(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := newDesk()
		for i := range rapid.IntRange(1, 20).Draw(rt, "steps") {
			switch rapid.IntRange(0, 5).Draw(rt, "what") {
			case 0:
				a, _ := asked(rt)
				a.ID = fmt.Sprint(i)
				d.Add(a)
			case 1:
				d.Inquire(event.Inquiry{ID: fmt.Sprint(i), Text: hostile.Draw(rt, "text"), Options: rapid.SliceOfN(hostile, 0, 12).Draw(rt, "options")})
			case 2:
				d.still()
			default:
				d.keys(rapid.OneOf(rapid.SampledFrom([]string{"y", "n", "s", "A", "e", "tab", "f", "t", "enter", "esc", "left", "right", "up", "down", "pgdown", "end", "home", "backspace"}), hostile).Draw(rt, "key"))
			}
			w, h := rapid.IntRange(1, 200).Draw(rt, "width"), rapid.IntRange(1, 50).Draw(rt, "height")
			v := d.View(w, h)
			if (v != "") != d.Up() {
				rt.Fatalf("up: %v, and the view is %q", d.Up(), v)
			}
			geometry(rt, v, w, h)
		}
	})
}

func TestNoRoomAtAll(t *testing.T) {
	d := up(question("1", install()))
	for _, size := range [][2]int{{0, 10}, {10, 0}, {-1, -1}} {
		if v := d.View(size[0], size[1]); v != "" {
			t.Errorf("%v: %q", size, v)
		}
	}
}

// Colours change no text.
func TestThemesSayTheSame(t *testing.T) {
	plain := up(question("1", install())).View(80, 24)
	for _, name := range theme.Names() {
		d := up(question("1", install()))
		th, _ := theme.Named(name)
		d.SetTheme(th)
		if v := d.View(80, 24); v != plain {
			t.Errorf("%s:\n%s\nplain:\n%s", name, v, plain)
		}
	}
}

// A frame of a card with a long change costs what is seen of it.
func BenchmarkView(b *testing.B) {
	a := question("1", install())
	a.Diff = strings.Repeat("+a line of a change\n", 3000)
	d := up(a)
	b.ReportAllocs()
	for b.Loop() {
		d.View(120, 40)
	}
}
