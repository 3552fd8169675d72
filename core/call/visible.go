package call

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible is text that is safe to show on a terminal: every character that a
// terminal obeys, hides or moves text with is written as an escape, and so is a
// byte that is no UTF-8. Line ends and tabs stay. What a person reads is then what
// is there: a step cannot hide its end behind a carriage return or a bidi override.
func Visible(s string) string {
	if !strings.ContainsFunc(s, hidden) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !hidden(r):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}

// hidden: line ends and tabs are layout, which a terminal shows as what they are.
func hidden(r rune) bool { return r != '\n' && r != '\t' && Hidden(r) }

// Hidden reports whether a terminal may not show the character as one of its own: it
// is a control or format character, an unusual space, unassigned, or a letter that
// has no ink.
func Hidden(r rune) bool {
	if !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return true
	}
	switch r {
	case 0x115f, 0x1160, 0x3164, 0xffa0, 0x2800, 0x17b4, 0x17b5, 0x034f:
		return true
	}
	return false
}
