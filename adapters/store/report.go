package store

import (
	"fmt"
	"strings"

	"tenet/core/call"
	"tenet/core/event"
)

// Report is what a log is found to be.
type Report struct {
	Path string
	// Records is how many records stand, Bytes how long they are; First and Last are
	// their times.
	Records     uint64
	Bytes       int64
	First, Last string
	// Tail is what follows them, and Behind how many bytes; Flaw is why the first of
	// them is no record, and Stands the offset of a sound record behind it, -1 without.
	Tail   event.Tail
	Behind int64
	Flaw   event.Flaw
	Stands int64
	// Unreadable is the first record whose body cannot be read, nil without one.
	Unreadable error
	// Interrupted are the calls without a result. While another process holds the log
	// they may still run.
	Interrupted []event.OpenCall
	// Disorders are records that contradict earlier ones.
	Disorders []event.Disorder
	// Repairs are the torn ends that were cut off before, as the log tells of them.
	Repairs Repairs
	// Holder is the process that holds the log; nil when none is known.
	Holder *Busy
}

// reportOf is the report on a log whose records end at e and fold to s, up to one that
// is unreadable.
func reportOf(path string, e end, s event.State, unreadable error) Report {
	return Report{
		Path: path, Records: e.chain.Seq, Bytes: e.good, Tail: e.tail, Behind: e.behind(), Flaw: e.flaw, Stands: e.stands,
		Unreadable: unreadable, Interrupted: s.Calls, Disorders: s.Disorders, Repairs: s.Repairs,
	}
}

// OK reports whether the log is whole, readable and in order. Interrupted calls and
// earlier repairs are no faults of a log: they are what it is for.
func (r Report) OK() bool {
	return r.Tail == event.Whole && r.Unreadable == nil && len(r.Disorders) == 0
}

// Text is the report for a person, several lines, safe to show on a terminal.
func (r Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Path)
	r.chain(&b)
	if r.Holder != nil {
		fmt.Fprintf(&b, "in use: %v.\n", r.Holder)
	}
	if r.Unreadable != nil {
		fmt.Fprintf(&b, "unreadable: %v.\n", r.Unreadable)
	}
	for _, d := range r.Disorders {
		fmt.Fprintf(&b, "out of order: %v.\n", d)
	}
	for _, x := range r.Repairs {
		fmt.Fprintf(&b, "repaired before: %d bytes that were no sound record were cut off the end and kept in %s.\n", x.LostBytes, x.Kept)
	}
	for _, c := range r.Interrupted {
		fmt.Fprintf(&b, "interrupted: %s.\n", interrupted(c))
	}
	switch {
	case !r.OK():
	case r.Records == 0:
		b.WriteString("nothing to verify: the log holds no record. A session that never began leaves this, and so does whoever emptied the file.\n")
	default:
		b.WriteString("verified: every record is the one that was written, in its place.\n")
	}
	return call.Visible(b.String())
}

func (r Report) chain(b *strings.Builder) {
	if r.Records == 0 {
		b.WriteString("no record stands")
	} else {
		fmt.Fprintf(b, "%d records stand, %d bytes, %s to %s", r.Records, r.Bytes, r.First, r.Last)
	}
	b.WriteString(".\n")
	switch r.Tail {
	case event.Whole:
	case event.Torn:
		fmt.Fprintf(b, "torn: the last %d bytes (from byte %d) are %s: %v. Opening the session keeps them in a file beside the log and goes on before them.\n", r.Behind, r.Bytes, tornAs(r.Flaw), r.Flaw)
	case event.Broken:
		fmt.Fprintf(b, "BROKEN at record %d (byte %d): %v.", r.Records+1, r.Bytes, r.Flaw)
		if r.Stands >= 0 {
			fmt.Fprintf(b, " A record that is sound by itself stands at byte %d.", r.Stands)
		}
		b.WriteString(" No crash leaves this: the file was changed. The records before it are as they were written; nothing after it can be trusted.\n")
	}
}

// tornAs says what a torn end may be. A crash of the program leaves a line without
// its end, and a lost block reads as zeros; a whole line that is no sound record is
// seldom either, but with nothing sound behind it the log cannot tell it from an edit.
func tornAs(f event.Flaw) string {
	switch f {
	case event.Sound, event.Unended:
		return "an unfinished commit"
	case event.Shape, event.Gap, event.Link, event.Altered:
		return "no sound record although the line is whole: either a power loss left it of a commit that nobody was told of, or somebody changed the last record afterwards"
	}
	return "no sound record"
}

// interrupted names a call that has no result.
func interrupted(c event.OpenCall) string {
	what := fmt.Sprintf("call %s, %s %s", c.ID, c.Tool, call.OneLine(c.Args, 80))
	switch {
	case c.Started:
		return what + ", was running: it may have partially run, and is never run again"
	case c.Taken:
		return what + ", had not started: nothing of it ran"
	default:
		return what + ", was never taken up: nothing of it ran"
	}
}
