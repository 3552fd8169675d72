package doc

import (
	"bytes"
	"sort"
	"strings"
)

// Edit is one exact replacement (seed 5, search_replace).
type Edit struct {
	Old, New string
	// All replaces every match; without it the match must be the only one.
	All bool
	// Limit is the most bytes the file may have afterwards.
	Limit int
}

// Outcome is what became of an edit.
type Outcome uint8

// The outcomes. Only Replaced has new bytes.
const (
	Replaced  Outcome = iota
	NoMatch           // Old does not occur
	Ambiguous         // Old occurs more than once, overlapping or not
	Unchanged         // the file would be the same
	Empty             // Old is empty and would match everywhere
	TooLarge          // the file would have more than Limit bytes
)

// Replacement is an edit applied.
type Replacement struct {
	Outcome Outcome
	// Bytes is the whole file after the edit.
	Bytes []byte
	// Changed are the changed lines of the new file, in order; a replacement that
	// only removes text names the line it removed it from.
	Changed []Span
	// Kept are lines of the old file that are in the new one as they were, and Wrote the
	// lines of the new one that are all of the text of New.
	Kept  []Moved
	Wrote []Span
	// At are the lines of the old file where the matches begin, when there are too
	// many; at most MaxNamed of them. More is true when there are others.
	At   []int
	More bool
}

// Moved is lines that stand elsewhere now.
type Moved struct {
	// Lines are their old numbers, By is what was added to each.
	Lines Span
	By    int64
}

// MaxNamed is how many matches of an ambiguous edit are named.
const MaxNamed = 20

// Replace applies an edit to the bytes of a file. Every byte outside the text that
// differs between Old and New is kept, also inside the match.
//
// An Old without \r speaks of lines, not of their endings: its \n matches \r\n as
// well, and a \n that New adds becomes \r\n where the line before ends so (S8.6). An
// Old with a \r is taken byte for byte, and so is New then. No other byte of New is
// changed: nothing is trimmed, unescaped or completed.
func Replace(file []byte, e Edit) Replacement {
	switch {
	case e.Old == "":
		return Replacement{Outcome: Empty}
	case e.Old == e.New:
		return Replacement{Outcome: Unchanged}
	}
	text := project(file, strings.Contains(e.Old, "\r"))
	at := text.find(e.Old, e.All)
	switch {
	case len(at) == 0:
		return Replacement{Outcome: NoMatch}
	case len(at) > 1 && !e.All:
		return ambiguous(text, at)
	}
	return text.splice(at, e)
}

func ambiguous(t text, at []int) Replacement {
	r := Replacement{Outcome: Ambiguous, More: len(at) > MaxNamed}
	for _, i := range at[:min(len(at), MaxNamed)] {
		r.At = append(r.At, 1+bytes.Count(t.lf[:i], []byte{'\n'}))
	}
	return r
}

// text is a file with a way to find in it: lf is what is searched, and cut holds the
// places in lf of each \n that lost the \r before it.
type text struct {
	file, lf []byte
	cut      []int
	verbatim bool
}

func project(file []byte, verbatim bool) text {
	t := text{file: file, lf: file, verbatim: verbatim}
	if verbatim || !bytes.Contains(file, []byte("\r\n")) {
		return t
	}
	t.lf = make([]byte, 0, len(file))
	for rest := file; len(rest) > 0; {
		var l Line
		l, rest = Cut(rest)
		t.lf = append(t.lf, l.Text...)
		if l.Ending == CRLF {
			t.cut = append(t.cut, len(t.lf))
		}
		if l.Ending != NoEnding {
			t.lf = append(t.lf, '\n')
		}
	}
	return t
}

// place is where a place in lf lies in the file: before the \r of an ending.
func (t text) place(i int) int { return i + sort.SearchInts(t.cut, i) }

// find lists where old begins. For a single edit overlapping matches count as two,
// and one more than can be named is enough; for all they follow one another.
func (t text) find(old string, all bool) []int {
	step := 1
	if all {
		step = len(old)
	}
	var at []int
	for i := 0; all || len(at) <= MaxNamed; {
		k := bytes.Index(t.lf[i:], []byte(old))
		if k < 0 {
			break
		}
		at = append(at, i+k)
		i += k + step
	}
	return at
}

// splice replaces what differs between Old and New at every match.
func (t text) splice(at []int, e Edit) Replacement {
	head, tail := t.common(e.Old, e.New)
	added := e.New[head : len(e.New)-tail]
	if (e.Limit-len(t.file))/(2*len(added)+1) < len(at) && len(t.file)+len(at)*2*len(added) > e.Limit {
		return Replacement{Outcome: TooLarge}
	}
	w := weaver{text: t, carry: Carry(t.file), line: 1, old: 1}
	var r Replacement
	next, by := int64(1), int64(0) // the first old line behind the last change, and its way
	for k, i := range at {
		w.keep(t.place(i))
		first := w.firstWhole()
		w.keep(t.place(i + head))
		if w.old > next {
			r.Kept = append(r.Kept, Moved{Span{next, w.old - 1}, by})
		}
		r.Changed = Join(r.Changed, w.put(added, t.place(i+len(e.Old)-tail)))
		next, by = w.old+1, w.line-w.old
		w.keep(t.place(i + len(e.Old)))
		last := w.lastWhole()
		if k+1 < len(at) && at[k+1] == i+len(e.Old) {
			last = min(last, w.line-1) // the next match changes the line on
		}
		if last >= first {
			r.Wrote = append(r.Wrote, Span{first, last})
		}
	}
	w.keep(len(t.file))
	r.Kept = append(r.Kept, Moved{Span{next, max(next, w.old)}, by})
	r.Bytes = w.out
	if bytes.Equal(r.Bytes, t.file) {
		return Replacement{Outcome: Unchanged}
	}
	return r
}

// common is how many bytes Old and New share at their start and at their end. An
// ending of New is never split: a \r put before a \n that is kept could meet another.
func (t text) common(old, new string) (head, tail int) {
	head = commonPrefix(old, new)
	tail = commonPrefix(reversed(old[head:]), reversed(new[head:]))
	if end := len(new) - tail; end > head && tail > 0 && new[end-1] == '\r' && new[end] == '\n' {
		tail--
	}
	return head, tail
}

// weaver writes the new file from pieces of the old one and the added text, and
// knows at each place which ending a new line takes.
type weaver struct {
	text
	out []byte
	// at is how far the old file was used, old its line there and line that of the new.
	at    int
	old   int64
	line  int64
	carry Ending
}

// keep copies the old file up to a place.
func (w *weaver) keep(to int) {
	w.out = append(w.out, w.file[w.at:to]...)
	w.line += w.pass(to)
}

// atLine reports whether the new file is at the start of a line.
func (w *weaver) atLine() bool {
	n := len(w.out)
	return n == bomLen(w.out) || w.out[n-1] == '\n'
}

// firstWhole is the first line that begins with what is written from here on, lastWhole
// the last one that ends with what was written.
func (w *weaver) firstWhole() int64 {
	if w.atLine() {
		return w.line
	}
	return w.line + 1
}

func (w *weaver) lastWhole() int64 {
	rest := w.file[w.at:]
	ends := len(rest) == 0 || rest[0] == '\n' || bytes.HasPrefix(rest, []byte("\r\n"))
	if ends && !w.atLine() {
		return w.line
	}
	return w.line - 1
}

// pass moves over the old file, remembers the last ending seen and tells how many
// endings there were.
func (w *weaver) pass(to int) int64 {
	if i := bytes.LastIndexByte(w.file[w.at:to], '\n'); i >= 0 {
		w.carry = LF
		if i += w.at; i > 0 && w.file[i-1] == '\r' {
			w.carry = CRLF
		}
	}
	n := int64(bytes.Count(w.file[w.at:to], []byte{'\n'}))
	w.at, w.old = to, w.old+n
	return n
}

// put writes the added text in place of the old file up to a place, and names the
// lines it changed.
func (w *weaver) put(added string, to int) Span {
	if !w.verbatim && w.carry == CRLF {
		added = strings.ReplaceAll(strings.ReplaceAll(added, "\r\n", "\n"), "\n", "\r\n")
	}
	s := Span{From: w.line, To: w.line + int64(strings.Count(added, "\n"))}
	whole := len(w.out) == 0 || w.out[len(w.out)-1] == '\n'
	w.out = append(w.out, added...)
	w.line = s.To
	w.pass(to)
	if whole && strings.HasSuffix(added, "\n") {
		s.To--
	}
	return s
}

// Join adds a span to spans in order; what touches becomes one.
func Join(spans []Span, s Span) []Span {
	if n := len(spans); n > 0 && s.From <= spans[n-1].To+1 {
		spans[n-1].To = max(spans[n-1].To, s.To)
		return spans
	}
	return append(spans, s)
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func reversed(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}
