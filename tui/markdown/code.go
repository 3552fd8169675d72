package markdown

import (
	"strings"
	"unicode/utf8"

	"tenet/tui/text"
	"tenet/tui/theme"
)

// lighter is where the highlighting of a block is after a line: within a comment or a
// text that goes on, which ends with until.
type lighter struct {
	lang  *language
	until string
	note  bool // it is a comment
}

const codeIndent = "  "

// code draws a line of code.
func (p *painter) code(out []string, line string, w int, l *lighter) []string {
	indent := codeIndent
	if w < minWidth {
		indent = ""
	}
	for _, s := range text.Wrap(p.highlight(line, l), w-len(indent)) {
		if s != "" {
			s = indent + s
		}
		out = append(out, s)
	}
	return out
}

// highlight paints a line of code. It is one pass: a model's code may be long.
func (p *painter) highlight(line string, l *lighter) string {
	switch {
	case l.lang == nil || line == "":
		return p.plainCode(line)
	case l.lang.diff:
		return p.diffLine(line)
	}
	s := scan{p: p, line: line, l: l}
	s.run()
	return string(s.out)
}

func (p *painter) plainCode(line string) string { return p.hues.plain.Paint(line) }

func (p *painter) diffLine(line string) string {
	k := p.hues
	switch {
	case strings.HasPrefix(line, "@@"):
		return k.hunk.Paint(line)
	case strings.HasPrefix(line, "+"):
		return k.added.Paint(line)
	case strings.HasPrefix(line, "-"):
		return k.removed.Paint(line)
	}
	return k.plain.Paint(line)
}

// scan reads a line; what is between from and at is plain and not yet written.
type scan struct {
	p    *painter
	line string
	l    *lighter
	out  []byte
	from int
	at   int
	dead string // the quotes that have no end on this line
}

func (s *scan) run() {
	if s.l.until != "" {
		s.goOn()
	}
	for s.at < len(s.line) {
		s.token()
	}
	s.plain(len(s.line))
}

// goOn paints the rest of what a line before began.
func (s *scan) goOn() {
	ink := s.p.hues.str
	if s.l.note {
		ink = s.p.hues.comment
	}
	end := len(s.line)
	if i := strings.Index(s.line, s.l.until); i >= 0 {
		end = i + len(s.l.until)
		s.l.until, s.l.note = "", false
	}
	s.paint(end, ink)
}

func (s *scan) plain(to int) {
	s.out = s.p.hues.plain.Append(s.out, s.line[s.from:to])
	s.from = to
}

// paint writes the plain text before at, and what is from there to end in the ink.
func (s *scan) paint(end int, k theme.Ink) {
	s.plain(s.at)
	s.out = k.Append(s.out, s.line[s.at:end])
	s.at, s.from = end, end
}

func (s *scan) token() {
	k, rest := s.p.hues, s.line[s.at:]
	c := rest[0]
	switch {
	case s.comment(rest):
	case s.text(rest):
	case isLetter(c):
		s.word(rest)
	case c >= '0' && c <= '9':
		s.paint(s.at+numberLen(rest), k.number)
	default:
		_, n := utf8.DecodeRuneInString(rest)
		s.at += n
	}
}

func (s *scan) word(rest string) {
	n := 1
	for n < len(rest) && (isLetter(rest[n]) || rest[n] >= '0' && rest[n] <= '9') {
		n++
	}
	if s.l.lang.words[rest[:n]] || s.l.lang.keys && s.at == s.indent() && strings.HasPrefix(rest[n:], ":") {
		s.paint(s.at+n, s.p.hues.word)
		return
	}
	s.at += n
}

// indent is where the line's text begins, after the sign of a list.
func (s *scan) indent() int { return len(s.line) - len(strings.TrimLeft(s.line, " -")) }

func (s *scan) comment(rest string) bool {
	lang, ink := s.l.lang, s.p.hues.comment
	for _, mark := range lang.line {
		if strings.HasPrefix(rest, mark) && (mark != "#" || s.at == 0 || s.line[s.at-1] == ' ') {
			s.paint(len(s.line), ink)
			return true
		}
	}
	if lang.open == "" || !strings.HasPrefix(rest, lang.open) {
		return false
	}
	s.span(rest, len(lang.open), lang.close, ink, true)
	return true
}

// span paints what begins with n bytes and goes on to the close, maybe on a later line.
func (s *scan) span(rest string, n int, until string, ink theme.Ink, note bool) {
	if i := strings.Index(rest[n:], until); i >= 0 {
		s.paint(s.at+n+i+len(until), ink)
		return
	}
	s.paint(len(s.line), ink)
	s.l.until, s.l.note = until, note
}

func (s *scan) text(rest string) bool {
	lang, ink := s.l.lang, s.p.hues.str
	for _, mark := range lang.multi {
		if strings.HasPrefix(rest, mark) {
			s.span(rest, len(mark), mark, ink, false)
			return true
		}
	}
	if !strings.Contains(lang.quotes, rest[:1]) {
		return false
	}
	if strings.Contains(s.dead, rest[:1]) {
		return false
	}
	n := quotedLen(rest)
	if n == 0 {
		s.dead += rest[:1] // looking for its end again at each one would be quadratic
	}
	if n == 0 || lang.short && rest[0] == '\'' && n > len(`'\u{10ffff}'`) {
		return false
	}
	s.paint(s.at+n, ink)
	return true
}

// quotedLen is the length of the text in quotes that s begins with; 0 when it is open.
func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return 0
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func numberLen(s string) int {
	n := 1
	for n < len(s) && (isLetter(s[n]) && s[n] < utf8.RuneSelf || s[n] >= '0' && s[n] <= '9' || s[n] == '.' && n+1 < len(s) && s[n+1] >= '0' && s[n+1] <= '9') {
		n++
	}
	return n
}
