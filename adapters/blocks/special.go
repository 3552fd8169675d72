package blocks

import (
	"bytes"
	"strings"
)

// longest bounds what is tried as a pattern or a character, so that a wrong guess
// costs no more than this much text.
const longest = 4096

// try takes what an expression matches here as one token of a kind.
func (s *scanner) try(re expr, k kind) bool {
	m := re().Find(s.src[s.at:min(len(s.src), s.at+longest)])
	if len(m) == 0 {
		return false
	}
	s.emit(k, s.at+len(m))
	return true
}

var (
	oneChar   = lazy(`^'(?:\\(?:u\{[0-9a-fA-F]+\}|[^\n][0-9a-fA-F]{0,8})|[^\n'\\])'`)
	slashed   = lazy(`^/(?:\\[^\n]|\[(?:\\[^\n]|[^\]\n\\])*\]|[^/\n\\\[*])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\n\\])*\]|[^/\n\\\[])*/[a-z]*`)
	urlText   = lazy(`^url\([^"')\n]*\)`)
	lispChars = lazy(`^[#?]?\\(?:[A-Za-z0-9]+|.)`)
	sigil     = lazy(`^~[a-zA-Z]+(?:/(?:\\.|[^/\\])*/|\|(?:\\.|[^|\\])*\||"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\((?:\\.|[^)\\])*\)|\[(?:\\.|[^\]\\])*\]|\{(?:\\.|[^}\\])*\}|<(?:\\.|[^>\\])*>)[a-z]*`)
	zigLine   = lazy(`^\\\\[^\n]*`)
	luaOpen   = lazy(`^\[(=*)\[`)
	rustRaw   = lazy(`^b?c?r(#*)"`)
	cppRaw    = lazy(`^(?:u8|[uUL])?R"([^()\\ \n]{0,16})\(`)
	csharpRaw = lazy(`^\$*("{3,})`)
	phpHere   = lazy(`^<<<[ \t]*(?:"(\w+)"|'(\w+)'|(\w+))[ \t]*\r?\n`)
	hclHere   = lazy(`^<<-?(\w+)[ \t]*\r?\n`)
)

// tryOnce tries no more on a line on which it failed: what looks like the beginning of
// a pattern a thousand times on a line is none.
func (s *scanner) tryOnce(re expr, k kind) bool {
	if s.failed == s.line {
		return false
	}
	if s.try(re, k) {
		return true
	}
	s.failed = s.line
	return false
}

// charOrLife: a ' opens a character only when one closes it; else it names a lifetime.
func charOrLife(s *scanner) bool {
	return s.src[s.at] == '\'' && (s.try(oneChar, lit) || s.signed())
}

func (s *scanner) signed() bool {
	s.emit(mark, s.at+1)
	return true
}

func cssURL(s *scanner) bool   { return s.src[s.at] == 'u' && s.try(urlText, lit) }
func lispChar(s *scanner) bool { return s.src[s.at] != '"' && s.try(lispChars, word) }
func zigString(s *scanner) bool {
	return s.src[s.at] == '\\' && s.try(zigLine, lit)
}
func elixirSigil(s *scanner) bool { return s.src[s.at] == '~' && s.tryOnce(sigil, lit) }

// until takes a string whose end is computed from its beginning.
func (s *scanner) until(from int, end string) bool {
	n := bytes.Index(s.src[from:], []byte(end))
	if n < 0 {
		s.fail(int(s.line), "a raw string is never closed")
		return true
	}
	s.emit(lit, from+n+len(end))
	return true
}

// delimited takes a raw string whose end repeats a part of its beginning.
func (s *scanner) delimited(re expr, pre, post string) bool {
	if p := s.prev(); p != nil && int(p.end) == s.at && p.kind == word {
		return false
	}
	m := re().FindSubmatch(s.src[s.at:min(len(s.src), s.at+longest)])
	return m != nil && s.until(s.at+len(m[0]), pre+string(m[1])+post)
}

func luaLong(s *scanner) bool      { return s.src[s.at] == '[' && s.delimited(luaOpen, "]", "]") }
func rustString(s *scanner) bool   { return s.delimited(rustRaw, `"`, "") }
func cppString(s *scanner) bool    { return s.delimited(cppRaw, ")", `"`) }
func csharpString(s *scanner) bool { return s.delimited(csharpRaw, "", "") }

// luaComment takes a long comment, which begins as a line comment does.
func luaComment(s *scanner) bool {
	if !s.has("--[") {
		return false
	}
	m := luaOpen().FindSubmatch(s.src[s.at+2 : min(len(s.src), s.at+longest)])
	if m == nil {
		return false
	}
	end := "]" + string(m[1]) + "]"
	n := bytes.Index(s.src[s.at:], []byte(end))
	if n < 0 {
		s.fail(int(s.line), "a comment is never closed")
		return true
	}
	s.skip(s.at + n + len(end))
	return true
}

// valueWords are words after which a value comes, so that a / begins a pattern.
var valueWords = map[string]bool{
	"return": true, "typeof": true, "case": true, "in": true, "of": true, "delete": true, "void": true, "throw": true,
	"new": true, "else": true, "do": true, "await": true, "yield": true, "if": true, "unless": true, "when": true,
	"and": true, "or": true, "not": true, "while": true, "until": true, "then": true,
}

// pattern takes a regular expression between slashes, where a value may stand.
func pattern(s *scanner) bool {
	if s.src[s.at] != '/' || s.has("//") || s.has("/*") || s.syn.prose && s.tagSlash() || s.valueBefore() {
		return false
	}
	return s.tryOnce(slashed, lit)
}

// tagSlash is true for the slash of </a> and of <a/>.
func (s *scanner) tagSlash() bool {
	p := s.prev()
	return s.has("/>") || p != nil && p.ch == '<' && int(p.end) == s.at
}

// valueBefore is true when what stands before is a value, so that a / divides.
func (s *scanner) valueBefore() bool {
	if len(s.toks) == 0 {
		return false
	}
	t := s.toks[len(s.toks)-1]
	switch t.kind {
	case word:
		return !valueWords[s.text(t)]
	case lit, here:
		return true
	case shut:
		return t.ch != '{' || t.last == s.line
	case mark:
		return t.ch == '+' && strings.HasSuffix(string(s.src[:t.end][max(0, int(t.end)-2):]), "++")
	case comma, semi, open:
	}
	return false
}

// phpStart passes over the text before the first <?.
func phpStart(s *scanner) {
	n := bytes.Index(s.src, []byte("<?"))
	if n < 0 {
		n = len(s.src)
	}
	s.skip(n)
}

// phpText takes what stands between ?> and the next <? as text, which ends a statement.
func phpText(s *scanner) bool {
	switch {
	case s.has("<?"):
		s.skip(min(len(s.src), s.at+2+len(letters(s.src[s.at+2:], 3))))
		return true
	case s.has("?>"):
		n := bytes.Index(s.src[s.at:], []byte("<?"))
		if n < 0 {
			n = len(s.src) - s.at
		}
		s.emit(semi, s.at+n)
		return true
	}
	return false
}

func letters(src []byte, most int) []byte {
	n := 0
	for n < min(len(src), most) && (src[n] >= 'a' && src[n] <= 'z' || src[n] == '=') {
		n++
	}
	return src[:n]
}

func phpDoc(s *scanner) bool {
	return s.has("<<<") && s.hereOpens(phpHere, hereDoc{loose: true, more: true})
}
func hclDoc(s *scanner) bool { return s.has("<<") && s.hereOpens(hclHere, hereDoc{loose: true}) }

// hereOpens takes the beginning of a here-document; its body follows the line's end.
func (s *scanner) hereOpens(re expr, d hereDoc) bool {
	m := re().FindSubmatch(s.src[s.at:min(len(s.src), s.at+longest)])
	if m == nil {
		return false
	}
	d.name = string(bytes.Join(m[1:], nil))
	s.pending = append(s.pending, d)
	s.emit(lit, s.at+len(bytes.TrimRight(m[0], " \t\r\n")))
	return true
}
