package patch

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// rowKind is how a row of a body was written.
type rowKind uint8

const (
	plusRow  rowKind = iota // +text
	blankRow                // nothing at all
	bareRow                 // text without +
	minusRow                // -text
)

// body is a PUT under way with the rows that follow it.
type body struct {
	op   Op
	rows []bodyRow
	// plus is the texts of the + rows.
	plus []string
}

type bodyRow struct {
	at   int
	text string
	kind rowKind
}

func (b *body) take(at int, text string, kind rowKind) {
	b.rows = append(b.rows, bodyRow{at, text, kind})
}

func (b *body) has(kind rowKind) bool {
	for _, row := range b.rows {
		if row.kind == kind {
			return true
		}
	}
	return false
}

var numberedShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[* ]?([0-9]+):(.*)$`) })

// bodyRow takes a row without + into the open body.
func (r *reader) bodyRow(row string) error {
	switch {
	case numberedShape().MatchString(row):
		return r.fault("Write the new text alone, with + before it", "the body holds the numbered row %q; numbers are no part of a file", brief(row))
	case strings.HasPrefix(row, "-"):
		r.open.take(r.at, row, minusRow)
	default:
		r.open.take(r.at, row, bareRow)
	}
	return nil
}

// closeOp ends the PUT under way: its rows become its lines.
func (r *reader) closeOp() error {
	b := r.open
	if b == nil {
		return nil
	}
	r.open = nil
	for n := len(b.rows); n > 0 && b.rows[n-1].kind == blankRow; n-- {
		b.rows = b.rows[:n-1] // what stands between operations
	}
	lines, err := r.lines(b)
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		if !b.op.takes() {
			return &Fault{Row: b.op.Row, Path: r.section().Path, What: "the PUT inserts nothing", Instead: "Put the new lines below it, with + before each; + alone is an empty line"}
		}
		r.warn("PUT %s: without lines was taken as CUT %s", b.op.place(), b.op.place())
		b.op.Verb = Cut
		b.op.Register = discard
	}
	b.op.Body = lines
	s := r.section()
	s.Ops = append(s.Ops, b.op)
	return nil
}

// discard is the register of lines that are only taken away: nothing pastes it.
const discard = "_"

// lines are the rows of a body as lines of a file.
func (r *reader) lines(b *body) ([]string, error) {
	bullets, err := r.minus(b)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, row := range b.rows {
		switch row.kind {
		case plusRow:
			out = append(out, row.text)
		case blankRow:
			r.warn("an empty row inside a body was taken as an empty line; write + alone for one")
			out = append(out, "")
		case bareRow:
			r.warn("rows of a body without + were taken as text; write + before each")
			out = append(out, row.text)
		case minusRow:
			if bullets {
				out = append(out, row.text)
			}
		}
	}
	return out, nil
}

// minus decides about rows that begin with a minus: beside + rows they are the old lines
// of a diff and say nothing new; a list of "- " alone is a list.
func (r *reader) minus(b *body) (bullets bool, err error) {
	if !b.has(minusRow) {
		return false, nil
	}
	if len(b.plus) > 0 {
		r.warn("rows with - before them were left out: the lines to replace are named by their numbers")
		return false, nil
	}
	for _, row := range b.rows {
		if row.kind == minusRow && !strings.HasPrefix(row.text, "- ") || row.kind == bareRow {
			return false, &Fault{Row: row.at + 1, Path: r.section().Path, What: "it is not clear whether rows with - are text or old lines", Instead: "Write + before each new line (+- text for a line that begins with a minus), and leave old lines out"}
		}
	}
	r.warn("the list with - before each row was taken as text; write +- for such a line")
	return true, nil
}

// stray is a row outside every body that is no operation.
func (r *reader) stray(row, trimmed string) error {
	s := r.section()
	switch {
	case s == nil && strings.HasPrefix(trimmed, "#"), s != nil && len(s.Ops) == 0 && strings.HasPrefix(trimmed, "#"):
		r.warn("the comment %q was left out", brief(trimmed))
		return nil
	case s == nil:
		return r.fault(shape, "the patch begins with %q, not with the header of a file", brief(trimmed))
	}
	if m := numberedShape().FindStringSubmatch(row); m != nil {
		return r.pasted(s, m[1], m[2])
	}
	return r.fault("Operations are PUT, CUT, REM and MV; rows of new text begin with + and follow a PUT that ends in a colon", "%q is no operation", brief(trimmed))
}

// pasted takes a row N:text as a replacement of that line.
func (r *reader) pasted(s *Section, digits, text string) error {
	n, err := r.number(digits)
	if err != nil {
		return err
	}
	for _, o := range s.Ops {
		if o.At == Lines && o.From <= n && n <= o.To {
			return r.fault("Write PUT "+digits+": once, and all its new lines below it with + before each", "line %d is given twice", n)
		}
	}
	r.warn("rows N:text were taken as PUT N: with that text")
	s.Ops = append(s.Ops, Op{Verb: Put, At: Lines, From: n, To: n, Body: []string{text}, Row: r.at + 1})
	return nil
}

// counted is a number of things in a message.
func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.FormatInt(n, 10) + " " + what + "s"
}
