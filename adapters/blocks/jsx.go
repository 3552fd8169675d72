package blocks

// tagAt is true for a token that begins an element of JSX: < and a name, or <>.
func (b *braces) tagAt(i int) bool {
	if b.toks[i].kind != mark || b.toks[i].ch != '<' || i+1 == len(b.toks) {
		return false
	}
	next := b.toks[i+1]
	return next.off == b.toks[i].end && (next.kind == word || next.kind == mark && next.ch == '>')
}

// tagEnds is true for the first token of /> and </a>, which end an element.
func (b *braces) tagEnds(i int) bool {
	t, next := b.toks[i], b.after(i)
	return b.syn.prose && t.kind == mark && (t.ch == '/' && next == ">" || t.ch == '<' && next == "/")
}

// element is the last token of the element that begins with a token.
func (b *braces) element(i int) (int, error) {
	depth := 0
	for j := i; j < len(b.toks); j++ {
		switch t := b.toks[j]; {
		case t.kind == shut:
			return 0, b.midLine(i, j)
		case t.kind == open:
			j = int(t.pair)
		case b.tagAt(j):
			end, whole := b.tag(j)
			if !whole {
				depth++
			}
			j = end
		case t.kind == mark && t.ch == '<' && j+1 < len(b.toks) && b.toks[j+1].ch == '/':
			j, _ = b.tag(j)
			depth--
		}
		if depth <= 0 {
			return b.alone(i, min(j, len(b.toks)-1))
		}
	}
	return 0, refuse("the element of line %d is never closed", b.toks[i].line)
}

// tag is where a tag ends, and whether it is an element in itself, as <br/> is.
func (b *braces) tag(i int) (end int, whole bool) {
	for j := i; j < len(b.toks); j++ {
		switch t := b.toks[j]; {
		case t.kind == open:
			j = int(t.pair)
		case t.kind == mark && t.ch == '>' && b.toks[j-1].ch != '=':
			return j, b.toks[j-1].ch == '/'
		case t.kind == shut:
			return j - 1, true
		}
	}
	return len(b.toks) - 1, true
}

// alone is true for an element with nothing behind it on its last line.
func (b *braces) alone(i, j int) (int, error) {
	k := j + 1
	if k < len(b.toks) && b.toks[k].line == b.toks[j].last && b.toks[k].kind != comma && b.toks[k].kind != semi {
		return 0, b.midLine(i, k)
	}
	if k < len(b.toks) && b.toks[k].line == b.toks[j].last {
		j = k
	}
	return j, nil
}
