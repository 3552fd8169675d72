package card

import (
	"strings"
	"unicode"

	"tenet/core/call"
)

// Line is a row as it stands on a screen, or a piece of one.
type Line struct {
	// Kind is the row's; Goes is true for a piece that goes on with the one above.
	Kind Kind
	Goes bool
	// Text is what stands behind the sign.
	Text string
}

// signs are the first character of a line by its kind; no text can reach that column.
var signs = [...]string{Asks: "?", Allowed: "=", More: ":", Place: " ", Fact: " ", Risk: "!", Change: "┊"}

// goesOn is the first character of a line that goes on with the one above.
const goesOn = `\`

// Gutter is how many cells of a line stand before its text.
const Gutter = 2

// String is the line: its sign, a blank and its text.
func (l Line) String() string {
	sign := signs[l.Kind]
	if l.Goes {
		sign = goesOn
	}
	return sign + " " + l.Text
}

// labelWidth is how many characters a label takes, with the blank behind it.
const labelWidth = 9

// tab is how a tab is drawn: told from blanks, and wide enough to show an indentation.
const tab = string(call.SignTab) + "   "

const endSign = string(call.SignEnd)

// text is the row as it is drawn before it is wrapped.
func (r Row) text() string {
	t := strings.ReplaceAll(r.Text, "\t", tab)
	if r.Label != "" {
		t = r.Label + strings.Repeat(" ", max(1, labelWidth-len(r.Label))) + t
	}
	return ended(t)
}

// ended marks the end of a text that ends in a blank, which nobody could see.
func ended(t string) string {
	if strings.HasSuffix(t, " ") {
		return t + endSign
	}
	return t
}

// Lines wraps rows into lines of at most width cells, sign and all, where a single
// character allows it. cells measures a character with its marks. Pieces of a row put
// together are the row: nothing is dropped and nothing is added but marks.
func Lines(rows []Row, width int, cells func(string) int) []Line {
	var out []Line
	for _, r := range rows {
		for i, p := range wrap(r.text(), max(1, width-Gutter), cells) {
			out = append(out, Line{r.Kind, i > 0, p})
		}
	}
	return out
}

// wrap cuts a text into pieces of at most width cells, before a blank where it can.
func wrap(text string, width int, cells func(string) int) (out []string) {
	for {
		end := fits(text, width, cells)
		if end == len(text) {
			return append(out, text)
		}
		end = atBlank(text, end)
		out = append(out, ended(text[:end]))
		text = text[end:]
	}
}

// fits is how much of a text has room, at least one character. A piece of blanks alone
// leaves room for its mark.
func fits(text string, width int, cells func(string) int) int {
	used, end := 0, 0
	for end < len(text) {
		n := cluster(text[end:])
		if used += cells(text[end : end+n]); used > width && end > 0 {
			break
		}
		end += n
	}
	if head := text[:end]; end < len(text) && end > 1 && strings.Trim(head, " ") == "" {
		return end - 1
	}
	return end
}

// atBlank moves a cut before the blanks that stand at it, so that they are seen at the
// start of the next piece, or before the last word, when the piece stays half full.
func atBlank(text string, end int) int {
	head := strings.TrimRight(text[:end], " ")
	if head == "" {
		return end
	}
	if text[end] != ' ' && len(head) == end {
		if at := strings.LastIndexByte(head, ' '); at > end/2 {
			head = strings.TrimRight(head[:at], " ")
		}
	}
	if head == "" {
		return end
	}
	return len(head)
}

// cluster is the size of a character with the marks that sit on it.
func cluster(s string) int {
	for i, r := range s {
		if i > 0 && !unicode.Is(unicode.M, r) {
			return i
		}
	}
	return len(s)
}
