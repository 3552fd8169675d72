package script

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenet/core/call"
)

// Shown quotes one word for a person and for bash: bash reads exactly the word back,
// in every locale, and no character of it can hide or move others. An adversary
// would put a bidi override or a line feed into a word, so that the card shows
// another command than the one that runs.
func Shown(word string) string {
	switch {
	case word == "":
		return "''"
	case hides(word):
		return ansi(word)
	case bare(word):
		return word
	default:
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
}

// ShownField is a field whose patterns are not yet expanded (Quote): the signs of a
// pattern stand as they are, everything else is quoted as Shown does.
func ShownField(field string) string {
	if !HasPattern(field) {
		return Shown(Unquoted(field))
	}
	var out, text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			out.WriteString(Shown(text.String()))
			text.Reset()
		}
	}
	for i := 0; i < len(field); i++ {
		switch c := field[i]; {
		case c == Quote && i+1 < len(field):
			i++
			text.WriteByte(field[i])
		case strings.IndexByte("*?[]!^-", c) >= 0:
			flush()
			out.WriteByte(c)
		default:
			text.WriteByte(c)
		}
	}
	flush()
	return out.String()
}

// ShownName is Shown for the word in front of a command, where bash also knows
// assignments and reserved words.
func ShownName(word string) string {
	if s := Shown(word); s != word || !strings.Contains(word, "=") && !reserved(word) {
		return s
	}
	return "'" + word + "'"
}

// ShownScript is a whole script as a person is shown it: itself with its line ends and
// tabs, or, when a character in it could hide or move others, the command that hands it
// to bash.
func ShownScript(src string) string {
	if !call.IsExact(src) {
		return "bash -c " + ansi(src)
	}
	return src
}

// hides reports whether a word could show something else than it is: line ends and tabs
// within a word do, and so does what a card never shows as itself (call.Exact).
func hides(s string) bool { return strings.ContainsAny(s, "\n\t") || !call.IsExact(s) }

// bare: what bash reads as one word without any quoting.
func bare(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf, 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("_@%+=:,./-", c) >= 0:
		default:
			return false
		}
	}
	return true
}

func reserved(word string) bool {
	switch word {
	case "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until",
		"for", "select", "in", "function", "time", "coproc":
		return true
	}
	return false
}

// ansi writes $'…' with hidden characters, marks and the sign of an escape as bytes: \u
// would mean another thing in another locale.
func ansi(s string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == utf8.RuneError && n == 1, r < ' ', r == 0x7f, r == '⟨', r >= utf8.RuneSelf && (call.Odd(r) || unicode.Is(unicode.M, r)):
			for j := range n {
				fmt.Fprintf(&b, `\x%02x`, s[i+j])
			}
		default:
			b.WriteRune(r)
		}
		i += n
	}
	b.WriteByte('\'')
	return b.String()
}
