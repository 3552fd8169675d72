package patch

import "fmt"

// A register is filled by a CUT and read by the pastes that stand below it in the patch,
// in whatever file. The one without a name holds the lines of one CUT until a paste takes
// them; a CUT whose lines nobody pastes is a deletion.

// checkRegisters refuses a paste that has nothing to paste, or more than one thing, and a
// CUT that would lose cut lines.
func checkRegisters(sections []Section) *Fault {
	r := registers{filled: map[string]int{}, pasted: map[string]bool{}}
	for _, s := range sections {
		for _, op := range s.Ops {
			if f := r.step(op); f != nil {
				return f.in(s.Path)
			}
		}
	}
	return nil
}

// registers is what was cut so far.
type registers struct {
	// pending is the lines of the patch of the cuts without a name that wait for a paste.
	pending []int
	// filled is the line of the patch of each named cut.
	filled map[string]int
	pasted map[string]bool
}

func (r *registers) step(op Op) *Fault {
	switch {
	case op.Verb == Cut && op.Register == Discard:
	case op.Verb == Cut && op.Register == "":
		r.pending = append(r.pending, op.Row)
	case op.Verb == Cut:
		return r.fill(op)
	case op.Verb == Paste && op.Register == "":
		return r.pasteCut(op)
	case op.Verb == Paste:
		return r.paste(op)
	}
	return nil
}

func (r *registers) fill(op Op) *Fault {
	if line, again := r.filled[op.Register]; again && !r.pasted[op.Register] {
		return fault(RegisterTwice, op.Row, fmt.Sprintf("@%s holds the lines that patch line %d cut and nobody has pasted: they would be lost", op.Register, line), "Give each CUT its own name, or @_ where the lines are only deleted.")
	}
	r.filled[op.Register], r.pasted[op.Register] = op.Row, false
	return nil
}

func (r *registers) paste(op Op) *Fault {
	if _, ok := r.filled[op.Register]; ok {
		r.pasted[op.Register] = true
		return nil
	}
	if op.Register == Discard {
		return fault(EmptyRegister, op.Row, "lines that are cut into @_ are deleted for good", "Give the CUT and the PUT another name, as in `CUT 3.=5 @a`.")
	}
	what := fmt.Sprintf("nothing was cut into @%s above this row", op.Register)
	if op.takes() {
		what += ", so " + quoted(op.Header()) + " would only delete"
	}
	return fault(EmptyRegister, op.Row, what, fmt.Sprintf("Write `CUT 3.=5 @%s`, with the lines to move, on a row above it. Registers do not last from one call to the next.", op.Register))
}

func (r *registers) pasteCut(op Op) *Fault {
	write := op
	write.Verb = Put
	switch len(r.pending) {
	case 1:
		r.pending = nil
		return nil
	case 0:
		return fault(NoPendingCut, op.Row, quoted(op.Header())+" pastes cut lines, and no CUT without a name stands above it that is not pasted yet", "Write "+quoted(write.Header())+" (with a colon) to insert the new lines below it. To paste the same lines twice, or later, name them: `CUT 3.=5 @a` and "+quoted(op.Header()+" @a")+".")
	default:
		return fault(SeveralPending, op.Row, fmt.Sprintf("%s pastes cut lines, and %d cuts stand above it (patch lines %s)", quoted(op.Header()), len(r.pending), list(r.pending)), "Name the one that is meant: `CUT 3.=5 @a` and "+quoted(op.Header()+" @a")+".")
	}
}

// list is numbers in words.
func list(numbers []int) string {
	text := ""
	for i, n := range numbers {
		switch {
		case i == 0:
		case i == len(numbers)-1:
			text += " and "
		default:
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	return text
}
