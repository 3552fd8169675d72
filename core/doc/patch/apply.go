package patch

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"tenet/core/doc"
)

// Result is what a section makes of its file.
type Result struct {
	// Pieces is the new file as lines kept and lines new, Bytes the file that doc.Weave
	// makes of them. Both are empty for a file that is removed.
	Pieces []doc.Piece
	Bytes  []byte
	// Changed is the new lines, as lines of the new file, in order. Where lines only
	// went it is the line that stands in their place, or the last line of the file.
	Changed []doc.Span
	// Warnings says what was done otherwise than the patch has it.
	Warnings []string
}

// Apply applies a patch whose blocks are resolved. texts are the files of the sections,
// in their order, in the versions whose lines the patch names. A section that changes
// nothing is a fault, and with it the whole patch. Every error is a *Fault.
//
// A line that is replaced by its own text is not a changed one and keeps its bytes; of a
// range that holds for the lines at its ends.
func Apply(p Patch, texts [][]byte) ([]Result, error) {
	if f := check(p); f != nil {
		return nil, f
	}
	a := applying{held: map[string][]string{}}
	results := make([]Result, len(p.Sections))
	for i, s := range p.Sections {
		var f *Fault
		if results[i], f = a.section(s, texts[i]); f != nil {
			return nil, f.in(s.Path)
		}
	}
	return results, nil
}

// applying is a patch under way: held is what the registers hold.
type applying struct {
	held map[string][]string
}

// change is one operation on the lines of one file, with the lines that it brings.
type change struct {
	op Op
	// at is the line after which it stands and rank the order there: what sticks to the
	// line before, what to the line after, what takes the next lines away.
	at   int64
	rank int
	// to is the last line that it takes away, at when it takes none.
	to    int64
	lines []string
	old   window
}

func (a *applying) section(s Section, text []byte) (Result, *Fault) {
	if s.File == Remove {
		return Result{}, nil
	}
	b := building{total: int64(doc.CountLines(text)), section: s}
	for _, op := range s.Ops {
		if f := b.add(op); f != nil {
			return Result{}, f
		}
	}
	b.look(text)
	if f := a.fill(&b); f != nil {
		return Result{}, f
	}
	if f := b.repair(); f != nil {
		return Result{}, f
	}
	return b.result(text)
}

// building is the new version of one file under way.
type building struct {
	section  Section
	total    int64
	changes  []change
	warnings []string
}

// The order of changes at one place.
const (
	atStart = iota
	afterLine
	beforeLine
	overLines
	atEnd
)

// add finds the place of an operation.
func (b *building) add(op Op) *Fault {
	if f := op.fits(b.total); f != nil {
		return f
	}
	c := change{op: op, lines: op.Body}
	switch op.At {
	case Top:
		c.at, c.rank = 0, atStart
	case Before:
		c.at, c.rank = op.From-1, beforeLine
	case After:
		c.at, c.rank = op.From, afterLine
	case AfterBlock:
		c.at, c.rank = op.To, afterLine
	case Bottom:
		c.at, c.rank = b.total, atEnd
	case Lines, Block:
		c.at, c.rank = op.From-1, overLines
	}
	if c.to = c.at; c.rank == overLines {
		c.to = op.To
	}
	b.changes = append(b.changes, c)
	return nil
}

// fits refuses an operation on lines that the file does not have.
func (op Op) fits(total int64) *Fault {
	last := max(op.From, op.To)
	switch {
	case op.unresolved():
		return fault(NoBlock, op.Row, "the block of "+quoted(op.Header())+" is not known", "Write the range, `PUT N.=M:` or `CUT N.=M`.")
	case op.atEnd():
		return nil
	case op.From < 1:
		return fault(BadTarget, op.Row, "there is no line "+fmt.Sprint(op.From), "Lines are counted from 1.")
	case last > total && total == 0:
		return fault(PastEnd, op.Row, "the file is empty and has no line "+fmt.Sprint(last), "Write `PUT <1:` with the new lines below it.")
	case last > total:
		return fault(PastEnd, op.Row, fmt.Sprintf("%s names line %d, past the end: the file has %s", quoted(op.Header()), last, counted(total, "line")), "Use the numbers of the file's latest rows; `PUT >$:` adds at the end.")
	default:
		return nil
	}
}

// fill gives each paste its lines and each register what is cut.
func (a *applying) fill(b *building) *Fault {
	for i := range b.changes {
		c := &b.changes[i]
		switch c.op.Verb {
		case Cut:
			if c.op.Register != Discard {
				a.held[c.op.Register] = c.old.strings()
			}
		case Paste:
			c.lines = a.held[c.op.Register]
		case Put:
			if f := checkRemoved(c.op, c.old); f != nil {
				return f
			}
		}
	}
	return nil
}

// checkRemoved refuses -rows that are not lines which the operation replaces: they may be
// meant as new ones.
func checkRemoved(op Op, w window) *Fault {
	old := w.lines
	for _, row := range op.Removed {
		i := slices.IndexFunc(old, func(l []byte) bool { return sameButEnd(l, row) })
		if i < 0 {
			return fault(UnclearBody, op.Row, quoted("-"+row)+" is not one of the lines that "+quoted(op.Header())+" replaces, so it may be meant as a new line", "Write "+quoted("+-"+row)+" for a new line that begins with a -, else leave the row out; look whether the range is right.")
		}
		old = old[i+1:]
	}
	return nil
}

// sameButEnd compares without blanks at the end.
func sameButEnd(line []byte, row string) bool {
	const blanks = " \t\r"
	return bytes.Equal(bytes.TrimRight(line, blanks), bytes.TrimRight([]byte(row), blanks))
}

// result makes the file of the changes.
func (b *building) result(text []byte) (Result, *Fault) {
	slices.SortStableFunc(b.changes, func(x, y change) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.rank, y.rank))
	})
	for i := range b.changes {
		b.changes[i].shrink()
	}
	r := Result{Warnings: b.warnings}
	r.Pieces, r.Changed = b.pieces()
	r.Bytes = doc.Weave(text, r.Pieces)
	if !bytes.Equal(r.Bytes, text) {
		return r, nil
	}
	if b.section.File == Move {
		if len(b.section.Ops) > 0 {
			r.Warnings = append(r.Warnings, b.section.Path+": the operations change nothing; the file only moves")
		}
		return r, nil
	}
	return Result{}, b.noOp()
}

// noOp is the fault of a section that changes nothing.
func (b *building) noOp() *Fault {
	return fault(NoOp, b.section.Row, "no-op: the operations below "+quoted(b.section.Header())+" leave the file as it is: the new lines are the lines that stand there", "Read the lines again; leave the section out if the file is as it should be.")
}

// shrink leaves out the lines at both ends of a replacement that are the old ones.
func (c *change) shrink() {
	if c.rank != overLines || c.op.Verb == Cut {
		return
	}
	head, old := 0, c.old.lines
	for head < min(len(old), len(c.lines)) && string(old[head]) == c.lines[head] {
		head++
	}
	old, c.lines, c.at = old[head:], c.lines[head:], c.at+int64(head)
	for n, m := len(old), len(c.lines); n > 0 && m > 0 && string(old[n-1]) == c.lines[m-1]; n, m = n-1, m-1 {
		old, c.lines, c.to = old[:n-1], c.lines[:m-1], c.to-1
	}
}

// pieces walks through the old file from change to change.
func (b *building) pieces() (pieces []doc.Piece, changed []doc.Span) {
	old, fresh := int64(1), int64(1) // the next line of the old file and of the new
	for _, c := range b.changes {
		if len(c.lines) == 0 && c.to == c.at {
			continue
		}
		if c.at >= old {
			pieces = append(pieces, doc.Piece{Keep: doc.Span{From: old, To: c.at}})
			fresh += c.at - old + 1
		}
		if n := int64(len(c.lines)); n > 0 {
			pieces = append(pieces, doc.Piece{New: c.lines})
			changed = doc.Join(changed, doc.Span{From: fresh, To: fresh + n - 1})
			fresh += n
		} else {
			changed = doc.Join(changed, doc.Span{From: fresh, To: fresh})
		}
		old = c.to + 1
	}
	if old <= b.total {
		pieces = append(pieces, doc.Piece{Keep: doc.Span{From: old, To: b.total}})
		fresh += b.total - old + 1
	}
	return pieces, endAt(changed, fresh-1)
}

// endAt keeps spans within a file of so many lines: what went at its end is shown by
// its last line.
func endAt(spans []doc.Span, total int64) []doc.Span {
	n := len(spans)
	if n == 0 || spans[n-1].To <= total {
		return spans
	}
	last := spans[n-1]
	if last.From > total {
		if spans = spans[:n-1]; total == 0 {
			return nil
		}
		return doc.Join(spans, doc.Span{From: total, To: total})
	}
	spans[n-1].To = total
	return spans
}
