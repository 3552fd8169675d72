package diff

import (
	"unicode"
	"unicode/utf8"

	"tenet/tui/theme"
)

// Changes of more lines than maxPairs, and lines of more bytes than maxMarked, are not
// looked into.
const (
	maxPairs  = 40
	maxMarked = 2000
)

// marked paints the lines of a change. Where as many lines come as go, each pair has the
// words marked that differ, if it has others.
func (p pens) marked(minus, plus []row) (before, after []string) {
	pair := len(minus) == len(plus) && len(plus) <= maxPairs
	for i, r := range minus {
		from, to := 0, 0
		if pair {
			from, to, _ = differ(r.text, plus[i].text)
		}
		before = append(before, p.paint(r, p.minus, p.minusWord, from, to))
	}
	for i, r := range plus {
		from, to := 0, 0
		if pair {
			from, _, to = differ(minus[i].text, r.text)
		}
		after = append(after, p.paint(r, p.plus, p.plusWord, from, to))
	}
	return before, after
}

func (p pens) paint(r row, line, word theme.Ink, from, to int) string {
	if r.sort == context {
		return p.plain.Paint(r.text)
	}
	return line.Paint(r.text[:from]) + word.Paint(r.text[from:to]) + line.Paint(r.text[to:])
}

// differ is the part of two lines that differs, in whole words: from where in both, to
// where in each. Lines that have little in common have no such part.
func differ(a, b string) (from, toA, toB int) {
	if a == b || len(a)+len(b) > maxMarked {
		return 0, 0, 0
	}
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	tail := 0
	for tail < len(a)-from && tail < len(b)-from && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from = min(wordStart(a, from), wordStart(b, from))
	toA, toB = len(a)-tail, len(b)-tail
	for toA < len(a) && (inWord(a, toA) || inWord(b, toB) || !utf8.RuneStart(a[toA])) {
		toA, toB = toA+1, toB+1
	}
	if shared := from + len(a) - toA; 3*shared < min(len(a), len(b)) {
		return 0, 0, 0
	}
	return from, toA, toB
}

// wordStart moves i back to where its word begins.
func wordStart(s string, i int) int {
	for i > 0 && (i < len(s) && !utf8.RuneStart(s[i]) || inWord(s, i)) {
		i--
	}
	return i
}

// inWord reports whether i stands within a word: letters on both sides.
func inWord(s string, i int) bool {
	if i <= 0 || i >= len(s) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i:])
	return letter(before) && (letter(after) || unicode.Is(unicode.M, after))
}

func letter(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
