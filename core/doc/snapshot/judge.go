package snapshot

import (
	"bytes"
	"fmt"

	"tenet/core/doc"
)

// Outcome is what becomes of an edit's section.
type Outcome uint8

// The outcomes.
const (
	Applies    Outcome = iota // at its anchors moved by Offset
	Unseen                    // an anchor was not seen: Rejection says which
	Mismatched                // the tag names other bytes and the place is not certain
)

// Change is what happened to a file between the version that a tag names and the bytes
// that are there.
type Change uint8

// The changes.
const (
	Unchanged Change = iota
	ByUs             // this session's own edit or write is what is there
	ByOthers         // another program changed it
)

// Verdict is a judged section.
type Verdict struct {
	Outcome Outcome
	// Offset is how far the anchors move, in lines.
	Offset int64
	// Live is the version that is there; it is in the store, so that its tag is of use.
	Live Version
	// Base is the version whose lines the anchors count, the one that the tag names.
	Base Version
	// Change is what happened since the version that the tag names. A tag that was never
	// known counts as a change by others.
	Change Change
	// Seen is the lines of Live that were seen, those of the moved anchors included.
	Seen LineSet
	// Rejection says why the section is Unseen, Mismatch why it is Mismatched.
	Rejection Rejection
	Mismatch  Mismatch
	ends      bool
}

// Judge decides a section of an edit: tag is the one that it names, anchors the lines
// that it counts on, live the bytes that are there, which become the latest version of
// the file. ends is true when the section does nothing but insert at the start or the
// end, which every version has (7.4, S8.8).
func (s *Store) Judge(path, tag string, anchors []int64, ends bool, live []byte) Verdict {
	base, known := s.Find(path, tag)
	v := Verdict{Live: s.Record(path, live), Base: base, ends: ends}
	if v.Live.Tag == tag && (!known || bytes.Equal(base.Text, live)) {
		v.Base = v.Live
	} else {
		v.Change = s.changed(path, v.Live)
	}
	switch {
	case v.Change == Unchanged:
	case ends:
		v.Base = v.Live
	case !known:
		return v.mismatch(tag, false, anchors, live)
	default:
		offset, ok := Drift(base.Text, live, anchors)
		if !ok {
			return v.mismatch(tag, true, anchors, live)
		}
		v.Offset = offset
	}
	return v.guard(s, path, anchors)
}

func (s *Store) changed(path string, live Version) Change {
	if e := s.at(path, live.Digest); e != nil && e.own {
		return ByUs
	}
	return ByOthers
}

// guard holds the anchors against what was seen of the version that they count in.
func (v Verdict) guard(s *Store, path string, anchors []int64) Verdict {
	v.Rejection = Guard(anchors, s.Seen(path, v.Base.Digest), v.Base.Text)
	if v.Rejection.Rejects() {
		v.Outcome = Unseen
		return v
	}
	moved := make([]doc.Span, len(anchors))
	for i, a := range anchors {
		moved[i] = doc.Span{From: a + v.Offset, To: a + v.Offset}
	}
	v.Seen = s.Seen(path, v.Live.Digest).Union(Lines(moved...))
	return v
}

// Landed keeps the bytes that an edit put in place of v.Live as the latest version, with
// what is seen of it: the lines seen before, and those that the edit wrote.
func (s *Store) Landed(path string, v Verdict, pieces []doc.Piece, bytes []byte) Version {
	after := s.Wrote(path, bytes)
	s.MarkSeen(path, after.Digest, Edited(v.Seen, pieces, v.Live.Lines).Spans()...)
	return after
}

// Warning says, of a section that applies though the file changed, what happened; ""
// when it did not.
func (v Verdict) Warning(name, tag string) string {
	if v.Outcome != Applies || v.Change == Unchanged {
		return ""
	}
	text := fmt.Sprintf("%s is no longer #%s: ", name, tag)
	if v.Change == ByUs {
		text += "an earlier change of this session made it #" + v.Live.Tag
	} else {
		text += "something other than this session made it #" + v.Live.Tag
	}
	switch {
	case v.ends:
		return text + "; inserts at the start or the end apply all the same"
	case v.Offset == 0:
		return text + "; the lines of this edit are the same and stand where they stood"
	default:
		return text + fmt.Sprintf("; the lines of this edit are the same and now stand %s", moved(v.Offset))
	}
}

func moved(offset int64) string {
	where := "further down"
	if offset < 0 {
		offset, where = -offset, "further up"
	}
	if offset == 1 {
		return "1 line " + where
	}
	return fmt.Sprintf("%d lines %s", offset, where)
}

// Explanation is the answer to a section that does not apply: Before, then the header of
// the file at version Of with the rows, then After.
type Explanation struct {
	Before string
	Of     Version
	Rows   []Row
	After  string
}

// Explain says why a section does not apply and what to do next; name is the file as a
// call names it, tag the one that the section names.
func (v Verdict) Explain(name, tag string) Explanation {
	if v.Outcome == Unseen {
		before, after := v.Rejection.explain(name, tag)
		return Explanation{before, v.Base, v.Rejection.Shown, after}
	}
	before, after := v.Mismatch.explain(name, v)
	return Explanation{before, v.Live, v.Mismatch.Near, after}
}
