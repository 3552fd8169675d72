package bridge

import "tenet/core/event"

// foldedLog is a session's log in memory, and what it folds to.
type foldedLog struct {
	state event.State
	raw   []event.Body
}

// Commit keeps the log's fold.
func (l *foldedLog) Commit(bodies ...event.Body) ([]event.Record, error) {
	var out []event.Record
	for _, b := range bodies {
		l.raw = append(l.raw, b)
		l.state = l.state.With(uint64(len(l.raw)), b)
		out = append(out, event.Record{Seq: uint64(len(l.raw)), Kind: event.KindOf(b)})
	}
	return out, nil
}
