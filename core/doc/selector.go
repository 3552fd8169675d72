package doc

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Span is a range of lines, both ends included, counted from 1.
type Span struct {
	From int64
	// To is 0 for a span that goes on to the end of the file.
	To int64
}

// open reports whether a span goes on to the end of any file.
func (s Span) open() bool { return s.To == 0 || s.To == math.MaxInt64 }

// String is the span as a selector writes it.
func (s Span) String() string {
	from := strconv.FormatInt(s.From, 10)
	switch {
	case s.open():
		return from + "-"
	case s.To == s.From:
		return from
	default:
		return from + "-" + strconv.FormatInt(s.To, 10)
	}
}

// Selection is what the selector at the end of a path asks for.
type Selection struct {
	// Spans are the lines, in order, none of them twice; empty for the whole file.
	Spans []Span
	// Raw asks for the text alone, without a header and without line numbers.
	Raw bool
}

const rangeShape = `[0-9]+(?:-[0-9]*|\+[0-9]+)?`

var selectorShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(.+?)(?::(` + rangeShape + `(?:,` + rangeShape + `)*))?(:raw)?$`)
})

// Selector splits the line selector from the end of a path: ":N" is one line, ":N-"
// goes to the end, ":A-B" includes both, ":A+C" is C lines from A, and several of them
// stand with commas between; ":raw" asks for the bare text, alone or behind lines
// (7.6). Ranges are sorted, and those that overlap become one: ":1-5,3-8" is 1-8. ok is
// false for a path that ends in no selector; fault is not empty for one that names no
// line.
func Selector(path string) (base string, s Selection, ok bool, fault string) {
	m := selectorShape().FindStringSubmatch(path)
	if m == nil || m[2] == "" && m[3] == "" {
		return path, Selection{}, false, ""
	}
	s.Raw = m[3] != ""
	if m[2] == "" {
		return m[1], s, true, ""
	}
	for _, r := range strings.Split(m[2], ",") {
		span, fault := spanOf(r)
		if fault != "" {
			return m[1], s, true, fault
		}
		s.Spans = append(s.Spans, span)
	}
	s.Spans = Merge(s.Spans)
	return m[1], s, true, ""
}

// spanOf reads one range of a selector.
func spanOf(r string) (s Span, fault string) {
	from, rest := r, ""
	if i := strings.IndexAny(r, "-+"); i >= 0 {
		from, rest = r[:i], r[i:]
	}
	s.From = number(from)
	s.To = s.From
	switch {
	case rest == "":
	case rest == "-":
		s.To = 0
	case rest[0] == '-':
		s.To = number(rest[1:])
	default:
		s.To = s.From - 1 + min(number(rest[1:]), math.MaxInt64-s.From)
	}
	if s.From < 1 {
		return s, "the selector :" + r + " names no line: lines are counted from 1"
	}
	if rest != "-" && s.To < s.From {
		return s, "the selector :" + r + " is empty: write :A-B with B not before A, or :A+COUNT"
	}
	return s, ""
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

// Merge sorts spans and makes one of those that share a line. Spans that only touch
// stay two.
func Merge(spans []Span) []Span {
	sorted := slices.Clone(spans)
	slices.SortStableFunc(sorted, func(a, b Span) int {
		switch {
		case a.From < b.From:
			return -1
		case a.From > b.From:
			return 1
		}
		return 0
	})
	var out []Span
	for _, s := range sorted {
		switch last := len(out) - 1; {
		case last < 0 || !out[last].open() && s.From > out[last].To:
			out = append(out, s)
		case out[last].open():
		case s.open():
			out[last].To = 0
		default:
			out[last].To = max(out[last].To, s.To)
		}
	}
	return out
}
