package doc

import (
	"bytes"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLiterals bounds the alternatives of a Literals.
const maxLiterals = 16

// Literals is a set of texts of which every match of a pattern holds at least one. A
// search jumps from one to the next and tries the pattern on those lines only.
type Literals struct {
	texts []string
	// fold means that the texts, which are lower case ASCII then, stand in any case.
	fold bool
}

// Required finds the literals of a parsed pattern; ok is false when it needs none.
func Required(re *syntax.Regexp) (l Literals, ok bool) {
	l, ok = required(re.Simplify())
	if !ok {
		return Literals{}, false
	}
	for _, t := range l.texts {
		if t == "" {
			return Literals{}, false
		}
	}
	return l, true
}

// Only is the literals of a search for the text itself.
func Only(text string) Literals { return Literals{texts: []string{text}} }

func required(re *syntax.Regexp) (Literals, bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return ofLiteral(re)
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		return longest(re.Sub)
	case syntax.OpAlternate:
		return union(re.Sub)
	case syntax.OpCharClass:
		return ofClass(re)
	case syntax.OpNoMatch, syntax.OpEmptyMatch, syntax.OpAnyCharNotNL, syntax.OpAnyChar, syntax.OpBeginLine, syntax.OpEndLine,
		syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpStar, syntax.OpQuest:
	}
	return Literals{}, false
}

func ofLiteral(re *syntax.Regexp) (Literals, bool) {
	if re.Flags&syntax.FoldCase == 0 {
		return Literals{texts: []string{string(re.Rune)}}, true
	}
	best := ""
	for piece := range strings.FieldsFuncSeq(string(re.Rune), foldsBeyondASCII) {
		if len(piece) > len(best) {
			best = piece
		}
	}
	return Literals{texts: []string{strings.ToLower(best)}, fold: true}, best != ""
}

// foldsBeyondASCII reports whether some other case of r is not ASCII: k is also the
// Kelvin sign, s the long s.
func foldsBeyondASCII(r rune) bool {
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		if f >= utf8.RuneSelf {
			return true
		}
	}
	return r >= utf8.RuneSelf
}

// ofClass takes a class of few characters for its members: (?i)x parses as one.
func ofClass(re *syntax.Regexp) (Literals, bool) {
	var l Literals
	for i := 0; i+1 < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if l.texts = append(l.texts, string(r)); len(l.texts) > 3 {
				return Literals{}, false
			}
		}
	}
	return l, len(l.texts) > 0
}

// longest takes the part whose shortest text is longest: the rarest, as a rule.
func longest(subs []*syntax.Regexp) (best Literals, ok bool) {
	for _, sub := range subs {
		if l, found := required(sub); found && (!ok || l.weight() > best.weight()) {
			best, ok = l, true
		}
	}
	return best, ok
}

// weight ranks literals: longer is rarer, fewer is faster, one exact byte string
// beats a folded one.
func (l Literals) weight() int {
	w := len(l.texts[0])
	for _, t := range l.texts {
		w = min(w, len(t))
	}
	w *= 4
	if l.fold {
		w--
	}
	return w - min(len(l.texts)-1, 2)
}

// union takes every branch's literals; a branch without any spoils all.
func union(subs []*syntax.Regexp) (all Literals, ok bool) {
	for i, sub := range subs {
		l, found := required(sub)
		if !found || i > 0 && l.fold != all.fold || len(all.texts)+len(l.texts) > maxLiterals {
			return Literals{}, false
		}
		all.fold = l.fold
		all.texts = append(all.texts, l.texts...)
	}
	return all, true
}

// Finder looks for the literals in one buffer from left to right and remembers where
// each comes next, so that a rare one is not looked for again and again.
type Finder struct {
	lits Literals
	buf  []byte
	next []int
}

// In starts a search of a buffer.
func (l Literals) In(buf []byte) *Finder {
	f := &Finder{lits: l, next: make([]int, len(l.texts))}
	f.Reset(buf)
	return f
}

// Reset starts a search of another buffer.
func (f *Finder) Reset(buf []byte) {
	f.buf = buf
	for i := range f.next {
		f.next[i] = -1
	}
}

// From is the first place at or after at where a literal stands, or -1.
func (f *Finder) From(at int) int {
	best := len(f.buf)
	for i, t := range f.lits.texts {
		if f.next[i] < at {
			f.next[i] = len(f.buf)
			if k := f.lits.index(f.buf[at:], t); k >= 0 {
				f.next[i] = at + k
			}
		}
		best = min(best, f.next[i])
	}
	if best == len(f.buf) {
		return -1
	}
	return best
}

func (l Literals) index(b []byte, text string) int {
	if l.fold {
		return indexFold(b, text)
	}
	return bytes.Index(b, []byte(text))
}

// indexFold finds a lower case ASCII text in any case. It jumps with both cases of
// the byte of the text that is rarest in source code, remembering the later one.
func indexFold(b []byte, text string) int {
	pick := rarest(text)
	lo, up := text[pick], text[pick]
	if 'a' <= lo && lo <= 'z' {
		up = lo - 'a' + 'A'
	}
	nextLo, nextUp := -1, -1
	for at := pick; at < len(b); at++ {
		nextLo, nextUp = after(b, lo, at, nextLo), after(b, up, at, nextUp)
		if at = min(nextLo, nextUp); at-pick+len(text) > len(b) {
			return -1
		}
		if equalFold(b[at-pick:at-pick+len(text)], text) {
			return at - pick
		}
	}
	return -1
}

// after is where c stands at or after at, len(b) when nowhere; known is an earlier
// answer that still holds when it is not before at.
func after(b []byte, c byte, at, known int) int {
	if known >= at {
		return known
	}
	if i := bytes.IndexByte(b[at:], c); i >= 0 {
		return at + i
	}
	return len(b)
}

func equalFold(b []byte, lower string) bool {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// commonBytes are the bytes of source code from the most common on.
const commonBytes = " etaoinsrlcdupmhgfby_.,()/\"-=:;w0v1k2x"

func rarest(text string) int {
	best, rank := 0, -1
	for i := range len(text) {
		r := strings.IndexByte(commonBytes, text[i])
		if r < 0 {
			r = len(commonBytes)
		}
		if r > rank {
			best, rank = i, r
		}
	}
	return best
}
