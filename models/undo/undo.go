// Package undo is a session that changes two files while others change them too, and takes
// its changes back. core/undo says what is taken back and what may be; the environment says
// what lies on the disk. Its relation to production is same.
package undo

import (
	"fmt"
	"iter"

	core "tenet/core/undo"
)

// The bounds of the model.
const (
	Paths    = 2 // p0 and p1
	Contents = 3 // none, and two texts
	Length   = 4 // changes that the session's log has
)

// Entry is one change of the log: what it did to each path whose bit in Touches is set.
type Entry struct {
	Before, After [Paths]uint8
	Touches       uint8
	// Undoes is the entry that it took back, counted from 1; 0 for a change of its own.
	Undoes uint8
}

// Has reports whether the entry is of a path.
func (e Entry) Has(path uint8) bool { return e.Touches&(1<<path) != 0 }

// State is the disk and the log. The zero value is an empty directory.
type State struct {
	Disk [Paths]uint8
	Log  [Length]Entry
	N    uint8
}

// Kind is what happens.
type Kind uint8

// The kinds.
const (
	Write  Kind = iota // the session writes a content to a path
	Remove             // the session removes a file
	Move               // the session moves a file to the other path, which is free
	Other              // somebody else makes the path have a content, or none
	Undo               // a person takes the last change of a path back
	Redo               // a person takes the last undo of a path back
)

var kindNames = [...]string{"write", "remove", "move", "other", "undo", "redo"}

// String names the kind.
func (k Kind) String() string { return kindNames[k] }

// Op is one event.
type Op struct {
	Kind          Kind
	Path, Content uint8
}

// Out is the answer to an undo and a redo: which entry was taken back, counted from 1, or
// why none was.
type Out struct {
	Took uint8
	// Nothing is true when there was none, Refused when something stands against it.
	Nothing, Refused bool
}

// Ops are what may happen next. A log that is full takes no change.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for p := range uint8(Paths) {
			for _, op := range s.at(p) {
				if !yield(op) {
					return
				}
			}
		}
	}
}

func (s State) at(p uint8) (out []Op) {
	for c := range uint8(Contents) {
		if c == s.Disk[p] {
			continue
		}
		out = append(out, Op{Other, p, c})
		if c > 0 && s.N < Length {
			out = append(out, Op{Write, p, c})
		}
	}
	if s.N == Length {
		return out
	}
	if s.Disk[p] > 0 {
		out = append(out, Op{Kind: Remove, Path: p})
		if s.Disk[1-p] == 0 {
			out = append(out, Op{Kind: Move, Path: p})
		}
	}
	return append(out, Op{Kind: Undo, Path: p}, Op{Kind: Redo, Path: p})
}

// Step is the whole rule.
func (s State) Step(op Op) (State, Out) {
	next := s.Disk
	switch p := op.Path; op.Kind {
	case Other:
		s.Disk[p] = op.Content
		return s, Out{}
	case Write:
		next[p] = op.Content
		return s.change(next, 1<<p, 0), Out{}
	case Remove:
		next[p] = 0
		return s.change(next, 1<<p, 0), Out{}
	case Move:
		next[p], next[1-p] = 0, s.Disk[p]
		return s.change(next, 3, 0), Out{}
	case Undo, Redo:
		return s.back(op)
	}
	return s, Out{}
}

func (s State) change(next [Paths]uint8, touches, undoes uint8) State {
	e := Entry{Touches: touches, Undoes: undoes}
	for p := range uint8(Paths) {
		if e.Has(p) {
			e.Before[p], e.After[p] = s.Disk[p], next[p]
		}
	}
	s.Log[s.N] = e
	s.N++
	s.Disk = next
	return s
}

// back asks core what to take back, and whether it may be.
func (s State) back(op Op) (State, Out) {
	h := s.History()
	c, ok := h.Last(PathOf(op.Path))
	if op.Kind == Redo {
		c, ok = h.Undone(PathOf(op.Path))
	}
	if !ok {
		return s, Out{Nothing: true}
	}
	if r, _ := h.May(c, func(path string) core.Mark { return MarkOf(s.Disk[indexOf(path)]) }); r != core.Allowed {
		return s, Out{Refused: true}
	}
	next, touches := s.Disk, uint8(0)
	for _, side := range c.Back() {
		next[indexOf(side.Path)] = contentOf(side.After)
		touches |= 1 << indexOf(side.Path)
	}
	return s.change(next, touches, uint8(c.Seq)), Out{Took: uint8(c.Seq)}
}

// History is the log as core reads it.
func (s State) History() (h core.History) {
	for i, e := range s.Log[:s.N] {
		c := core.Change{Seq: uint64(i + 1), Undoes: uint64(e.Undoes)}
		for p := range uint8(Paths) {
			if e.Has(p) {
				c.Sides = append(c.Sides, core.Side{Path: PathOf(p), Before: MarkOf(e.Before[p]), After: MarkOf(e.After[p])})
			}
		}
		h = append(h, c)
	}
	return h
}

// PathOf names a path.
func PathOf(p uint8) string { return fmt.Sprint("p", p) }

func indexOf(path string) uint8 { return path[1] - '0' }

var marks = [Contents]core.Mark{core.None, "a", "b"}

// MarkOf is the mark of a content.
func MarkOf(c uint8) core.Mark { return marks[c] }

func contentOf(m core.Mark) uint8 {
	for c, have := range marks {
		if have == m {
			return uint8(c)
		}
	}
	return 0
}
