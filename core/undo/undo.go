// Package undo decides what of a session's changes of files can be taken back, and what an
// undo must find on the disk before it may touch anything. It reads no disk: the owner says
// what stands where, and does what the answer says.
package undo

import "slices"

// Mark names what stands at a path: the digest of the bytes, empty when there is no file.
// Two equal marks are equal bytes.
type Mark string

// None is the mark of a path without a file.
const None Mark = ""

// Side is one path of a change: what stood there before and what the session left there.
type Side struct {
	Path          string
	Before, After Mark
}

// Change is one change that the session made, by a call or by an undo. One that moves a file
// has two sides, all others one.
type Change struct {
	// Seq is its record.
	Seq   uint64
	Sides []Side
	// Undoes is the record of the change that it took back, 0 for a change of its own.
	Undoes uint64
}

// touches reports whether the change is of a path.
func (c Change) touches(path string) bool {
	return slices.ContainsFunc(c.Sides, func(s Side) bool { return s.Path == path })
}

// Back is the change that takes this one back: each path gets what stood there before.
func (c Change) Back() []Side {
	out := make([]Side, len(c.Sides))
	for i, s := range c.Sides {
		out[i] = Side{Path: s.Path, Before: s.After, After: s.Before}
	}
	return out
}

// History is the changes of a session, in the order of their records.
type History []Change

// Stands reports which of the changes are not taken back. One that took another back, and
// was taken back itself, has that other stand again.
func (h History) Stands() []bool {
	stands := make([]bool, len(h))
	at := map[uint64]int{}
	for i, c := range h {
		stands[i] = true
		at[c.Seq] = i
		j, ok := at[c.Undoes]
		if c.Undoes == 0 || !ok {
			continue
		}
		stands[j] = false
		if k, ok := at[h[j].Undoes]; ok && h[j].Undoes != 0 {
			stands[k] = true
		}
	}
	return stands
}

// Last is the change of a path that an undo takes back: the newest of the session's own that
// stands. ok is false when there is none.
func (h History) Last(path string) (c Change, ok bool) {
	stands := h.Stands()
	for i, c := range slices.Backward(h) {
		if c.Undoes == 0 && stands[i] && c.touches(path) {
			return c, true
		}
	}
	return Change{}, false
}

// Undone is the undo of a path that a redo takes back: the newest that stands, unless the
// session changed the path since.
func (h History) Undone(path string) (c Change, ok bool) {
	stands := h.Stands()
	for i, c := range slices.Backward(h) {
		switch {
		case !c.touches(path) || !stands[i]:
		case h.takesBack(c):
			return c, true
		case c.Undoes == 0:
			return Change{}, false
		}
	}
	return Change{}, false
}

// takesBack reports whether a change is an undo: it took one of the session's own back, and
// not an undo.
func (h History) takesBack(c Change) bool {
	return c.Undoes != 0 && slices.ContainsFunc(h, func(o Change) bool { return o.Seq == c.Undoes && o.Undoes == 0 })
}

// Refusal is why a change is not taken back.
type Refusal uint8

// The refusals.
const (
	Allowed Refusal = iota // it may be taken back
	Differs                // something else changed a path since: its work would be lost
	Later                  // the session changed another path of it since: that is taken back first
)

var refusalNames = [...]string{"allowed", "differs", "later"}

// String names the refusal.
func (r Refusal) String() string { return refusalNames[r] }

// May reports whether a change may be taken back now: no later change of one of its paths
// stands, and every path of it holds what the session left there (law
// undo_never_overwrites_others_work). at names the first path that is against it.
func (h History) May(c Change, now func(path string) Mark) (r Refusal, at string) {
	stands := h.Stands()
	for i, o := range slices.Backward(h) {
		if o.Seq <= c.Seq {
			break
		}
		for _, s := range c.Sides {
			if o.Undoes == 0 && stands[i] && o.touches(s.Path) {
				return Later, s.Path
			}
		}
	}
	for _, s := range c.Sides {
		if h.left(s.Path) != s.After {
			return Differs, s.Path
		}
	}
	return c.Left(now)
}

// left is what the session left at a path last, by a change or by an undo.
func (h History) left(path string) Mark {
	for _, c := range slices.Backward(h) {
		for _, s := range c.Sides {
			if s.Path == path {
				return s.After
			}
		}
	}
	return None
}

// Left reports whether every path of a change holds what the session left there.
func (c Change) Left(now func(path string) Mark) (r Refusal, at string) {
	for _, s := range c.Sides {
		if now(s.Path) != s.After {
			return Differs, s.Path
		}
	}
	return Allowed, ""
}
