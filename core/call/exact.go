package call

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The signs of a card. No text that is shown exactly holds one as its own character, so
// that none can pretend to be a tab, the end of a row or an escape.
const (
	// SignTab is drawn for a tab, so that it is told from blanks.
	SignTab = '⇥'
	// SignEnd is drawn behind a row that ends in a blank, which nobody could see.
	SignEnd = '⏎'
	// signEscape begins an escape and signClose ends it: ⟨x1b⟩ is the byte 1b, ⟨u202e⟩
	// the character U+202E.
	signEscape, signClose = '⟨', '⟩'
)

// Exact is a text as a card shows it: what Visible escapes is escaped, and so is whatever
// could be taken for an escape. Two texts then never look the same, and ReadExact reads
// back the very bytes (law card_reads_back): with Visible, the four characters \x1b and
// the one character that they name are one. It is for the maker of a text and is applied
// once; Visible leaves the result as it is. Line ends and tabs stay.
func Exact(s string) string {
	if at := inexact(s); at == len(s) {
		return s
	}
	var b strings.Builder
	for based := false; s != ""; {
		n, odd := head(s, based)
		based = !odd && !blank(s[0])
		switch {
		case !odd:
			b.WriteString(s[:n])
		case n == 1:
			fmt.Fprintf(&b, "⟨x%02x⟩", s[0])
		default:
			r, _ := utf8.DecodeRuneInString(s)
			fmt.Fprintf(&b, "⟨u%x⟩", r)
		}
		s = s[n:]
	}
	return b.String()
}

// ExactLine is Exact in one line: line ends and tabs are escaped too.
func ExactLine(s string) string { return exactLayout.Replace(Exact(s)) }

var exactLayout = strings.NewReplacer("\n", "⟨x0a⟩", "\t", "⟨x09⟩")

// IsExact reports whether Exact leaves the text as it is: each character of it is shown
// as itself.
func IsExact(s string) bool { return inexact(s) == len(s) }

// inexact is where the first character stands that Exact escapes, len(s) without one.
func inexact(s string) int {
	based := false
	for at := 0; at < len(s); {
		n, odd := head(s[at:], based)
		if odd {
			return at
		}
		based = !blank(s[at])
		at += n
	}
	return len(s)
}

// head is the size of the first character, and whether it is escaped. based says that a
// character stands before it which a mark can sit on.
func head(s string, based bool) (n int, odd bool) {
	if c := s[0]; c < utf8.RuneSelf {
		return 1, c != '\n' && c != '\t' && (c < ' ' || c == 0x7f)
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && n == 1:
		return 1, true
	case r == signEscape:
		return n, strings.HasPrefix(s[n:], "x") || strings.HasPrefix(s[n:], "u")
	}
	return n, Odd(r) || !based && unicode.Is(unicode.M, r)
}

// Odd reports whether a card never shows the character as itself: a terminal may hide it
// (Hidden), it is a sign of the card, or it melts with the one before it into a picture
// whose width no two terminals agree about.
func Odd(r rune) bool {
	switch {
	case r == SignTab, r == SignEnd, r == 0x20e3: // a keycap
		return true
	case 0x1f1e6 <= r && r <= 0x1f1ff, 0x1f3fb <= r && r <= 0x1f3ff: // flags, tones of skin
		return true
	}
	return Hidden(r)
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// ReadExact is the text that Exact, or ExactLine, showed as this one; ok is false for what
// neither of them writes.
func ReadExact(shown string) (s string, ok bool) {
	var b strings.Builder
	for rest := shown; rest != ""; {
		at := strings.IndexRune(rest, signEscape)
		if at < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:at])
		if rest = rest[at:]; !escapes(rest) {
			b.WriteRune(signEscape)
			rest = rest[len("⟨"):]
			continue
		}
		end := strings.IndexRune(rest, signClose)
		if end < 0 || !unescape(&b, rest[len("⟨"):end]) {
			return "", false
		}
		rest = rest[end+len("⟩"):]
	}
	s = b.String()
	return s, Exact(s) == shown || ExactLine(s) == shown
}

func escapes(s string) bool {
	return strings.HasPrefix(s, "⟨x") || strings.HasPrefix(s, "⟨u")
}

func unescape(b *strings.Builder, what string) bool {
	n, err := strconv.ParseUint(what[1:], 16, 32)
	if err != nil {
		return false
	}
	if what[0] == 'x' && n < 256 {
		b.WriteByte(byte(n))
		return true
	}
	b.WriteRune(rune(n))
	return true
}
