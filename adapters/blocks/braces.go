package blocks

import (
	"bytes"
	"strings"

	"tenet/core/doc"
)

// style is what ends a statement at the end of a line.
type style uint8

const (
	newline    style = iota // the line's end, unless an operator stands around it
	terminated              // a semicolon or a closing brace
)

// braces is a scanned text. A block is a line's statement up to where its brackets are
// closed and the next line does not go on with it.
type braces struct {
	*scanner
	// starts are the first tokens of the statements behind an open bracket, by its
	// index; -1 stands for the text itself.
	starts map[int][]int
}

func (syn *syntax) read(t *text) (grammar, error) {
	s, err := scan(t, syn)
	if err != nil {
		return nil, err
	}
	return &braces{scanner: s, starts: map[int][]int{}}, nil
}

func (b *braces) block(line int) (doc.Span, error) {
	if d, ok := b.directiveAt(line); ok {
		return b.directive(line, d)
	}
	i, err := b.opening(line)
	if err != nil {
		return doc.Span{}, err
	}
	k := b.startOf(i)
	switch {
	case k == i && b.clause(i):
		return b.clauseBlock(line, i)
	case k != i && !b.mayOpen(k, i):
		return doc.Span{}, closing("line %d goes on with the statement that begins on line %d", line, b.toks[k].line)
	}
	j, err := b.within(k, i)
	if err != nil {
		return doc.Span{}, err
	}
	last := int(b.toks[j].last)
	if last == line && !b.wholeOnOneLine(i, j) {
		return doc.Span{}, refuse("line %d is a whole statement and opens no block", line)
	}
	return span(line, last), b.straddles(line, last)
}

// opening is the index of the first token of a line on which a block can open.
func (b *braces) opening(line int) (int, error) {
	i := b.find(line)
	switch {
	case i > 0 && int(b.toks[i-1].last) >= line:
		return 0, refuse("line %d lies inside a string that begins on line %d", line, b.toks[i-1].line)
	case i == len(b.toks) || int(b.toks[i].line) != line:
		return 0, refuse("line %d is blank or a comment and opens no block", line)
	case b.toks[i].kind == here:
		return 0, refuse("line %d lies inside a here-document", line)
	case b.toks[i].kind == semi || b.toks[i].kind == comma || b.tagEnds(i):
		return 0, closing("line %d ends a statement and opens no block", line)
	case b.toks[i].kind == shut:
		return 0, closing("line %d closes the block of line %d and opens none of its own", line, b.toks[b.toks[i].pair].line)
	case b.toks[i].kind == word && b.syn.middles[b.text(b.toks[i])]:
		return 0, closing("line %d goes on with a block and opens none of its own", line)
	}
	return i, nil
}

// wholeOnOneLine is true for a body that opens and closes on its line, such as {}.
func (b *braces) wholeOnOneLine(i, j int) bool {
	for j > i && (b.toks[j].kind == semi || b.toks[j].kind == comma) {
		j--
	}
	t := b.toks[j]
	return t.kind == shut && (t.ch == '{' || t.ch == 'e')
}

// within is the last token of what begins with a token inside a statement, whose own
// end it must not pass.
func (b *braces) within(start, i int) (int, error) {
	j, err := b.reaches(i)
	if err != nil || start == i {
		return j, err
	}
	if whole, err := b.reaches(start); err != nil || whole < j {
		return 0, b.midLine(start, i)
	}
	return j, nil
}

// reaches is the last token of the statement or element that begins with a token.
func (b *braces) reaches(i int) (int, error) {
	if b.syn.prose && b.tagAt(i) {
		return b.element(i)
	}
	return b.end(i)
}

// reach is a walk over the tokens of one statement, the insides of brackets left out.
type reach struct {
	*braces
	first, j int
	// head is the first token of the line that j is on.
	head int
	// braced: a body was passed; bare: only names so far; attributes: only these.
	braced, bare, attributes bool
	// inits: a line begins with a colon, as the initialisers of a C++ constructor do.
	inits bool
}

// end is the index of the last token of the statement that begins with a token.
func (b *braces) end(i int) (int, error) {
	r := &reach{braces: b, first: i, head: i, j: i, bare: true, attributes: b.attribute(i)}
	for ; ; r.j++ {
		t := b.toks[r.j]
		if t.kind == shut {
			return 0, b.midLine(i, r.j)
		}
		if t.kind == open {
			r.braced = r.braced || t.ch == '{' || t.ch == 'e'
			r.j = int(t.pair)
		}
		r.bare = r.bare && (t.kind == word || t.kind == mark && strings.IndexByte("*:<>", t.ch) >= 0)
		r.inits = r.inits || t.kind == mark && t.ch == ':' && b.syn.typeLines && b.first(r.j)
		if r.separated() {
			return 0, b.midLine(i, r.j)
		}
		if !r.lineEnds() {
			continue
		}
		if !r.goesOn() {
			return r.j, nil
		}
		r.head = r.j + 1
	}
}

// first is true for the first token of a line.
func (b *braces) first(j int) bool { return j == 0 || b.toks[j-1].last < b.toks[j].line }

// initialised is true for the body below initialisers that end with a brace.
func (r *reach) initialised(next token) bool {
	yes := r.inits && next.kind == open && next.ch == '{'
	r.inits = r.inits && !yes
	return yes
}

func (b *braces) midLine(i, j int) error {
	if b.toks[j].line == b.toks[i].line {
		return closing("line %d begins in the middle of a statement and opens no block", b.toks[i].line)
	}
	return refuse("what opens on line %d ends in the middle of line %d, and a block is whole lines", b.toks[i].line, b.toks[j].line)
}

// separated is true where a statement ends and another begins on the same line, on
// a line below the first.
func (r *reach) separated() bool {
	t := r.toks[r.j]
	if t.kind != comma && t.kind != semi || t.line == r.toks[r.first].line || r.lineEnds() {
		return false
	}
	return r.toks[r.j+1].kind != shut && r.braced
}

func (r *reach) lineEnds() bool {
	return r.j+1 == len(r.toks) || r.toks[r.j+1].line > r.toks[r.j].last
}

// goesOn is true when the line after the token at j belongs to the same statement.
func (r *reach) goesOn() bool {
	if r.j+1 == len(r.toks) || r.toks[r.j+1].kind == shut {
		return false
	}
	last, next := r.toks[r.j], r.toks[r.j+1]
	if next.kind == here {
		return true
	}
	if r.follows(next) {
		return true
	}
	switch {
	case last.kind == semi:
		return false
	case last.kind == comma:
		return r.listGoesOn(next)
	case last.kind == shut && (last.ch == '{' || last.ch == 'e'):
		return r.syn.chains && r.chain(next) || r.initialised(next)
	case r.attributes:
		r.attributes = r.attribute(r.j + 1)
		return true
	case r.syn.style == terminated:
		return r.unterminated(next)
	}
	return r.operator(last) || r.chain(next) || next.ch == '{' && next.kind == open && r.syn.ownLine || r.bodiless(next)
}

// follows is true for a word such as else, at the depth of the statement's first line.
func (r *reach) follows(next token) bool {
	if next.kind != word || !r.syn.follow[r.text(next)] {
		return false
	}
	head := r.toks[r.first]
	if head.kind == word && r.syn.follow[r.text(head)] && r.text(head) != "while" {
		return false
	}
	if r.text(next) == "while" && r.text(head) != "do" {
		return false
	}
	return r.deep(next) >= r.deep(head) && (r.braced || r.syn.bodies[r.text(head)])
}

func (b *braces) deep(t token) int {
	col, _ := b.t.indent(int(t.line))
	return col
}

// listGoesOn: after a comma at a line's end, the head of a declaration goes on; so does
// a list below it that is set deeper than its first line.
func (r *reach) listGoesOn(next token) bool {
	head := r.toks[r.first]
	if r.syn.commas {
		return !r.braced
	}
	if r.syn.heads[r.text(head)] {
		return true
	}
	return !r.braced && r.toks[r.j].line > head.line && r.deep(next) > r.deep(head)
}

// chain is true for a line that begins with an operator: it goes on with the one before.
func (r *reach) chain(next token) bool {
	if next.kind != mark {
		return false
	}
	src := r.src[next.off:]
	for _, op := range []string{".", "?.", "&.", "&&", "||", "??", "|>", "?:", "? ", ": ", "= ", "-> ", "=> ", "| ", "<> ", "!!."} {
		if bytes.HasPrefix(src, []byte(op)) {
			return true
		}
	}
	return r.syn.signs && r.deep(next) > r.deep(r.toks[r.first]) && strings.IndexByte("+-*/%&^<>", next.ch) >= 0
}

// operator is true for a line that ends with an operator.
func (r *reach) operator(last token) bool {
	if last.kind != mark {
		return last.kind == word && r.syn.tails[r.text(last)]
	}
	before := byte(0)
	if last.off > 0 {
		before = r.src[last.off-1]
	}
	switch last.ch {
	case '>':
		return before == '=' || before == '-' || before == '|'
	case '+', '-':
		return before != last.ch
	}
	return strings.IndexByte("=*/%&|^<.:\\~", last.ch) >= 0
}

// unterminated: a statement without its semicolon goes on with a line that is deeper,
// or that opens its body, or whose beginning says so.
func (r *reach) unterminated(next token) bool {
	head := r.toks[r.first]
	switch {
	case r.labelled():
		return false
	case r.deep(next) > r.deep(head), next.kind == open && next.ch == '{', r.chain(next), r.operator(r.toks[r.j]):
		return true
	case next.kind == word && r.syn.tails[r.text(next)], next.kind == mark && next.ch == ':':
		return true
	}
	return r.bare && r.syn.typeLines && !r.shouts()
}

// labelled is true for a line such as public: or a jump's label.
func (r *reach) labelled() bool {
	t := r.toks[r.j]
	return r.bare && t.kind == mark && t.ch == ':' && t.line == r.toks[r.first].line
}

// shouts is true for one name in capitals alone on a line, which is a macro.
func (r *reach) shouts() bool {
	name := r.text(r.toks[r.first])
	return r.j == r.first && name == strings.ToUpper(name)
}

// bodiless is true after a head such as if (x), or an else, whose body is the next line.
func (r *reach) bodiless(next token) bool {
	if r.deep(next) <= r.deep(r.toks[r.first]) {
		return false
	}
	last, head := r.toks[r.j], r.toks[r.head]
	if last.kind == word && r.syn.follow[r.text(last)] {
		return true
	}
	return last.kind == shut && last.ch == '(' && head.kind == word && r.syn.bodies[r.text(head)]
}

// attribute is true for a token that begins an annotation of what stands below it.
func (b *braces) attribute(i int) bool {
	t := b.toks[i]
	switch t.ch {
	case '@':
		return t.kind == mark && b.syn.at
	case 't':
		return b.syn.typeLines && b.text(t) == "template"
	case '#':
		return t.kind == mark && i+1 < len(b.toks) && b.toks[i+1].ch == '['
	case '[':
		return t.kind == open && b.syn.square
	}
	return false
}
