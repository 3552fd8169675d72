package snapshot

import (
	"fmt"
	"slices"
)

// The bounds of what a mismatch shows.
const (
	// Around is the lines shown on each side of an anchor.
	Around = 2
	// MismatchRows is how many rows are shown.
	MismatchRows = 120
)

// Mismatch is an edit whose tag does not name the bytes that are there.
type Mismatch struct {
	// Tag is the one that the edit names, Known whether this session ever gave it for
	// this file and still has the text.
	Tag   string
	Known bool
	// Near is the lines of the live text around the anchors, by the numbers that the edit
	// gives them.
	Near []Row
	// More is true when there are more of them than rows that are shown.
	More bool
}

func (v Verdict) mismatch(tag string, known bool, anchors []int64, live []byte) Verdict {
	anchors = inOrder(anchors)
	lines, more := around(anchors, v.Live.Lines)
	near := rowsOf(live, lines)
	for i := range near {
		_, near[i].Anchor = slices.BinarySearch(anchors, near[i].Line)
		near[i].Counts = !near[i].Cut
	}
	v.Outcome, v.Mismatch = Mismatched, Mismatch{Tag: tag, Known: known, Near: near, More: more}
	return v
}

// around is the lines next to the anchors, in order, each once, and whether there are
// more than a mismatch shows.
func around(anchors []int64, lines int64) (out []int64, more bool) {
	next := int64(1)
	for _, a := range anchors {
		if a-Around > lines {
			break
		}
		for next = max(next, a-Around); next <= min(a+Around, lines); next++ {
			if len(out) == MismatchRows {
				return out, true
			}
			out = append(out, next)
		}
	}
	return out, false
}

// explain says what does not match and what to do next.
func (m Mismatch) explain(name string, v Verdict) (before, after string) {
	before = fmt.Sprintf("%s was not changed: the edit is for #%s, but the file is #%s now.", name, m.Tag, v.Live.Tag)
	if m.Tag == v.Live.Tag {
		before = fmt.Sprintf("%s was not changed: it is another text now than the one that the edit is for, which happens to have the same tag, #%s.", name, m.Tag)
	}
	before += " " + m.cause(v.Change)
	if len(m.Near) > 0 {
		before += " The lines that have the edit's numbers now (*), and those around them:"
	}
	after = fmt.Sprintf("Write the edit again for [%s#%s], with the line numbers as they are now.", name, v.Live.Tag)
	if m.More {
		after = "There are more of them. " + after
	}
	return before, after
}

func (m Mismatch) cause(c Change) string {
	switch {
	case !m.Known:
		return fmt.Sprintf("This session has no text with the tag #%s for it: it never gave that tag, or it forgot the text since.", m.Tag)
	case c == ByUs:
		return "An earlier change of this session made the difference, and the place of the edit's lines is not certain."
	default:
		return "Something other than this session changed it, and the place of the edit's lines is not certain."
	}
}
