package patch

import (
	"regexp"
	"strings"
	"sync"
)

// rowKind is what a row of a body looks like.
type rowKind uint8

const (
	plusRow   rowKind = iota // +TEXT
	blankRow                 // nothing but blanks
	minusRow                 // -TEXT
	elision                  // ... as a read shows a gap
	numbered                 // 3:TEXT as a read shows a line
	bracketed                // [TEXT], perhaps a header without its tag
	bareRow                  // any other text
)

// bodyRow is a row below an operation; text is without the + of a plusRow.
type bodyRow struct {
	kind rowKind
	text string
	line int
}

var elided = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\.\.\.|…)(\s*[\[(]?.*\b(lines?|rows?|more|unchanged|omitted|left out|not shown|missing)\b.*)?$`)
})

// isElision reports whether a row is a mark for lines that are not shown.
func isElision(row string) bool { return elided().MatchString(strings.TrimRight(row, " \t")) }

// bodyRow takes a row that has no +.
func (p *parser) bodyRow(row string, line int) *Fault {
	kind := bareRow
	switch trimmed := strings.TrimSpace(row); {
	case trimmed == "":
		kind = blankRow
	case row[0] == '-':
		kind = minusRow
	case isElision(row):
		kind = elision
	case copiedRow().MatchString(row):
		kind = numbered
	case row[0] == '[' && strings.HasSuffix(trimmed, "]") && strings.ContainsAny(trimmed, "./#"):
		kind = bracketed
	}
	p.open.rows = append(p.open.rows, bodyRow{kind: kind, text: row, line: line})
	return nil
}

// body is the rows below one operation, counted by kind.
type body struct {
	op    Op
	rows  []bodyRow
	count [bareRow + 1]int
	// first is the first row of each kind.
	first [bareRow + 1]bodyRow
}

// finishBody makes the lines of an operation of the rows below it.
func (p *parser) finishBody(o *openOp) (Op, *Fault) {
	b := body{op: o.op, rows: p.trim(o.rows)}
	for _, r := range b.rows {
		if b.count[r.kind]++; b.count[r.kind] == 1 {
			b.first[r.kind] = r
		}
	}
	if len(b.rows) == 0 {
		return p.emptyBody(o)
	}
	if f := b.unclear(); f != nil {
		return o.op, f
	}
	if f := b.unclearMinus(); f != nil {
		return o.op, f
	}
	return p.lines(b), nil
}

// trim drops the blanks below the rows, and marks of a gap around them.
func (p *parser) trim(rows []bodyRow) []bodyRow {
	for len(rows) > 0 && rows[0].kind == elision {
		p.ignored(rows[0])
		rows = rows[1:]
	}
	for n := len(rows); n > 0 && (rows[n-1].kind == blankRow || rows[n-1].kind == elision); n = len(rows) {
		p.ignored(rows[n-1])
		rows = rows[:n-1]
	}
	return rows
}

func (p *parser) ignored(r bodyRow) {
	if r.kind == elision {
		p.warn(r.line, quoted(r.text)+" stands for lines that are not shown and was ignored")
	}
}

// emptyBody is an operation with a colon and nothing below it.
func (p *parser) emptyBody(o *openOp) (Op, *Fault) {
	op := o.op
	deletion := op
	deletion.Verb = Cut
	switch {
	case !op.takes():
		return op, fault(EmptyInsert, op.Row, quoted(op.Header())+" has no lines to insert", "Write the new lines below it, each after a +; a + alone is a blank line. To paste cut lines leave out the colon.")
	case o.bare || len(o.rows) > 0 && hasElision(o.rows):
		return op, fault(UnclearBody, op.Row, "no lines stand below "+quoted(op.Header()), "Write the new lines below it, each after a +, or "+quoted(deletion.Header())+" to delete.")
	default:
		p.warn(op.Row, quoted(op.Header())+" without lines was read as a deletion, "+quoted(deletion.Header()))
		deletion.Register = Discard
		return deletion, nil
	}
}

func hasElision(rows []bodyRow) bool {
	for _, r := range rows {
		if r.kind == elision {
			return true
		}
	}
	return false
}

// unclear refuses rows that may be meant in two ways.
func (b body) unclear() *Fault {
	header := quoted(b.op.Header())
	switch {
	case b.count[numbered] > 0:
		r := b.first[numbered]
		m := copiedRow().FindStringSubmatch(r.text)
		return fault(UnclearBody, r.line, quoted(r.text)+" has a line number, and below "+header+" stand new lines only", "Write "+quoted("+"+m[2])+" without the number, or "+quoted("+"+r.text)+" if the number is text of the line.")
	case b.count[elision] > 0 && b.op.takes():
		r := b.first[elision]
		return fault(UnclearBody, r.line, quoted(r.text)+" stands for lines that are not there, and "+header+" would delete them", "Write every new line, or one PUT for each part that changes; if it is text of the file write "+quoted("+"+r.text)+".")
	case b.count[bracketed] > 0:
		return maybeHeader(b.first[bracketed])
	case b.count[plusRow] > 0:
		return b.unclearBare()
	case b.count[bareRow] > 0:
		return b.indented()
	default:
		return nil
	}
}

// indented refuses a body whose first row is set in and reads like a row of a patch: the
// patch as a whole is set in then, and would be written as text.
func (b body) indented() *Fault {
	r := b.first[bareRow]
	text := strings.TrimLeft(r.text, " \t")
	if text == r.text || !strings.HasPrefix(text, "+") {
		return nil
	}
	return fault(UnclearBody, r.line, "the row "+quoted(r.text)+" is set in, so it is not clear whether it is text", "Write operations and + at the start of the row, or "+quoted("+"+r.text)+" for text.")
}

func maybeHeader(r bodyRow) *Fault {
	return fault(UnclearBody, r.line, quoted(r.text)+" may be a line of text or the header of a file", "Write "+quoted("+"+r.text)+" for the line; a header has a tag, as in `[path#1A2B]`.")
}

// unclearBare refuses a row without + among rows with one where it may be a comment or a
// context row of a diff.
func (b body) unclearBare() *Fault {
	for _, r := range b.rows {
		if r.kind != bareRow {
			continue
		}
		if r.text[0] == '[' && strings.HasSuffix(r.text, "]") {
			return maybeHeader(r)
		}
		if r.text[0] == '#' {
			return fault(UnclearBody, r.line, quoted(r.text)+" may be a line of text or a comment on the patch", "Write "+quoted("+"+r.text)+" for the line; leave it out if it is a comment.")
		}
		if r.text[0] == ' ' || r.text[0] == '\t' || b.count[minusRow] > 0 {
			return fault(UnclearBody, r.line, quoted(r.text)+" may be a new line or a context row of a diff", "Write "+quoted("+"+r.text)+" if it belongs to the new lines, else leave it out: below "+quoted(b.op.Header())+" stand the new lines only.")
		}
	}
	return nil
}

// unclearMinus refuses -rows that may be old lines or bullets.
func (b body) unclearMinus() *Fault {
	if b.count[minusRow] == 0 || b.op.takes() && b.count[plusRow] > 0 {
		return nil
	}
	r := b.first[minusRow]
	if b.op.takes() {
		deletion := b.op
		deletion.Verb = Cut
		return fault(UnclearBody, r.line, quoted(r.text)+" may be an old line or a new one", "Write "+quoted(deletion.Header())+" alone to delete the lines, or "+quoted("+"+r.text)+" for a new line that begins with a -.")
	}
	for _, row := range b.rows {
		if row.kind == minusRow && (!strings.HasPrefix(row.text, "- ") || b.count[plusRow] > 0) {
			return fault(UnclearBody, row.line, quoted(row.text)+" may be an old line or a new one, and "+quoted(b.op.Header())+" takes no line away", "Write "+quoted("+"+row.text)+" for a new line that begins with a -; delete the old line with a CUT of its number.")
		}
	}
	return nil
}

// lines takes the rows as new lines, and warns of each way in which they are not as they
// should be.
func (p *parser) lines(b body) Op {
	op := b.op
	for _, r := range b.rows {
		switch r.kind {
		case minusRow:
			if b.count[plusRow] > 0 {
				op.Removed = append(op.Removed, r.text[1:])
				continue
			}
		case elision:
			p.ignored(r)
			continue
		case blankRow:
			r.text = ""
		case plusRow, numbered, bracketed, bareRow:
		}
		op.Body = append(op.Body, r.text)
	}
	p.warnRows(b)
	return op
}

func (p *parser) warnRows(b body) {
	if b.count[bareRow] > 0 {
		p.warn(b.first[bareRow].line, "a row without a + was read as a new line; write + before each")
	}
	if b.count[blankRow] > 0 {
		p.warn(b.first[blankRow].line, "a blank row was read as a blank line; write + alone")
	}
	switch {
	case b.count[minusRow] > 0 && b.count[plusRow] > 0:
		p.warn(b.first[minusRow].line, "rows that begin with - were ignored: PUT itself takes the old lines away")
	case b.count[minusRow] > 0:
		p.warn(b.first[minusRow].line, "rows that begin with - were read as new lines; write +- for such a line")
	}
}
