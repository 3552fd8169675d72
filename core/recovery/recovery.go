// Package recovery decides what becomes of a reply of a stuck model (H4.8): one that
// reasons to the output limit, one that writes its tool calls as text, and one that
// makes the same calls with the same results round after round. Each recovery has a
// cap of notes in a row; a turn's own budgets are core/turn's.
package recovery

import "tenet/core/turn"

// The caps.
const (
	LengthNotes    = 3   // length notes in a row
	LeakNotes      = 2   // leak notes in a row
	RedirectNotes  = 2   // redirect notes in a row
	RepeatCalls    = 5   // same rounds in a row, of which the last never runs
	ArgumentsShown = 400 // characters of a call's arguments that a note shows
)

// Caps are the caps of the recoveries.
type Caps struct{ Length, Leak, Redirect, Repeat uint8 }

// Production is the caps that run.
var Production = Caps{Length: LengthNotes, Leak: LeakNotes, Redirect: RedirectNotes, Repeat: RepeatCalls}

// Cause is why a reply was not taken. The first three are no recoveries: they have no
// cap but the turn's own budget of notes (H4.7).
type Cause uint8

// The causes of notes.
const (
	NoCause  Cause = iota
	NoAnswer       // no text and no call
	Stall          // nothing came for too long
	Repeated       // cut for repeating itself
	Length         // still reasoning at the output limit
	Leaked         // calls as text that could not be read
	Redirect       // the same calls with the same results again
)

var causeNames = [...]string{"", "no_answer", "stall", "repetition", "length", "leak", "redirect"}

// String is the cause as event.Failure spells it.
func (c Cause) String() string { return causeNames[c] }

// CauseOf is the cause of that spelling; ok is false for one that is none.
func CauseOf(s string) (c Cause, ok bool) {
	for i, n := range causeNames {
		if n == s {
			return Cause(i), true
		}
	}
	return NoCause, false
}

// Row is the notes in a row of one cause, which the next note of that cause goes on
// with. The zero value is no note. Another cause, an answer and calls that run end a
// row; a transient failure does not (H4.8.1).
type Row struct {
	Cause Cause
	Notes uint8
}

// of is how many notes of the cause came in a row.
func (r Row) of(c Cause) uint8 {
	if r.Cause != c {
		return 0
	}
	return r.Notes
}

// Next is the row with one more note of the cause. A note of a cause without a cap
// also ends the rows of others.
func (r Row) Next(c Cause) Row {
	n := r.of(c)
	if n < 1<<8-1 {
		n++
	}
	return Row{Cause: c, Notes: n}
}

// What is what a whole reply is, in the eyes of the recoveries.
type What uint8

// The replies.
const (
	Other     What = iota // no text and no call, and not at the output limit
	Answer                // text
	AtLimit               // no text and no call: still reasoning at the output limit
	LeakedOut             // text with calls that could not be read; see Scan
	Calls                 // calls, made or rebuilt, whatever the stop reason
)

var whatNames = [...]string{"other", "answer", "at limit", "leaked", "calls"}

// String names the reply.
func (w What) String() string { return whatNames[w] }

// Act is what becomes of a reply.
type Act uint8

// The acts.
const (
	Pass  Act = iota // not stuck: core/turn takes it as it is
	Exec             // the calls run
	Redo             // asked again, with the next note of the new row's cause
	Stand            // the text answers as it is
	Quit             // the turn fails
)

var actNames = [...]string{"pass", "exec", "redo", "stand", "quit"}

// String names the act.
func (a Act) String() string { return actNames[a] }

// Decide is the whole rule. same counts, for Calls, the rounds in a row that end the
// context and had these same calls with the same results (Rounds). The row that comes
// back is the one after this reply.
func (c Caps) Decide(r Row, w What, same int) (Act, Row) {
	switch w {
	case AtLimit:
		return redo(r, Length, c.Length, Quit)
	case LeakedOut:
		return redo(r, Leaked, c.Leak, Stand)
	case Calls:
		if same+1 >= int(c.Repeat) {
			return redo(r, Redirect, c.Redirect, Quit)
		}
		return Exec, Row{}
	case Answer:
		return Pass, Row{}
	case Other:
	}
	return Pass, r.Next(NoAnswer)
}

// redo asks again while the cause's row is under its cap.
func redo(r Row, c Cause, most uint8, end Act) (Act, Row) {
	if r.of(c) >= most {
		return end, Row{}
	}
	return Redo, r.Next(c)
}

// Input is what the act tells core/turn of a whole reply (H4.8: a redo is a noted
// error, so it sends a new request and spends a note; a quit fails at once).
func (a Act) Input(text, calls, length bool) turn.Input {
	switch a {
	case Redo:
		return turn.Input{Kind: turn.Noted}
	case Quit:
		return turn.Input{Kind: turn.GaveUp}
	case Exec, Stand, Pass:
	}
	return turn.Input{Kind: turn.Replied, Text: text, Calls: calls, Length: length}
}
