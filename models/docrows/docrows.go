// Package docrows says the plain way, on lists of lines, what a read shows of a file: which
// rows with which marks, what it refuses, what it tells beside the rows, and the tag
// (S8.6, S8.10). It lists small files with every selection of lines, and asks core.
package docrows

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"tenet/core/doc"
	"tenet/models/doclines"
)

// In is a read of a file.
type In struct {
	File string
	// Spans are the lines asked for, in any order; none for all of them.
	Spans []doc.Span
	Raw   bool
	// MaxRows bounds the rows; 0 for no bound.
	MaxRows int
}

// Out is what the read gives.
type Out struct {
	// Refused says what the file is when nothing is shown for that; UTF8 when it is not
	// refused.
	Refused doc.Encoding
	// Tag is the tag of the header.
	Tag  string
	Rows []doc.Row
	// Lines is how many lines, or pieces of a bare text, were counted.
	Lines   int64
	Rest    []doc.Span
	Notices []doc.Notice
}

// Step asks core. There is one state.
func Step(s struct{}, in In) (struct{}, Out) {
	spans := doc.Merge(in.Spans)
	w := doc.Want{Spans: spans, Bytes: 1 << 20, MaxRows: in.MaxRows, Raw: in.Raw, Context: true}
	shown := doc.Show([]byte(in.File), w)
	if shown.Refused {
		return s, Out{Refused: shown.Content.Encoding}
	}
	v := shown.View
	return s, Out{
		Tag: doc.Tag(doc.Digest([]byte(in.File))), Rows: v.Rows, Lines: shown.Facts.Lines,
		Rest: v.Rest, Notices: v.Notices(w, shown.Facts),
	}
}

// Text reports whether a read that is not raw shows the file; when it does not, what is
// said: not UTF-8 comes before binary.
func Text(file string) (shows, utf8Text bool) {
	valid := utf8.ValidString(file)
	return valid && !strings.Contains(file, "\x00"), valid
}

// Lines is the texts of a file's lines; raw, the pieces between the \n of it.
func Lines(file string, raw bool) (out []string) {
	mark, lines := doclines.Split(file)
	if raw {
		return strings.Split(strings.ReplaceAll(strings.TrimPrefix(file, mark), "\r\n", "\n"), "\n")
	}
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return out
}

// Joined is spans in order, and one of each two that share a line.
func Joined(spans []doc.Span) []doc.Span {
	out := slices.Clone(spans)
	for i := 0; i < len(out); i++ {
		for j := i + 1; j < len(out); j++ {
			if out[i].From <= last(out[j]) && out[j].From <= last(out[i]) {
				out[i] = doc.Span{From: min(out[i].From, out[j].From), To: max(last(out[i]), last(out[j]))}
				out = slices.Delete(out, j, j+1)
				i = -1
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b doc.Span) int { return cmp.Compare(a.From, b.From) })
	return out
}

// endless stands for the end of any file.
const endless = int64(1) << 40

func last(s doc.Span) int64 {
	if s.To == 0 {
		return endless
	}
	return s.To
}

// View is what a read shows by the rule: rows, what is left, and whether the file goes on.
func View(in In) (rows []doc.Row, rest []doc.Span, follows bool) {
	lines := Lines(in.File, in.Raw)
	spans := Joined(in.Spans)
	if len(spans) == 0 {
		spans = []doc.Span{{From: 1}}
	}
	if spans[0].From > int64(len(lines)) {
		return nil, nil, false
	}
	around := len(in.Spans) > 0 && len(spans) == 1 && !in.Raw && last(spans[0]) < endless
	used := 0
	for i, s := range spans {
		for n := s.From; n <= min(last(s), int64(len(lines))); n++ {
			gap := i > 0 && n == s.From && (in.Raw || s.From != last(spans[i-1])+1)
			if around && n == s.From && n > 1 {
				rows, used = append(rows, row(lines, n-1, true)), used+1
			}
			if gap {
				used++
			}
			if used++; in.MaxRows > 0 && used > in.MaxRows {
				return rows, left(spans[i:], n, int64(len(lines))), false
			}
			r := row(lines, n, false)
			r.Gap = gap
			rows = append(rows, r)
		}
	}
	end := last(spans[len(spans)-1])
	for n := end + 1; around && n <= min(end+3, int64(len(lines))) && (in.MaxRows == 0 || used < in.MaxRows); n++ {
		rows, used = append(rows, row(lines, n, true)), used+1
	}
	return rows, nil, end < int64(len(lines))
}

func row(lines []string, n int64, context bool) doc.Row {
	return doc.Row{Line: n, Text: lines[n-1], Whole: true, Context: context}
}

// left is the spans from a line on, as far as the file has them.
func left(spans []doc.Span, from, lines int64) (out []doc.Span) {
	for _, s := range spans {
		if s.From = max(s.From, from); s.From <= lines {
			if last(s) == endless {
				s.To = 0
			}
			out = append(out, s)
		}
	}
	return out
}

// Notices is what has to be told by the rule.
func Notices(in In, rest []doc.Span, follows bool) (out []doc.Notice) {
	lines := Lines(in.File, in.Raw)
	tell := func(n doc.Notice, when bool) {
		if when {
			out = append(out, n)
		}
	}
	named := int64(0)
	for _, s := range Joined(in.Spans) {
		named = s.From
		if last(s) < endless {
			named = s.To
		}
	}
	shows := len(in.Spans) == 0 || Joined(in.Spans)[0].From <= int64(len(lines))
	text, _ := Text(in.File)
	tell(doc.NoticeEmpty, in.File == "" || in.File == doc.BOM)
	tell(doc.NoticeRest, len(rest) > 0)
	tell(doc.NoticeFollows, follows && !in.Raw)
	tell(doc.NoticePast, shows && len(lines) > 0 && len(rest) == 0 && named > int64(len(lines)))
	tell(doc.NoticeEndings, strings.Contains(in.File, "\r\n") && !in.Raw)
	tell(doc.NoticeGarbled, !text && in.Raw)
	return out
}
