package doc

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Want is what a read asks for.
type Want struct {
	// Lines is the span of lines; From 0 means from the first line.
	Lines Span
	// Offset is the byte to start from; 0 without one. It may lie inside a line.
	Offset int64
	// Budget bounds the text of the rows, in bytes.
	Budget int
}

// View is what a read shows.
type View struct {
	// Text is the rows, "N:text\n" each.
	Text string
	// First and Last are the lines shown, 0 when none is.
	First, Last int64
	// Partial is true when the first row starts inside its line.
	Partial bool
	// Next is the line to go on from, 0 when the wanted lines were all shown and
	// nothing follows them.
	Next int64
	// NextOffset is the byte to go on from when the last row was cut inside its
	// line, because the line alone is longer than the budget; else 0.
	NextOffset int64
	// Spent is true when the budget ended the view, false when the span did.
	Spent bool
	// Lines and Bytes are the file's size, known only when its end was seen.
	Lines, Bytes int64
	Ended        bool
}

// Rows turns the bytes of a file into the rows of one view. Bytes come in chunks of
// any size and only a row that may still be shown is kept, so a file of any size
// takes the budget's memory.
type Rows struct {
	want Want
	view View
	out  []byte
	row  []byte
	// line is the number of the line under way, off the offset of the next byte fed,
	// start the offset at which the row under way begins.
	line, off, start int64
	// open is true when a byte of the line under way was fed; head is the file's
	// first bytes, to know a byte order mark.
	open bool
	head []byte
	// filled is true when the wanted lines are there and only the question is left
	// whether anything follows; done when that is answered too.
	filled, done bool
}

// NewRows starts a view.
func NewRows(w Want) *Rows {
	w.Lines.From = max(1, w.Lines.From)
	return &Rows{want: w, line: 1}
}

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
		r.view.Ended = true
		r.view.Lines, r.view.Bytes = r.line-1, r.off
		if r.open && !(r.off == int64(len(BOM)) && string(r.head) == BOM) {
			r.view.Lines = r.line
			if r.wanted() {
				r.emit()
			}
		}
	}
	return r.View()
}

// View is the view so far, for a reader that stopped because Feed needed no more.
func (r *Rows) View() View {
	v := r.view
	v.Text = string(r.out)
	return v
}

func (r *Rows) take(b []byte) []byte {
	if r.filled {
		r.stop(r.line, false)
		return nil
	}
	if r.off < r.want.Offset {
		b = r.skipTo(b)
		if len(b) == 0 {
			return nil
		}
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

// skipTo moves to the wanted offset, counting the lines it passes.
func (r *Rows) skipTo(b []byte) []byte {
	n := int(min(int64(len(b)), r.want.Offset-r.off))
	r.line += int64(bytes.Count(b[:n], []byte{'\n'}))
	r.off += int64(n)
	r.open = b[n-1] != '\n'
	r.view.Partial = r.open
	r.start = r.off
	return b[n:]
}

func (r *Rows) wanted() bool {
	return r.line >= r.want.Lines.From && (r.want.Lines.To == 0 || r.line <= r.want.Lines.To) && r.off >= r.want.Offset
}

// keep appends to the row under way, up to what could still be shown of it.
func (r *Rows) keep(piece []byte) {
	if !r.wanted() {
		return
	}
	if len(r.row) == 0 {
		r.start = r.off
	}
	room := r.want.Budget + len(BOM) + utf8.UTFMax - len(r.row)
	r.row = append(r.row, piece[:max(0, min(room, len(piece)))]...)
	if len(r.row) > r.want.Budget+len(BOM) {
		r.emit()
	}
}

func (r *Rows) newline() {
	if r.done {
		return
	}
	if r.wanted() {
		r.emit()
	}
	if !r.done {
		r.line++
		r.open, r.row = false, r.row[:0]
		r.filled = r.want.Lines.To != 0 && r.line > r.want.Lines.To
	}
}

// emit shows the row under way. A row that does not fit starts the next view; a row
// that fits no view is cut.
func (r *Rows) emit() {
	l, _ := Cut(r.row)
	text := l.Text
	if r.start == 0 {
		text = bytes.TrimPrefix(text, []byte(BOM))
	}
	whole := len(text)
	prefix := strconv.FormatInt(r.line, 10) + ":"
	room := r.want.Budget - len(r.out) - len(prefix) - 1
	switch {
	case len(text) <= room:
		r.show(prefix, text)
	case len(r.out) > 0:
		r.stop(r.line, true)
	default:
		text = text[:runeCut(text, max(1, room))]
		r.show(prefix, text)
		r.stop(r.line, true)
		r.view.NextOffset = r.start + int64(len(l.Text)-whole) + int64(len(text))
	}
}

func (r *Rows) show(prefix string, text []byte) {
	r.out = append(append(append(r.out, prefix...), text...), '\n')
	if r.view.First == 0 {
		r.view.First = r.line
	}
	r.view.Last = r.line
}

func (r *Rows) stop(next int64, spent bool) {
	r.done, r.view.Next, r.view.Spent = true, next, spent
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
