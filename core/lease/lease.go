// Package lease decides the life of a place in the line for the root turn's lease
// (H6.2): one turn holds at a time, in the order of asking. Who is next is the order
// of the line, which adapters/lease keeps; what may become of one place is here.
package lease

// Status is where a place is in its life. A place waits, then perhaps holds, then
// has ended in one of three ways, and an end is final.
type Status uint8

// The statuses.
const (
	Waiting  Status = iota // asked, and somebody else holds
	Holding                // has the lease
	Released               // gave it back, or left the line
	Stopped                // its wait was cancelled, or its turn
	Crashed                // who asked is gone
)

var statusNames = [...]string{"waiting", "holding", "released", "stopped", "crashed"}

// String names the status for a record or a message.
func (s Status) String() string { return statusNames[s] }

// Live is true while the place waits or holds.
func (s Status) Live() bool { return s == Waiting || s == Holding }

// Event is what happens to a place.
type Event uint8

// The events.
const (
	Grant   Event = iota // it is its turn
	Release              // its owner is done
	Stop                 // its owner stopped
	Crash                // its origin is gone
)

// On is the status after an event. An ended place stays as it ended: a grant that
// comes late does not wake it (law lease_stop_never_holds), and a release after a
// crash does not hide the crash.
func (s Status) On(e Event) Status {
	if !s.Live() {
		return s
	}
	switch e {
	case Grant:
		return Holding
	case Release:
		return Released
	case Stop:
		return Stopped
	case Crash:
		return Crashed
	}
	return s
}
