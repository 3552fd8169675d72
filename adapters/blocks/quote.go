package blocks

import (
	"bytes"
	"fmt"
)

func failure(line int, format string, args ...any) error {
	return &broken{line: line, why: fmt.Sprintf(format, args...)}
}

// quote is one way in which a language writes strings.
type quote struct {
	open, close string
	// raw strings have no escapes; doubled ones hold the closing quote twice for once.
	raw, doubled bool
	// lines is true for a string that may go on over lines.
	lines bool
	// interp opens code inside the string, and closes with the partner of its last byte.
	interp string
}

// quoted takes a string; the syntax lists the longer opening first.
func (s *scanner) quoted() bool {
	for _, q := range s.syn.quotes {
		if !s.has(q.open) || s.digitMark(q) {
			continue
		}
		if s.apostrophes == s.line && !q.lines {
			return false
		}
		s.str(q, s.at+len(q.open))
		return true
	}
	return false
}

// digitMark is true for the ' of a number such as 1'000.
func (s *scanner) digitMark(q quote) bool {
	p := s.prev()
	return s.syn.digitMarks && q.open == "'" && p != nil && int(p.end) == s.at && p.kind == word && p.ch >= '0' && p.ch <= '9'
}

// str takes a string from s.at, where it or its next part begins; its text is read from
// a place behind the opening. An interpolation is a bracket, and the string a mode.
func (s *scanner) str(q quote, from int) {
	at := from
	for at < len(s.src) {
		rest := s.src[at:]
		switch {
		case bytes.HasPrefix(rest, []byte(q.close)):
			if q.doubled && bytes.HasPrefix(rest[len(q.close):], []byte(q.close)) {
				at += 2 * len(q.close)
				continue
			}
			s.part(lit, at+len(q.close))
			return
		case q.interp != "" && bytes.HasPrefix(rest, []byte(q.interp)):
			s.interpolate(q, at)
			return
		case rest[0] == '\\' && !q.raw && len(rest) > 1:
			at += escaped(rest)
		case rest[0] == '\n' && !q.lines:
			s.unclosed(q)
			return
		default:
			at++
		}
	}
	s.unclosed(q)
}

// escaped is how many bytes a backslash and what it escapes take.
func escaped(rest []byte) int {
	if len(rest) > 2 && rest[1] == '\r' && rest[2] == '\n' {
		return 3
	}
	return 2
}

// part emits a piece of a string, if there is any.
func (s *scanner) part(k kind, to int) {
	if to > s.at {
		s.emit(k, to)
	}
}

func (s *scanner) interpolate(q quote, at int) {
	s.part(lit, at)
	ch := q.interp[len(q.interp)-1]
	s.opens(s.at+len(q.interp), ch)
	s.modes = append(s.modes, mode{q: q, depth: len(s.stack)})
}

// unclosed is a string without an end: broken, but in a language that mixes prose
// with code, where an apostrophe is one; so are then the others of its line.
func (s *scanner) unclosed(q quote) {
	if s.syn.prose && !q.lines && s.at < len(s.src) {
		s.apostrophes = s.line
		s.emit(mark, s.at+1)
		return
	}
	s.fail(int(s.line), "the string that %s opens is never closed", q.open)
}

// hereDoc is a here-document whose body is still to come.
type hereDoc struct {
	name string
	// loose lets blanks stand before the end, and more than the end on its line.
	loose, more bool
}

// body takes the lines up to the end of a here-document as one token.
func (d hereDoc) body(s *scanner) {
	at, line := s.at, int(s.line)
	for at < len(s.src) {
		n := lineRest(s.src[at:])
		if d.ends(s.src[at : at+n]) {
			if d.more {
				n = bytes.Index(s.src[at:], []byte(d.name)) + len(d.name)
			}
			s.part(here, at+n)
			return
		}
		at = min(at+n+1, len(s.src))
	}
	s.fail(line-1, "the here-document %s is never closed", d.name)
}

func (d hereDoc) ends(line []byte) bool {
	if d.loose {
		line = bytes.TrimLeft(line, " \t")
	}
	if d.more {
		rest, ok := bytes.CutPrefix(line, []byte(d.name))
		return ok && (len(rest) == 0 || !isWord(rest[0]))
	}
	return string(bytes.TrimRight(line, " \t\r")) == d.name
}
