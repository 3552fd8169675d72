package admission

// line is tickets in the order of their numbers, linked through the tickets
// themselves: a ticket is in one line at most, and leaves it from any place at
// once, so that a hundred thousand waiters that give up together cost no more each
// than one does.
type line struct {
	first, last *Ticket
	n           int
}

// insert puts t, which is in no line, at its number's place. The place is an end: a
// newcomer belongs at the back, and a grant that is taken back at the front,
// because nobody older waits (law admission_fifo). The walk is there so that the
// order never rests on that law.
func (l *line) insert(t *Ticket) {
	before, after := l.last, l.first
	switch {
	case before == nil || before.number < t.number:
		after = nil
	case t.number < after.number:
		before = nil
	default:
		for before.number > t.number {
			before, after = before.before, before
		}
	}
	l.link(t, before, after)
}

func (l *line) link(t, before, after *Ticket) {
	t.before, t.after = before, after
	if before == nil {
		l.first = t
	} else {
		before.after = t
	}
	if after == nil {
		l.last = t
	} else {
		after.before = t
	}
	l.n++
}

// remove takes t, which is in this line, out of it.
func (l *line) remove(t *Ticket) {
	if t.before == nil {
		l.first = t.after
	} else {
		t.before.after = t.after
	}
	if t.after == nil {
		l.last = t.before
	} else {
		t.after.before = t.before
	}
	t.before, t.after = nil, nil
	l.n--
}
