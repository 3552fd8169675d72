package menu

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMatched bounds what is looked at of one text, in bytes.
const maxMatched = 1024

// Match says how well a text answers what was typed: all the words of the query stand in
// it, the letters of each in their order. at are the bytes of the letters that were found,
// in order. A capital in the query wants a capital. A higher score is a better match; an
// empty query matches everything with 0.
func Match(query, s string) (score int, at []int, ok bool) {
	if len(s) > maxMatched {
		s = strings.ToValidUTF8(s[:maxMatched], "")
	}
	for word := range strings.FieldsSeq(query) {
		n, found, ok := word1(word, s)
		if !ok {
			return 0, nil, false
		}
		score += n
		at = merge(at, found)
	}
	return score, at, true
}

// word1 matches one word: as it stands when it does, else by its letters.
func word1(word, s string) (score int, at []int, ok bool) {
	exact := strings.ContainsFunc(word, unicode.IsUpper)
	if i := index(s, word, exact); i >= 0 {
		for j := range word {
			at = append(at, i+j)
		}
		return 16*utf8.RuneCountInString(word) + edge(s, i) + near(i, s), at, true
	}
	at, ok = letters(word, s, exact)
	if !ok {
		return 0, nil, false
	}
	for i, p := range at {
		score += 4 + edge(s, p)
		if i > 0 && p == at[i-1]+1 {
			score += 6
		}
	}
	spread := at[len(at)-1] - at[0] + 1 - len(at)
	return score - min(spread, 4*len(at)) + near(at[0], s), at, true
}

// near is worth more the nearer to the start a match is, and the shorter the text.
func near(i int, s string) int { return max(0, 8-i) + max(0, 8-len(s)/16) }

// edge is worth something where a word of the text begins, more where its last part does.
func edge(s string, i int) int {
	if i == 0 {
		return 8
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	here, _ := utf8.DecodeRuneInString(s[i:])
	switch {
	case before == '/':
		return 8
	case !unicode.IsLetter(before) && !unicode.IsNumber(before):
		return 6
	case unicode.IsLower(before) && unicode.IsUpper(here):
		return 5
	}
	return 0
}

// index is where a word stands in a text, where one begins rather than inside one.
func index(s, word string, exact bool) int {
	best := -1
	first := word[0]
	for i := 0; i+len(word) <= len(s); i++ {
		c := s[i]
		if c < utf8.RuneSelf && first < utf8.RuneSelf && lower(c) != lower(first) || !utf8.RuneStart(c) {
			continue // most places end here
		}
		if same(s[i:], word, exact) {
			if edge(s, i) > 0 {
				return i
			}
			if best < 0 {
				best = i
			}
		}
	}
	return best
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// same is true when a text begins with a word.
func same(s, word string, exact bool) bool {
	if len(s) < len(word) {
		return false
	}
	if exact {
		return s[:len(word)] == word
	}
	return strings.EqualFold(s[:len(word)], word)
}

// letters finds the letters of a word in their order, as near together as the first place
// where they end allows.
func letters(word, s string, exact bool) (at []int, ok bool) {
	want := []rune(word)
	end, n := -1, 0
	for i, r := range s {
		if n < len(want) && equal(r, want[n], exact) {
			if n++; n == len(want) {
				_, size := utf8.DecodeRuneInString(s[i:])
				end = i + size
			}
		}
	}
	if end < 0 {
		return nil, false
	}
	at = make([]int, len(want))
	for i := end; n > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if i -= size; equal(r, want[n-1], exact) {
			n--
			at[n] = i
		}
	}
	return at, true
}

func equal(r, want rune, exact bool) bool {
	switch {
	case r == want:
		return true
	case exact:
		return false
	case r < utf8.RuneSelf && want < utf8.RuneSelf:
		return lower(byte(r)) == lower(byte(want))
	}
	return unicode.ToLower(r) == unicode.ToLower(want)
}

// merge puts two rising lists together, each number once.
func merge(a, b []int) []int {
	if a == nil {
		return b
	}
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case len(a) > 0 && a[0] == b[0]:
			a = a[1:]
		default:
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}

// Marked draws a text with the bytes of a match marked: plain is the look of the rest.
func Marked(s string, at []int, plain, mark func(...string) string) string {
	if len(at) == 0 {
		return plain(s)
	}
	var out, run strings.Builder
	marked := false
	flush := func() {
		if run.Len() == 0 {
			return
		}
		if marked {
			out.WriteString(mark(run.String()))
		} else {
			out.WriteString(plain(run.String()))
		}
		run.Reset()
	}
	for i, r := range s {
		hit := len(at) > 0 && at[0] == i
		if hit {
			at = at[1:]
		}
		if hit != marked {
			flush()
			marked = hit
		}
		run.WriteRune(r)
	}
	flush()
	return out.String()
}
