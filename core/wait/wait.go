// Package wait decides how a wait ends: it races an event, a deadline and a cancel,
// the first wins, and it ends exactly once (H6). Nothing here waits; whoever does
// (adapters/wait) looks at what is there, says so, and does what it is answered.
package wait

import "time"

// End is how a wait has ended.
type End uint8

// The ends.
const (
	Waiting   End = iota // it has not
	Event                // what was waited for is there
	Cancelled            // the cancel came first
	Deadline             // the deadline passed first
)

var endNames = [...]string{"waiting", "event", "cancelled", "deadline"}

// String names the end for a record or a message.
func (e End) String() string { return endNames[e] }

// Wait is one wait. Use Begin.
type Wait struct {
	// End is how it ended.
	End End
	// Bounded is true while a deadline can still end it.
	Bounded bool
	// Left is the time until the deadline, 0 when it has passed already; meaningful
	// only while Bounded.
	Left time.Duration
}

// Begin is a wait that has not ended. A deadline of 0 is none; one below 0, which a
// caller gets by subtracting, has passed already and is not taken for none.
func Begin(deadline time.Duration) Wait {
	return Wait{Bounded: deadline != 0, Left: max(deadline, 0)}
}

// Seen is one look at what a wait races: all that is there at that instant.
type Seen struct {
	// Event and Cancel are true when the thing is there.
	Event, Cancel bool
	// Passed is the time since the look before, or since the begin.
	Passed time.Duration
}

// Look is the wait after a look. What is there at the same instant is a tie: the
// event wins it, because whoever sent it has given it away and a wait that drops it
// loses it for everybody; then the cancel, because a person who stopped must not be
// told of a deadline instead. An ended wait stays as it is, whatever comes.
func (w Wait) Look(s Seen) Wait {
	if w.End != Waiting {
		return w
	}
	left := w.Left - max(s.Passed, 0)
	switch {
	case s.Event:
		return Wait{End: Event}
	case s.Cancel:
		return Wait{End: Cancelled}
	case w.Bounded && left <= 0:
		return Wait{End: Deadline}
	case w.Bounded:
		w.Left = left
	}
	return w
}
