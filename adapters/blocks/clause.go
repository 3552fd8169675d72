package blocks

import (
	"slices"

	"tenet/core/doc"
)

// clause is true for a token that begins a branch of a switch.
func (b *braces) clause(i int) bool {
	if b.toks[i].kind != word || !b.syn.clauses[b.text(b.toks[i])] {
		return false
	}
	next := b.after(i)
	return next != "class" && next != "object" // Scala's case class is no branch
}

// after is the text of the token behind one, empty at the end.
func (b *braces) after(i int) string {
	if i+1 == len(b.toks) {
		return ""
	}
	return b.text(b.toks[i+1])
}

// clauseBlock is a branch of a switch: up to the next, or to where the switch ends.
func (b *braces) clauseBlock(line, i int) (doc.Span, error) {
	starts := b.startsIn(b.opener(i))
	at, _ := slices.BinarySearch(starts, i)
	end := len(b.toks)
	if o := b.opener(i); o >= 0 {
		end = int(b.toks[o].pair)
	}
	for _, k := range starts[at+1:] {
		if b.clause(k) {
			end = k
			break
		}
	}
	last := int(b.toks[end-1].last)
	switch {
	case end < len(b.toks) && int(b.toks[end].line) == last:
		return doc.Span{}, refuse("what opens on line %d ends in the middle of line %d, and a block is whole lines", line, last)
	case last == line:
		return doc.Span{}, refuse("line %d is a whole statement and opens no block", line)
	}
	return span(line, last), b.straddles(line, last)
}
