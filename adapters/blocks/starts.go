package blocks

import "slices"

// startOf is the first token of the statement that holds a token, among those behind
// the same bracket.
func (b *braces) startOf(i int) int {
	starts := b.startsIn(b.opener(i))
	at, ok := slices.BinarySearch(starts, i)
	if ok {
		return i
	}
	return starts[at-1]
}

// startsIn are the first tokens of the statements behind a bracket, in order.
func (b *braces) startsIn(o int) []int {
	if _, ok := b.starts[o]; !ok {
		b.starts[o] = b.statements(o)
	}
	return b.starts[o]
}

// opener is the bracket that a token stands in, -1 for none.
func (b *braces) opener(i int) int { return int(b.in[i]) }

// statements are the first tokens of all statements behind a bracket. After one whose
// end lies in the middle of a line, the next is looked for on the next line.
func (b *braces) statements(o int) []int {
	end := len(b.toks)
	if o >= 0 {
		end = int(b.toks[o].pair)
	}
	var out []int
	for i := o + 1; i < end; {
		out = append(out, i)
		j, err := b.reaches(i)
		if err != nil {
			j = b.restOfLine(i)
		}
		i = j + 1
	}
	return out
}

// restOfLine is the last token of a line, brackets taken whole.
func (b *braces) restOfLine(i int) int {
	for ; ; i++ {
		if b.toks[i].kind == open {
			i = int(b.toks[i].pair)
		}
		if i+1 == len(b.toks) || b.toks[i+1].kind == shut || b.toks[i+1].line > b.toks[i].last {
			return i
		}
	}
}

// mayOpen is true for a line in the middle of a statement on which a block opens all
// the same: below annotations, a link of a chain of calls, an element among text, the
// branch of an if.
func (b *braces) mayOpen(start, i int) bool {
	t := b.toks[i]
	switch {
	case b.attribute(start):
		return b.attributesEnd(start, i)
	case t.kind == word && b.syn.follow[b.text(t)]:
		return true
	case t.kind == mark && (t.ch == '.' || t.ch == '|' || t.ch == '?'):
		return true
	}
	return b.syn.prose && b.tagAt(start) && (b.tagAt(i) || t.kind == open)
}

// attributesEnd is true when all that stands before a token is annotations.
func (b *braces) attributesEnd(start, i int) bool {
	r := &reach{braces: b, first: start, attributes: true}
	for r.j = start; r.j < i; r.j++ {
		if b.toks[r.j].kind == open {
			r.j = int(b.toks[r.j].pair)
		}
		if r.lineEnds() {
			if r.j+1 == i {
				return true
			}
			if !b.attribute(r.j + 1) {
				return false
			}
		}
	}
	return false
}
