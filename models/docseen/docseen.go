// Package docseen is one small file between a session that edits it by line numbers,
// an output bound that cuts what the session is shown, and other programs that change
// the file. Which edits apply is core's decision on texts that are made from the state;
// the adversary does everything else.
package docseen

import (
	"strings"

	"tenet/core/doc"
	"tenet/core/doc/snapshot"
)

// Lines is how many lines the file has at most that anybody edits.
const Lines = 3

// Between is how many lines that nobody edits follow each of them, so that an answer
// that shows what is around one of them does not show the next. Behind them all is one
// more line, which every change by others makes a new one, so that no text comes back.
const Between = 5

// Past is the number that stands for a line past the end of the file.
const Past = 9

// Number is the line number in the file of one of its lines, counted from 0.
func Number(i int) int64 { return int64(i*(Between+1) + 1) }

// pastEnd is the line number past the end that edits name.
const pastEnd = 99

// Numbered is the line, counted from 1, that a line number stands for: Past for every
// number that is not one of Lines.
func Numbered(n int64) uint8 {
	for i := range Lines {
		if Number(i) == n {
			return uint8(i + 1)
		}
	}
	return Past
}

// ShortChars and LongChars are the characters of a line of either kind. A long one has
// one more than a rejection shows of a line (law reveal_bounds).
const (
	ShortChars = 8
	LongChars  = 513
)

// Line is what stands on a line: the text of a line of the version that the session
// holds, or another one, short or long.
type Line uint8

// The lines. 1 to Lines are those of the held version.
const (
	None Line = 0
	// Short and Long are texts that the held version does not have.
	Short Line = 10
	Long  Line = 11
)

// Text is the lines of a file from the first, None behind the last.
type Text [Lines]Line

// Len is how many lines there are.
func (t Text) Len() int {
	n := 0
	for n < Lines && t[n] != None {
		n++
	}
	return n
}

// State is the file and what the session knows of it.
type State struct {
	// Held is the version whose tag the session edits by; its lines are Short or Long.
	Held Text
	// Seen has the bit of each line of Held that the store says is seen, the first line
	// at bit 0.
	Seen uint8
	// Live is the file as it is.
	Live Text
	// Stale is true when others changed the file since.
	Stale bool
	// Tried is the edit that was rejected by the step before, for its unseen anchors.
	Tried Edit
	// Open has the bits of the anchors of Tried that were unseen.
	Open uint8
}

// Start is a file of each kind of line, of which nothing is seen.
var Start = State{Held: Text{Short, Long, Short}, Live: Text{1, 2, 3}}

// Change is what an edit does at its anchors.
type Change uint8

// The changes.
const (
	Nothing Change = iota
	ToShort        // each anchor becomes a new short line
	ToLong         // each anchor becomes a new long line
	Behind         // a new short line behind the last anchor
	Away           // each anchor goes
)

// Edit is an edit under the held tag.
type Edit struct {
	// Anchors has the bit of each line that the edit names, the first at bit 0; bit
	// Lines is the line Past.
	Anchors uint8
	Change  Change
}

// Kind is what happens.
type Kind uint8

// The kinds of operations.
const (
	Show  Kind = iota // rows of the file reach the model: those of Mask; the tool showed more
	Apply             // the session sends Edit
	Retry             // the session sends the edit that was just rejected once more
	Else              // the session does something else first
	Other             // another program makes the file what Text says, held lines by number
)

// Op is one operation.
type Op struct {
	Kind Kind
	Mask uint8
	Edit Edit
	Text Text
}

// Outcome is how an edit ended.
type Outcome uint8

// The outcomes.
const (
	NoEdit Outcome = iota
	Applied
	Rejected   // an anchor was not seen
	Mismatched // the place is not certain
)

// Row is a line that a rejection shows: its number, how many characters of it, and
// whether they are the first of that line.
type Row struct {
	Line  uint8
	Chars uint16
	True  bool
}

// Out is the answer to an edit.
type Out struct {
	Outcome Outcome
	// Named is the anchors that a rejection names, in its order, 0 behind the last.
	Named [Lines + 1]uint8
	// Shown is the rows of a rejection, in its order.
	Shown [Lines + 1]Row
	// Whole is what a rejection says of its rows.
	Whole bool
	// Past is true when a rejection names or shows more than fits here.
	Past bool
}

// held is the held version as bytes: every text of it is its own.
func (s State) held() []byte {
	b := make([]byte, 0, roomy)
	for i := range s.Held.Len() {
		b = append(append(b, text("held", i, s.Held[i])...), between...)
	}
	return append(b, "end of the held version\n"...)
}

// live is the file as bytes.
func (s State) live() []byte {
	if !s.Stale {
		return s.held()
	}
	b := make([]byte, 0, roomy)
	for i := range s.Live.Len() {
		b = append(append(b, s.line(i)...), between...)
	}
	return append(b, "end of the live file\n"...)
}

const (
	// between ends a line and has the lines that follow it.
	between = "\n.\n.\n.\n.\n.\n"
	// roomy is room for a file.
	roomy = (Lines + 1) * 2 * LongChars
)

// line is the text of a live line.
func (s State) line(i int) string {
	if l := s.Live[i]; l <= Lines {
		return text("held", int(l)-1, s.Held[l-1])
	}
	return text("live", i, s.Live[i])
}

// kind is whether a live line is Short or Long.
func (s State) kind(i int) Line {
	if l := s.Live[i]; l <= Lines {
		return s.Held[l-1]
	}
	return s.Live[i]
}

// text is a line of its own: each character past the first few takes two bytes, so that
// who counts bytes is noticed.
func text(of string, i int, kind Line) string {
	if kind == Long {
		return of + string(rune('1'+i)) + longTail
	}
	return of + string(rune('1'+i)) + shortTail
}

// The texts of lines begin with four letters and a digit.
var (
	shortTail = strings.Repeat("é", ShortChars-5)
	longTail  = strings.Repeat("é", LongChars-5)
)

// store is the session's store in this state.
func (s State) store() (*snapshot.Store, snapshot.Version) {
	st := snapshot.New()
	v := st.Record(name, s.held())
	st.MarkSeen(name, v.Digest, spans(s.Seen)...)
	return st, v
}

const name = "f"

// spans is the lines of a mask.
func spans(mask uint8) (out []doc.Span) {
	for i := range Lines {
		if mask&(1<<i) != 0 {
			out = append(out, doc.Span{From: Number(i), To: Number(i)})
		}
	}
	return out
}

// Mask is those of the first n lines that are in a set.
func Mask(seen snapshot.LineSet, n int) uint8 {
	m := uint8(0)
	for span := range seen.All() {
		for i := range n {
			if span.From <= Number(i) && Number(i) <= span.To {
				m |= 1 << i
			}
		}
	}
	return m
}

// takes makes a version the held one: its lines are now those that the numbers mean.
func (s State) takes(kinds Text, seen uint8) State {
	next := State{Held: kinds, Seen: seen}
	for i := range kinds.Len() {
		next.Live[i] = Line(i + 1)
	}
	return next
}

// kinds is the live lines, each Short or Long.
func (s State) kinds() Text {
	var t Text
	for i := range s.Live.Len() {
		t[i] = s.kind(i)
	}
	return t
}
