package blocks

import (
	"bytes"
	"strings"
)

var (
	rubyHere    = lazy("^<<[~-]?(?:\"(\\w+)\"|'(\\w+)'|`(\\w+)`|([A-Z_]\\w*))")
	rubyPercent = lazy(`^%[wWiIqQrsx]?[\[({<|!/]`)
	rubyChar    = lazy(`^\?(?:\\.|[^\s\w]|\w\b)`)
	rubySymbol  = lazy(`^:[A-Za-z_]\w*[?!=]?`)
)

// rubyLong takes =begin comments and what stands behind __END__.
func rubyLong(s *scanner) bool {
	if s.at != int(s.t.starts[s.line-1]) {
		return false
	}
	switch {
	case s.has("__END__\n"), s.has("__END__\r\n"), string(s.src[s.at:]) == "__END__":
		s.skip(len(s.src))
	case s.has("=begin"):
		n := bytes.Index(s.src[s.at:], []byte("\n=end"))
		if n < 0 {
			s.fail(int(s.line), "=begin is never closed")
			return true
		}
		s.skip(s.at + n + len("\n=end"))
		s.skip(s.at + lineRest(s.src[s.at:]))
	default:
		return false
	}
	return true
}

// rubyText takes here-documents, symbols, characters and %w[] lists.
func rubyText(s *scanner) bool {
	switch c := s.src[s.at]; {
	case c == '<':
		return s.has("<<") && !s.afterSpaceless() && s.hereOpens(rubyHere, hereDoc{loose: true})
	case c == ':':
		return !s.has("::") && !s.afterColon() && s.try(rubySymbol, word)
	case c == '?':
		return !s.valueBefore() && s.try(rubyChar, lit)
	case c == '%':
		return s.percent()
	}
	return false
}

// afterSpaceless is true for a << that shifts or inherits: a value stands right before
// it, or the word class.
func (s *scanner) afterSpaceless() bool {
	p := s.prev()
	return p != nil && (int(p.end) == s.at && p.kind != open && p.kind != comma && p.kind != mark || s.text(*p) == "class")
}

func (s *scanner) afterColon() bool {
	p := s.prev()
	return p != nil && int(p.end) == s.at && p.ch == ':'
}

var rubyClose = map[byte]string{'[': "]", '(': ")", '{': "}", '<': ">"}

// percent takes a %-literal; brackets of its own kind nest in it.
func (s *scanner) percent() bool {
	m := rubyPercent().Find(s.src[s.at:min(len(s.src), s.at+longest)])
	if m == nil || s.valueBefore() && (len(m) == 2 || !s.spaceBefore()) {
		return false
	}
	begin := m[len(m)-1]
	end, nests := rubyClose[begin]
	if !nests {
		end = string(begin)
	}
	depth := 1
	for at := s.at + len(m); at < len(s.src); at++ {
		switch c := s.src[at]; {
		case c == '\\':
			at++
		case c == end[0]:
			if depth--; depth == 0 {
				s.emit(lit, at+1)
				return true
			}
		case nests && c == begin:
			depth++
		}
	}
	s.fail(int(s.line), "%s is never closed", m)
	return true
}

func (s *scanner) spaceBefore() bool {
	return s.at == 0 || strings.IndexByte(" \t", s.src[s.at-1]) >= 0
}

// rubyWord tells the words that open and close blocks from those that stand behind a
// statement, name a method or a key.
func rubyWord(s *scanner, w string) kind {
	p := s.prev()
	if p != nil && (p.ch == '.' || s.text(*p) == "def") || s.keyed(w) {
		return word
	}
	switch w {
	case "end":
		return shut
	case "class", "module", "begin", "case":
		return open
	case "do":
		return s.loopDo()
	case "if", "unless", "while", "until", "for":
		return opensIf(p == nil || s.startsValue(*p))
	case "def":
		return opensIf(!s.endless())
	}
	return word
}

func opensIf(yes bool) kind {
	if yes {
		return open
	}
	return word
}

// keyed is true for a key of a hash or a named argument, such as if: in f(if: x).
func (s *scanner) keyed(w string) bool {
	rest := s.src[min(len(s.src), s.at+len(w)):]
	return len(rest) > 0 && rest[0] == ':' && (len(rest) == 1 || rest[1] != ':')
}

// startsValue is true when a statement or a value begins behind a token.
func (s *scanner) startsValue(p token) bool {
	switch p.kind {
	case open, comma, semi:
		return true
	case mark:
		return strings.IndexByte("=|&+-*/<>!(?:", p.ch) >= 0
	case word:
		return valueWords[s.text(p)]
	case lit, here, shut:
	}
	return false
}

// farBack bounds how many tokens of a line are looked back at.
const farBack = 256

// loopDo: the do of a while, until or for on the same line is a part of it.
func (s *scanner) loopDo() kind {
	i := len(s.toks) - 1
	for n := 0; i >= 0 && s.toks[i].last == s.line && n < farBack; n++ {
		t := s.toks[i]
		if t.kind == open && t.ch == 'e' && t.pair < 0 {
			switch s.text(t) {
			case "while", "until", "for":
				return word
			}
			return open
		}
		if t.kind == shut && t.pair >= 0 {
			i = int(t.pair)
		}
		i--
	}
	return open
}

var endlessDef = lazy(`^def\s+[\w.?!]+(?:\([^)\n]*\))?\s+=[^=~>]`)

func (s *scanner) endless() bool {
	return endlessDef().Match(s.src[s.at:min(len(s.src), s.at+longest)])
}

// luaWord: for and while open with the do of their own.
func luaWord(_ *scanner, w string) kind {
	switch w {
	case "function", "if", "do", "repeat":
		return open
	case "end", "until":
		return shut
	}
	return word
}

// elixirWord: do: and fn as a name open nothing.
func elixirWord(s *scanner, w string) kind {
	p := s.prev()
	if s.keyed(w) || p != nil && (p.ch == '.' || p.ch == ':') && int(p.end) == s.at {
		return word
	}
	switch w {
	case "do", "fn":
		return open
	case "end":
		return shut
	}
	return word
}
