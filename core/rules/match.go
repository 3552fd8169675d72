package rules

import "strings"

// Match reports whether a pattern stands for the whole text: * is any run of
// characters, the empty one and / included; every other character is itself, in its
// own case. The first place that fits each piece is taken and never given back, so a
// pattern made by an adversary costs no more than its length times the text's.
func Match(pattern, text string) bool {
	if pattern != "" && pattern[0] != '*' && (text == "" || text[0] != pattern[0]) {
		return false // most rules end here, and every request meets all of them
	}
	head, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == text
	}
	if !strings.HasPrefix(text, head) {
		return false
	}
	text = text[len(head):]
	for {
		piece, after, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(text, piece)
		}
		i := strings.Index(text, piece)
		if i < 0 {
			return false
		}
		text, rest = text[i+len(piece):], after
	}
}
