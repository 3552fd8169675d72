package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenet/core/doc"
)

// text is a file of n lines, each different.
func text(n int) []byte {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return []byte(b.String())
}

// seenStore is a store that knows a file, the given spans of it seen.
func seenStore(file []byte, seen ...doc.Span) (*Store, Version) {
	s := New()
	v := s.Record("f", file)
	s.MarkSeen("f", v.Digest, seen...)
	return s, v
}

// An edit on lines that were seen applies where it says, without a warning.
func TestSeenAnchorsApply(t *testing.T) {
	s, v := seenStore(text(9), doc.Span{From: 3, To: 5})
	got := s.Judge("f", v.Tag, []int64{3, 4, 5}, false, text(9))
	if got.Outcome != Applies || got.Offset != 0 || got.Warning("f", v.Tag) != "" {
		t.Errorf("%+v, warning %q", got, got.Warning("f", v.Tag))
	}
}

// An edit on a line that was not seen is rejected, the line is shown, and the same edit
// applies when it comes again after the row reached the model.
func TestUnseenAnchorIsShownAndThenApplies(t *testing.T) {
	s, v := seenStore(text(9), doc.Span{From: 3, To: 5})
	anchors := []int64{7, 4, 2}
	got := s.Judge("f", v.Tag, anchors, false, text(9))
	if got.Outcome != Unseen || !slices.Equal(got.Rejection.Unseen, []int64{2, 7}) || !got.Rejection.Whole {
		t.Fatalf("%+v", got)
	}
	e := got.Explain("f", v.Tag)
	for _, row := range e.Rows {
		if !row.Counts {
			t.Errorf("%+v does not count", row)
		}
		s.MarkSeen("f", e.Of.Digest, doc.Span{From: row.Line, To: row.Line})
	}
	if got := s.Judge("f", v.Tag, anchors, false, text(9)); got.Outcome != Applies {
		t.Errorf("the retry: %+v", got.Explain("f", v.Tag))
	}
}

// What is not shown whole does not count as seen, and the answer says what to read.
func TestRejectionThatShowsLessCounts(t *testing.T) {
	wide := strings.Repeat("é", RevealChars)
	file := []byte("a\n" + wide + "\n" + wide + "x\nlast")
	for _, c := range []struct {
		anchors []int64
		whole   bool
		after   string
	}{
		{[]int64{1, 2, 4}, true, "send the same edit again"},
		{[]int64{1, 2, 3}, false, "Read f:1-3 first"},
		{[]int64{3}, false, "search_replace"},
		{[]int64{4, 5}, false, "The file has 4 lines"},
	} {
		r := Guard(c.anchors, LineSet{}, file)
		_, after := r.explain("f", "TAGG")
		if r.Whole != c.whole || !strings.Contains(after, c.after) {
			t.Errorf("%v: whole %v, %q", c.anchors, r.Whole, after)
		}
		if slices.ContainsFunc(r.Shown, func(row Row) bool { return row.Counts != c.whole }) {
			t.Errorf("%v: %+v", c.anchors, r.Shown)
		}
	}
}

// A file that another program made longer above the edit is edited at the moved lines.
func TestMovedLines(t *testing.T) {
	s, v := seenStore(text(9), doc.Span{From: 1})
	live := append([]byte("new\nnew\n"), text(9)...)
	got := s.Judge("f", v.Tag, []int64{3, 4}, false, live)
	if got.Outcome != Applies || got.Offset != 2 || got.Change != ByOthers {
		t.Fatalf("%+v", got)
	}
	if w := got.Warning("f", v.Tag); !strings.Contains(w, "something other than this session") || !strings.Contains(w, "2 lines further down") {
		t.Error(w)
	}
	if !slices.Equal(got.Seen.Spans(), []doc.Span{{From: 5, To: 6}}) {
		t.Errorf("seen of the live text: %v", got.Seen)
	}
}

// After an edit of this session the old tag still finds its lines, and the warning says
// whose change it was.
func TestEarlierEditOfThisSession(t *testing.T) {
	s, v := seenStore(text(9), doc.Span{From: 2, To: 8})
	pieces := []doc.Piece{{Keep: doc.Span{From: 1, To: 2}}, {New: []string{"new"}}, {Keep: doc.Span{From: 3}}}
	first := s.Judge("f", v.Tag, []int64{2}, false, text(9))
	after := s.Landed("f", first, pieces, doc.Weave(text(9), pieces))
	if got := s.Seen("f", after.Digest).Spans(); !slices.Equal(got, []doc.Span{{From: 2, To: 9}}) {
		t.Errorf("seen after the edit: %v", got)
	}
	got := s.Judge("f", v.Tag, []int64{7}, false, after.Text)
	if got.Outcome != Applies || got.Offset != 1 || !strings.Contains(got.Warning("f", v.Tag), "an earlier change of this session") {
		t.Errorf("%+v %q", got, got.Warning("f", v.Tag))
	}
}

// A line that changed is no place for an edit: the answer shows the lines as they are.
func TestChangedAnchor(t *testing.T) {
	s, v := seenStore(text(20), doc.Span{From: 1})
	live := []byte(strings.Replace(string(text(20)), "line 5\n", "LINE 5\n", 1))
	got := s.Judge("f", v.Tag, []int64{5, 14}, false, live)
	if got.Outcome != Mismatched || !got.Mismatch.Known {
		t.Fatalf("%+v", got)
	}
	e := got.Explain("f", v.Tag)
	var lines []int64
	for _, row := range e.Rows {
		lines = append(lines, row.Line)
		if row.Anchor != (row.Line == 5 || row.Line == 14) || !row.Counts {
			t.Errorf("%+v", row)
		}
	}
	if !slices.Equal(lines, []int64{3, 4, 5, 6, 7, 12, 13, 14, 15, 16}) {
		t.Errorf("shows %v", lines)
	}
	if e.Of.Tag != doc.Tag(doc.Digest(live)) || !strings.Contains(e.Before, "#"+v.Tag) || !strings.Contains(e.Before, "#"+e.Of.Tag) {
		t.Errorf("%+v", e)
	}
	if _, ok := s.Find("f", e.Of.Tag); !ok {
		t.Error("the tag that the answer names is not known")
	}
}

// A tag that was never given is told from one whose file changed.
func TestUnknownTag(t *testing.T) {
	s, _ := seenStore(text(3), doc.Span{From: 1})
	e := s.Judge("f", "none", []int64{1}, false, text(3)).Explain("f", "none")
	if !strings.Contains(e.Before, "never gave that tag") {
		t.Error(e.Before)
	}
}

// An insert at the start or the end needs no place, whatever the tag says.
func TestEndsApplyToAnyVersion(t *testing.T) {
	s, v := seenStore(text(3))
	got := s.Judge("f", v.Tag, nil, true, text(5))
	if got.Outcome != Applies || !strings.Contains(got.Warning("f", v.Tag), "apply all the same") {
		t.Errorf("%+v", got)
	}
}

// Two texts with one tag: the latest is meant, and its bytes are compared.
func TestTagOfTwoTexts(t *testing.T) {
	one, two := collision(t)
	s := New()
	v := s.Record("f", one)
	s.MarkSeen("f", v.Digest, doc.Span{From: 1})
	got := s.Judge("f", v.Tag, []int64{1}, false, two)
	if got.Outcome != Mismatched || !strings.Contains(got.Explain("f", v.Tag).Before, "happens to have the same tag") {
		t.Fatalf("%+v", got)
	}
	if got := s.Judge("f", v.Tag, []int64{1}, false, two); got.Outcome != Unseen {
		t.Errorf("the text was not shown, yet %+v", got)
	}
}

// collision is two texts of one line with the same tag.
func collision(t *testing.T) (one, two []byte) {
	t.Helper()
	at := map[string][]byte{}
	for i := range 100_000 {
		b := []byte(fmt.Sprintf("text %d\n", i))
		tag := doc.Tag(doc.Digest(b))
		if have, ok := at[tag]; ok {
			return have, b
		}
		at[tag] = b
	}
	t.Fatal("no two texts with one tag")
	return nil, nil
}
