package doc

import (
	"strings"
	"unicode/utf8"
)

// ExcerptBytes bounds the text of one row of a search result.
const ExcerptBytes = 512

// Excerpt is the text of a line as a search result shows it: whole when it is short,
// else a window around the match at from..to, with "…" where text is left out. Bytes
// that are no UTF-8 become U+FFFD: a result is text.
func Excerpt(line []byte, from, to int) string {
	if len(line) <= ExcerptBytes {
		return strings.ToValidUTF8(string(line), "\uFFFD")
	}
	spare := max(0, ExcerptBytes-(to-from)) / 2
	start := max(0, min(from-spare, len(line)-ExcerptBytes))
	end := min(len(line), start+ExcerptBytes)
	for start < end && start > 0 && !utf8.RuneStart(line[start]) {
		start++
	}
	for end < len(line) && end > start && !utf8.RuneStart(line[end]) {
		end--
	}
	text := strings.ToValidUTF8(string(line[start:end]), "\uFFFD")
	if start > 0 {
		text = "…" + text
	}
	if end < len(line) {
		text += "…"
	}
	return text
}

// Entire reports whether the excerpt of a line is the line, byte for byte.
func Entire(line []byte) bool { return len(line) <= ExcerptBytes && utf8.Valid(line) }
