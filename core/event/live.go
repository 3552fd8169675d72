package event

// Version is the version of what a stream of events carries: the records' kinds and
// members, and the live signs. It grows when a member changes its meaning or goes;
// a new kind or member does not change it.
const Version = 1

// LiveKind is what a live sign says. The set is closed.
type LiveKind string

// The kinds of live signs.
const (
	LiveDelta   LiveKind = "delta"   // a piece of the reply: Text or Thinking
	LiveWaiting LiveKind = "waiting" // the provider queues the request, or a slot of it is awaited
	LiveRetry   LiveKind = "retry"   // the request goes out again: Try of Tries, in InMS
	LiveOutput  LiveKind = "output"  // a command of the call, or of the job, wrote Text: clean, at most twenty times a second and then at most its last 4 KiB
	LivePoll    LiveKind = "poll"    // an answer that comes later is asked for again, in InMS
)

// Live is a sign of what goes on between two records, for people who wait. No rule reads
// it, no log keeps it, and a client that missed some has missed nothing that stands.
type Live struct {
	Kind     LiveKind `json:"live"`
	Text     string   `json:"text,omitempty"`
	Thinking string   `json:"thinking,omitempty"`
	// Cause says why it is waited or tried again.
	Cause string `json:"cause,omitempty"`
	// Try counts from 1; Tries is the most there may be.
	Try   int `json:"try,omitempty"`
	Tries int `json:"tries,omitempty"`
	// InMS is how long the wait is, in milliseconds.
	InMS int64 `json:"in_ms,omitempty"`
	// Call and Job name what wrote.
	Call string `json:"call,omitempty"`
	Job  string `json:"job,omitempty"`
}

// StreamHead is the first line of a stream: the version of what follows, the session,
// and the log, which has every record of it.
type StreamHead struct {
	Stream  int    `json:"stream"`
	Session string `json:"session"`
	Log     string `json:"log"`
}
