package log

import "iter"

// Audited is how long the histories are that an audit is tried on.
const Audited = 5

// Story is a short history of one call as any program might have written it, also
// one that keeps no order at all.
type Story [Audited]Event

// Stories lets anything happen next.
func Stories(s Story) iter.Seq[Event] { return stories(s, anything) }

// KeptStories are those of the model's own calls: what a snapshot keeps of a person's is
// drawn at random, beyond these histories.
func KeptStories(s Story) iter.Seq[Event] { return stories(s, anything[:len(anything)-1]) }

func stories(s Story, may []Event) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		if s[Audited-1].What != Nothing {
			return
		}
		for _, e := range may {
			if !yield(e) {
				return
			}
		}
	}
}

var anything = []Event{
	{What: Made}, {What: Taken}, {What: Allowed}, {What: Denied}, {What: Started}, {What: Answered},
	{TakenUp, 0}, {TakenUp, 1}, {TakenUp, 3}, {What: Detached}, {What: Settled}, {What: Own},
}

// AuditStep adds the event and answers how many contradictions core's fold of the
// whole story finds.
func AuditStep(s Story, e Event) (Story, int) {
	var h History
	n := copy(h[:], s[:])
	at := h.Len()
	h[at] = e
	copy(s[:], h[:n])
	return s, len(h.Fold().Disorders)
}
