// Package transcript shows what happened in a session: the records of the log as rows
// that a person reads. It is a list that lays out only what is seen of it, keeps what it
// laid out while it is near, and keeps the place where a person reads while more comes.
package transcript

import (
	"time"

	"tenet/core/event"
	"tenet/tui/theme"
)

// Options is what a transcript needs to know.
type Options struct {
	Theme *theme.Theme
	// Now is the time for what still runs; time.Now when nil.
	Now func() time.Time
	// Workspace is the folder that paths are shown relative to.
	Workspace string
	// ReducedMotion leaves out what moves without news.
	ReducedMotion bool
}

// Transcript is the list. It is used by one goroutine.
type Transcript struct {
	o    Options
	w, h int
	pens pens
	list list
	book book
	view view
	find finding
	// chosen is the selected item, nil for none.
	chosen *item
	// open is true while every item is shown in full.
	open bool
}

// New is an empty transcript of no size.
func New(o Options) *Transcript {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Theme == nil {
		o.Theme, _ = theme.Named(theme.Default)
	}
	t := &Transcript{o: o, pens: newPens(o.Theme), view: view{follow: true}}
	t.list.budget, t.list.most, t.list.drawn.budget = maxKept, maxItems, maxDrawn
	t.book = newBook()
	return t
}

// SetSize is the room there is, in cells and lines. The line at the top stays there; a
// view of the end stays at the end.
func (t *Transcript) SetSize(w, h int) {
	w, h = max(w, 0), max(h, 0)
	if w != t.w {
		t.keepPlace(func() {
			t.w = w
			t.list.drawn.forget()
		})
	}
	t.h = h
}

// SetTheme changes the look.
func (t *Transcript) SetTheme(th *theme.Theme) {
	t.o.Theme, t.pens = th, newPens(th)
	t.keepPlace(t.list.drawn.forget)
}

// Add takes records in, in their order; one that it has is passed over.
func (t *Transcript) Add(records ...event.Record) {
	for _, r := range records {
		if r.Seq <= t.book.seq {
			continue
		}
		t.book.seq = r.Seq
		t.take(r)
	}
	t.bound()
}

// Note adds a row of the interface's own, which is in no log. The kinds "warning" and
// "error" have their signs; "help" and "why" are shown in full, others muted.
func (t *Transcript) Note(kind, s string) {
	t.append(&item{kind: noted, label: kind, body: clip(s, maxText)})
	t.bound()
}

// Live takes a sign of what goes on: pieces of the reply, and what a command writes. The
// others are for the status line.
func (t *Transcript) Live(l event.Live) {
	switch l.Kind {
	case event.LiveDelta:
		t.delta(thought, l.Thinking)
		t.delta(said, l.Text)
	case event.LiveOutput:
		t.output(l)
	case event.LiveWaiting, event.LiveRetry, event.LivePoll:
	}
}

// output shows the end of what a command wrote until now.
func (t *Transcript) output(l event.Live) {
	it := t.book.calls[l.Call]
	if it == nil {
		it = t.book.jobs[l.Job]
	}
	if it == nil || it.tool == nil {
		return
	}
	it.tool.live = lastBytes(it.tool.live+l.Text, maxLive)
	t.stale(it)
}
