package scan

import (
	"bytes"
	"regexp/syntax"
	"unicode/utf8"
)

// outcome is how a run over lines ended.
type outcome uint8

const (
	noMatch outcome = iota // no line matches
	isMatch                // the line at the place matches
	unsure                 // the line at the place is not for the automaton
)

// run goes over the lines of b from a line's start on. at is a place in the line, its
// ending included, that ended the run.
func (a *automaton) run(b []byte, from int) (at int, o outcome) {
	if a.spent > maxSpent {
		return from, unsure
	}
	row, i := a.line, from
	defer func() { a.read += i - from }()
	for i < len(b) {
		next := a.table[row+uint32(a.class[b[i]])]
		i++
		if next < special {
			row = next
			continue
		}
		if next == unknown {
			next = a.learn(row, b[i-1], i-from)
		}
		switch {
		case next == matched:
			return i - 1, isMatch
		case next == givenUp:
			return i - 1, unsure
		}
		row = next &^ special
		if next >= special {
			row, i = a.idle(row, b, i)
		}
	}
	if i > from && b[i-1] == '\n' {
		return i, noMatch
	}
	return i - 1, a.last(row)
}

// idle goes from a place where nothing has begun to the next one where something may.
func (a *automaton) idle(row uint32, b []byte, i int) (uint32, int) {
	if len(a.states[row/a.width].wait) == 0 {
		if k := bytes.IndexByte(b[i:], '\n'); k >= 0 {
			return a.line, i + k + 1
		}
		return row, len(b)
	}
	k := skipTo(&a.first, b, i)
	if k > i {
		row = a.plain
		if a.words && syntax.IsWordChar(rune(b[k-1])) {
			row = a.word
		}
	}
	return row, k
}

// last is the outcome at the end of the text, in a line without an ending.
func (a *automaton) last(row uint32) outcome {
	s := a.states[row/a.width]
	if s.n > 0 && s.part[0] != '\r' {
		return unsure
	}
	if s.n > 0 {
		next, match := a.took(&s, '\r')
		if match {
			return isMatch
		}
		s = next
	}
	if a.ends(&s) {
		return isMatch
	}
	return noMatch
}

// learn makes the step from a row by a byte. When the table is full it starts anew
// with the state that the step leads to; read is the bytes of this run so far.
func (a *automaton) learn(row uint32, b byte, read int) uint32 {
	s := a.states[row/a.width]
	next, mark := a.step(s, b)
	if mark != 0 {
		a.table[row+uint32(a.class[b])] = mark
		return mark
	}
	if len(a.table)+int(a.width) > maxRows {
		if a.read+read < spentText {
			a.spent++
		}
		a.read = -read
		a.reset()
		return a.row(next)
	}
	r := a.row(next)
	a.table[row+uint32(a.class[b])] = r
	return r
}

// step is the state behind a byte, or a mark.
func (a *automaton) step(s state, b byte) (next state, mark uint32) {
	if s.n > 0 && s.part[0] == '\r' && b != '\n' {
		s.n = 0
		var match bool
		if s, match = a.took(&s, '\r'); match {
			return s, matched
		}
	}
	switch {
	case b == '\n' && s.n > 0 && s.part[0] != '\r':
		return s, givenUp
	case b == '\n':
		if a.ends(&s) {
			return s, matched
		}
		return state{wait: a.start0(), begin: true}, 0
	case s.n == 0 && b < utf8.RuneSelf && b != '\r':
		return a.rune(s, rune(b))
	}
	s.part[s.n] = b
	s.n++
	if part := s.part[:s.n]; b == '\r' && s.n == 1 || !utf8.FullRune(part) {
		return s, 0
	}
	r, size := utf8.DecodeRune(s.part[:s.n])
	if size != int(s.n) || r == utf8.RuneError && size == 1 {
		return s, givenUp
	}
	s.n = 0
	return a.rune(s, r)
}

func (a *automaton) rune(s state, r rune) (state, uint32) {
	next, match := a.took(&s, r)
	if match {
		return next, matched
	}
	return next, 0
}
