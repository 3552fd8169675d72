package doc

// Notice is a thing that the rows of a read alone do not tell.
type Notice uint8

// The notices, in the order in which they are said.
const (
	// NoticeEmpty: the file has no line.
	NoticeEmpty Notice = iota
	// NoticeCut: the last row is not all of its line, which is longer than a page.
	NoticeCut
	// NoticeRest: the page was full before the end of what was asked for.
	NoticeRest
	// NoticeFollows: what was asked for is shown, and the file goes on behind it.
	NoticeFollows
	// NoticePast: a line that was asked for is behind the end of the file.
	NoticePast
	// NoticeEndings: a line ends in CRLF, which no row shows.
	NoticeEndings
	// NoticeGarbled: the bare text holds bytes that are no text.
	NoticeGarbled
	// NoticeLarge: the file is too large to have a tag.
	NoticeLarge
)

var noticeNames = [...]string{"empty", "cut", "rest", "follows", "past", "endings", "garbled", "large"}

// String names the notice.
func (n Notice) String() string { return noticeNames[n] }

// Facts is what is known of a file beside the view of it.
type Facts struct {
	// Lines is how many lines the file has, for a bare text how many pieces; -1 when
	// its end was not seen.
	Lines int64
	// Empty is true when the file has no line.
	Empty bool
	// Endings counts its endings, when all of it was seen.
	Endings Endings
	// Garbled is true when the bytes are not UTF-8 or hold a NUL.
	Garbled bool
	// Large is true when the file is over the limit for a tag.
	Large bool
}

// Notices is what has to be said about a view (law rows_view_shows). A bare text tells
// only what is missing in it or changed.
func (v View) Notices(w Want, f Facts) []Notice {
	said := [...]bool{
		NoticeEmpty:   f.Empty,
		NoticeCut:     v.NextOffset > 0,
		NoticeRest:    len(v.Rest) > 0 && v.NextOffset == 0,
		NoticeFollows: v.Follows && !w.Raw,
		NoticePast:    v.First > 0 && len(v.Rest) == 0 && f.Lines >= 0 && lastNamed(w.Spans) > f.Lines,
		NoticeEndings: f.Endings.CRLF > 0 && !w.Raw,
		NoticeGarbled: f.Garbled && w.Raw,
		NoticeLarge:   f.Large && !w.Raw,
	}
	var out []Notice
	for n := range Notice(len(said)) {
		if said[n] {
			out = append(out, n)
		}
	}
	return out
}

// lastNamed is the last line that spans name.
func lastNamed(spans []Span) int64 {
	if len(spans) == 0 {
		return 0
	}
	last := spans[len(spans)-1]
	return max(last.From, last.To)
}

// Whole reports whether the view is all of the file.
func (v View) Whole(f Facts) bool {
	for _, r := range v.Rows {
		if !r.Whole {
			return false
		}
	}
	return int64(len(v.Rows)) == f.Lines
}

// Shown is what a read shows of a file that was taken whole.
type Shown struct {
	// Content is what the bytes are.
	Content Content
	// Refused is true when that is the reason to show nothing.
	Refused bool
	View    View
	Facts   Facts
}

// Show makes the view of a whole file. A read that is not raw shows UTF-8 text only
// (law rows_gate_refuses).
func Show(file []byte, w Want) Shown {
	s := Shown{Content: Sniff(file, false)}
	if s.Refused = !w.Raw && s.Content.Encoding != UTF8; s.Refused {
		return s
	}
	s.Facts = Facts{Lines: int64(CountLines(file)), Endings: CountEndings(file), Garbled: s.Content.Encoding != UTF8}
	s.Facts.Empty = s.Facts.Lines == 0
	if w.Raw {
		s.Facts.Lines = int64(s.Facts.Endings.LF + s.Facts.Endings.CRLF + 1)
	}
	rows := NewRows(w)
	rows.Feed(file)
	s.View = rows.End().within(s.Facts.Lines)
	return s
}

// within drops what is left to show but is behind the end of the file.
func (v View) within(lines int64) View {
	for len(v.Rest) > 0 && v.Rest[len(v.Rest)-1].From > lines {
		v.Rest = v.Rest[:len(v.Rest)-1]
	}
	return v
}
