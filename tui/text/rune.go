package text

import (
	"unicode"
	"unicode/utf8"
)

// gone are the characters that Clean leaves out: they have no ink of their own, and
// they hide, join, reorder or restyle what stands beside them.
func gone(r rune) bool {
	switch {
	case r == 0xad, r == 0x34f, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r == 0x17b4, r == 0x17b5:
		return true
	case r >= 0x1f3fb && r <= 0x1f3ff: // skin tones
		return true
	case r >= 0x20dd && r <= 0x20e4: // enclosing marks, the keycap among them
		return true
	}
	return unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		unicode.Is(unicode.Cf, r) && !inked(r)
}

// inked are the format characters that have ink, signs before Arabic numbers and the
// like: no two tables agree about their width, so they are shown as unknown.
func inked(r rune) bool {
	return r >= 0x600 && r <= 0x605 || r == 0x6dd || r == 0x70f || r == 0x890 || r == 0x891 || r == 0x8e2 || r == 0x110bd || r == 0x110cd
}

// drawable reports whether a terminal has a cell or two for r. Private characters of the
// first plane stay: fonts for terminals have their pictures there.
func drawable(r rune) bool {
	return unicode.IsPrint(r) || r >= 0xe000 && r <= 0xf8ff
}

// isFlag reports a letter of a flag.
func isFlag(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

// flag writes the letters of a flag, two at a time, as [US].
func (c *cleaner) flag(r rune) {
	c.put('[')
	c.put('A' + r - 0x1f1e6)
	if next, n := utf8.DecodeRuneInString(c.in[c.at:]); isFlag(next) {
		c.at += n
		c.put('A' + next - 0x1f1e6)
	}
	c.put(']')
}

// syllable joins the parts of a Korean syllable, which stand alone in text that was
// taken apart: terminals give the parts one, two or four cells.
func (c *cleaner) syllable(r rune) bool {
	last, n := utf8.DecodeLastRune(c.out[c.line:])
	var whole rune
	switch {
	case r >= 0x1161 && r <= 0x1175 && last >= 0x1100 && last <= 0x1112:
		whole = 0xac00 + ((last-0x1100)*21+(r-0x1161))*28
	case r > 0x11a7 && r <= 0x11c2 && last >= 0xac00 && last <= 0xd7a3 && (last-0xac00)%28 == 0:
		whole = last + r - 0x11a7
	default:
		return false
	}
	c.out = utf8.AppendRune(c.out[:len(c.out)-n], whole)
	return true
}
