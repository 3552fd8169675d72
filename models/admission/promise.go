package admission

import core "tenet/core/admission"

// Promise writes into s, the state after op on prev, what each waiting interactive
// request is owed: the least of all promises it could have been given so far. One
// made in an earlier state is that state's number ahead, less the interactive
// releases since. The law admission_interactive_bound speaks of every state in
// which a request waits; the least promise is the one that would break first, so
// it stands for all of them, and as long as the rules hold it is the number ahead
// and adds no state.
//
// It decides nothing: production's view is filled in by the same bookkeeping.
func (s State) Promise(prev State, op Op) State {
	for w, t := range s.T {
		s.T[w].Owed = 0
		if t.Class != core.Interactive || t.Status != core.Queued {
			continue
		}
		s.T[w].Owed = s.ahead(t)
		if old := prev.T[w]; old.Status == core.Queued {
			s.T[w].Owed = min(s.ahead(t), old.Owed-min(old.Owed, prev.released(op)))
		}
	}
	return s
}

// ahead counts who must release or leave before w is served: interactive tickets
// with a slot, and older interactive ones that wait.
func (s State) ahead(w Ticket) (n uint8) {
	for _, t := range s.T {
		if t.Class == core.Interactive && (t.Status.HasSlot() || t.Status == core.Queued && t.Age < w.Age) {
			n++
		}
	}
	return n
}

// released is how many interactive slots op frees: one when it ends such a ticket.
func (s State) released(op Op) uint8 {
	if t := s.T[op.Place]; op.Kind == End && t.Class == core.Interactive && t.Status.HasSlot() {
		return 1
	}
	return 0
}
