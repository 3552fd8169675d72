package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenet/core/event"
	"tenet/tui/theme"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// talk fills a transcript with messages.
func talk(r *rig, n int) {
	for i := range n {
		r.add(event.Prompt{Text: fmt.Sprintf("question %d", i)}, event.Reply{Text: fmt.Sprintf("answer %d is a sentence of some words that takes more than one line in a window that is narrow, "+
			"and goes on with\n\n- one point\n- another point", i)})
	}
}

// A person who scrolled up stays where they are while text streams, sees how much came
// below, and End follows again (case tui-016).
func TestAViewThatLeftTheEndStaysPut(t *testing.T) {
	r := newRig(t, 60, 12)
	talk(r, 20)
	if !r.Following() || r.Unseen() != 0 || !strings.Contains(r.seen(), "answer 19") {
		t.Fatalf("it does not follow from the beginning:\n%s", r.seen())
	}
	r.Live(event.Live{Kind: event.LiveDelta, Text: "a reply "})
	r.Scroll(-15)
	before := r.seen()
	if r.Following() {
		t.Fatal("it follows though a person scrolled up")
	}
	for range 50 {
		r.Live(event.Live{Kind: event.LiveDelta, Text: "that goes on\n\n"})
		if got := r.seen(); got != before {
			t.Fatalf("the view moved while text streamed:\n%s\n--- before\n%s", got, before)
		}
	}
	r.add(event.Reply{Text: "a reply " + strings.Repeat("that goes on\n\n", 50)}, event.Ending{How: "answered", Rounds: 1}, event.Prompt{Text: "next"})
	if got := r.seen(); got != before {
		t.Fatalf("the view moved when the reply was done:\n%s\n--- before\n%s", got, before)
	}
	if n := r.Unseen(); n != 2 {
		t.Errorf("%d items are counted as unseen, the end of the turn and the next message are", n)
	}
	r.End()
	if !r.Following() || r.Unseen() != 0 || !strings.Contains(r.seen(), "› next") {
		t.Errorf("End does not follow again:\n%s", r.seen())
	}
	r.Live(event.Live{Kind: event.LiveDelta, Text: "more"})
	if !strings.Contains(r.seen(), "more") {
		t.Errorf("it does not follow what comes:\n%s", r.seen())
	}
}

// A person who reads in the middle of a reply that streams reads on at the same line
// when its record takes the place of the stream.
func TestThePlaceInAStreamStays(t *testing.T) {
	r := newRig(t, 40, 5)
	talk(r, 3)
	var text strings.Builder
	for i := range 30 {
		fmt.Fprintf(&text, "paragraph %d\n\n", i)
	}
	r.Live(event.Live{Kind: event.LiveDelta, Thinking: "hm\nhm\nhm"})
	r.Live(event.Live{Kind: event.LiveDelta, Text: text.String()})
	r.seen()
	r.Scroll(-20)
	before := r.seen()
	if !strings.Contains(before, "paragraph 18") {
		t.Fatalf("not in the stream:\n%s", before)
	}
	r.add(event.Submission{ID: "s", Text: "wait", How: event.Queue})
	r.Note("note", "a note of the interface")
	if got := r.seen(); got != before {
		t.Fatalf("a row above moved the view:\n%s\n--- before\n%s", got, before)
	}
	r.add(event.Reply{Text: text.String(), Thinking: "hm\nhm\nhm"})
	if got := r.seen(); got != before {
		t.Fatalf("the record moved the view:\n%s\n--- before\n%s", got, before)
	}
}

// What streams is seen as it comes, and is the same text when it is done.
func TestAStreamBecomesItsRecord(t *testing.T) {
	r := newRig(t, 60, 20)
	r.add(event.Prompt{Text: "go"}, event.Request{})
	r.Live(event.Live{Kind: event.LiveDelta, Thinking: "first\nsecond\nthird\nfourth\nfifth"})
	if s := r.seen(); !strings.Contains(s, "∴ thinking") || !strings.Contains(s, "fifth") || strings.Contains(s, "first") {
		t.Errorf("while it thinks:\n%s", s)
	}
	text := "Some **text**:\n\n```go\nfunc main() {}\n```\n\n- a\n- b\n"
	for i := 0; i < len(text); i += 3 {
		r.Live(event.Live{Kind: event.LiveDelta, Text: text[i:min(i+3, len(text))]})
		r.seen()
	}
	streamed := r.seen()
	r.add(event.Reply{Text: text, Thinking: "first\nsecond\nthird\nfourth\nfifth"})
	after := r.seen()
	cut := func(s string) string { return s[strings.Index(s, "Some"):] }
	if a, b := strings.TrimSpace(cut(streamed)), strings.TrimSpace(cut(after)); a != b {
		t.Errorf("streamed:\n%s\n--- the record\n%s", a, b)
	}
	if !strings.Contains(after, "∴ thought: first … 4 lines more") {
		t.Errorf("the thinking is not folded:\n%s", after)
	}
	r.Live(event.Live{Kind: event.LiveDelta, Text: "half a rep"})
	r.add(event.Failure{Class: "cut", Message: "the stream was cut", RetryMS: 500, Text: "half a rep"})
	if s := r.seen(); strings.Contains(s, "half a rep") || !strings.Contains(s, "✗ the stream was cut") || !strings.Contains(s, "after 0.5s") {
		t.Errorf("a reply that failed:\n%s", s)
	}
}

// 80, 120 and 80 columns again: the line at the top is the same one (case tui-009), also
// after six times.
func TestAResizeKeepsTheLine(t *testing.T) {
	r := newRig(t, 80, 20)
	talk(r, 200)
	r.seen()
	for _, up := range []int{137, 3, 91} {
		r.Scroll(-up)
		before := r.seen()
		top := strings.SplitN(strings.TrimSpace(before), "\n", 2)[0]
		for range 6 {
			r.SetSize(120, 20)
			if words := strings.Fields(top); !strings.Contains(strings.Join(strings.Fields(r.seen()), " "), words[0]+" "+words[1]) {
				t.Errorf("at 120 columns %q is not seen:\n%s", top, r.seen())
			}
			r.SetSize(33, 7)
			r.seen()
			r.SetSize(80, 20)
		}
		if after := r.seen(); after != before {
			t.Errorf("after 80, 120, 33 and 80 columns:\n%s\n--- before\n%s", after, before)
		}
	}
	r.End()
	r.SetSize(120, 20)
	if !r.Following() || !strings.Contains(r.seen(), "answer 199") {
		t.Error("a view of the end does not stay at the end")
	}
}

func TestScrollingGoesLineByLine(t *testing.T) {
	r := newRig(t, 50, 10)
	talk(r, 10)
	all := strings.Split(r.Tail(10_000), "\n")
	for i, l := range all {
		all[i] = strings.TrimRight(" "+l, " ")
	}
	r.Home()
	for n := 0; n+10 <= len(all); n++ {
		got := strings.Split(r.seen(), "\n")
		if !slices.Equal(got, all[n:n+10]) {
			t.Fatalf("after %d lines:\n%q\nwant\n%q", n, got, all[n:n+10])
		}
		r.Scroll(1)
	}
	if !r.Following() {
		t.Error("at the end it does not follow")
	}
	for n := len(all) - 10; n >= 0; n-- {
		if got := strings.Split(r.seen(), "\n"); !slices.Equal(got, all[n:n+10]) {
			t.Fatalf("up at %d:\n%q\nwant\n%q", n, got, all[n:n+10])
		}
		r.Scroll(-1)
	}
	r.Home()
	first := r.seen()
	r.Page(1)
	r.Page(-1)
	if r.seen() != first {
		t.Error("a page down and up is not where it began")
	}
}

// The selection is marked, kept in view, and names its call; the calls of an open group
// are selected one by one.
func TestSelecting(t *testing.T) {
	r := newRig(t, 80, 14)
	r.add(story()[:12]...)
	r.Move(-1)
	call, ok := r.Selected()
	if !ok || call != "c2" || !strings.Contains(r.seen(), "▌✓ Read core/gate/gate.go, Search") {
		t.Fatalf("%q %t\n%s", call, ok, r.seen())
	}
	r.Toggle()
	r.Move(1)
	if call, _ = r.Selected(); call != "c1" {
		t.Errorf("in the open group %q is selected", call)
	}
	r.Move(1)
	if call, _ = r.Selected(); call != "c2" || !strings.Contains(r.seen(), "▌  ✓ Search") {
		t.Errorf("then %q\n%s", call, r.seen())
	}
	if s := r.Copy(); !strings.Contains(s, "Search func Gate in core") || !strings.Contains(s, "core/gate/gate.go:12: func Gate") {
		t.Errorf("its copy is %q", s)
	}
	r.Move(-5)
	if _, ok := r.Selected(); ok || !strings.Contains(r.seen(), "▌") {
		t.Errorf("a message is no call:\n%s", r.seen())
	}
	if s := r.Copy(); s != "Fix the tests.\nThen copy it." {
		t.Errorf("the copy of a message is %q", s)
	}
	r.End()
	if strings.Contains(r.seen(), "▌") {
		t.Error("End leaves the selection")
	}
	if s := r.Copy(); !strings.HasPrefix(s, "I look **first**") {
		t.Errorf("without a selection the copy is %q", s)
	}
}

// A search finds what is folded, opens it, marks it, and goes around.
func TestSearching(t *testing.T) {
	lipgloss.SetColorProfile(termenv.TrueColor)
	defer lipgloss.SetColorProfile(termenv.Ascii)
	r := newRig(t, 80, 12)
	talk(r, 30)
	r.add(story()...)
	talk(r, 30)
	if n := r.Search("NOT THERE"); n != 0 {
		t.Errorf("%d places of what is not there", n)
	}
	if n := r.Search("Core/Call"); n != 1 {
		t.Errorf("%d places in a folded output", n)
	}
	r.Match(1)
	th, _ := theme.Named("mono")
	if !strings.Contains(r.View(), theme.InkOf(th.Match).Paint("core/call")) {
		t.Errorf("it is not marked:\n%s", r.seen())
	}
	if n := r.Search("question"); n != 60 {
		t.Errorf("%d places", n)
	}
	r.Match(1)
	last := r.seen()
	r.Match(1)
	if !strings.Contains(r.seen(), "question 0") {
		t.Errorf("after the last comes the first:\n%s", r.seen())
	}
	r.Match(-1)
	if r.seen() != last {
		t.Error("and back")
	}
	r.ClearSearch()
	if strings.Contains(r.View(), theme.InkOf(th.Match).Paint("question")) {
		t.Error("the marks stay")
	}
}

func TestMarksKeepTheStylesAround(t *testing.T) {
	lipgloss.SetColorProfile(termenv.TrueColor)
	defer lipgloss.SetColorProfile(termenv.Ascii)
	th, _ := theme.Named("dark")
	k, bold := theme.InkOf(th.Match), theme.InkOf(th.Strong)
	for line, want := range map[string]string{
		"a word b":                             "a " + k.Paint("word") + " b",
		bold.Paint("a word b"):                 "\x1b[1ma \x1b[0m" + k.Paint("word") + "\x1b[1m b\x1b[0m",
		"a wo" + bold.Paint("rd b"):            "a " + k.Paint("word") + "\x1b[1m b\x1b[0m",
		"Word日word":                            k.Paint("Word") + "日" + k.Paint("word"),
		"no":                                   "no",
		bold.Paint("wordword"):                 "\x1b[1m\x1b[0m" + k.Paint("word") + "\x1b[1m\x1b[0m" + k.Paint("word") + "\x1b[1m\x1b[0m",
		strings.Repeat("İ", 3) + " word stays": strings.Repeat("İ", 3) + " word stays",
	} {
		if got := mark(line, "word", k); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		} else if ansi.Strip(got) != ansi.Strip(line) {
			t.Errorf("%q: the text became %q", line, ansi.Strip(got))
		}
	}
}
