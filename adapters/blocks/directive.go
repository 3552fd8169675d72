package blocks

import (
	"bytes"
	"slices"

	"tenet/core/doc"
)

// directive is a line of the preprocessor, with the lines that a backslash joins to it.
// An #if ends with its #endif.
type directive struct {
	line, last int
	// opens is true for an #if; whole when its lines hold whole brackets.
	opens, whole bool
}

// fork is a conditional of the preprocessor that is open: which directive, and how
// many brackets were open before its first branch.
type fork struct{ rule, depth int }

// preprocess takes a directive. The second branch of a conditional is read only when
// the first left the brackets as it found them: each branch is another program.
func preprocess(s *scanner) bool {
	if s.src[s.at] != '#' || s.prev() != nil || s.t.first(int(s.line)) != s.at {
		return false
	}
	line, name := int(s.line), directiveName(s.src[s.at+1:])
	never := neverTrue().Match(s.src[s.at : s.at+lineRest(s.src[s.at:])])
	s.skip(joined(s.src, s.at))
	s.rules = append(s.rules, directive{line: line, last: min(int(s.line), s.t.count())})
	switch name {
	case "if", "ifdef", "ifndef", "region":
		s.forks = append(s.forks, fork{rule: len(s.rules) - 1, depth: len(s.stack)})
		if never {
			s.skipBranches(true)
		}
	case "else", "elif", "elifdef", "elifndef":
		s.branch(line)
	case "endif", "endregion":
		s.endFork(line)
	}
	return true
}

func directiveName(src []byte) string {
	src = bytes.TrimLeft(src[:lineRest(src)], " \t")
	n := 0
	for n < len(src) && isWord(src[n]) {
		n++
	}
	return string(src[:n])
}

// joined is the end of a line and of those that a backslash at the end joins to it.
func joined(src []byte, at int) int {
	for {
		at += lineRest(src[at:])
		l := bytes.TrimRight(src[:at][max(0, at-2):], "\r")
		if at == len(src) || !bytes.HasSuffix(l, []byte{'\\'}) {
			return at
		}
		at++
	}
}

func (s *scanner) branch(line int) {
	if len(s.forks) == 0 {
		s.fail(line, "this branch belongs to no #if")
		return
	}
	if f := s.forks[len(s.forks)-1]; len(s.stack) == f.depth {
		return
	}
	s.skipBranches(false)
}

// neverTrue is a conditional whose first branch is no program but a note.
var neverTrue = lazy(`^#[ \t]*if[ \t]+0[ \t\r]*$`)

// skipBranches passes over the lines up to the end of the innermost conditional, or to
// its next branch.
func (s *scanner) skipBranches(one bool) {
	for depth := 0; s.at < len(s.src); {
		at := s.at + len(s.src[s.at:]) - len(bytes.TrimLeft(s.src[s.at:], " \t\n\r"))
		if at < len(s.src) && s.src[at] == '#' {
			switch directiveName(s.src[at+1:]) {
			case "if", "ifdef", "ifndef":
				depth++
			case "else", "elif":
				if one && depth == 0 {
					s.skip(at)
					return
				}
			case "endif":
				if depth--; depth < 0 {
					s.skip(at)
					return
				}
			}
		}
		s.skip(joined(s.src, at))
	}
}

func (s *scanner) endFork(line int) {
	last := len(s.forks) - 1
	if last < 0 {
		s.fail(line, "this closes no #if")
		return
	}
	r := &s.rules[s.forks[last].rule]
	r.opens, r.last, r.whole = true, int(s.line), s.forks[last].depth == len(s.stack)
	s.forks = s.forks[:last]
}

// directiveAt is the directive that stands on a line.
func (b *braces) directiveAt(line int) (directive, bool) {
	i, ok := slices.BinarySearchFunc(b.rules, line, func(d directive, n int) int { return d.line - n })
	if !ok {
		return directive{}, false
	}
	return b.rules[i], true
}

func (b *braces) directive(line int, d directive) (doc.Span, error) {
	switch {
	case d.last == line:
		return doc.Span{}, refuse("the directive on line %d opens no block", line)
	case d.opens && !d.whole:
		return doc.Span{}, refuse("the conditional of lines %d to %d holds a bracket without its partner", line, d.last)
	}
	return span(line, d.last), nil
}

// straddles refuses a block of which a conditional holds only a part.
func (b *braces) straddles(from, to int) error {
	for _, d := range b.rules {
		if d.opens && (d.line < from && d.last >= from && d.last < to || d.line >= from && d.line <= to && d.last > to) {
			return refuse("the conditional of lines %d to %d holds only a part of what opens on line %d", d.line, d.last, from)
		}
	}
	return nil
}
