package blocks

import (
	"bytes"
	"slices"
	"strings"
)

// kind is what a token is to the search for a block.
type kind uint8

const (
	word  kind = iota // a name, a number, a keyword
	mark              // an operator or other sign
	lit               // a string, whole or up to an interpolation
	here              // the body of a here-document, on lines after its beginning
	comma             // ,
	semi              // ;
	open              // a bracket, or a word such as do, that opens
	shut              // what closes it
)

// token is a piece of a text; comments and blanks are between tokens.
type token struct {
	off, end   int32 // bytes of the text
	line, last int32 // lines it begins and ends on
	pair       int32 // the index of the partner of an open or shut token
	kind       kind
	ch         byte // the first byte
}

// scanner cuts a text into tokens and pairs its brackets.
type scanner struct {
	t    *text
	syn  *syntax
	src  []byte
	at   int
	line int32
	toks []token
	// in is the open bracket that each token stands in, -1 for none; a bracket stands
	// where its partner does.
	in []int32
	// stack are the open brackets; modes the strings that an interpolation left.
	stack []int32
	modes []mode
	// pending are here-documents whose bodies begin after the line's end.
	pending []hereDoc
	// apostrophes is the last line with a quote that is prose.
	apostrophes int32
	// failed is the last line on which a pattern was tried in vain.
	failed int32
	// forks are the preprocessor's conditionals that are open.
	forks []fork
	rules []directive
	err   error
}

// mode is a string to go back to when the bracket that opened at depth closes.
type mode struct {
	q     quote
	depth int
}

func scan(t *text, syn *syntax) (*scanner, error) {
	s := &scanner{t: t, syn: syn, src: t.src, line: 1}
	s.toks = make([]token, 0, len(t.src)/6)
	if syn.start != nil {
		syn.start(s)
	}
	for s.at < len(s.src) && s.err == nil {
		s.step()
	}
	if s.err == nil && len(s.stack) > 0 {
		o := s.toks[s.stack[len(s.stack)-1]]
		s.fail(int(o.line), "%s is never closed", s.src[o.off:o.end])
	}
	return s, s.err
}

func (s *scanner) fail(line int, format string, args ...any) {
	if s.err == nil {
		s.err = failure(line, format, args...)
	}
}

// step takes one token, comment or run of blanks.
func (s *scanner) step() {
	c := s.src[s.at]
	switch {
	case c == '\n':
		s.newline()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		s.at++
	case s.special() || s.comment() || s.quoted():
	case isWord(c):
		s.word()
	default:
		s.sign(c)
	}
}

func (s *scanner) special() bool {
	for _, f := range s.syn.special {
		if f(s) {
			return true
		}
	}
	return false
}

// newline ends a line; the bodies of here-documents begin on the next.
func (s *scanner) newline() {
	s.at++
	s.line++
	docs := s.pending
	s.pending = nil
	for _, d := range docs {
		d.body(s)
	}
}

// skip moves to a byte and counts the lines on the way.
func (s *scanner) skip(to int) {
	to = min(to, len(s.src))
	s.line += int32(bytes.Count(s.src[s.at:to], []byte{'\n'}))
	s.at = to
}

// emit takes the bytes up to a place as one token.
func (s *scanner) emit(k kind, to int) {
	t := token{off: int32(s.at), line: s.line, kind: k, ch: s.src[s.at], pair: -1}
	s.skip(to)
	t.end, t.last = int32(s.at), s.line
	if t.last > t.line && s.src[t.end-1] == '\n' {
		t.last--
	}
	s.toks, s.in = append(s.toks, t), append(s.in, s.inner())
}

// inner is the innermost open bracket.
func (s *scanner) inner() int32 {
	if n := len(s.stack); n > 0 {
		return s.stack[n-1]
	}
	return -1
}

func (s *scanner) has(prefix string) bool {
	return len(s.src)-s.at >= len(prefix) && string(s.src[s.at:s.at+len(prefix)]) == prefix
}

// comment skips a comment. A byte behind the marks of a line comment can make it none.
func (s *scanner) comment() bool {
	for _, c := range s.syn.lineComments {
		if s.has(c) && (s.syn.noComment == "" || !s.has(s.syn.noComment)) {
			s.at += lineRest(s.src[s.at:])
			return true
		}
	}
	for _, c := range s.syn.blockComments {
		if s.has(c[0]) {
			s.blockComment(c[0], c[1])
			return true
		}
	}
	return false
}

func lineRest(src []byte) int {
	if n := bytes.IndexByte(src, '\n'); n >= 0 {
		return n
	}
	return len(src)
}

func (s *scanner) blockComment(begin, end string) {
	depth, at := 1, s.at+len(begin)
	for ; depth > 0 && at < len(s.src); at++ {
		switch rest := s.src[at:]; {
		case bytes.HasPrefix(rest, []byte(end)):
			depth, at = depth-1, at+len(end)-1
		case s.syn.nested && bytes.HasPrefix(rest, []byte(begin)):
			depth, at = depth+1, at+len(begin)-1
		}
	}
	if depth > 0 {
		s.fail(int(s.line), "a comment is never closed")
		return
	}
	s.skip(at)
}

func isWord(c byte) bool {
	return c >= 0x80 || c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// word takes a name or number; in a language with words for brackets it may be one.
func (s *scanner) word() {
	to := s.at
	for to < len(s.src) && (isWord(s.src[to]) || strings.IndexByte(s.syn.wordBytes, s.src[to]) >= 0) {
		to++
	}
	if s.syn.bracketWord == nil {
		s.emit(word, to)
		return
	}
	if k := s.syn.bracketWord(s, string(s.src[s.at:to])); k == open {
		s.opens(to, 'e')
	} else if k == shut {
		s.shuts(to, 'e')
	} else {
		s.emit(word, to)
	}
}

// partner of each closing bracket.
var partner = map[byte]byte{')': '(', ']': '[', '}': '{'}

func (s *scanner) sign(c byte) {
	switch c {
	case '(', '[', '{':
		s.opens(s.at+1, c)
	case ')', ']', '}':
		s.shuts(s.at+1, partner[c])
	case ',':
		s.emit(comma, s.at+1)
	case ';':
		s.emit(semi, s.at+1)
	default:
		s.emit(mark, s.at+1)
	}
}

func (s *scanner) opens(to int, ch byte) {
	s.emit(open, to)
	s.toks[len(s.toks)-1].ch = ch
	s.stack = append(s.stack, int32(len(s.toks)-1))
}

// shuts closes the innermost bracket, which must be of the same kind, and goes back
// into the string that an interpolation left.
func (s *scanner) shuts(to int, ch byte) {
	depth := len(s.stack)
	if depth == 0 || s.toks[s.stack[depth-1]].ch != ch {
		s.unpaired(to)
		return
	}
	i := s.stack[depth-1]
	s.stack = s.stack[:depth-1]
	s.emit(shut, to)
	j := int32(len(s.toks) - 1)
	s.toks[i].pair, s.toks[j].pair, s.toks[j].ch = j, i, ch
	if m := len(s.modes) - 1; m >= 0 && s.modes[m].depth == depth {
		q := s.modes[m].q
		s.modes = s.modes[:m]
		s.str(q, s.at)
	}
}

func (s *scanner) unpaired(to int) {
	what := s.src[s.at:to]
	if n := len(s.stack); n > 0 {
		o := s.toks[s.stack[n-1]]
		s.fail(int(s.line), "%s does not close %s of line %d", what, s.src[o.off:o.end], o.line)
		return
	}
	s.fail(int(s.line), "%s closes nothing", what)
}

// prev is the last token on the same line, nil at a line's beginning.
func (s *scanner) prev() *token {
	if n := len(s.toks); n > 0 && s.toks[n-1].last == s.line {
		return &s.toks[n-1]
	}
	return nil
}

func (s *scanner) text(t token) string { return string(s.src[t.off:t.end]) }

// find is the index of the first token of a line or after it.
func (s *scanner) find(line int) int {
	i, _ := slices.BinarySearchFunc(s.toks, int32(line), func(t token, n int32) int { return int(t.line) - int(n) })
	return i
}
