package pathpolicy

import (
	"strings"
	"unicode"
)

// Folded is a name or path as a file system compares it that takes upper and lower case
// for the same: two spellings that may name one entry there have one folded form. It
// errs on the side of the same, since it decides only about names that stand nowhere
// yet; where an entry stands, a Namer says which one it is.
func Folded(path string) string {
	if ascii(path) {
		return strings.ToLower(path)
	}
	var b strings.Builder
	for _, r := range path {
		switch long, ok := expanded[r]; {
		case ok:
			b.WriteString(long)
		case !ignored(r):
			b.WriteRune(folded(r))
		}
	}
	return b.String()
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// folded is the one character that stands for all that differ from it by case alone:
// the Kelvin sign is a k, and the long s an s.
func folded(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return unicode.ToLower(least)
}

// expanded are the characters that Unicode folds to several of ASCII: ~/.ßh is ~/.ssh.
var expanded = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'ﬀ': "ff", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬃ': "ffi", 'ﬄ': "ffl", 'ﬅ': "st", 'ﬆ': "st",
}

// ignored are the characters that HFS+ leaves out when it compares names: .g<U+200C>it
// is .git there, and git's own hooks were replaced by it once.
func ignored(r rune) bool {
	return r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff
}

func (p *Policy) fold(path string) string {
	if !p.Fold {
		return path
	}
	return Folded(path)
}
