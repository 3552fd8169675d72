package docs

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tenet/core/doc"
)

// reply is the rows of a read under their header and, in brackets, what the rows alone
// do not tell. What it shows, this session has seen.
func (r *reading) reply() (reply, error) {
	if r.picture != "" {
		return plain(r.picture), nil
	}
	if err := r.missing(); err != nil {
		return reply{}, err
	}
	r.d.seen.saw(r.real, r.deed(), r.version, 0)
	if r.want.Raw {
		return plain(r.bare()), nil
	}
	var out reply
	out.header(r.d.inHeader(r.real), r.tag())
	if r.view.Partial {
		out.line(fmt.Sprintf("[line %d, from byte %d of the file]", r.view.First, r.want.Offset))
	}
	for _, row := range r.view.Rows {
		if row.Gap {
			out.line(gapRow)
		}
		out.row(r.real, r.version, contextMark(row.Context), row.Line, row.Text, row.Whole)
	}
	if n := r.notices(); n != "" {
		out.line(n)
	}
	return out, nil
}

// gapRow stands between rows whose lines do not follow one another.
const gapRow = "..."

// contextMark is what stands before a row of context.
func contextMark(context bool) string {
	if context {
		return " "
	}
	return ""
}

// tag names the very bytes that the rows come from, which are kept for the edits that
// speak of them. A file that is made while it is read has none: the next read gives others.
func (r *reading) tag() string {
	if r.whole == nil || r.size == 0 && len(r.whole) > 0 {
		return ""
	}
	return r.d.seen.record(r.real, r.whole).Tag
}

// missing is the error of a read of what is not there.
func (r *reading) missing() error {
	name, v := r.d.rel(r.real), r.view
	switch {
	case v.First != 0 || r.facts.Empty:
		return nil
	case r.want.Offset > 0:
		return fmt.Errorf("%s has %s, so nothing starts at offset %d", name, count(v.Bytes, "byte"), r.want.Offset)
	case r.facts.Lines == 0:
		return fmt.Errorf("%s became empty while it was read; read it again", name)
	}
	return fmt.Errorf("%s has %s, so there is no line %d; read a line up to %d", name, count(r.facts.Lines, "line"), r.want.Spans[0].From, r.facts.Lines)
}

// bare is the text of a raw read. Its line ends are \n; the last line of the file has
// one exactly when it has an ending.
func (r *reading) bare() string {
	var b strings.Builder
	for i, row := range r.view.Rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		if row.Gap {
			b.WriteString(gapRow + "\n")
		}
		b.WriteString(legible(row.Text))
	}
	text, n := b.String(), r.notices()
	if n != "" && text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if text+n == "" {
		n = "[" + span(doc.Span{From: r.view.First, To: r.view.Last}) + " is empty]"
	}
	return text + n
}

// legible puts U+FFFD where bytes are no text.
func legible(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, string(utf8.RuneError)), "\x00", string(utf8.RuneError))
}

// notices is the line of what has to be said.
func (r *reading) notices() string {
	var parts []string
	for _, n := range r.view.Notices(r.want, r.facts) {
		parts = append(parts, r.notice(n))
	}
	if r.size == 0 && len(r.whole) > 0 && !r.want.Raw {
		parts = append(parts, "the system makes this file while it is read: it has no tag and cannot be edited")
	}
	if len(parts) == 0 {
		return ""
	}
	return "[" + strings.Join(parts, "; ") + "]"
}

func (r *reading) notice(n doc.Notice) string {
	v, name := r.view, r.d.rel(r.real)
	of := ""
	if r.facts.Lines >= 0 {
		of = fmt.Sprintf(" of %d", r.facts.Lines)
	}
	switch n {
	case doc.NoticeEmpty:
		return name + " is an empty file"
	case doc.NoticeCut:
		next := ""
		if len(v.Rest) > 0 {
			next = fmt.Sprintf(", or with %s for what follows it", r.rest())
		}
		return fmt.Sprintf("line %d%s is too long to show whole, so its row cannot be edited; go on with offset=%d%s", v.Last, of, v.NextOffset, next)
	case doc.NoticeRest:
		return fmt.Sprintf("the page ends with line %d%s; go on with %s", v.Last, of, r.rest())
	case doc.NoticeFollows:
		if of == "" {
			return fmt.Sprintf("more lines follow; go on with %s:%d-", name, v.Last+1)
		}
		return "the file has " + count(r.facts.Lines, "line")
	case doc.NoticePast:
		return "the file ends with line " + fmt.Sprint(r.facts.Lines)
	case doc.NoticeEndings:
		return endingsText(r.facts.Endings)
	case doc.NoticeGarbled:
		return "the file is not UTF-8 text: \uFFFD stands for what cannot be shown"
	case doc.NoticeLarge:
		return "the file is over 4 MiB and has no tag: read it in ranges and change it with write or bash"
	}
	return ""
}

// rest is the path with a selector of what is left to show.
func (r *reading) rest() string {
	spans := make([]string, len(r.view.Rest))
	for i, s := range r.view.Rest {
		spans[i] = s.String()
	}
	raw := ""
	if r.want.Raw {
		raw = ":raw"
	}
	return r.d.rel(r.real) + ":" + strings.Join(spans, ",") + raw
}

func endingsText(e doc.Endings) string {
	if e.LF == 0 {
		return "lines end in CRLF"
	}
	return fmt.Sprintf("%d lines end in CRLF, %d in LF", e.CRLF, e.LF)
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
