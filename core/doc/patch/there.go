package patch

import (
	"slices"

	"tenet/core/doc"
)

// Landed recognises the retry of an insert that landed: a section that only inserts lines
// at the start and the end of a file, whose lines already stand there in the live text
// (S8.2). It is for a section whose tag is not that of the live text; before is the text
// that it names, whose own lines there do not count as inserted.
func Landed(before, live []byte, s Section) bool {
	if !s.OnlyEnds() {
		return false
	}
	var start, end []string
	for _, op := range s.Ops {
		if op.Verb != Put {
			return false
		}
		if op.At == Top {
			start = append(start, op.Body...)
		} else {
			end = append(end, op.Body...)
		}
	}
	return added(before, live, start, end)
}

// added reports whether live has the lines at both ends, more often than before had them.
func added(before, live []byte, start, end []string) bool {
	now, then := textsOf(live), textsOf(before)
	if len(now) < len(start)+len(end) {
		return false
	}
	return repeats(now, then, start) && repeats(backward(now), backward(then), backward(end))
}

// repeats reports whether now begins with the lines once more at least than then.
func repeats(now, then, lines []string) bool {
	return len(lines) == 0 || times(now, lines) > times(then, lines)
}

// times counts how often a text begins with the lines, one after the other.
func times(text, lines []string) (n int) {
	for len(text) >= len(lines) && slices.Equal(text[:len(lines)], lines) {
		text = text[len(lines):]
		n++
	}
	return n
}

func backward(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Reverse(lines)
	return lines
}

func textsOf(file []byte) []string {
	out := make([]string, 0, doc.CountLines(file))
	for _, l := range doc.Lines(file) {
		out = append(out, string(l.Text))
	}
	return out
}
