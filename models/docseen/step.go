package docseen

import (
	"iter"
	"math/bits"
	"strings"
	"unicode/utf8"

	"tenet/core/doc"
	"tenet/core/doc/snapshot"
)

// Step is what must happen.
func Step(s State, op Op) (State, Out) {
	switch op.Kind {
	case Show:
		return s.show(op.Mask), Out{}
	case Apply:
		return s.edit(op.Edit)
	case Retry:
		return s.edit(s.Tried)
	case Else:
		s.Tried, s.Open = Edit{}, 0
	case Other:
		s.Live, s.Stale = op.Text, true
	}
	return s, Out{}
}

// show is a tool that reads the file; of its rows those of the mask reach the model,
// which then has the file's tag.
func (s State) show(rows uint8) State {
	st, _ := s.store()
	v := st.Record(name, s.live())
	st.MarkSeen(name, v.Digest, spans(rows)...)
	return s.takes(s.kinds(), Mask(st.Seen(name, v.Digest), s.Live.Len()))
}

// edit is what the edit tool does with one section: core judges it, and the rows of its
// answer reach the model.
func (s State) edit(e Edit) (State, Out) {
	st, held := s.store()
	v := st.Judge(name, held.Tag, e.Lines(s.Held.Len()), false, s.live())
	switch v.Outcome {
	case snapshot.Applies:
		pieces, kinds := s.pieces(e, int(v.Offset)/(Between+1))
		after := st.Landed(name, v, pieces, doc.Weave(s.live(), pieces))
		return s.takes(kinds, Mask(st.Seen(name, after.Digest), kinds.Len())), Out{Outcome: Applied}
	case snapshot.Unseen:
		reach(st, v.Explain(name, held.Tag))
		s.Tried, s.Open = e, e.Anchors&^s.Seen
		s.Seen = Mask(st.Seen(name, held.Digest), s.Held.Len())
		return s, s.rejected(v.Rejection)
	case snapshot.Mismatched:
		reach(st, v.Explain(name, held.Tag))
	}
	return s.takes(s.kinds(), Mask(st.Seen(name, v.Live.Digest), s.Live.Len())), Out{Outcome: Mismatched}
}

// reach marks the rows of an answer that came through whole.
func reach(st *snapshot.Store, e snapshot.Explanation) {
	for _, row := range e.Rows {
		if row.Counts {
			st.MarkSeen(name, e.Of.Digest, doc.Span{From: row.Line, To: row.Line})
		}
	}
}

// Lines is the anchors as line numbers, the last first: an edit may name them in any
// order.
func (e Edit) Lines(n int) []int64 {
	var out []int64
	if e.Anchors&(1<<Lines) != 0 {
		out = append(out, pastEnd)
	}
	for i := n - 1; i >= 0; i-- {
		if e.Anchors&(1<<i) != 0 {
			out = append(out, Number(i))
		}
	}
	return out
}

// rejected is a rejection in the model's terms.
func (s State) rejected(r snapshot.Rejection) Out {
	o := Out{Outcome: Rejected, Whole: r.Whole}
	o.Past = len(r.Unseen) > len(o.Named) || len(r.Shown) > len(o.Shown)
	for i, a := range r.Unseen[:min(len(r.Unseen), len(o.Named))] {
		o.Named[i] = Numbered(a)
	}
	lines := strings.Split(string(s.held()), "\n")
	for i, row := range r.Shown[:min(len(r.Shown), len(o.Shown))] {
		o.Shown[i] = Row{Numbered(row.Line), uint16(utf8.RuneCountInString(row.Text)), strings.HasPrefix(lines[row.Line-1], row.Text)}
	}
	return o
}

// pieces is what an edit that moved by so many lines makes of the live file, and the
// lines that it then has.
func (s State) pieces(e Edit, by int) (out []doc.Piece, kinds Text) {
	n := 0
	add := func(kind Line, made ...doc.Piece) {
		kinds[n] = kind
		n++
		out = append(out, made...)
	}
	last := bits.Len8(e.Anchors) - 1 + by
	for i := range s.Live.Len() {
		line, rest := keep(Number(i), 1), keep(Number(i)+1, Between)
		switch named := i >= by && e.Anchors&(1<<(i-by)) != 0; {
		case named && e.Change == Away:
		case named && e.Change == ToShort:
			add(Short, doc.Piece{New: []string{text("made", i, Short)}}, rest)
		case named && e.Change == ToLong:
			add(Long, doc.Piece{New: []string{text("made", i, Long)}}, rest)
		default:
			add(s.kind(i), line, rest)
		}
		if i == last && e.Change == Behind {
			add(Short, doc.Piece{New: []string{text("made", i, Short)}}, rest)
		}
	}
	return append(out, keep(Number(s.Live.Len()), 1)), kinds
}

func keep(from, lines int64) doc.Piece {
	return doc.Piece{Keep: doc.Span{From: from, To: from + lines - 1}}
}

// Ops lists what may happen next. After a rejection the next thing is a straight retry,
// or it is something else.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		if s.Tried != (Edit{}) {
			_ = yield(Op{Kind: Retry}) && yield(Op{Kind: Else})
			return
		}
		for m := range uint8(1 << s.Live.Len()) {
			if !yield(Op{Kind: Show, Mask: m}) {
				return
			}
		}
		for op := range s.edits {
			if !yield(op) {
				return
			}
		}
		for op := range s.others {
			if !yield(op) {
				return
			}
		}
	}
}

// edits is every edit by the numbers of the held version. What an edit would do at its
// anchors makes no difference to its rejection, so one that will be rejected is offered
// with one change.
func (s State) edits(yield func(Op) bool) {
	for m := uint8(1); m < 1<<(Lines+1); m++ {
		if m&^(1<<Lines) >= 1<<s.Held.Len() {
			continue
		}
		for c := ToShort; c <= Away; c++ {
			if c == Behind && s.Live.Len() == Lines || c > ToShort && m&^s.Seen != 0 {
				continue
			}
			if !yield(Op{Kind: Apply, Edit: Edit{m, c}}) {
				return
			}
		}
	}
}

// others is what another program may do: put a line on top, take one away, change one,
// or touch none of these lines.
func (s State) others(yield func(Op) bool) {
	other := func(t Text) bool { return yield(Op{Kind: Other, Text: t}) }
	n := s.Live.Len()
	if !other(s.Live) {
		return
	}
	if n < Lines {
		top := Text{Short}
		copy(top[1:], s.Live[:n])
		if !other(top) {
			return
		}
	}
	for i := range n {
		var gone Text
		copy(gone[copy(gone[:], s.Live[:i]):], s.Live[i+1:n])
		short, long := s.Live, s.Live
		short[i], long[i] = Short, Long
		if !other(gone) || !other(short) || !other(long) {
			return
		}
	}
}
