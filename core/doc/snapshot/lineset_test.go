package snapshot

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tenet/core/doc"
)

// top is past every line that the tests draw.
const top = 40

// lineSpans draws spans, some of them empty, some without an end.
func lineSpans() *rapid.Generator[[]doc.Span] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) doc.Span {
		return doc.Span{From: rapid.Int64Range(-2, top).Draw(t, "from"), To: rapid.Int64Range(0, top).Draw(t, "to")}
	}), 0, 8)
}

func in(spans []doc.Span, line int64) bool {
	return line >= 1 && slices.ContainsFunc(spans, func(s doc.Span) bool { return s.From <= line && (s.To == 0 || line <= s.To) })
}

// A set has the lines of its spans and no other, whatever was added in which order, and
// keeps as few spans as there can be.
func TestLineSetRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one, two, more := lineSpans().Draw(t, "one"), lineSpans().Draw(t, "two"), lineSpans().Draw(t, "more")
		before := Lines(one...)
		kept := before.Spans()
		set := before.Union(Lines(two...))
		for _, s := range more {
			set = set.Add(s)
		}
		all := slices.Concat(one, two, more)
		for line := int64(-2); line <= top+2; line++ {
			if set.Has(line) != in(all, line) {
				t.Fatalf("%v has line %d: %v", set, line, set.Has(line))
			}
		}
		end := int64(-1)
		for s := range set.All() {
			if s.From > s.To || s.From <= end+1 && end >= 0 {
				t.Fatalf("%v", set)
			}
			end = s.To
			if end == math.MaxInt64 {
				break
			}
		}
		if !slices.Equal(before.Spans(), kept) {
			t.Fatalf("a set changed from %v to %v", kept, before)
		}
		if set.Empty() != (len(set.Spans()) == 0) {
			t.Fatal("an empty set has spans")
		}
	})
}

// After an edit the lines that were seen are seen at their new numbers, and so are the
// new ones: told line by line.
func TestEditedRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.Int64Range(0, 12).Draw(t, "lines")
		seen := Lines(lineSpans().Draw(t, "seen")...)
		pieces := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) doc.Piece {
			if rapid.Bool().Draw(t, "new") {
				return doc.Piece{New: make([]string, rapid.IntRange(0, 3).Draw(t, "n"))}
			}
			from := rapid.Int64Range(1, 14).Draw(t, "from")
			return doc.Piece{Keep: doc.Span{From: from, To: rapid.Int64Range(0, 14).Draw(t, "to")}}
		}), 0, 5).Draw(t, "pieces")
		var want []bool
		for _, p := range pieces {
			for range p.New {
				want = append(want, true)
			}
			for n := p.Keep.From; n > 0 && n <= lines && (p.Keep.To == 0 || n <= p.Keep.To); n++ {
				want = append(want, seen.Has(n))
			}
		}
		got := Edited(seen, pieces, lines)
		for i := range len(want) + 3 {
			if got.Has(int64(i+1)) != (i < len(want) && want[i]) {
				t.Fatalf("line %d of %v is seen: %v", i+1, pieces, got)
			}
		}
	})
}
