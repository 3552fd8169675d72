package patch

import (
	"fmt"
	"slices"

	"tenet/core/doc"
)

// Anchors is the lines of the file that the section relies on, each once and in order:
// all lines that it takes away, and for an insert the line that it names; after a block
// the line on which the block opens and, once resolved, its last. Inserts at the start
// and the end rely on none (7.4, S8.8).
func (s Section) Anchors() []int64 {
	var lines []int64
	for _, op := range s.Ops {
		switch op.At {
		case Lines:
			for n := op.From; n <= op.To; n++ {
				lines = append(lines, n)
			}
		case AfterBlock:
			lines = append(lines, op.From, max(op.From, op.To))
		case Block, Before, After:
			lines = append(lines, op.From)
		case Top, Bottom:
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// OnlyEnds reports whether the section does nothing but insert at the start and the end
// of the file, which means the same in every version of it. A removal, and a move alone,
// do not count.
func (s Section) OnlyEnds() bool {
	if len(s.Ops) == 0 || s.File == Remove {
		return false
	}
	return !slices.ContainsFunc(s.Ops, func(op Op) bool { return op.At != Top && op.At != Bottom })
}

// Shift is the section with every line moved by an offset.
func (s Section) Shift(offset int64) Section {
	s.Ops = slices.Clone(s.Ops)
	for i := range s.Ops {
		op := &s.Ops[i]
		if op.From > 0 {
			op.From += offset
		}
		if op.To > 0 {
			op.To += offset
		}
	}
	return s
}

// HasBlocks reports whether an operation names a block that is not resolved.
func (s Section) HasBlocks() bool {
	return slices.ContainsFunc(s.Ops, Op.unresolved)
}

func (op Op) unresolved() bool { return op.At == Block || op.At == AfterBlock && op.To == 0 }

// Resolve asks where each block ends that the section names by the line on which it
// opens, and makes lines of them. What the error of blocks says goes to the model. The
// section itself stays as it is.
func (s Section) Resolve(blocks func(line int64) (doc.Span, error)) (Section, error) {
	s.Ops = slices.Clone(s.Ops)
	for i := range s.Ops {
		if f := s.Ops[i].resolve(blocks); f != nil {
			return s, f.in(s.Path)
		}
	}
	if f := overlap(s.Ops); f != nil {
		return s, f.in(s.Path)
	}
	return s, nil
}

func (op *Op) resolve(blocks func(int64) (doc.Span, error)) *Fault {
	if !op.unresolved() {
		return nil
	}
	s, err := blocks(op.From)
	if err != nil {
		return fault(NoBlock, op.Row, quoted(op.Header())+" needs a block that opens on line "+fmt.Sprint(op.From)+": "+err.Error(), "Name the line on which the block opens, or write the lines, `PUT N.=M:` or `CUT N.=M`.")
	}
	if f := checkRange("PUT", s.From, s.To, op.Row); f != nil {
		return f
	}
	if op.To = s.To; op.At == Block {
		op.At, op.From = Lines, s.From
	}
	return nil
}
