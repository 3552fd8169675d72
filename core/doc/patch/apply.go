package patch

import (
	"bytes"
	"fmt"
	"slices"

	"tenet/core/doc"
)

// Result is a section applied.
type Result struct {
	// Bytes is the whole file afterwards, Pieces how it is made of the old one.
	Bytes  []byte
	Pieces []doc.Piece
	// Changed are the new lines in the new file, in order; where lines only went, the
	// line that stands there now.
	Changed []doc.Span
	// Warnings tell what may not be as meant.
	Warnings []string
}

// Apply works out all sections of a patch at once, for lines that one section cuts may be
// pasted in a later one. texts are the files, one a section, each the version that the
// section's numbers speak of. Blocks are resolved before. A section that changes nothing
// is a fault, also beside others that do. A removal has an empty result.
func Apply(p Patch, texts [][]byte) ([]Result, error) {
	regs := registers{}
	out := make([]Result, len(p.Sections))
	for i, s := range p.Sections {
		var err error
		if out[i], err = s.apply(texts[i], regs); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// registers are the lines that were cut.
type registers map[string]register

type register struct {
	lines []string
	// cuts is how many cuts went into the anonymous register since it was last pasted.
	cuts   int
	pasted bool
}

// edit is one operation as it changes lines: del lines go behind line at, new ones come.
type edit struct {
	at, del int64
	lines   []string
	op      Op
}

func (s Section) apply(text []byte, regs registers) (Result, error) {
	if s.File == Remove {
		return Result{}, nil
	}
	total := int64(doc.CountLines(text))
	var edits []edit
	for _, o := range s.Ops {
		e, err := s.edit(o, text, total, regs)
		if err != nil {
			return Result{}, err
		}
		edits = append(edits, e)
	}
	slices.SortStableFunc(edits, byPlace)
	r := Result{}
	r.assemble(edits, total)
	r.Bytes = doc.Weave(text, r.Pieces)
	if s.File == KeepFile && bytes.Equal(r.Bytes, text) {
		return r, &Fault{Row: s.Row, Path: s.Path, What: "no-op: the file already is what this section would make of it", Instead: "Leave the section out, or check the line numbers against the file"}
	}
	r.neighbours(text, edits, total)
	return r, nil
}

// byPlace: from the top, an insert before the lines that are taken away behind it.
func byPlace(a, b edit) int {
	if a.at != b.at {
		return int(a.at - b.at)
	}
	return int(min(a.del, 1) - min(b.del, 1))
}

// edit works out one operation.
func (s Section) edit(o Op, text []byte, total int64, regs registers) (edit, error) {
	e := edit{op: o, lines: o.Body}
	if last := max(o.From, o.To); last > total && !o.atEnd() {
		return e, s.fault(o, fmt.Sprintf("line %d is past the end: the file has %s", last, counted(total, "line")), "Write PUT >$: to add lines at the end")
	}
	switch o.At {
	case Lines:
		e.at, e.del = o.From-1, o.To-o.From+1
	case Before, After, Top:
		e.at, _ = o.gap()
	case Bottom:
		e.at = total
	case Block, AfterBlock:
		return e, s.fault(o, "the block was not looked up", "")
	}
	switch o.Verb {
	case Put:
	case Cut:
		regs.cut(o, text)
	case Paste:
		var why string
		if e.lines, why = regs.paste(o); why != "" {
			return e, s.fault(o, why, "CUT the lines before they are pasted, with the same @name")
		}
	}
	return e, nil
}

func (s Section) fault(o Op, what, instead string) error {
	return &Fault{Row: o.Row, Path: s.Path, What: what, Instead: instead}
}

// cut remembers lines. A cut into discard is a removal.
func (regs registers) cut(o Op, text []byte) {
	if o.Register == discard {
		return
	}
	r := regs[o.Register]
	if r.pasted {
		r = register{}
	}
	r.cuts++
	r.lines = linesOf(text, o.From, o.To)
	regs[o.Register] = r
}

// paste gives the lines of a register, or says why there are none.
func (regs registers) paste(o Op) (lines []string, why string) {
	r, ok := regs[o.Register]
	switch {
	case !ok && o.Register == "":
		return nil, "nothing was cut before this paste"
	case !ok:
		return nil, "the register @" + o.Register + " is empty here"
	case r.cuts > 1 && o.Register == "":
		return nil, fmt.Sprintf("%d cuts without a name come before this paste, and it is not clear which is meant", r.cuts)
	}
	r.pasted = true
	regs[o.Register] = r
	return r.lines, ""
}

// linesOf is the texts of some lines.
func linesOf(text []byte, from, to int64) []string {
	var out []string
	for n, l := range doc.Lines(text) {
		if int64(n) > to {
			break
		}
		if int64(n) >= from {
			out = append(out, string(l.Text))
		}
	}
	return out
}

// assemble makes the pieces of the new file and names its changed lines.
func (r *Result) assemble(edits []edit, total int64) {
	at, line := int64(0), int64(0) // how far the old and the new file have come
	keep := func(to int64) {
		if to > at {
			r.Pieces = append(r.Pieces, doc.Piece{Keep: doc.Span{From: at + 1, To: to}})
			line += to - at
			at = to
		}
	}
	for _, e := range edits {
		keep(e.at)
		if n := int64(len(e.lines)); n > 0 {
			r.Pieces = append(r.Pieces, doc.Piece{New: e.lines})
			r.change(doc.Span{From: line + 1, To: line + n})
			line += n
		} else {
			r.change(doc.Span{From: line + 1, To: line + 1})
		}
		at += e.del
	}
	keep(total)
	for i := range r.Changed { // lines that went from the end leave no line behind them
		s := &r.Changed[i]
		s.From, s.To = max(1, min(s.From, line)), max(1, min(s.To, line))
	}
}

// change adds changed lines; what touches becomes one span.
func (r *Result) change(s doc.Span) {
	if n := len(r.Changed); n > 0 && s.From <= r.Changed[n-1].To+1 {
		r.Changed[n-1].To = max(r.Changed[n-1].To, s.To)
		return
	}
	r.Changed = append(r.Changed, s)
}

// neighbours warns of a body that begins or ends with the line beside its range: a model
// that counted one line too few leaves it there twice.
func (r *Result) neighbours(text []byte, edits []edit, total int64) {
	for _, e := range edits {
		if e.op.Verb != Put || e.del == 0 || len(e.lines) == 0 {
			continue
		}
		around := linesOf(text, e.at, e.at+e.del+1)
		if e.at > 0 && twice(around[0], e.lines[0]) {
			r.Warnings = append(r.Warnings, fmt.Sprintf("line %d stays, and the new text begins with the same line; if it now stands there twice, take one away", e.at))
		}
		if after := e.at + e.del + 1; after <= total && twice(around[len(around)-1], e.lines[len(e.lines)-1]) {
			r.Warnings = append(r.Warnings, fmt.Sprintf("line %d of the old file stays, and the new text ends with the same line; if it now stands there twice, take one away", after))
		}
	}
}

// twice reports whether two lines are the same and say something: a bracket alone is no
// sign of a mistake.
func twice(a, b string) bool {
	letters := 0
	for _, c := range a {
		if c > ' ' {
			letters++
		}
	}
	return a == b && letters > 2
}

// AlreadyThere reports whether the lines that a section adds at the start and at the end
// of a file stand there already: a retry of inserts that landed (S8.2).
func AlreadyThere(text []byte, s Section) bool {
	if !s.OnlyEnds() {
		return false
	}
	var top, bottom []string
	for _, o := range s.Ops {
		switch {
		case o.Verb != Put:
			return false
		case o.At == Top:
			top = append(top, o.Body...)
		default:
			bottom = append(bottom, o.Body...)
		}
	}
	total := int64(doc.CountLines(text))
	if int64(len(top)+len(bottom)) > total {
		return false
	}
	return slices.Equal(linesOf(text, 1, int64(len(top))), top) && slices.Equal(linesOf(text, total-int64(len(bottom))+1, total), bottom)
}
