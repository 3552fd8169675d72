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
	// class is set instead of texts: every match holds one of these bytes.
	class *[256]bool
}

// Required finds the literals of a parsed pattern, or the bytes of which it needs
// one; ok is false when a match may hold anything.
func Required(re *syntax.Regexp) (l Literals, ok bool) {
	re = re.Simplify()
	if l, ok = required(re); ok {
		return l, true
	}
	class, n := requiredClass(re)
	return Literals{class: class}, n <= maxClass
}

// maxClass is the largest weight of a class that is worth looking for.
const maxClass = 256

// requiredClass is the rarest set of bytes of which every match holds at least one,
// and how common it is.
func requiredClass(re *syntax.Regexp) (class *[256]bool, n int) {
	switch re.Op {
	case syntax.OpCharClass:
		return bytesOf(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return requiredClass(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requiredClass(re.Sub[0])
		}
	case syntax.OpConcat:
		n = anyByte
		for _, sub := range re.Sub {
			if c, k := requiredClass(sub); k < n {
				class, n = c, k
			}
		}
		return class, n
	case syntax.OpNoMatch, syntax.OpEmptyMatch, syntax.OpLiteral, syntax.OpAnyCharNotNL, syntax.OpAnyChar, syntax.OpBeginLine, syntax.OpEndLine,
		syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpStar, syntax.OpQuest, syntax.OpAlternate:
	}
	return nil, anyByte
}

// anyByte is the weight of not needing any byte.
const anyByte = 1 << 20

// bytesOf is the bytes with which the runes of the ranges begin.
func bytesOf(ranges []rune) (class *[256]bool, n int) {
	class = new([256]bool)
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= min(ranges[i+1], utf8.RuneSelf-1); r++ {
			class[r] = true
		}
		if ranges[i+1] >= utf8.RuneSelf {
			for b := utf8.RuneSelf; b < len(class); b++ {
				class[b] = true
			}
		}
	}
	class['\n'] = false // a match lies in one line
	for c, in := range class {
		if in {
			n += 1 + commonness(byte(c))
		}
	}
	return class, n
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
	if class := f.lits.class; class != nil {
		for i, c := range f.buf[at:] {
			if class[c] {
				return at + i
			}
		}
		return -1
	}
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

// commonness is 0 for a byte that is rare, more for a more common one.
func commonness(c byte) int {
	if i := strings.IndexByte(commonBytes, c); i >= 0 {
		return len(commonBytes) - i
	}
	return 0
}

func rarest(text string) int {
	best := 0
	for i := range len(text) {
		if commonness(text[i]) < commonness(text[best]) {
			best = i
		}
	}
	return best
}
