package patch

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// telling is how many letters and digits a line has at least that is not met twice by
// chance, as a closing brace is.
const telling = 6

// repair looks at replacements whose new lines begin with the line before the range and
// end with the line after it: the model wrote the neighbours along, and they would stand
// in the file twice. When what is left has a line for every line of the range, they are
// left out; when not, the range may be wrong, and the patch is refused.
//
// It acts only where both neighbours are doubled, are telling lines, are not lines that
// stand doubled there already, and no other operation is near them. A neighbour doubled
// on one side alone is only warned of.
func (b *building) repair() *Fault {
	for i := range b.changes {
		c := &b.changes[i]
		w := c.old
		if c.op.Verb != Put || c.rank != overLines || len(c.lines) < 2 || !b.alone(i) {
			continue
		}
		first := doubled(c.lines[0], w.before, w.hasBefore, w.lines[0])
		last := doubled(c.lines[len(c.lines)-1], w.after, w.hasAfter, w.lines[len(w.lines)-1])
		switch {
		case first && last && len(c.lines)-2 >= len(w.lines):
			b.warn(c.op, fmt.Sprintf("the first and the last new line are the lines %d and %d, just outside the range, and were left out", c.at, c.to+1))
			c.lines = c.lines[1 : len(c.lines)-1]
		case first && last:
			return fault(UnclearBody, c.op.Row, fmt.Sprintf("the first and the last new line of %s are the lines %d and %d, just outside the range: they would stand twice", quoted(c.op.Header()), c.at, c.to+1), fmt.Sprintf("Write `PUT %s:` if the new lines are to replace these two as well.", span(c.at, c.to+1)))
		case first:
			b.warn(c.op, fmt.Sprintf("the first new line is the line %d, just before the range, and now stands twice", c.at))
		case last:
			b.warn(c.op, fmt.Sprintf("the last new line is the line %d, just after the range, and now stands twice", c.to+1))
		}
	}
	return nil
}

func (b *building) warn(op Op, text string) {
	b.warnings = append(b.warnings, fmt.Sprintf("patch line %d: %s: %s", op.Row, quoted(op.Header()), text))
}

// doubled reports whether a new line is the neighbour of the range and was not beside its
// like before.
func doubled(fresh string, neighbour []byte, has bool, beside []byte) bool {
	return has && fresh == string(neighbour) && string(beside) != fresh && isTelling(fresh)
}

func isTelling(line string) bool {
	n := 0
	for len(line) > 0 && n < telling {
		r, size := utf8.DecodeRuneInString(line)
		if line = line[size:]; unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n >= telling
}

// alone reports whether no other change touches the lines around one.
func (b *building) alone(i int) bool {
	for j, c := range b.changes {
		if j != i && c.at <= b.changes[i].to+1 && c.to >= b.changes[i].at-1 {
			return false
		}
	}
	return true
}
