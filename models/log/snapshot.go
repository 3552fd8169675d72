package log

import (
	"reflect"

	"tenet/core/event"
)

// Restored is what came of a state that was kept and read back: whether it, with the
// records behind it, is the fold of all of them.
type Restored struct {
	// Place counts the records that the snapshot covers, All those of the log.
	Place, All int
	Same       bool
	// Err is why the snapshot could not be read.
	Err error
}

// SnapshotStep adds the event to a story, keeps the state before it, reads that back,
// and folds the event onto it. Each beginning of a story is a story, so that every
// place of every story is tried.
func SnapshotStep(s Story, e Event) (Story, Restored) {
	var h History
	copy(h[:], s[:])
	at := h.Len()
	before := h.Fold()
	h[at] = e
	copy(s[:], h[:])
	kept, err := event.Restore(string(before.Snapshot(nil, 0)), nil)
	for _, b := range e.Bodies() {
		kept = kept.With(uint64(at+1), b)
	}
	return s, Restored{Place: at, All: at + 1, Same: err == nil && reflect.DeepEqual(kept, h.Fold()), Err: err}
}
