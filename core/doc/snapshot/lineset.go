package snapshot

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sort"

	"tenet/core/doc"
)

// LineSet is a set of line numbers, kept as spans that neither overlap nor touch, in
// order. It is a value: every method leaves its receiver as it was. The zero value is
// empty. It takes memory by its spans, of which there are at most as many as rows that
// were shown.
type LineSet struct{ spans []doc.Span }

// Lines makes a set of spans in any order. A span whose To is 0 goes on without end;
// what lies before line 1 is no line.
func Lines(spans ...doc.Span) LineSet {
	all := make([]doc.Span, 0, len(spans))
	for _, s := range spans {
		if s.To == 0 {
			s.To = math.MaxInt64
		}
		if s.From = max(1, s.From); s.From <= s.To {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b doc.Span) int { return cmp.Compare(a.From, b.From) })
	return LineSet{joined(all)}
}

// joined makes one span of those that overlap or touch. It takes them in order and
// uses their memory.
func joined(all []doc.Span) []doc.Span {
	out := all[:0]
	for _, s := range all {
		if n := len(out); n > 0 && s.From-1 <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, s.To)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// Add is the set with the lines of a span.
func (l LineSet) Add(s doc.Span) LineSet { return l.Union(Lines(s)) }

// Union is the lines of both sets.
func (l LineSet) Union(m LineSet) LineSet {
	switch {
	case len(m.spans) == 0:
		return l
	case len(l.spans) == 0:
		return m
	}
	return Lines(slices.Concat(l.spans, m.spans)...)
}

// Has reports whether the line is in the set.
func (l LineSet) Has(line int64) bool {
	i := l.from(line)
	return i < len(l.spans) && l.spans[i].From <= line
}

// from is the first span that does not end before the line.
func (l LineSet) from(line int64) int {
	return sort.Search(len(l.spans), func(i int) bool { return l.spans[i].To >= line })
}

// All lists the spans of the set in order.
func (l LineSet) All() iter.Seq[doc.Span] { return slices.Values(l.spans) }

// Spans is the spans of the set in order, for the caller to keep.
func (l LineSet) Spans() []doc.Span { return slices.Clone(l.spans) }

// Empty reports whether the set has no line.
func (l LineSet) Empty() bool { return len(l.spans) == 0 }

// Within is the lines of the set that lie in the span, both ends included, each moved
// by the same distance.
func (l LineSet) Within(s doc.Span, by int64) LineSet {
	var out []doc.Span
	for i := l.from(s.From); i < len(l.spans) && l.spans[i].From <= s.To; i++ {
		out = append(out, doc.Span{From: max(s.From, l.spans[i].From) + by, To: min(s.To, l.spans[i].To) + by})
	}
	return LineSet{out}
}

// Edited is the lines that are seen after an edit landed: those that were seen before,
// at their new numbers, and those that the edit wrote (S8.8). lines is how many the old
// file has, seen is in its numbers.
func Edited(seen LineSet, pieces []doc.Piece, lines int64) LineSet {
	var out []doc.Span
	next := int64(1)
	for _, p := range pieces {
		if p.Keep.From <= 0 {
			out = append(out, doc.Span{From: next, To: next - 1 + int64(len(p.New))})
			next += int64(len(p.New))
			continue
		}
		keep := doc.Span{From: p.Keep.From, To: lines}
		if p.Keep.To != 0 {
			keep.To = min(p.Keep.To, lines)
		}
		if keep.From <= keep.To {
			out = append(out, seen.Within(keep, next-keep.From).spans...)
			next += keep.To - keep.From + 1
		}
	}
	return Lines(slices.DeleteFunc(out, func(s doc.Span) bool { return s.To < s.From })...)
}
