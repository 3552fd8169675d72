// Package doctags is a tool that takes a file piece by piece, searches or shows what it
// took, and names it by a tag, while another program changes the file at any point. The
// tag is given and looked up by core's store; the adversary does everything else.
package doctags

import (
	"fmt"
	"iter"

	"tenet/core/doc"
	"tenet/core/doc/snapshot"
)

// Kinds is how many different lines each half of the file can be.
const Kinds = 3

// Content is the file: which line its first half is and which its second, from 1. The
// zero value is no file.
type Content [2]uint8

// Bytes is the file as it lies on the disk. Of all contents, {1, 1} and {2, 2} have the
// same tag.
func (c Content) Bytes() []byte {
	return fmt.Appendf(nil, "first %d\nsecond %d\nend 33427\n", c[0], c[1])
}

// Parse reads what Bytes writes; ok is false for any other text.
func Parse(text []byte) (c Content, ok bool) {
	if _, err := fmt.Sscanf(string(text), "first %d\nsecond %d\n", &c[0], &c[1]); err != nil {
		return Content{}, false
	}
	return c, string(c.Bytes()) == string(text)
}

// Phase is how far the tool is.
type Phase uint8

// The phases.
const (
	Idle     Phase = iota
	Opened         // it opened the file
	Half           // it has the first half
	Taken          // it has all of it
	Searched       // it has the rows that it will show
	Told           // it gave them, under a tag
)

// State is the file and the tool.
type State struct {
	Disk  Content
	Phase Phase
	// Before is what the session was shown earlier.
	Before Content
	// Buffer is what the tool took.
	Buffer Content
	// Rows is what its rows show, Named the text that their tag leads to.
	Rows, Named Content
}

// Start is a file that nobody looked at.
var Start = State{Disk: Content{1, 1}}

// Op is one operation: the tool goes on, or another program makes the file Content.
type Op struct{ Other Content }

// Step is what must happen.
func Step(s State, op Op) (State, struct{}) {
	if op.Other != (Content{}) {
		s.Disk = op.Other
		return s, struct{}{}
	}
	switch s.Phase {
	case Idle, Told:
		s = State{Disk: s.Disk, Phase: Opened, Before: s.Rows}
	case Opened:
		s.Buffer[0], s.Phase = s.Disk[0], Half
	case Half:
		s.Buffer[1], s.Phase = s.Disk[1], Taken
	case Taken:
		s.Rows, s.Phase = search(s.Buffer.Bytes()), Searched
	case Searched:
		s.Named, s.Phase = s.named(), Told
	}
	return s, struct{}{}
}

// search is the rows of a text.
func search(text []byte) (c Content) {
	for n, l := range doc.Lines(text) {
		if n <= len(c) {
			c[n-1] = l.Text[len(l.Text)-1] - '0'
		}
	}
	return c
}

// named is the text that the tag of the buffer leads to.
func (s State) named() Content {
	store := snapshot.New()
	if s.Before != (Content{}) {
		store.Record("f", s.Before.Bytes())
	}
	given := store.Record("f", s.Buffer.Bytes()).Tag
	v, _ := store.Find("f", given)
	c, _ := Parse(v.Text)
	return c
}

// Ops lists what may happen next.
func Ops(State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		if !yield(Op{}) {
			return
		}
		for c := range Contents {
			if !yield(Op{Other: c}) {
				return
			}
		}
	}
}

// Contents lists all that the file can be.
func Contents(yield func(Content) bool) {
	for a := uint8(1); a <= Kinds; a++ {
		for b := uint8(1); b <= Kinds; b++ {
			if !yield(Content{a, b}) {
				return
			}
		}
	}
}
