package patch

import (
	"cmp"
	"fmt"
	"slices"
)

// check refuses a patch whose operations contradict each other, on whatever files.
func check(p Patch) *Fault {
	for _, s := range p.Sections {
		if f := s.check(); f != nil {
			return f.in(s.Path)
		}
	}
	if f := checkMoves(p.Sections); f != nil {
		return f
	}
	return checkRegisters(p.Sections)
}

// check refuses what contradicts itself within one file.
func (s Section) check() *Fault {
	switch {
	case s.File == Remove && len(s.Ops) > 0:
		return fault(RemoveWithOps, s.fileRow, "REM deletes the file, and the section also has "+quoted(s.Ops[0].Header()), "Write `REM` alone below the header, or leave it out.")
	case s.File == Move && s.Dest == s.Path:
		return fault(MoveOntoItself, s.fileRow, "MV would move "+s.Path+" onto itself", "Leave MV out to edit the file where it is, or write another name.")
	}
	if f := sameNumber(s.Ops); f != nil {
		return f
	}
	return overlap(s.Ops)
}

// sameNumber refuses two copied rows of one line: one of them may be the old text.
func sameNumber(ops []Op) *Fault {
	seen := map[int64]bool{}
	for _, op := range ops {
		if op.copied && seen[op.From] {
			return fault(SameNumber, op.Row, fmt.Sprintf("two copied rows have the number %d, so it is not clear which is new", op.From), fmt.Sprintf("Write `PUT %d:` with the new lines below it, each after a +.", op.From))
		}
		seen[op.From] = seen[op.From] || op.copied
	}
	return nil
}

// overlap refuses two operations on one line, and an insert within lines that go. Blocks
// that are not resolved are left out.
func overlap(ops []Op) *Fault {
	var taken []Op
	for _, op := range ops {
		if op.At == Lines {
			taken = append(taken, op)
		}
	}
	slices.SortStableFunc(taken, func(a, b Op) int { return cmp.Compare(a.From, b.From) })
	for i := 1; i < len(taken); i++ {
		if a, b := taken[i-1], taken[i]; b.From <= a.To {
			return overlapping(a, b)
		}
	}
	for _, op := range ops {
		if r, inside := within(taken, op); inside {
			return fault(Overlap, op.Row, fmt.Sprintf("%s inserts within the lines that %s (patch line %d) takes away", quoted(op.Header()), quoted(r.Header()), r.Row), fmt.Sprintf("Write one `PUT %s:` with all the new lines, or move the insert to `<%d` or `>%d`.", span(r.From, r.To), r.From, r.To))
		}
	}
	return nil
}

func overlapping(a, b Op) *Fault {
	if b.Row < a.Row {
		a, b = b, a
	}
	from, to := max(a.From, b.From), min(a.To, b.To)
	return fault(Overlap, b.Row, fmt.Sprintf("%s and %s (patch line %d) both take %s away", quoted(b.Header()), quoted(a.Header()), a.Row, lines(from, to)), fmt.Sprintf("All numbers are those of the file before the patch. Write one `PUT %s:` with the whole new text, or ranges that share no line.", span(min(a.From, b.From), max(a.To, b.To))))
}

// within finds the range in whose inside an insert stands. At both ends of a range an
// insert may stand.
func within(taken []Op, op Op) (Op, bool) {
	gap, ok := op.gap()
	if !ok {
		return Op{}, false
	}
	i, _ := slices.BinarySearchFunc(taken, gap, func(r Op, g int64) int { return cmp.Compare(r.To, g+1) })
	if i < len(taken) && taken[i].From <= gap {
		return taken[i], true
	}
	return Op{}, false
}

// gap is the line after which an insert stands; ok is false where none is known or none
// can be taken away around it.
func (op Op) gap() (after int64, ok bool) {
	switch op.At {
	case Before:
		return op.From - 1, true
	case After:
		return op.From, true
	case AfterBlock:
		return op.To, op.To > 0
	case Lines, Block, Top, Bottom:
	}
	return 0, false
}

// checkMoves refuses an MV to a name that another section has or gets.
func checkMoves(sections []Section) *Fault {
	names := map[string]int{}
	for _, s := range sections {
		names[s.Path] = s.Row
	}
	for _, s := range sections {
		if s.File != Move {
			continue
		}
		if line, taken := names[s.Dest]; taken {
			return fault(DestinationTaken, s.fileRow, fmt.Sprintf("this MV and patch line %d both lead to %s, and MV never replaces a file", line, s.Dest), "Write another name, or free that one in a call before.").in(s.Path)
		}
		names[s.Dest] = s.fileRow
	}
	return nil
}
