// Package scan finds the lines of a text that match an expression of Go's regexp, and
// answers as regexp does for each line alone, whatever bytes the line holds. It picks
// the fastest way that is exact for the expression: a search for the texts of which
// every match holds one, an automaton for what has no such text, and regexp itself
// where neither is sure. It opens nothing and waits for nothing.
package scan

import (
	"bytes"
	"regexp"
	"regexp/syntax"
)

// Pattern is what a search looks for, one line at a time, without its ending. It may be
// used by many searchers at once.
type Pattern struct {
	re   *regexp.Regexp
	tree *syntax.Regexp
	// find jumps to lines that hold what every match holds; nil without such a text.
	find finder
	// whole is true when holding the text is matching.
	whole bool
}

// Options say how the text of a pattern is read.
type Options struct {
	// Literal takes the text for itself, not for an expression.
	Literal bool
	// Fold takes upper and lower case for the same, as Unicode's simple folding does.
	Fold bool
}

// commonRate is the part of all bytes from which a text is too common to look for it:
// most lines would hold it.
const commonRate = 1.0 / 60

// Compile reads a pattern. The error is that of regexp/syntax.
func Compile(text string, o Options) (*Pattern, error) {
	if o.Literal {
		text = regexp.QuoteMeta(text)
	}
	if o.Fold {
		text = "(?i)" + text
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	p := &Pattern{tree: tree.Simplify()}
	if p.re, err = regexp.Compile(text); err != nil {
		return nil, err
	}
	s, whole := required(p.tree)
	p.whole = whole && s.exact
	if s.known() && (p.whole || s.rate() < commonRate) {
		p.find = finderOf(s)
	}
	return p, nil
}

// Place is the bytes of the first match in a line's text; ok is false without one.
func (p *Pattern) Place(line []byte) (from, to int, ok bool) {
	at := p.re.FindIndex(line)
	if at == nil {
		return 0, 0, false
	}
	return at[0], at[1], true
}

// Line is where a line stands in a text: its own text is Start to End, the next line
// begins at Next.
type Line struct{ Start, End, Next int }

// lineAt is the line around a place; from is a place where a line starts, not behind it.
func lineAt(b []byte, from, at int) Line {
	l := Line{Start: from + bytes.LastIndexByte(b[from:at], '\n') + 1}
	l.End, l.Next = End(b, at)
	return l
}

// End is where the text of the line that at stands in ends, and where the next begins.
func End(b []byte, at int) (end, next int) {
	i := bytes.IndexByte(b[at:], '\n')
	if i < 0 {
		return len(b), len(b)
	}
	end = at + i
	if end > 0 && b[end-1] == '\r' {
		return end - 1, end + 1
	}
	return end, end + 1
}

// Searcher searches texts one after the other; each goroutine needs its own.
type Searcher struct {
	p *Pattern
	a *automaton // nil when the pattern needs none, or is too large for one
}

// Searcher makes a searcher of the pattern.
func (p *Pattern) Searcher() *Searcher {
	s := &Searcher{p: p}
	if !p.whole {
		s.a = newAutomaton(p.tree)
	}
	return s
}

// Next is the first line of b that matches, at or after a place where a line starts.
func (s *Searcher) Next(b []byte, at int) (l Line, ok bool) {
	switch {
	case s.p.find != nil:
		return s.byText(b, at)
	case s.a != nil:
		return s.byAutomaton(b, at)
	default:
		return s.byLine(b, at)
	}
}

// byText tries the lines that hold a text.
func (s *Searcher) byText(b []byte, at int) (l Line, ok bool) {
	for at < len(b) {
		hit := s.p.find.from(b, at)
		if hit < 0 {
			break
		}
		l = lineAt(b, at, hit)
		if s.p.whole || s.matches(b, l) {
			return l, true
		}
		at = l.Next
	}
	return Line{}, false
}

// matches reports whether one line matches.
func (s *Searcher) matches(b []byte, l Line) bool {
	if s.a != nil {
		switch _, o := s.a.run(b[l.Start:l.Next], 0); o {
		case isMatch:
			return true
		case noMatch:
			return false
		case unsure:
		}
	}
	return s.p.re.Match(b[l.Start:l.End])
}

func (s *Searcher) byAutomaton(b []byte, at int) (l Line, ok bool) {
	for at < len(b) {
		hit, o := s.a.run(b, at)
		if o == noMatch {
			break
		}
		l = lineAt(b, at, hit)
		if o == isMatch || s.p.re.Match(b[l.Start:l.End]) {
			return l, true
		}
		at = l.Next
	}
	return Line{}, false
}

func (s *Searcher) byLine(b []byte, at int) (l Line, ok bool) {
	for at < len(b) {
		l = Line{Start: at}
		l.End, l.Next = End(b, at)
		if s.p.re.Match(b[l.Start:l.End]) {
			return l, true
		}
		at = l.Next
	}
	return Line{}, false
}
