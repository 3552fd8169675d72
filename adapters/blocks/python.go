package blocks

import "tenet/core/doc"

// layout is Python: logical lines by their tokens, blocks by their indentation, as the
// language itself has it.
type layout struct {
	*braces
	lines []logical
	// of is the logical line that holds a line, -1 for a blank or a comment.
	of []int32
}

// logical is a line of Python with what brackets and backslashes join to it.
type logical struct {
	first, end       int32 // tokens: first, and behind the last
	line, last, deep int32
	opens            bool // a colon ends it
}

func readPython(t *text) (grammar, error) {
	g, err := syntaxes()["Python"].read(t)
	if err != nil {
		return nil, err
	}
	p := &layout{braces: g.(*braces), of: make([]int32, t.count()+2)}
	for i := range p.of {
		p.of[i] = -1
	}
	for i := 0; i < len(p.toks); {
		i = p.logical(i)
	}
	return p, p.indented()
}

// logical adds the logical line that begins with a token, and says where the next does.
func (p *layout) logical(i int) int {
	j := i
	for ; ; j++ {
		if p.toks[j].kind == open {
			j = int(p.toks[j].pair)
		}
		if j+1 == len(p.toks) || p.toks[j+1].line > p.toks[j].last && !p.joined(j) {
			break
		}
	}
	first, last := p.toks[i], p.toks[j]
	l := logical{first: int32(i), end: int32(j + 1), line: first.line, last: last.last, opens: last.kind == mark && last.ch == ':'}
	l.deep = int32(p.deep(first))
	for n := l.line; n <= l.last; n++ {
		p.of[n] = int32(len(p.lines))
	}
	p.lines = append(p.lines, l)
	return j + 1
}

// joined is true when a backslash joins the next line.
func (p *layout) joined(j int) bool {
	return p.toks[j].kind == mark && p.toks[j].ch == '\\'
}

// indented checks the indentation as Python does.
func (p *layout) indented() error {
	levels := []int32{0}
	for i, l := range p.lines {
		top := levels[len(levels)-1]
		body := i > 0 && p.lines[i-1].opens
		switch {
		case body && l.deep <= top:
			return failure(int(l.line), "an indented body was expected after line %d", p.lines[i-1].line)
		case body:
			levels = append(levels, l.deep)
			continue
		case l.deep > top:
			return failure(int(l.line), "the indentation goes deeper after a line that opens no body")
		}
		for len(levels) > 1 && l.deep < levels[len(levels)-1] {
			levels = levels[:len(levels)-1]
		}
		if l.deep != levels[len(levels)-1] {
			return failure(int(l.line), "the indentation fits no line above")
		}
	}
	if n := len(p.lines); n > 0 && p.lines[n-1].opens {
		return failure(int(p.lines[n-1].line), "the body of the last line is missing")
	}
	return nil
}

func (p *layout) block(line int) (doc.Span, error) {
	i, err := p.opening(line)
	if err != nil {
		return doc.Span{}, err
	}
	n := int(p.of[line])
	l := p.lines[n]
	if int(l.first) != i {
		return p.inside(line, l)
	}
	last := p.bodyEnd(n)
	if p.lines[last].last == l.line && !p.oneLiner(l) {
		return doc.Span{}, refuse("line %d is a whole statement and opens no block", line)
	}
	return span(line, p.comments(l, int(p.lines[last].last))), nil
}

// inside is a bracket that opens in the middle of a statement: a value of a list, an
// argument.
func (p *layout) inside(line int, l logical) (doc.Span, error) {
	s, err := p.braces.block(line)
	if err == nil && (s.To > int64(l.last) || p.of[line] < 0) {
		return s, closing("line %d goes on with the statement that begins on line %d", line, l.line)
	}
	return s, err
}

// bodyEnd is the index of the last logical line of the statement that begins with one.
func (p *layout) bodyEnd(n int) int {
	head, m := p.lines[n], n
	for ; m+1 < len(p.lines); m++ {
		next := p.lines[m+1]
		if next.deep > head.deep || next.deep == head.deep && p.goesOn(n, m) {
			continue
		}
		break
	}
	return m
}

// goesOn is true when the logical line after m, as deep as the head, is a part of the
// head's statement: a branch, or what a decorator decorates.
func (p *layout) goesOn(n, m int) bool {
	if p.toks[p.lines[m].first].ch == '@' && p.lines[m].deep == p.lines[n].deep {
		return true
	}
	next := p.text(p.toks[p.lines[m+1].first])
	return p.syn.follow[next] && !p.syn.follow[p.text(p.toks[p.lines[n].first])] && p.lines[n].opens
}

// oneLiner is true for a body on the line of its head.
func (p *layout) oneLiner(l logical) bool {
	return p.syn.bodies[p.text(p.toks[l.first])]
}

// comments stretches a body over the comments right below it that are as deep.
func (p *layout) comments(head logical, last int) int {
	end := last
	for n := last + 1; n <= p.t.count() && p.of[n] < 0; n++ {
		if col, ok := p.t.indent(n); ok && int32(col) <= head.deep {
			break
		} else if ok && last > int(head.last) {
			end = n
		}
	}
	return end
}
