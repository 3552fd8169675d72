package composer

import "strings"

// editKind says which changes are undone together.
type editKind uint8

const (
	editOther  editKind = iota // undone alone
	editType                   // a character that was typed
	editDelete                 // a character that was deleted before the cursor
)

// change is one change of the text.
type change struct {
	at                pos
	removed, inserted string
	before, after     pos // the cursor
	kind              editKind
}

func (c change) size() int { return len(c.removed) + len(c.inserted) }

// The bounds of what can be undone.
const (
	maxChanges   = 1000
	maxRemembers = 4 << 20 // bytes
)

// history is what can be undone and redone.
type history struct {
	done, undone []change
	bytes        int
}

// note remembers a change. Characters of one word are one change.
func (h *history) note(c change) {
	h.undone = nil
	if n := len(h.done); n > 0 && h.done[n-1].joins(c) {
		last := &h.done[n-1]
		h.bytes += c.size()
		switch c.kind {
		case editType:
			last.inserted += c.inserted
		case editDelete:
			last.at, last.removed = c.at, c.removed+last.removed
		case editOther:
		}
		last.after = c.after
		return
	}
	h.done = append(h.done, c)
	h.bytes += c.size()
	for len(h.done) > 1 && (len(h.done) > maxChanges || h.bytes > maxRemembers) {
		h.bytes -= h.done[0].size()
		h.done = h.done[1:]
	}
}

// joins is true when a change goes on with this one.
func (c change) joins(next change) bool {
	switch {
	case c.kind != next.kind || c.after != next.before:
		return false
	case c.kind == editType:
		return next.removed == "" && c.removed == "" && after(c.at, c.inserted) == next.at && !starts(c.inserted, next.inserted)
	case c.kind == editDelete:
		return next.inserted == "" && c.inserted == "" && after(next.at, next.removed) == c.at && !starts(next.removed, c.removed)
	}
	return false
}

// starts is true when a word begins between two texts.
func starts(a, b string) bool {
	blankEnd := strings.HasSuffix(a, " ") || strings.HasSuffix(a, "\n")
	return strings.HasPrefix(b, "\n") || blankEnd && !strings.HasPrefix(b, " ")
}

// back undoes the last change; false when there is none.
func (b *buffer) back() bool {
	n := len(b.undo.done)
	if n == 0 {
		return false
	}
	c := b.undo.done[n-1]
	b.undo.done = b.undo.done[:n-1]
	b.undo.undone = append(b.undo.undone, c)
	b.replace(c.at, after(c.at, c.inserted), c.removed)
	b.moveTo(c.before)
	return true
}

// again does what was undone last once more; false when there is none.
func (b *buffer) again() bool {
	n := len(b.undo.undone)
	if n == 0 {
		return false
	}
	c := b.undo.undone[n-1]
	b.undo.undone = b.undo.undone[:n-1]
	b.undo.done = append(b.undo.done, c)
	b.replace(c.at, after(c.at, c.removed), c.inserted)
	b.moveTo(c.after)
	return true
}
