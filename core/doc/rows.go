package doc

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// The context that is shown around the one range a read asks for (7.6).
const (
	LeadingContext  = 1
	TrailingContext = 3
	// ContextBytes bounds a line of context: it is there to find one's way, and must not
	// take the room of what was asked for.
	ContextBytes = 1 << 10
)

// gapBytes is what a gap marker takes of the budget.
const gapBytes = len("...\n")

// Want is what a read asks for.
type Want struct {
	// Spans are the lines, sorted and merged (Merge); empty for all of them.
	Spans []Span
	// Offset is the byte to start from; 0 without one. It may lie inside a line.
	Offset int64
	// Bytes bounds the text of the rows with their numbers, and MaxRows their number,
	// gap markers counted too; 0 is no bound for MaxRows.
	Bytes, MaxRows int
	// Raw asks for the pieces between the \n of the file, of which the last one may be
	// empty, instead of its lines, and for no number before them.
	Raw bool
	// Context asks for some lines around a single range that has an end.
	Context bool
}

// Row is one line as a read shows it.
type Row struct {
	Line int64
	Text string
	// Whole is true when the text is all of the line.
	Whole bool
	// Context is true for a line that was not asked for, beside one that was.
	Context bool
	// Gap is true when a gap marker stands before the row.
	Gap bool
}

// View is what a read shows.
type View struct {
	// Rows are the lines shown; none when none of the lines asked for is there.
	Rows []Row
	// First and Last are the lines shown that were asked for, 0 when none is.
	First, Last int64
	// Partial is true when the first row starts inside its line.
	Partial bool
	// Rest is what is left of the lines asked for when the view was full before their
	// end.
	Rest []Span
	// NextOffset is the byte to go on from when the last row was cut inside its
	// line, because the line alone is longer than the budget; else 0.
	NextOffset int64
	// Follows is true when all that was asked for is shown and the file goes on.
	Follows bool
	// Lines and Bytes are the file's size, known only when its end was seen (Ended).
	Lines, Bytes int64
	Ended        bool
}

// Rows turns the bytes of a file into the rows of one view. Bytes come in chunks of
// any size and only a row that may still be shown is kept, so a file of any size
// takes the budget's memory.
type Rows struct {
	want Want
	plan []part
	// behind is the part of the plan before those that are left.
	behind Span
	view   View
	// used is what the rows take of the budget, in bytes and in rows.
	used, rows int
	row        []byte
	// line is the number of the line under way, off the offset of the next byte fed,
	// start the offset at which the row under way begins.
	line, off, start int64
	// open is true when a byte of the line under way was fed; head is the file's
	// first bytes, to know a byte order mark.
	open bool
	head []byte
	// done is true when no other byte is needed.
	done bool
}

// part is a run of lines of the plan of a view.
type part struct {
	Span
	context bool
}

// NewRows starts a view.
func NewRows(w Want) *Rows {
	return &Rows{want: w, plan: w.plan(), line: 1}
}

// plan is the runs of lines that are wanted, with their context.
func (w Want) plan() []part {
	if len(w.Spans) == 0 {
		return []part{{Span: Span{From: 1}}}
	}
	if s := w.Spans[0]; len(w.Spans) == 1 && w.Context && !w.Raw && !s.open() {
		plan := []part{{Span: s}, {Span: Span{s.To + 1, s.To + TrailingContext}, context: true}}
		if s.From > LeadingContext {
			plan = append([]part{{Span: Span{s.From - LeadingContext, s.From - 1}, context: true}}, plan...)
		}
		return plan
	}
	var plan []part
	for _, s := range w.Spans {
		plan = append(plan, part{Span: s})
	}
	return plan
}

// Gap reports whether a gap marker stands between two spans that are shown one after
// the other (law rows_gap_marks_every_jump).
func Gap(before, after Span, raw bool) bool { return raw || after.From != before.To+1 }

// Feed takes the next bytes of the file; more is false when it needs no others.
func (r *Rows) Feed(b []byte) (more bool) {
	if n := len(BOM) - len(r.head); n > 0 {
		r.head = append(r.head, b[:min(n, len(b))]...)
	}
	for len(b) > 0 && !r.done {
		b = r.take(b)
	}
	return !r.done
}

// End says that the file ends here and gives the view.
func (r *Rows) End() View {
	if !r.done {
		if r.off == int64(len(BOM)) && r.marked() {
			r.open = false
		}
		r.view.Ended = true
		r.view.Lines, r.view.Bytes = r.line-1, r.off
		if r.open || r.want.Raw {
			r.last()
		}
	}
	return r.View()
}

// last takes the line that the end of the file ends: one without an ending, or the
// piece behind the last \n.
func (r *Rows) last() {
	r.view.Lines = r.line
	if len(r.row) == 0 {
		r.start = r.off
	}
	p, ok := r.next()
	r.view.Follows = r.view.First != 0 && (!ok || p.context)
	if _, wanted := r.wanted(); wanted {
		r.emit()
	}
}

// View is the view so far, for a reader that stopped because Feed needed no more.
func (r *Rows) View() View {
	v := r.view
	if v.First == 0 {
		v.Rows = nil // what is not there has no surroundings
	}
	return v
}

// marked reports whether the file begins with a byte order mark.
func (r *Rows) marked() bool { return string(r.head) == BOM }

func (r *Rows) take(b []byte) []byte {
	if r.off < r.want.Offset {
		return r.skipTo(b)
	}
	p, ok := r.next()
	if r.view.Follows = r.view.First != 0 && (!ok || p.context); !ok {
		r.done = true
		return nil
	}
	if r.line < p.From && !r.open {
		at, line := skipLines(b, 0, r.line, p.From)
		r.off, r.line = r.off+int64(at), line
		r.open = b[at-1] != '\n'
		return b[at:]
	}
	piece, ended := b, false
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		piece, ended = b[:i+1], true
	}
	r.keep(piece)
	r.off += int64(len(piece))
	r.open = true
	if ended {
		r.newline()
	}
	return b[len(piece):]
}

// next drops the parts of the plan that are behind and gives the next one.
func (r *Rows) next() (part, bool) {
	for len(r.plan) > 0 && !r.plan[0].open() && r.line > r.plan[0].To {
		r.behind, r.plan = r.plan[0].Span, r.plan[1:]
	}
	if len(r.plan) == 0 {
		return part{}, false
	}
	return r.plan[0], true
}

// skipTo moves to the wanted offset, counting the lines it passes.
func (r *Rows) skipTo(b []byte) []byte {
	n := int(min(int64(len(b)), r.want.Offset-r.off))
	r.line += int64(bytes.Count(b[:n], []byte{'\n'}))
	r.off += int64(n)
	r.open = b[n-1] != '\n'
	r.view.Partial = r.open && !(r.off == int64(len(BOM)) && r.marked())
	r.start = r.off
	return b[n:]
}

// wanted gives the part of the plan that the line under way belongs to.
func (r *Rows) wanted() (part, bool) {
	p, ok := r.next()
	return p, ok && r.line >= p.From && r.off >= r.want.Offset
}

// keep appends to the row under way, up to what could still be shown of it.
func (r *Rows) keep(piece []byte) {
	if _, wanted := r.wanted(); !wanted {
		return
	}
	if len(r.row) == 0 {
		r.start = r.off
	}
	room := r.want.Bytes + len(BOM) + utf8.UTFMax - len(r.row)
	r.row = append(r.row, piece[:max(0, min(room, len(piece)))]...)
	if len(r.row) > r.want.Bytes+len(BOM) {
		r.emit()
	}
}

func (r *Rows) newline() {
	if r.done {
		return
	}
	if _, wanted := r.wanted(); wanted {
		r.emit()
	}
	if !r.done {
		r.line++
		r.open, r.row = false, r.row[:0]
	}
}

// text is the text of the row under way and the bytes that stand before it in the row:
// a byte order mark, or the end of a character that an offset lies in.
func (r *Rows) text() (text []byte, lead int) {
	l, _ := Cut(r.row)
	switch {
	case r.start == 0 && r.marked():
		lead = len(BOM)
	case r.view.Partial && len(r.view.Rows) == 0:
		for lead < min(len(l.Text), utf8.UTFMax-1) && !utf8.RuneStart(l.Text[lead]) {
			lead++
		}
	}
	return l.Text[lead:], lead
}

// emit shows the row under way. A row that does not fit starts the next view; a row
// that fits no view is cut.
func (r *Rows) emit() {
	text, lead := r.text()
	p := r.plan[0]
	row := Row{Line: r.line, Context: p.context, Whole: !r.startsInside()}
	row.Gap = r.behind.From != 0 && r.line == p.From && Gap(r.behind, p.Span, r.want.Raw)
	if p.context {
		r.beside(row, text)
		return
	}
	if !r.fits(row, text) && r.view.First == 0 {
		r.view.Rows, r.used, r.rows = nil, 0, 0 // context gives way
	}
	switch {
	case r.fits(row, text):
		r.show(row, text)
	case r.view.First != 0:
		r.stop(r.line)
	default:
		text = text[:runeCut(text, max(1, r.want.Bytes-r.size(row, nil)))]
		row.Whole = false
		r.show(row, text)
		r.view.NextOffset = r.start + int64(lead+len(text))
		r.stop(r.line + 1)
	}
}

// startsInside reports whether the row under way begins inside its line.
func (r *Rows) startsInside() bool { return r.view.Partial && len(r.view.Rows) == 0 }

// beside shows a row of context. One that is too long ends the view when nothing that
// was asked for comes after it: what is shown has no holes.
func (r *Rows) beside(row Row, text []byte) {
	if len(text) <= ContextBytes && r.fits(row, text) {
		r.show(row, text)
		return
	}
	r.done = r.view.First != 0
}

// size is what a row takes of the budget.
func (r *Rows) size(row Row, text []byte) int {
	n := len(text) + 1
	if !r.want.Raw {
		n += len(strconv.FormatInt(row.Line, 10)) + 1
	}
	if row.Gap {
		n += gapBytes
	}
	return n
}

func (r *Rows) fits(row Row, text []byte) bool {
	return r.used+r.size(row, text) <= r.want.Bytes && (r.want.MaxRows == 0 || r.rows+rowsOf(row) <= r.want.MaxRows)
}

// rowsOf is how many lines of a reply a row takes.
func rowsOf(row Row) int {
	if row.Gap {
		return 2
	}
	return 1
}

func (r *Rows) show(row Row, text []byte) {
	r.used += r.size(row, text)
	r.rows += rowsOf(row)
	row.Text = string(text)
	r.view.Rows = append(r.view.Rows, row)
	if row.Context {
		return
	}
	if r.view.First == 0 {
		r.view.First = r.line
	}
	r.view.Last = r.line
}

// stop ends the view before a line: what is wanted from there on is left.
func (r *Rows) stop(line int64) {
	r.done = true
	for _, p := range r.plan {
		if p.From = max(p.From, line); !p.context && (p.open() || p.From <= p.To) {
			r.view.Rest = append(r.view.Rest, p.Span)
		}
	}
}

// runeCut is the largest length up to n that ends no character in its middle. It is
// at least one character, so that every view goes on.
func runeCut(b []byte, n int) int {
	n = min(n, len(b))
	for k := n; k > 0 && n-k < utf8.UTFMax; k-- {
		if k == len(b) || utf8.RuneStart(b[k]) {
			return k
		}
	}
	_, first := utf8.DecodeRune(b)
	return max(n, first)
}
