package laws

import (
	core "tenet/core/admission"
	"tenet/laws/law"
	"tenet/models/admission"
)

type (
	admissionLaw = law.Law[provider, admission.Op, admission.Out]
	provider     = admission.State
)

// Admission: a user's request never waits behind background work (H3).
var Admission = struct {
	// Preempts: after an interactive admit no background slot is held.
	Preempts admissionLaw `law:"admission_preempts" rule:"H3.1"`
	// BackgroundYields: a background slot is held only while no interactive request holds or waits.
	BackgroundYields admissionLaw `law:"admission_background_yields" rule:"H3.1"`
	// FIFO: nobody holds while an older request of the same class waits.
	FIFO admissionLaw `law:"admission_fifo" rule:"H3.2"`
	// NoLostWakeup: no slot is free while an eligible request waits.
	NoLostWakeup admissionLaw `law:"admission_no_lost_wakeup" rule:"H3.3"`
	// Capacity: a grant goes only into a free slot, so a lowered limit drains.
	Capacity admissionLaw `law:"admission_capacity" rule:"H3"`
	// InteractiveStep: no operation raises the number ahead of a waiting interactive request; freeing an interactive slot lowers it by one.
	InteractiveStep admissionLaw `law:"admission_interactive_step" rule:"H3.4"`
	// InteractiveBound: a waiting interactive request is granted after at most as many interactive releases as were ahead of it, whatever background work does.
	InteractiveBound admissionLaw `law:"admission_interactive_bound" rule:"H3.4"`
	// EndedStaysEnded: an ended ticket stays ended, and no call answers otherwise.
	EndedStaysEnded admissionLaw `law:"admission_ended_stays_ended" rule:"H3"`
	// EndTwiceChangesNothing: ending a ticket that is over changes nothing, also when its name has a new ticket.
	EndTwiceChangesNothing admissionLaw `law:"admission_end_twice_changes_nothing" rule:"H3"`
	// EveryTicketEnds: dropping a holder or a waiter ends its ticket.
	EveryTicketEnds admissionLaw `law:"admission_every_ticket_ends" rule:"H3"`
	// RefusesOnlyFull: an admit is refused only when its own class's queue is full, and then nothing has happened.
	RefusesOnlyFull admissionLaw `law:"admission_refuses_only_full" rule:"H3"`
	// LawfulMoves: a ticket is moved only by its own calls, by a grant, and by an interactive arrival, which ends the work of a background holder and sends an uncollected grant back to its place.
	LawfulMoves admissionLaw `law:"admission_lawful_moves" rule:"H3"`
}{
	Preempts: admissionLaw{Step: func(_ provider, op admission.Op, _ admission.Out, a provider) law.Verdict {
		if op.Kind != admission.Admit || op.Class != core.Interactive {
			return law.Idle
		}
		return law.Check(held(a, core.Background) == 0, "%d background slots are held after it", held(a, core.Background))
	}},
	BackgroundYields: admissionLaw{State: func(s provider) law.Verdict {
		if held(s, core.Interactive)+queued(s, core.Interactive) == 0 {
			return law.Idle
		}
		return law.Check(held(s, core.Background) == 0, "%d background slots are held beside an interactive request", held(s, core.Background))
	}},
	FIFO: admissionLaw{State: func(s provider) (v law.Verdict) {
		for w, waiter := range s.T {
			for h, holder := range s.T {
				if waiter.Status != core.Queued || !holder.Status.HasSlot() || holder.Class != waiter.Class {
					continue
				}
				if v = law.Check(holder.Age < waiter.Age, "%d holds and the older %d waits", h, w); v.Err != nil {
					return v
				}
			}
		}
		return v
	}},
	NoLostWakeup: admissionLaw{State: func(s provider) law.Verdict {
		eligible := queued(s, core.Interactive)
		if eligible+held(s, core.Interactive) == 0 {
			eligible = queued(s, core.Background)
		}
		if eligible == 0 {
			return law.Idle
		}
		return law.Check(taken(s) >= s.Limits.Slots, "%d of %d slots are taken while %d wait for one", taken(s), s.Limits.Slots, eligible)
	}},
	Capacity: admissionLaw{Step: func(b provider, op admission.Op, _ admission.Out, a provider) law.Verdict {
		kept, has, limit := taken(b)-freed(b, op), taken(a), a.Limits.Slots
		if has <= kept && kept <= limit {
			return law.Idle
		}
		return law.Check(has <= max(kept, limit), "%d of %d slots are taken, and %d were kept", has, limit, kept)
	}},
	InteractiveStep: admissionLaw{Rank: func(b provider, op admission.Op, _ admission.Out, a provider) (v law.Verdict) {
		for w := range b.T {
			if !waits(b, w) || !waits(a, w) {
				continue
			}
			was, is := ahead(b, w), ahead(a, w)
			if v = law.Check(is <= was-interactiveFreed(b, op), "%d are ahead of %d, and were %d", is, w, was); v.Err != nil {
				return v
			}
		}
		return v
	}},
	InteractiveBound: admissionLaw{State: func(s provider) (v law.Verdict) {
		for w, t := range s.T {
			if !waits(s, w) {
				continue
			}
			if v = law.Check(t.Owed > 0, "%d still waits after as many releases as were ahead of it", w); v.Err != nil {
				return v
			}
		}
		return v
	}},
	EndedStaysEnded: admissionLaw{Step: func(b provider, op admission.Op, out admission.Out, a provider) (v law.Verdict) {
		if op.Kind == admission.EndAgain && out.Status != core.Ended {
			return law.Broken("the former ticket of %d is %v", op.Place, out.Status)
		}
		for p, t := range b.T {
			if t.Status != core.Ended || op.Kind == admission.Admit && op.Place == uint8(p) {
				continue
			}
			if v = law.Check(a.T[p].Status == core.Ended, "%d was over and is %v", p, a.T[p].Status); v.Err != nil {
				return v
			}
		}
		return v
	}},
	EndTwiceChangesNothing: admissionLaw{Step: func(b provider, op admission.Op, out admission.Out, a provider) law.Verdict {
		if op.Kind != admission.EndAgain && (op.Kind != admission.End || b.T[op.Place].Status != core.Ended) {
			return law.Idle
		}
		return law.Check(a == b && !out.Changed, "it was over, and ending it once more led to %+v", a)
	}},
	EveryTicketEnds: admissionLaw{Step: func(b provider, op admission.Op, out admission.Out, a provider) law.Verdict {
		if op.Kind != admission.End || b.T[op.Place].Status == core.Ended {
			return law.Idle
		}
		return law.Check(a.T[op.Place].Status == core.Ended && out.Changed, "%d was dropped and is %v", op.Place, a.T[op.Place].Status)
	}},
	RefusesOnlyFull: admissionLaw{Step: func(b provider, op admission.Op, out admission.Out, a provider) law.Verdict {
		if !out.Refused {
			return law.Idle
		}
		return law.Check(queued(b, op.Class) >= b.Limits.Queue && a == b, "%d of %d wait, and refusing led to %+v", queued(b, op.Class), b.Limits.Queue, a)
	}},
	LawfulMoves: admissionLaw{Step: func(b provider, op admission.Op, _ admission.Out, a provider) law.Verdict {
		for p := range b.T {
			if !lawfulMove(op, p, b.T[p], a.T[p]) {
				return law.Broken("%d was %v and is %v", p, b.T[p].Status, a.T[p].Status)
			}
			for q := range p {
				if stays(b, a, p) && stays(b, a, q) && (b.T[p].Age < b.T[q].Age) != (a.T[p].Age < a.T[q].Age) {
					return law.Broken("%d and %d changed places", p, q)
				}
			}
		}
		return law.Holds
	}},
}

// AdmissionBook lists them.
var AdmissionBook = law.Book[provider, admission.Op, admission.Out]("admission", &Admission)

// held counts the tickets of a class that have a slot, collected or not.
func held(s provider, c core.Class) (n int) {
	for _, t := range s.T {
		if t.Class == c && t.Status.HasSlot() {
			n++
		}
	}
	return n
}

// queued counts the tickets of a class that wait.
func queued(s provider, c core.Class) (n int) {
	for _, t := range s.T {
		if t.Class == c && t.Status == core.Queued {
			n++
		}
	}
	return n
}

func taken(s provider) int { return held(s, core.Interactive) + held(s, core.Background) }

// waits reports whether w is an interactive request that waits.
func waits(s provider, w int) bool {
	return s.T[w].Class == core.Interactive && s.T[w].Status == core.Queued
}

// ahead counts the interactive tickets with a slot and the older ones that wait.
func ahead(s provider, w int) int {
	n := held(s, core.Interactive)
	for o, t := range s.T {
		if waits(s, o) && t.Age < s.T[w].Age {
			n++
		}
	}
	return n
}

// names reports whether op is a call of the ticket at p.
func names(op admission.Op, p int) bool {
	return op.Place == uint8(p) && (op.Kind == admission.Admit || op.Kind == admission.Poll || op.Kind == admission.End)
}

// interactiveFreed counts the interactive slots that op frees.
func interactiveFreed(b provider, op admission.Op) int {
	if t := b.T[op.Place]; op.Kind == admission.End && t.Class == core.Interactive && t.Status.HasSlot() {
		return 1
	}
	return 0
}

// freed counts the slots that op frees: the one of a ticket that it ends, or all
// background slots when an interactive request arrives.
func freed(b provider, op admission.Op) int {
	switch {
	case op.Kind == admission.End && b.T[op.Place].Status.HasSlot():
		return 1
	case op.Kind == admission.Admit && op.Class == core.Interactive:
		return held(b, core.Background)
	}
	return 0
}

// stays reports whether the ticket at p is live before and after.
func stays(b, a provider, p int) bool {
	return b.T[p].Status != core.Ended && a.T[p].Status != core.Ended
}

// lawfulMove reports whether op may take the ticket at p from was to is.
func lawfulMove(op admission.Op, p int, was, is admission.Ticket) bool {
	switch {
	case names(op, p) && op.Kind == admission.Admit:
		return is.Status == core.Held || is.Status == core.Queued || is.Status == core.Ended
	case names(op, p) && op.Kind == admission.End:
		return is.Status == core.Ended
	case was.Class != is.Class:
		return false
	case names(op, p) && was.Status == core.Granted: // a poll collects it
		return is.Status == core.Held
	case is.Status == was.Status:
		return true
	case was.Status == core.Queued && is.Status == core.Granted: // an admit grants only its own ticket
		return op.Kind == admission.End || op.Kind == admission.Limit
	case op.Kind == admission.Admit && op.Class == core.Interactive && was.Class == core.Background:
		return was.Status == core.Held && is.Status == core.Preempted || was.Status == core.Granted && is.Status == core.Queued
	}
	return false
}
