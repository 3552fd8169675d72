package shell

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"
)

var errLongLine = errors.New("a line is longer than 64 MiB")

// matcher matches one line as the real grep does.
type matcher struct {
	literal []byte // set when plain text is searched
	re      *regexp.Regexp
	wide    bool // bytes are characters: the C locale
}

// newMatcher translates a pattern; nil when it is not certain to mean the same.
func newMatcher(pattern string, set map[byte]string, utf bool) *matcher {
	if strings.ContainsAny(pattern, "\n\x00") || !utf8.ValidString(pattern) {
		return nil
	}
	m := &matcher{wide: !utf}
	word := has(set, 'w')
	if word && !isWord(pattern) {
		return nil
	}
	plain := has(set, 'F') || !strings.ContainsAny(pattern, `\.[]*^$+?(){}|`)
	if plain && !word && !has(set, 'x') && !has(set, 'i') {
		m.literal = []byte(pattern)
	}
	expr, ok := regexp.QuoteMeta(pattern), true
	if !plain {
		t := translator{in: pattern, extended: has(set, 'E'), utf8: utf}
		expr, ok = t.translate()
	}
	if !ok || has(set, 'i') && !ascii(pattern) {
		return nil
	}
	if m.wide {
		expr = string(widen([]byte(expr)))
	}
	expr = "(?:" + expr + ")"
	switch {
	case has(set, 'x'):
		expr = "^" + expr + "$"
	case word && utf:
		return nil // letters beyond ASCII are word characters too
	case word:
		expr = `\b` + expr + `\b`
	}
	if has(set, 'i') {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil
	}
	re.Longest()
	m.re = re
	return m
}

func isWord(s string) bool {
	for i := range len(s) {
		if !wordByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func ascii[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// widen makes every byte one character, so that . is a byte as in the C locale.
func widen(p []byte) []byte {
	if ascii(p) {
		return p
	}
	out := make([]byte, 0, len(p)+8)
	for _, b := range p {
		out = utf8.AppendRune(out, rune(b))
	}
	return out
}

func narrow(p []byte) []byte {
	if ascii(p) {
		return p
	}
	out := make([]byte, 0, len(p))
	for _, r := range string(p) {
		out = append(out, byte(r))
	}
	return out
}

func (m *matcher) match(line []byte) bool {
	if m.literal != nil {
		return bytes.Contains(line, m.literal)
	}
	if m.wide {
		line = widen(line)
	}
	return m.re.Match(line)
}

// parts are the matches of -o, the empty ones left out.
func (m *matcher) parts(line []byte) (out [][]byte) {
	if m.wide {
		line = widen(line)
	}
	for _, at := range m.re.FindAllIndex(line, -1) {
		if at[1] > at[0] {
			part := line[at[0]:at[1]]
			if m.wide {
				part = narrow(part)
			}
			out = append(out, part)
		}
	}
	return out
}

// translator turns a POSIX pattern into one of package regexp. It knows the common
// part of both and gives up on the rest.
type translator struct {
	in       string
	at       int
	extended bool
	utf8     bool
	out      strings.Builder
	depth    int
	// atom is true when the last thing written can be repeated.
	atom bool
}

func (t *translator) translate() (string, bool) {
	for t.at < len(t.in) {
		if !t.next() {
			return "", false
		}
	}
	return t.out.String(), t.depth == 0
}

func (t *translator) next() bool {
	c := t.in[t.at]
	t.at++
	switch c {
	case '\\':
		return t.escape()
	case '[':
		return t.bracket()
	case '.':
		return t.write(".", true)
	case '*':
		return t.repeat("*")
	case '^':
		return t.anchor("^", t.at == 1)
	case '$':
		return t.anchor("$", t.at == len(t.in))
	case '+', '?':
		if t.extended {
			return t.repeat(string(c))
		}
	case '|':
		if t.extended {
			return t.alternative()
		}
	case '(', ')':
		if t.extended {
			return t.group(c)
		}
	case '{', '}':
		if t.extended {
			return false // an interval or not: the real grep knows
		}
	}
	return t.literal(c)
}

func (t *translator) write(s string, atom bool) bool {
	t.out.WriteString(s)
	t.atom = atom
	return true
}

func (t *translator) literal(c byte) bool {
	if c < utf8.RuneSelf {
		return t.write(regexp.QuoteMeta(string(rune(c))), true)
	}
	_, n := utf8.DecodeRuneInString(t.in[t.at-1:])
	s := t.in[t.at-1 : t.at-1+n]
	t.at += n - 1
	if !t.utf8 && t.at < len(t.in) && strings.IndexByte("*+?\\{", t.in[t.at]) >= 0 {
		return false // in the C locale only the last byte would be repeated
	}
	return t.write(s, true)
}

func (t *translator) repeat(op string) bool {
	if !t.atom || t.at < len(t.in) && strings.IndexByte("*+?{", t.in[t.at]) >= 0 {
		return false // a literal star, or a repeated repetition
	}
	return t.write(op, false)
}

// anchor takes ^ and $ at the two ends of the pattern only; inside, the two kinds of
// patterns differ.
func (t *translator) anchor(s string, end bool) bool {
	if !end || s == "^" && t.at < len(t.in) && t.in[t.at] == '*' {
		return false
	}
	return t.write(s, false)
}

func (t *translator) alternative() bool {
	if t.at == len(t.in) || t.out.Len() == 0 {
		return false
	}
	return t.write("|", false)
}

func (t *translator) group(c byte) bool {
	if c == '(' {
		t.depth++
		if t.at < len(t.in) && t.in[t.at] == ')' {
			return false
		}
		return t.write("(?:", false)
	}
	if t.depth--; t.depth < 0 {
		return false
	}
	return t.write(")", true)
}

func (t *translator) escape() bool {
	if t.at == len(t.in) {
		return false
	}
	c := t.in[t.at]
	t.at++
	switch {
	case strings.IndexByte(`.[]*^$\/`, c) >= 0, t.extended && strings.IndexByte(`+?(){}|`, c) >= 0:
		return t.write(regexp.QuoteMeta(string(rune(c))), true)
	case t.utf8 && strings.IndexByte("wWsSbB", c) >= 0:
		return false // they know letters beyond ASCII there
	case c == 'w' || c == 'W' || c == 's' || c == 'S':
		return t.write(`\`+string(rune(c)), true)
	case c == 'b' || c == 'B':
		return t.write(`\`+string(rune(c)), false)
	case t.extended:
		return false
	case c == '|':
		return t.alternative()
	case c == '+' || c == '?':
		return t.repeat(string(rune(c)))
	case c == '(' || c == ')':
		return t.group(c)
	}
	return false
}

// bracket takes [...] of ASCII characters, ranges and, in the C locale, classes. A
// backslash in it is itself.
func (t *translator) bracket() bool {
	end := t.at
	if end < len(t.in) && t.in[end] == '^' {
		end++
	}
	if end < len(t.in) && t.in[end] == ']' {
		end++
	}
	for end < len(t.in) && t.in[end] != ']' {
		if t.in[end] == '[' && end+1 < len(t.in) && strings.IndexByte(":.=", t.in[end+1]) >= 0 {
			close := strings.Index(t.in[end+2:], ":]")
			if t.in[end+1] != ':' || close < 0 || t.utf8 {
				return false
			}
			end += close + 3
		}
		end++
	}
	if end >= len(t.in) || !ascii(t.in[t.at:end]) {
		return false
	}
	body := t.in[t.at:end]
	t.at = end + 1
	return t.write("["+classBody(body)+"]", true)
}

func classBody(body string) string {
	var b strings.Builder
	if strings.HasPrefix(body, "^") {
		b.WriteByte('^')
		body = body[1:]
	}
	for i := 0; i < len(body); i++ {
		c := body[i]
		if c == '[' && i+1 < len(body) && body[i+1] == ':' {
			n := strings.Index(body[i:], ":]") + 2
			b.WriteString(body[i : i+n])
			i += n - 1
			continue
		}
		if c == '-' && i > 0 && i < len(body)-1 {
			b.WriteByte('-')
			continue
		}
		if !wordByte(c) && c != ' ' {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}
