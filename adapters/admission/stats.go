package admission

import core "tenet/core/admission"

// Stats is what happens at one provider, for people who watch; no rule reads it.
type Stats struct {
	// Provider is its name.
	Provider string
	// Limits are the ones in force.
	Limits core.Limits
	// Interactive and Background are the two classes.
	Interactive, Background ClassStats
}

// ClassStats is one class at one provider.
type ClassStats struct {
	// Slots is how many requests have a slot now, collected or not. It is above the
	// limit while a lowered limit drains.
	Slots int
	// Waiting is how many wait now.
	Waiting int
	// Counts is what happened since the start.
	Counts
}

// Counts is what happened to one class since the start.
type Counts struct {
	// Admitted is how many got a slot and took it.
	Admitted uint64
	// Preempted is how many lost a slot to an interactive request; one that had not
	// collected it yet waits again.
	Preempted uint64
	// Refused is how many were turned away by a full queue.
	Refused uint64
	// Left is how many went before they took a slot.
	Left uint64
}

func (l *lane) stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Stats{Provider: l.provider, Limits: l.limits, Interactive: l.class(core.Interactive), Background: l.class(core.Background)}
}

func (l *lane) class(c core.Class) ClassStats {
	return ClassStats{Slots: l.holding[c].n, Waiting: l.waiting[c].n, Counts: l.count[c]}
}
