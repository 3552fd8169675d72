// Package doccommit is one file with the writes of this session, of other programs
// and of writers that die on the way. What a write may do is core's decision; the
// adversary does everything else.
package doccommit

import (
	"iter"

	"tenet/core/doc"
)

// Contents is how many different contents the file can have.
const Contents = 3

// Names are the files whose temporary files lie in the directory; the first is the
// one that is written.
const Names = 2

// State is the directory and what the session was shown.
type State struct {
	// Disk is the content of the file, 1 to Contents; 0 when there is no file.
	Disk uint8
	// Saw has the bit of each content that the session was shown or wrote.
	Saw uint8
	// Left is true for each name that has a temporary file without a writer, Held for
	// each that has one with a live writer.
	Left, Held [Names]bool
}

// HasSeen reports whether the session saw a content.
func (s State) HasSeen(content uint8) bool { return s.Saw&(1<<content) != 0 }

// Kind is what happens.
type Kind uint8

// The kinds of operations.
const (
	Other Kind = iota // another program writes the content, or removes the file with 0
	Read              // the session reads the file
	Write             // the session writes the content
	Crash             // a writer of the name died and left its temporary file
	Stage             // another writer of the name holds a temporary file
	Die               // that writer dies
)

// Op is one operation.
type Op struct {
	Kind    Kind
	Content uint8
	Name    uint8
}

// Out is the answer to the session's own operations.
type Out struct{ Refused bool }

// Step is what must happen.
func Step(s State, op Op) (State, Out) {
	switch op.Kind {
	case Other:
		s.Disk = op.Content
	case Read:
		if s.Disk == 0 {
			return s, Out{Refused: true}
		}
		s.Saw |= 1 << s.Disk
	case Write:
		return s.write(op.Content)
	case Crash:
		s.Left[op.Name] = true
	case Stage:
		s.Held[op.Name] = true
	case Die:
		s.Held[op.Name], s.Left[op.Name] = false, true
	}
	return s, Out{}
}

func (s State) write(content uint8) (State, Out) {
	if s.Disk == content { // it already is what it should be
		s.Saw |= 1 << content
		return s, Out{}
	}
	if !s.versions().MayWrite(s.Disk != 0, uint64(s.Disk)) {
		return s, Out{Refused: true}
	}
	s.Disk = content
	s.Saw |= 1 << content
	for n := range s.Left {
		if s.Left[n] && doc.Swept(doc.TempName(uint64(n), 1, 1), 0, false) {
			s.Left[n] = false
		}
		if s.Held[n] && doc.Swept(doc.TempName(uint64(n), 1, 2), 0, true) {
			s.Held[n] = false
		}
	}
	return s, Out{}
}

func (s State) versions() doc.Versions {
	var v doc.Versions
	for c := uint8(1); c <= Contents; c++ {
		if s.HasSeen(c) {
			v = v.Saw(uint64(c))
		}
	}
	return v
}

// Ops lists what may happen next.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for c := range uint8(Contents + 1) {
			if !yield(Op{Kind: Other, Content: c}) || c > 0 && !yield(Op{Kind: Write, Content: c}) {
				return
			}
		}
		if !yield(Op{Kind: Read}) {
			return
		}
		for n := range uint8(Names) {
			next := Op{Kind: Stage, Name: n}
			if s.Held[n] {
				next.Kind = Die
			}
			if !yield(next) || !s.Left[n] && !yield(Op{Kind: Crash, Name: n}) {
				return
			}
		}
	}
}
