package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is how many cells a line takes; styles take none. Of text that Clean has seen it
// is never less than what a terminal takes: where terminals count a cluster as one cell
// or as the sum of its letters, it is the larger, so that no line runs over its edge.
func Width(s string) int {
	w := 0
	for len(s) > 0 {
		n, cells := next(s)
		w += cells
		s = s[n:]
	}
	return w
}

// next is the length and the cells of what s begins with: a style, or a character with
// its marks.
func next(s string) (n, cells int) {
	c := s[0]
	switch {
	case c == 0x1b:
		return styleLen(s), 0
	case c < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf):
		if c < ' ' || c == 0x7f {
			return 1, 0
		}
		return 1, 1
	}
	cluster, cells := ansi.FirstGraphemeCluster(near(s), ansi.GraphemeWidth)
	if cells = max(cells, sum(cluster)); cells > maxCluster {
		_, n = utf8.DecodeRuneInString(s)
		return n, runeWidth(s[:n])
	}
	return len(cluster), cells
}

// Letters can be made to join without an end. A line must break somewhere, so no more
// than maxCluster cells stay together; and looking for the end again at each letter would
// be quadratic, so no more than maxJoined bytes are looked at.
const (
	maxCluster = 4
	maxJoined  = 48
)

// near is the part of s that its first character is looked for in.
func near(s string) string {
	if len(s) <= maxJoined {
		return s
	}
	n := maxJoined
	for n > maxJoined-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// sum is the cells of a cluster for a terminal that knows no clusters.
func sum(cluster string) (cells int) {
	for i, r := range cluster {
		n := utf8.RuneLen(r)
		if n < 0 || n > len(cluster)-i || i == 0 && n == len(cluster) {
			return 0 // one character: there is one opinion
		}
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			cells += runeWidth(cluster[i : i+n])
		}
	}
	return cells
}

// runeWidth is the cells of one character.
func runeWidth(r string) int {
	_, w := ansi.FirstGraphemeCluster(r, ansi.GraphemeWidth)
	return w
}

// styleLen is the length of the escape sequence that s begins with.
func styleLen(s string) int {
	if len(s) > 1 && s[1] == '[' {
		return 2 + sequence(s[2:])
	}
	return 1
}
