package tui

import (
	"slices"

	"tenet/core/event"
)

// work is what waits and runs beside the turn, folded from the records.
type work struct {
	Queue []event.Submission
	Jobs  []event.Detachment
}

func (w *work) take(b event.Body) {
	switch b := b.(type) {
	case event.Submission:
		if i := w.at(b.ID); i >= 0 {
			w.Queue[i] = b
			return
		}
		w.Queue = append(w.Queue, b)
	case event.Withdrawal:
		w.gone(b.ID)
	case event.Prompt:
		w.gone(b.Submission)
	case event.Detachment:
		w.Jobs = append(w.Jobs, b)
	case event.Settlement:
		w.Jobs = slices.DeleteFunc(w.Jobs, func(d event.Detachment) bool { return d.Job == b.Job })
	}
}

func (w *work) at(id string) int {
	return slices.IndexFunc(w.Queue, func(q event.Submission) bool { return q.ID == id })
}

func (w *work) gone(id string) {
	if i := w.at(id); i >= 0 {
		w.Queue = slices.Delete(w.Queue, i, i+1)
	}
}
