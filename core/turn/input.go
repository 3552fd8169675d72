package turn

// Kind is what happened to a turn.
type Kind uint8

// The inputs.
const (
	Ready     Kind = iota // the next request is built; Full says how much room it leaves
	Replied               // a whole reply arrived
	Noted                 // a reply that the harness does not take: cut for repeating (its job, if it had one, is dropped), or a recovery asks again
	Stalled               // nothing came within the idle deadline of the stream
	GaveUp                // a recovery is at its cap
	Failure               // the request or the poll failed
	TooLarge              // the provider says that the request does not fit its context
	Deferred              // the provider's answer is not ready: it is a job that is asked again
	Compacted             // a compaction ended; Found says how
	RoundDone             // every call of the reply has its result
	Abort                 // a person stopped the turn
	Break                 // the log cannot be written, or a hook before the request failed
)

var kindNames = [...]string{"ready", "replied", "noted", "stalled", "gave up", "failure", "too large", "deferred", "compacted", "round done", "abort", "break"}

// String names the input.
func (k Kind) String() string { return kindNames[k] }

// Found is how a compaction ended.
type Found uint8

// The ends of a compaction.
const (
	Shorter    Found = iota // the log has the entry: the context is shorter now
	Nothing                 // nothing could be left out
	Unfinished              // the summary failed
)

var foundNames = [...]string{"shorter", "nothing", "unfinished"}

// String names the end.
func (f Found) String() string { return foundNames[f] }

// Input is one thing that happened.
type Input struct {
	Kind Kind
	// Full, of Ready, is true when the context passes the threshold from which a summary
	// must come first; see Room.Full.
	Full bool
	// Text and Calls say what a reply holds; text that is only blanks is no text, and
	// calls that were rebuilt from a leak are calls.
	Text, Calls bool
	// Length is true when the reply hit the output limit, so its calls may be cut.
	Length bool
	// Transient, of Failure, is true when the same request may succeed later, and the
	// wait that it needs is one that tenet waits by itself.
	Transient bool
	// Late, of Deferred and of a Failure while polling, is true when the job's deadline
	// has passed; see Overdue.
	Late bool
	// Found, of Compacted, says how it ended.
	Found Found
	// Ends, of RoundDone, is true when a call of the round ended the turn by itself and
	// nothing stood against it; such a round is not counted.
	Ends bool
}

// Act is what the driver does next.
type Act uint8

// The acts.
const (
	Ignore   Act = iota // nothing: the input does not belong to the phase
	Prepare             // run the hooks before a request, build it, weigh the context
	Retry               // wait as the failure says, then as Prepare
	Redo                // as Prepare, at once: the request ends with the note of State.Note
	Send                // record and send the request that was built; wait for its reply
	Poll                // wait as the job says, then ask for its answer
	Compact             // make the context shorter, for State.Reason
	Run                 // run the calls of the reply
	Truncate            // run none of them: each gets the truncation result
	Cancel              // drop the provider's job; the turn is over
	Stop                // the turn is over
)

var actNames = [...]string{"ignore", "prepare", "retry", "redo", "send", "poll", "compact", "run", "truncate", "cancel", "stop"}

// String names the act.
func (a Act) String() string { return actNames[a] }

// Ends reports whether the act is the last of its turn.
func (a Act) Ends() bool { return a == Stop || a == Cancel }
