package doc

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyBytes draws a file out of what the line model tells apart: endings in every
// combination, byte order marks, NUL, characters of one to four bytes, broken UTF-8.
var anyBytes = rapid.Custom(func(t *rapid.T) []byte {
	piece := rapid.SampledFrom([]string{"\n", "\r\n", "\r", "a", "b", "ab", "\xef\xbb\xbf", "\x00", "é", "€", "𝄞", "\xff", " ", "\t", "foo"})
	return []byte(strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "file"), ""))
})

// naive is the line model said the other way round: split at \n, give back each \r.
func naive(file []byte) (texts []string) {
	s := strings.TrimPrefix(string(file), BOM)
	if s == "" {
		return nil
	}
	texts = strings.Split(s, "\n")
	for i := range len(texts) - 1 {
		texts[i] = strings.TrimSuffix(texts[i], "\r")
	}
	if texts[len(texts)-1] == "" {
		texts = texts[:len(texts)-1]
	}
	return texts
}

func TestLinesAreTheNaiveSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := anyBytes.Draw(t, "file")
		var got []string
		var back []byte
		for n, l := range Lines(file) {
			if got = append(got, string(l.Text)); n != len(got) {
				t.Fatalf("line %d has the number %d", len(got), n)
			}
			back = append(append(back, l.Text...), l.Ending.Bytes()...)
		}
		if want := naive(file); !slices.Equal(got, want) || CountLines(file) != len(want) {
			t.Fatalf("%q has the lines %q, want %q, counted %d", file, got, want, CountLines(file))
		}
		if string(back) != strings.TrimPrefix(string(file), BOM) {
			t.Fatalf("%q put together again is %q", file, back)
		}
	})
}

// The rows of a read are the naive split, whatever the chunks the bytes come in.
func TestRowsAreTheNaiveSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := anyBytes.Draw(t, "file")
		from, to := rapid.Int64Range(1, 6).Draw(t, "from"), rapid.Int64Range(0, 8).Draw(t, "to")
		if to != 0 {
			to = max(to, from)
		}
		v := feed(t, file, Want{Spans: []Span{{from, to}}, Bytes: 1 << 20})
		var want []Row
		lines, follows := naive(file), false
		for i, text := range lines {
			n := int64(i + 1)
			if n >= from && (to == 0 || n <= to) {
				want = append(want, Row{Line: n, Text: text, Whole: true})
			}
			follows = follows || len(want) > 0 && to != 0 && n > to
		}
		if !slices.Equal(v.Rows, want) || v.Follows != follows {
			t.Fatalf("%q %d-%d: got %v follows %v, want %v %v", file, from, to, v.Rows, v.Follows, want, follows)
		}
		if v.Ended && (v.Lines != int64(len(lines)) || v.Bytes != int64(len(file))) {
			t.Fatalf("%q: %d lines, %d bytes", file, v.Lines, v.Bytes)
		}
	})
}

func feed(t *rapid.T, file []byte, w Want) View {
	r := NewRows(w)
	for len(file) > 0 {
		n := rapid.IntRange(1, len(file)).Draw(t, "chunk")
		if !r.Feed(file[:n]) {
			return r.View()
		}
		file = file[n:]
	}
	return r.End()
}

// Reading on from where each view says gives every byte of every line once.
func TestViewsPutTogetherAreTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := bytes.ToValidUTF8(anyBytes.Draw(t, "file"), []byte("?"))
		budget := rapid.IntRange(8, 40).Draw(t, "budget")
		want := Want{Bytes: budget, MaxRows: rapid.IntRange(0, 3).Draw(t, "rows")}
		var got []string
		for step := 0; ; step++ {
			if step > 2*len(file)+10 {
				t.Fatalf("%q: the views do not go on", file)
			}
			v := feed(t, file, want)
			for _, row := range v.Rows {
				if v.Partial && len(got) > 0 {
					got[len(got)-1] += row.Text
					v.Partial = false
				} else {
					got = append(got, row.Text)
				}
			}
			switch {
			case v.NextOffset > 0:
				want.Spans, want.Offset = nil, v.NextOffset
			case len(v.Rest) > 0:
				want.Spans, want.Offset = v.Rest, 0
			default:
				if lines := naive(file); !slices.Equal(got, lines) {
					t.Fatalf("%q: got %q want %q", file, got, lines)
				}
				return
			}
		}
	})
}

// What a replacement does not name stays, and what it puts there is the new text but
// for the endings it takes from the file.
func TestReplaceKeepsTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := anyBytes.Draw(t, "file")
		piece := rapid.SampledFrom([]string{"a", "b", "\n", "\r\n", "é", "foo", " "})
		draw := func(name string) string { return strings.Join(rapid.SliceOfN(piece, 0, 4).Draw(t, name), "") }
		e := Edit{Old: draw("old"), New: draw("new"), All: rapid.Bool().Draw(t, "all"), Limit: 1 << 20}
		r := Replace(file, e)
		if r.Outcome != Replaced {
			checkRefused(t, file, e, r)
			return
		}
		verbatim := strings.Contains(e.Old, "\r")
		lf := func(s string) string {
			if verbatim {
				return s
			}
			return strings.ReplaceAll(s, "\r\n", "\n")
		}
		checkKept(t, file, e, r)
		n := 1
		if e.All {
			n = -1
		}
		// A \r that was text becomes half of an ending when what stood behind it goes.
		bare := func(s string) string { return strings.ReplaceAll(s, "\r", "") }
		if want := strings.Replace(lf(string(file)), lf(e.Old), lf(e.New), n); bare(string(r.Bytes)) != bare(want) {
			t.Fatalf("%q %+v gives %q, in LF %q", file, e, r.Bytes, want)
		}
		if !bytes.Contains(file, []byte("\r\n")) && string(r.Bytes) != strings.Replace(string(file), e.Old, e.New, n) {
			t.Fatalf("%q %+v: a file without CRLF gives %q", file, e, r.Bytes)
		}
	})
}

// checkKept: the lines that are said to be kept are in the new file where it says.
func checkKept(t *rapid.T, file []byte, e Edit, r Replacement) {
	old, fresh := naive(file), naive(r.Bytes)
	for _, k := range r.Kept {
		for n := k.Lines.From; n <= min(k.Lines.To, int64(len(old))); n++ {
			if at := n + k.By; at < 1 || at > int64(len(fresh)) || fresh[at-1] != old[n-1] {
				t.Fatalf("%q became %q: line %d is said to be %d now", file, r.Bytes, n, at)
			}
		}
	}
	for _, s := range r.Wrote {
		if s.From < 1 || s.To > int64(len(fresh)) || s.To < s.From {
			t.Fatalf("%q became %q: wrote %v", file, r.Bytes, s)
		}
		for n := s.From; n <= s.To; n++ {
			if line := strings.TrimSuffix(fresh[n-1], "\r"); !strings.Contains(e.New, line) {
				t.Fatalf("%q with %+v became %q: line %d is said to be new text", file, e, r.Bytes, n)
			}
		}
	}
}

func checkRefused(t *rapid.T, file []byte, e Edit, r Replacement) {
	text := string(file)
	if !strings.Contains(e.Old, "\r") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	switch at := strings.Index(text, e.Old); r.Outcome {
	case NoMatch:
		if at >= 0 {
			t.Fatalf("%q %+v: there is a match", file, e)
		}
	case Ambiguous:
		if !strings.Contains(text[at+1:], e.Old) || e.All {
			t.Fatalf("%q %+v: there is one match", file, e)
		}
	case Unchanged, Empty, Replaced, TooLarge:
	}
}

// Lines a replacement did not change keep their endings: a CRLF file stays one.
func TestReplaceKeepsAFilesEnding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a", "b", "foo", ""})
		file := strings.Join(rapid.SliceOfN(line, 2, 10).Draw(t, "file"), "\r\n")
		old, fresh := strings.Join(rapid.SliceOfN(line, 1, 3).Draw(t, "old"), "\n"), strings.Join(rapid.SliceOfN(line, 1, 3).Draw(t, "new"), "\n")
		r := Replace([]byte(file), Edit{Old: old, New: fresh, All: true, Limit: 1 << 20})
		if r.Outcome == Replaced && CountEndings(r.Bytes).LF > 0 {
			t.Fatalf("%q with %q for %q became %q", file, fresh, old, r.Bytes)
		}
	})
}

func TestSelector(t *testing.T) {
	one := func(from, to int64) Selection { return Selection{Spans: []Span{{from, to}}} }
	for path, want := range map[string]struct {
		base string
		sel  Selection
		ok   bool
	}{
		"a": {"a", Selection{}, false}, "a:b": {"a:b", Selection{}, false}, ":3": {":3", Selection{}, false}, "a:": {"a:", Selection{}, false},
		"a:3": {"a", one(3, 3), true}, "a:3-": {"a", one(3, 0), true}, "a:3-7": {"a", one(3, 7), true}, "a:3+2": {"a", one(3, 4), true},
		"a:3:4": {"a:3", one(4, 4), true}, "a:3+": {"a:3+", Selection{}, false}, "a:-3": {"a:-3", Selection{}, false},
		"a:99999999999999999999": {"a", one(1<<63-1, 1<<63-1), true}, "a:5+99999999999999999999": {"a", one(5, 1<<63-2), true},
		"a:5-6,1-2":  {"a", Selection{Spans: []Span{{1, 2}, {5, 6}}}, true},
		"a:1-5,3-8":  {"a", one(1, 8), true},
		"a:1-2,3-4":  {"a", Selection{Spans: []Span{{1, 2}, {3, 4}}}, true},
		"a:7-,3,9+2": {"a", Selection{Spans: []Span{{3, 3}, {7, 0}}}, true},
		"a:2-9,4-":   {"a", one(2, 0), true},
		"a:raw":      {"a", Selection{Raw: true}, true}, ":raw": {":raw", Selection{}, false}, "a:2-3:raw": {"a", Selection{Spans: []Span{{2, 3}}, Raw: true}, true},
		"a:raw:3": {"a:raw", one(3, 3), true}, "a:1,": {"a:1,", Selection{}, false}, "a\n:1": {"a\n", one(1, 1), true},
	} {
		base, sel, ok, fault := Selector(path)
		if base != want.base || ok != want.ok || !slices.Equal(sel.Spans, want.sel.Spans) || sel.Raw != want.sel.Raw || fault != "" {
			t.Errorf("%q: %q %+v %v %q", path, base, sel, ok, fault)
		}
	}
	for _, path := range []string{"a:0", "a:5-4", "a:5+0", "a:3-0", "a:1,0", "a:2,5-4:raw"} {
		if _, _, ok, fault := Selector(path); !ok || fault == "" {
			t.Errorf("%q: no fault", path)
		}
	}
}

// The page is that of the sorted list, whatever the order of the stream.
func TestRankingIsTheSortedWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfDistinct(rapid.IntRange(0, 50), func(i int) int { return i }).Draw(t, "items")
		p := Page{Skip: rapid.IntRange(0, 20).Draw(t, "skip"), Size: rapid.IntRange(1, 10).Draw(t, "size")}
		r := NewRanking(p, func(a, b int) bool { return a < b })
		for _, i := range items {
			r.Add(i)
		}
		got, left := r.Page()
		slices.Sort(items)
		from := min(p.Skip, len(items))
		to := min(from+p.Size, len(items))
		if !slices.Equal(got, items[from:to]) || left != len(items)-to {
			t.Fatalf("%v %+v: %v, %d left", items, p, got, left)
		}
	})
}

func TestVersionsKeepTheLastEight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var v Versions
		var want []uint64
		for _, d := range rapid.SliceOf(rapid.Uint64Range(0, 12)).Draw(t, "seen") {
			v = v.Saw(d)
			want = append(slices.DeleteFunc(want, func(o uint64) bool { return o == d }), d)
			want = want[max(0, len(want)-KeptVersions):]
			for d := range uint64(13) {
				if v.Has(d) != slices.Contains(want, d) {
					t.Fatalf("has %d: %v, of %v", d, v.Has(d), want)
				}
			}
		}
	})
}

func TestExcerptIsBoundedTextWithTheMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := bytes.Repeat(anyBytes.Draw(t, "line"), rapid.IntRange(1, 60).Draw(t, "times"))
		from := rapid.IntRange(0, len(line)).Draw(t, "from")
		to := min(len(line), from+rapid.IntRange(0, 20).Draw(t, "n"))
		got := Excerpt(line, from, to)
		if Entire(line) != (got == string(line) && len(line) <= ExcerptBytes) {
			t.Fatalf("%q of %q is entire: %v", got, line, Entire(line))
		}
		if len(got) > 3*ExcerptBytes+8 {
			t.Fatalf("%d bytes", len(got))
		}
		if !strings.Contains(got, strings.ToValidUTF8(string(bytes.ToValidUTF8(line[from:to], nil)), "")) && bytes.Equal(bytes.ToValidUTF8(line, nil), line) {
			t.Fatalf("%q is not in %q", line[from:to], got)
		}
	})
}

func TestNearest(t *testing.T) {
	file := []byte("package a\n\nfunc f() {\n\treturn\n}\n\nfunc g() {\n\treturn 1\n}\n")
	for old, want := range map[string]Span{
		"func g() {\n  return 1\n}":   {7, 9},
		"func h() {\n\treturn 1\n}":   {7, 9},
		"returm 1":                    {8, 8},
		"nothing of the sort is here": {},
		"":                            {},
		"\n\n":                        {},
	} {
		if n := Nearest(file, old); n.Lines != want {
			t.Errorf("%q: %+v, want %+v", old, n, want)
		}
	}
}
