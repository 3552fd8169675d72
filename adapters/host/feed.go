package host

import (
	"context"
	"errors"

	"tenet/adapters/approvals"
	"tenet/core/event"
)

// Event is one thing that happened: exactly one of its members is set, Left aside.
type Event struct {
	// Record is a record of the log.
	Record *event.Record
	// Live is a sign of what goes on between two records. Pieces of one kind are one sign.
	Live *event.Live
	// Asked is a question of the gate that waits for a person, Settled the end of one.
	Asked   *approvals.Approval
	Settled *approvals.Settled
	// Missed is true when questions or ends of questions were left out: what follows are
	// all that are open, and Questions says the same.
	Missed bool
	// Left counts the bytes of live text that were left out before this sign.
	Left int64
}

// ErrClosed is what Next returns once the session or the feed is closed and all was read.
var ErrClosed = errors.New("the session is closed")

// Feed is the events of a session for one reader.
type Feed struct{}

// Feed gives everything after a sequence number, then what happens, without a gap.
func (h *Host) Feed(after uint64) *Feed { return &Feed{} }

// Next returns what is there, oldest first; when there is nothing it waits. The error is
// ErrClosed, or the cause of ctx. One goroutine at a time may wait.
func (f *Feed) Next(ctx context.Context) ([]Event, error) { return nil, errLater }

// Close ends the feed; the session does not notice.
func (f *Feed) Close() {}
