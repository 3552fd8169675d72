package scan

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of a set of literals.
const (
	// maxTexts bounds the texts of a set.
	maxTexts = 64
	// maxText bounds the bytes of one text: more make a search no faster.
	maxText = 64
	// maxClass bounds the characters of a class that is taken for its members.
	maxClass = 8
)

// set is texts of which a part of a pattern holds one wherever it matches. The zero
// set has no texts and says nothing.
type set struct {
	texts []string
	// fold means that the texts, whose ASCII letters are lower case then, stand in
	// either case of ASCII.
	fold bool
	// exact means that the part matches where one of the texts stands; else it may
	// not, and what was found must be tried.
	exact bool
}

// nothing is the set of a part that holds no byte.
func nothing(exact bool) set { return set{texts: []string{""}, exact: exact} }

// known reports whether the set says anything.
func (s set) known() bool { return len(s.texts) > 0 }

// least is the length of the shortest text.
func (s set) least() int {
	n := maxText
	for _, t := range s.texts {
		n = min(n, len(t))
	}
	return n
}

// rate is how often a text of the set is estimated to stand in text, per byte. What
// follows in a word is no chance: two bytes count, the others a little.
func (s set) rate() (sum float64) {
	for _, t := range s.texts {
		one, two, rest := 1.0, 1.0, 1.0
		for i := range len(t) {
			p := share[t[i]]
			if s.fold {
				p = foldShare(t[i])
			}
			if p < one {
				one, p = p, one
			}
			if p < two {
				two, p = p, two
			}
			if p < 1 {
				rest *= 0.6
			}
		}
		sum += one * two * rest
	}
	return sum
}

// required is the rarest set of which every match of the expression holds a text. whole
// is true when a match is one of the texts and no more. The tree must be simplified.
func required(re *syntax.Regexp) (s set, whole bool) {
	if s = exactly(re); s.known() && s.least() > 0 {
		return s, true
	}
	s = set{}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		s, _ = required(re.Sub[0])
	case syntax.OpConcat:
		s = rarestRun(re.Sub)
	case syntax.OpLiteral:
		s = rarestRun(runesOf(re))
	case syntax.OpAlternate:
		s = everyBranch(re.Sub)
	case syntax.OpNoMatch, syntax.OpEmptyMatch, syntax.OpCharClass, syntax.OpAnyCharNotNL, syntax.OpAnyChar, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText,
		syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpStar, syntax.OpQuest, syntax.OpRepeat:
	}
	return s, false
}

// runesOf is a literal as a concatenation of its characters.
func runesOf(re *syntax.Regexp) []*syntax.Regexp {
	out := make([]*syntax.Regexp, len(re.Rune))
	for i := range re.Rune {
		out[i] = &syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: re.Rune[i : i+1]}
	}
	return out
}

// rarestRun is the rarest set of neighbours in a concatenation, or of one part of it.
func rarestRun(subs []*syntax.Regexp) (best set) {
	run := nothing(true)
	take := func(s set) {
		if s.known() && s.least() > 0 && (!best.known() || s.rate() < best.rate()) {
			s.exact = false
			best = s
		}
	}
	for _, sub := range flat(subs) {
		s := exactly(sub)
		if joined := run.then(s); joined.known() {
			run = joined
			continue
		}
		take(run)
		if run = s; !s.known() {
			run = nothing(true)
			if sub.Op != syntax.OpLiteral {
				inner, _ := required(sub)
				take(inner)
			}
		}
	}
	take(run)
	return best
}

// flat takes literals apart, so that a long one is cut where its set grows too large.
func flat(subs []*syntax.Regexp) (out []*syntax.Regexp) {
	for _, sub := range subs {
		if sub.Op == syntax.OpLiteral && len(sub.Rune) > 1 {
			out = append(out, runesOf(sub)...)
		} else {
			out = append(out, sub)
		}
	}
	return out
}

// everyBranch joins what each branch requires; a branch without any spoils all.
func everyBranch(subs []*syntax.Regexp) (all set) {
	for i, sub := range subs {
		s, _ := required(sub)
		if i == 0 {
			all = s
		} else {
			all = all.or(s)
		}
		if !all.known() {
			return set{}
		}
	}
	all.exact = false
	return all
}

// exactly is the texts that the expression matches, the zero set when they are too
// many or without number. Where it looks at its surroundings the set is not exact.
func exactly(re *syntax.Regexp) set {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return nothing(true)
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return nothing(false)
	case syntax.OpLiteral:
		return ofLiteral(re)
	case syntax.OpCharClass:
		return ofClass(re)
	case syntax.OpCapture:
		return exactly(re.Sub[0])
	case syntax.OpQuest:
		return exactly(re.Sub[0]).or(nothing(true))
	case syntax.OpConcat:
		all := nothing(true)
		for _, sub := range re.Sub {
			all = all.then(exactly(sub))
		}
		return all
	case syntax.OpAlternate:
		all := exactly(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			all = all.or(exactly(sub))
		}
		return all
	case syntax.OpNoMatch, syntax.OpAnyCharNotNL, syntax.OpAnyChar, syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
	}
	return set{}
}

// ofLiteral takes a literal. U+FFFD also matches bytes that are no UTF-8, so that no
// text stands for it.
func ofLiteral(re *syntax.Regexp) set {
	all := nothing(true)
	for _, r := range re.Rune {
		all = all.then(ofRune(r, re.Flags&syntax.FoldCase != 0))
	}
	return all
}

func ofRune(r rune, fold bool) set {
	switch {
	case r == utf8.RuneError || r == '\n':
		return set{}
	case !fold:
		return set{texts: []string{string(r)}, exact: r != '\r'}
	}
	s := set{fold: true, exact: r != '\r'}
	add := func(r rune) {
		t := strings.ToLower(string(r))
		if r >= utf8.RuneSelf {
			t = string(r)
		}
		if !slices.Contains(s.texts, t) {
			s.texts = append(s.texts, t)
		}
	}
	add(r)
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		add(f)
	}
	return s
}

// ofClass takes a class of few characters for its members. One that holds both cases
// of each of its letters folds.
func ofClass(re *syntax.Regexp) set {
	var runes []rune
	for i := 0; i+1 < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if runes = append(runes, r); len(runes) > maxClass {
				return set{}
			}
		}
	}
	s := set{exact: true}
	for _, r := range runes {
		one := ofRune(r, false)
		if !one.known() {
			return set{}
		}
		s.exact = s.exact && one.exact
		s.texts = append(s.texts, one.texts...)
	}
	if both := s.lowered(); len(s.texts) > 1 && s.closed() {
		both.exact = s.exact
		return both
	}
	return s
}

// closed reports whether the other case of each ASCII letter is in the set as well.
func (s set) closed() bool {
	for _, t := range s.texts {
		if len(t) == 1 && (!slices.Contains(s.texts, string(lower(t[0]))) || !slices.Contains(s.texts, string(upper(t[0])))) {
			return false
		}
	}
	return true
}

// letters reports whether a text has an ASCII letter, so that fold means something.
func (s set) letters() bool {
	return slices.ContainsFunc(s.texts, func(t string) bool {
		return strings.ContainsFunc(t, func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) })
	})
}

// lowered is the set in either case, which is larger: it is not exact any more when it
// had letters.
func (s set) lowered() set {
	if s.fold {
		return s
	}
	out := set{fold: true, exact: s.exact && !s.letters()}
	for _, t := range s.texts {
		b := []byte(t)
		for i := range b {
			b[i] = lower(b[i])
		}
		if !slices.Contains(out.texts, string(b)) {
			out.texts = append(out.texts, string(b))
		}
	}
	return out
}

// alike brings two sets to the same way of reading.
func alike(a, b set) (set, set) {
	if a.fold != b.fold {
		return a.lowered(), b.lowered()
	}
	return a, b
}

// then is the texts of s each followed by one of o.
func (s set) then(o set) set {
	if !s.known() || !o.known() || len(s.texts)*len(o.texts) > maxTexts {
		return set{}
	}
	s, o = alike(s, o)
	out := set{fold: s.fold, exact: s.exact && o.exact}
	for _, a := range s.texts {
		for _, b := range o.texts {
			if len(a)+len(b) > maxText {
				return set{}
			}
			if !slices.Contains(out.texts, a+b) {
				out.texts = append(out.texts, a+b)
			}
		}
	}
	return out
}

// or is the texts of both.
func (s set) or(o set) set {
	if !s.known() || !o.known() || len(s.texts)+len(o.texts) > maxTexts {
		return set{}
	}
	s, o = alike(s, o)
	out := set{texts: slices.Clone(s.texts), fold: s.fold, exact: s.exact && o.exact}
	for _, t := range o.texts {
		if !slices.Contains(out.texts, t) {
			out.texts = append(out.texts, t)
		}
	}
	return out
}
