package snapshot

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"tenet/core/doc"
)

// The bounds of what a rejection shows (law reveal_bounds).
const (
	// RevealAnchors is how many of the unseen anchors are looked at.
	RevealAnchors = 40
	// RevealChars is how many characters of a line are shown.
	RevealChars = 512
)

// Row is a line that an answer to an edit shows.
type Row struct {
	Line int64
	// Text is the line without its ending, up to RevealChars characters.
	Text string
	// Cut is true when the line has more.
	Cut bool
	// Anchor is true for a line that the edit names.
	Anchor bool
	// Counts is true when the line is seen once this row reached the model.
	Counts bool
}

// Rejection is an edit whose anchors the model did not see. The zero value rejects
// nothing.
type Rejection struct {
	// Unseen is every anchor that was not seen, in order, each once.
	Unseen []int64
	// Shown is, of the first RevealAnchors of them, those that are lines of the file.
	Shown []Row
	// Whole is true when Shown has every one of Unseen, whole. They count as seen then,
	// and the same edit applies when it is sent again; else none of them does.
	Whole bool
	// lines is how many lines the file has.
	lines int64
}

// Guard holds an edit's anchors against the lines of the file that the model saw. file
// is the bytes that the anchors count in.
func Guard(anchors []int64, seen LineSet, file []byte) Rejection {
	var r Rejection
	for _, a := range inOrder(anchors) {
		if !seen.Has(a) {
			r.Unseen = append(r.Unseen, a)
		}
	}
	if len(r.Unseen) > 0 {
		r.show(file)
	}
	return r
}

// Rejects reports whether an anchor was not seen.
func (r Rejection) Rejects() bool { return len(r.Unseen) > 0 }

func (r *Rejection) show(file []byte) {
	r.lines = int64(doc.CountLines(file))
	r.Shown = rowsOf(file, r.Unseen[:min(len(r.Unseen), RevealAnchors)])
	r.Whole = len(r.Shown) == len(r.Unseen)
	for _, row := range r.Shown {
		r.Whole = r.Whole && !row.Cut
	}
	for i := range r.Shown {
		r.Shown[i].Anchor, r.Shown[i].Counts = true, r.Whole
	}
}

// rowsOf shows those of the lines, given in order, that a file has.
func rowsOf(file []byte, lines []int64) []Row {
	var out []Row
	for len(lines) > 0 && lines[0] < 1 {
		lines = lines[1:]
	}
	for n, l := range doc.Lines(file) {
		if len(lines) == 0 {
			break
		}
		if line := int64(n); line == lines[0] {
			text, whole := chars(l.Text, RevealChars)
			out = append(out, Row{Line: line, Text: text, Cut: !whole})
			lines = lines[1:]
		}
	}
	return out
}

// chars is the first n characters of a text, and whether that is all of it.
func chars(text []byte, n int) (string, bool) {
	at := 0
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return string(text[:at]), at == len(text)
}

// Named lists the unseen anchors as a read selects lines: "3-5,9".
func (r Rejection) Named() string { return selector(r.Unseen, len(r.Unseen)) }

// maxReads bounds the ranges that a rejection tells to read.
const maxReads = 20

// explain says what was rejected and what to do next.
func (r Rejection) explain(name, tag string) (before, after string) {
	before = fmt.Sprintf("%s was not changed: the edit anchors at %s, which this session has not seen under #%s.", name, r.Named(), tag)
	if r.Whole {
		return before + " They are shown here and count as seen now:", "Check that they are the lines you mean, then send the same edit again: it applies as it stands."
	}
	if len(r.Shown) > 0 {
		before += " What is shown here is not all of them, so none of them counts as seen:"
	}
	return before, r.next(name)
}

// next tells which lines to read.
func (r Rejection) next(name string) string {
	var own []int64
	for _, a := range r.Unseen {
		if a >= 1 && a <= r.lines {
			own = append(own, a)
		}
	}
	if len(own) < len(r.Unseen) {
		return fmt.Sprintf("The file has %d lines: correct the line numbers, then send the edit again.", r.lines)
	}
	text := fmt.Sprintf("Read %s:%s first, then send the edit again.", name, selector(own, maxReads))
	for _, row := range r.Shown {
		if row.Cut {
			return text + " A line that no read shows whole is changed with search_replace."
		}
	}
	return text
}

// selector writes lines, given in order, as ranges, at most so many of them.
func selector(lines []int64, most int) string {
	var out []string
	for i := 0; i < len(lines) && len(out) < most; {
		from, to := lines[i], lines[i]
		for i++; i < len(lines) && lines[i] == to+1; i++ {
			to++
		}
		part := strconv.FormatInt(from, 10)
		if to > from {
			part += "-" + strconv.FormatInt(to, 10)
		}
		out = append(out, part)
	}
	return strings.Join(out, ",")
}
