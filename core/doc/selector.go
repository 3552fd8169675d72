package doc

import (
	"math"
	"regexp"
	"strconv"
)

// Span is a range of lines, both ends included, counted from 1.
type Span struct {
	From int64
	// To is 0 for a span that goes on to the end of the file.
	To int64
}

var selectorShape = regexp.MustCompile(`(?s)^(.+):([0-9]+)(-[0-9]*|\+[0-9]+)?$`)

// Selector splits the line selector from the end of a path: ":N" is one line, ":N-"
// goes to the end, ":A-B" includes both, ":A+C" is C lines from A (7.6). ok is false
// for a path that ends in no selector; fault is not empty for one that names no line.
func Selector(path string) (base string, s Span, ok bool, fault string) {
	m := selectorShape.FindStringSubmatch(path)
	if m == nil {
		return path, Span{}, false, ""
	}
	from, rest := number(m[2]), m[3]
	s = Span{From: from, To: from}
	switch {
	case rest == "":
	case rest == "-":
		s.To = 0
	case rest[0] == '-':
		s.To = number(rest[1:])
	default:
		s.To = from - 1 + min(number(rest[1:]), math.MaxInt64-from)
	}
	if from < 1 {
		return m[1], s, true, "the selector :" + m[2] + rest + " names no line: lines are counted from 1"
	}
	if rest != "-" && s.To < from {
		return m[1], s, true, "the selector :" + m[2] + rest + " is empty: write :A-B with B not before A, or :A+COUNT"
	}
	return m[1], s, true, ""
}

// number reads digits; what is too large is as large as can be, which is past the
// end of any file.
func number(digits string) int64 {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return n
}
