// Package admission decides who may talk to a provider (H3): a user's request
// never waits behind background work. It sees counts, never tickets, clocks or
// goroutines; adapters/admission keeps the tickets and does what it says.
package admission

// Class sorts requests by who waits for them.
type Class uint8

// The classes.
const (
	Interactive Class = iota // a person waits for the reply
	Background               // nobody waits: compaction, titles, prefetch
)

const classes = 2

var classNames = [classes]string{"interactive", "background"}

// String is the class as statistics spell it.
func (c Class) String() string { return classNames[c] }

// Status is where a ticket is in its life. The zero value is Ended, so that a
// place without a ticket and a place whose ticket is over look alike.
type Status uint8

// The statuses.
const (
	Ended     Status = iota // over, for good
	Queued                  // waits in its class's queue
	Granted                 // has a slot that its waiter has not collected yet
	Held                    // has a slot and works
	Preempted               // lost its slot to an interactive request and was not ended yet
)

var statusNames = [...]string{"ended", "queued", "granted", "held", "preempted"}

// String is the status as messages spell it.
func (s Status) String() string { return statusNames[s] }

// HasSlot reports whether a ticket in this status occupies a slot of its provider.
// An uncollected grant does: the slot is promised, nobody else may have it.
func (s Status) HasSlot() bool { return s == Granted || s == Held }

// Limits is what one provider takes at a time.
type Limits struct {
	// Slots is the most tickets that have a slot at once; at least 1. Without a
	// slot no interactive request would ever be granted, whatever is released.
	Slots int
	// Queue is the most tickets that wait in each class's queue; 0 means nobody
	// waits. Each class has its own queue, so that background work can never make
	// an interactive request be refused.
	Queue int
}

// Valid reports whether the limits can be kept: at least one slot, and a queue
// that is not negative.
func (l Limits) Valid() bool { return l.Slots >= 1 && l.Queue >= 0 }
