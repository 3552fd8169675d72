package docs

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tenet/core/doc"
	"tenet/core/doc/snapshot"
	"tenet/core/output"
)

// reply is what a tool hands back: text, and which of its lines are lines of files. A
// line of a file is seen only when its row reached the model, which is known only after
// the whole reply was bounded (S8.8): rows are marked then, and nowhere before.
type reply struct {
	text []byte
	rows []shownRow
	// heads are the headers of the rows, as the bytes that they take.
	heads [][2]int
	// settled is true when the reply tells of files that were changed: it is delivered
	// also when the call was cancelled meanwhile.
	settled bool
}

// shownRow is a row that shows one line whole.
type shownRow struct {
	path    string
	version uint64
	line    int64
	// start and end are the row's bytes in the reply.
	start, end int
}

// plain is a reply without rows.
func plain(text string) reply { return reply{text: []byte(text)} }

// line adds a line that shows no line of a file.
func (r *reply) line(text string) {
	r.text = append(append(r.text, text...), '\n')
}

// header begins the rows of a file: [path#TAG], or [path] for a file that has no tag.
func (r *reply) header(name, tag string) {
	if tag != "" {
		name += "#" + tag
	}
	start := len(r.text)
	r.line("[" + name + "]")
	r.heads = append(r.heads, [2]int{start, len(r.text)})
}

// row adds a row: the mark ("", "*" for a match, " " for context), the number and the
// text. whole tells that the text is all of the line; path and version name the bytes
// that it came from.
func (r *reply) row(path string, version uint64, mark string, line int64, text string, whole bool) {
	start := len(r.text)
	r.text = append(r.text, mark...)
	r.text = strconv.AppendInt(r.text, line, 10)
	r.text = append(append(append(r.text, ':'), text...), '\n')
	if whole {
		r.rows = append(r.rows, shownRow{path, version, line, start, len(r.text)})
	}
}

// rowsOf is which lines of a file are shown: those of spans in order, with a margin
// around each, up to a limit.
type rowsOf struct {
	spans  []doc.Span
	margin int64
	// mark stands before the rows of the spans, beside before those of the margin.
	mark, beside string
	limit        int
	// more is the line that stands for what is behind the limit.
	more string
}

// around shows lines of a version, with a gap marker between those that do not touch.
func (r *reply) around(path string, version uint64, file []byte, w rowsOf) {
	last, rows, i := int64(0), 0, 0
	for n, l := range doc.Lines(file) {
		line := int64(n)
		for i < len(w.spans) && line > max(w.spans[i].From, w.spans[i].To)+w.margin {
			i++
		}
		switch {
		case i == len(w.spans):
			return
		case line < w.spans[i].From-w.margin:
			continue
		case rows == w.limit:
			r.line(w.more)
			return
		case last != 0 && last != line-1:
			r.line(gapRow)
		}
		mark := w.mark
		if line < w.spans[i].From || line > w.spans[i].To {
			mark = w.beside
		}
		r.row(path, version, mark, line, doc.Excerpt(l.Text, 0, 0), doc.Entire(l.Text))
		last = line
		rows++
	}
}

// noteBytes bounds the notes of one file: a line that is longer than the bound of a reply
// would be cut with every other note in it.
const noteBytes = 4 << 10

// warn adds the line of the warnings, if there are any, and counts those behind the bound.
func (r *reply) warn(warnings []string) {
	n, size := 0, 0
	for n < len(warnings) && size <= noteBytes {
		size += len(warnings[n])
		n++
	}
	if left := len(warnings) - n; left > 0 {
		warnings = append(slices.Clone(warnings[:n]), count(int64(left), "more note"))
	}
	if len(warnings) > 0 {
		r.line("[" + strings.Join(warnings, "; ") + "]")
	}
}

// bound cuts the middle out of a reply that is too long, in whole lines, and drops the
// rows that were cut with it.
func (r *reply) bound(maxBytes int) {
	lines := bytes.SplitAfter(r.text, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	sizes := make([]int, len(lines))
	for i, l := range lines {
		sizes[i] = len(l)
	}
	m := doc.CutMiddle(sizes, maxBytes-markerBytes-r.widest(), output.DefaultLines-2)
	if m.Lines == 0 {
		return
	}
	from, to := 0, len(r.text)
	for _, n := range sizes[:m.Head] {
		from += n
	}
	for _, n := range sizes[len(sizes)-m.Tail:] {
		to -= n
	}
	marker := fmt.Sprintf("[… %d lines, %d bytes, are left out here; ask for a smaller part to see them …]\n", m.Lines, m.Bytes)
	r.text = slices.Concat(r.text[:from], []byte(marker), r.lost(from, to), r.text[to:])
	kept := r.rows[:0]
	for _, row := range r.rows {
		if row.end <= from || row.start >= to {
			kept = append(kept, row)
		}
	}
	r.rows = kept
}

// lost is the header of the first rows behind a cut when it was cut with others: without
// it they would be taken for lines of the file before.
func (r *reply) lost(from, to int) []byte {
	for _, h := range slices.Backward(r.heads) {
		if h[0] < to {
			if h[0] < from {
				return nil
			}
			return r.text[h[0]:h[1]]
		}
	}
	return nil
}

// widest is room for any header.
func (r *reply) widest() (n int) {
	for _, h := range r.heads {
		n = max(n, h[1]-h[0])
	}
	return n
}

// markerBytes is room for the line that tells of the cut.
const markerBytes = 128

// refusedBytes bounds a refusal that shows rows. It is more than what a result may have:
// whatever the script, the lines that a rejection shows come through whole, for it says
// that they count as seen (law reveal_then_retry).
const refusedBytes = snapshot.RevealAnchors*(snapshot.RevealChars*utf8.UTFMax+besideBytes) + 8<<10

// besideBytes is room for what stands around the text of a row.
const besideBytes = 32

// seen gives the rows that reached the model, as spans of lines of one version each.
func (r *reply) seen(mark func(path string, version uint64, lines doc.Span)) {
	for i := 0; i < len(r.rows); {
		first := r.rows[i]
		span := doc.Span{From: first.line, To: first.line}
		for i++; i < len(r.rows); i++ {
			next := r.rows[i]
			if next.path != first.path || next.version != first.version || next.line != span.To+1 {
				break
			}
			span.To++
		}
		mark(first.path, first.version, span)
	}
}

// refused is an error whose text shows rows: they are seen as those of a result are.
type refused struct{ reply }

// Error is the text of the refusal.
func (r *refused) Error() string { return string(r.text) }

// deliver bounds what a tool answers and marks the rows that stay.
func (d *Docs) deliver(r reply, err error) (string, error) {
	var no *refused
	if errors.As(err, &no) {
		no.bound(refusedBytes)
		no.seen(d.seen.shown)
		return "", no
	}
	if err != nil {
		return "", err
	}
	r.bound(output.DefaultBytes)
	r.seen(d.seen.shown)
	return string(r.text), nil
}
