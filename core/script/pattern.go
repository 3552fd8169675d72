package script

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote marks the character after it as quoted, in a field whose patterns are not yet
// expanded: it stands for itself. Neither a script nor a variable can hold a NUL.
const Quote = '\x00'

// special are the characters that a pattern gives a meaning.
const special = `*?[]!^-\`

// Quoted marks every character of a quoted text that a pattern would give a meaning.
func Quoted(s string) string {
	if !strings.ContainsAny(s, special) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(special, s[i]) >= 0 {
			b.WriteByte(Quote)
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Unquoted is the field as a word, when it names no file as a pattern.
func Unquoted(field string) string { return strings.ReplaceAll(field, string(Quote), "") }

// HasPattern reports whether a field, or one part of its path, is a pattern: it has *
// or ? or a closed bracket that is not quoted.
func HasPattern(field string) bool {
	open := false
	for i := 0; i < len(field); i++ {
		switch field[i] {
		case Quote:
			i++
		case '\\':
			if i+1 < len(field) && field[i+1] != '/' {
				i++
			}
		case '*', '?':
			return true
		case '[':
			open = true
		case ']':
			if open {
				return true
			}
		case '/':
			open = false
		}
	}
	return false
}

// Match reports whether one part of a path matches one part of a pattern, as in bash
// without extended patterns. A leading period is matched only by a period. wide is
// true where a character may have several bytes, as in UTF-8 locales.
func Match(pattern, name string, wide bool) bool {
	if strings.HasPrefix(name, ".") && !startsWithPeriod(pattern) {
		return false
	}
	m := matcher{wide: wide}
	return m.match(pattern, name)
}

func startsWithPeriod(pattern string) bool {
	p := strings.TrimLeft(pattern, `\`+string(Quote))
	return len(pattern)-len(p) <= 1 && strings.HasPrefix(p, ".")
}

type matcher struct{ wide bool }

// match tries the rest of a name against the rest of a pattern. After a star it goes
// back to the last one only: an earlier star has no better choice to make.
func (m matcher) match(p, s string) bool {
	star, mark, starred := "", "", false
	for len(s) > 0 || len(p) > 0 {
		if len(p) > 0 && p[0] == '*' {
			star, mark, starred = p[1:], s, true
			p = p[1:]
			continue
		}
		if len(s) > 0 && len(p) > 0 {
			r, n := m.char(s)
			if rest, ok := m.one(p, r); ok {
				p, s = rest, s[n:]
				continue
			}
		}
		if !starred || len(mark) == 0 {
			return false
		}
		_, n := m.char(mark)
		mark = mark[n:]
		p, s = star, mark
	}
	return true
}

func (m matcher) char(s string) (rune, int) {
	if m.wide {
		if r, n := utf8.DecodeRuneInString(s); r != utf8.RuneError || n > 1 {
			return r, n
		}
	}
	return rune(s[0]), 1
}

// one matches one character and returns the pattern after what matched it.
func (m matcher) one(p string, r rune) (rest string, ok bool) {
	switch p[0] {
	case '?':
		return p[1:], true
	case '[':
		if rest, in, closed := m.bracket(p[1:], r); closed {
			return rest, in
		}
	case Quote, '\\':
		if len(p) > 1 {
			p = p[1:]
		}
	}
	c, n := m.char(p)
	return p[n:], c == r
}

// bracket matches a character against what stands in [...]. closed is false when there
// is no end: then the bracket is a character like others.
func (m matcher) bracket(p string, r rune) (rest string, in, closed bool) {
	not := p != "" && (p[0] == '!' || p[0] == '^')
	if not {
		p = p[1:]
	}
	for first := true; ; first = false {
		switch {
		case p == "":
			return "", false, false
		case p[0] == ']' && !first:
			return p[1:], in != not, true
		}
		if name, after, ok := class(p); ok {
			in = in || m.inClass(name, r)
			p = after
			continue
		}
		if collates(p) {
			return "", false, true // nothing matches: bash and the locale would know
		}
		low, n, ok := m.member(p)
		if !ok {
			return "", false, false
		}
		p = p[n:]
		high := low
		if len(p) > 1 && p[0] == '-' && p[1] != ']' {
			h, n, ok := m.member(p[1:])
			if !ok {
				return "", false, false
			}
			high, p = h, p[1+n:]
		}
		in = in || low <= r && r <= high
	}
}

// member is one character in a bracket.
func (m matcher) member(p string) (r rune, n int, ok bool) {
	quote := 0
	if p[0] == Quote || p[0] == '\\' {
		quote = 1
	}
	if len(p) <= quote {
		return 0, 0, false
	}
	r, n = m.char(p[quote:])
	return r, n + quote, true
}

// class is the name in [:name:].
func class(p string) (name, after string, ok bool) {
	if !strings.HasPrefix(p, "[:") {
		return "", "", false
	}
	name, after, ok = strings.Cut(p[2:], ":]")
	return name, after, ok && knownClass(name)
}

// collates reports a collating symbol, an equivalence class, or a class of no known
// name.
func collates(p string) bool {
	return len(p) > 1 && p[0] == '[' && (p[1] == '.' || p[1] == '=' || p[1] == ':')
}

func knownClass(name string) bool {
	switch name {
	case "alpha", "digit", "alnum", "upper", "lower", "space", "blank", "punct", "cntrl", "print", "graph", "xdigit", "word":
		return true
	}
	return false
}

func (m matcher) inClass(name string, r rune) bool {
	if r >= utf8.RuneSelf && !m.wide {
		return false
	}
	switch name {
	case "alpha":
		return unicode.IsLetter(r)
	case "digit":
		return '0' <= r && r <= '9'
	case "alnum":
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	case "upper":
		return unicode.IsUpper(r)
	case "lower":
		return unicode.IsLower(r)
	case "space":
		return unicode.IsSpace(r)
	case "blank":
		return r == ' ' || r == '\t'
	case "punct":
		return r < utf8.RuneSelf && r > ' ' && r < 0x7f && !unicode.IsLetter(r) && !unicode.IsDigit(r) || r >= utf8.RuneSelf && (unicode.IsPunct(r) || unicode.IsSymbol(r))
	case "cntrl":
		return unicode.IsControl(r)
	case "print":
		return unicode.IsPrint(r)
	case "graph":
		return unicode.IsGraphic(r) && !unicode.IsSpace(r)
	case "xdigit":
		return '0' <= r && r <= '9' || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F'
	case "word":
		return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return false
}
