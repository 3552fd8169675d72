// Package turn decides how one user turn goes on: compaction, request, poll, tool
// round, retry, note, or the end (H4). It is a step function that performs nothing;
// the session's driver does what it says and tells it what happened. The words of a
// note and what makes a reply a stuck one are core/recovery's.
package turn

// The production limits.
const (
	// DefaultRounds is the cap on tool rounds when a setting says 0 (H4.2).
	DefaultRounds = 250
	// DefaultRetries is how often one generation's request is sent again after a
	// transient failure, and how often in a row a failed poll is made again (H4.5).
	DefaultRetries = 3
	// MaxNotes is how often one generation is asked again with a note; no setting
	// changes it (H4.5).
	MaxNotes = 8
	// MaxCompactions is how often the context is made shorter for one generation: once
	// before the request, because little room is left, and once because the provider
	// said that there was too little. A context that still does not fit will not
	// after a third summary either. Over a turn the cap on rounds bounds them.
	MaxCompactions = 2
	// MaxPolls is how often one deferred answer is asked for in vain: a day, the longest
	// window, at one poll a minute. The deadline comes first in all but a broken clock.
	MaxPolls = 24 * 60
)

// Config is the limits of a turn.
type Config struct {
	// Rounds is the most tool rounds of a turn; 0 counts as 1 here, since a caller
	// that wants the default says DefaultRounds.
	Rounds uint16
	// Retries is the most transient failures of one generation (the requests between two
	// rounds) that are tried again, and the most failed polls in a row. It is 0 when the
	// retry policy is off.
	Retries uint16
	// Notes is the most noted replies of one generation; the retry policy has no say.
	Notes uint16
	// Compactions is the most compactions of one generation that made the context
	// shorter.
	Compactions uint16
	// Polls is the most still-deferred answers in a row, the request's own not counted.
	Polls uint16
}

// Default is the production limits.
func Default() Config {
	return Config{Rounds: DefaultRounds, Retries: DefaultRetries, Notes: MaxNotes, Compactions: MaxCompactions, Polls: MaxPolls}
}

// Limits is the production limits under a user's settings: rounds 0 is the default,
// retries count only while the retry policy is on, and without compaction no context
// is made shorter. Numbers outside 0 to 65,535 are taken as the nearest inside.
func Limits(rounds, retries int, retry, compaction bool) Config {
	c := Default()
	if rounds != 0 {
		c.Rounds = clamp(rounds)
	}
	c.Retries = clamp(retries)
	if !retry {
		c.Retries = 0
	}
	if !compaction {
		c.Compactions = 0
	}
	return c
}

func clamp(n int) uint16 { return uint16(min(max(n, 0), 1<<16-1)) }

// Cap is the rounds a turn may make: at least one (law run_rounds_capped).
func (c Config) Cap() uint16 { return max(c.Rounds, 1) }

// Phase is what a turn waits for.
type Phase uint8

// The phases.
const (
	Preparing  Phase = iota // a request is built: hooks run, the context is weighed
	Calling                 // a request is out
	Polling                 // the provider deferred its answer: a job is asked for it
	Compacting              // the context is made shorter, for Reason
	Tooling                 // the calls of a reply run
	Over                    // the turn has ended
)

var phaseNames = [...]string{"preparing", "calling", "polling", "compacting", "tooling", "over"}

// String names the phase.
func (p Phase) String() string { return phaseNames[p] }

// Reason is why the context is made shorter.
type Reason uint8

// The reasons, as event.Compaction spells them.
const (
	NoReason  Reason = iota
	Threshold        // little room was left before a request
	Overflow         // the provider refused the request as too long
)

var reasonNames = [...]string{"", "threshold", "overflow"}

// String is the reason as records spell it.
func (r Reason) String() string { return reasonNames[r] }

// End is how a turn ended.
type End uint8

// The ends.
const (
	Live     End = iota // not ended
	Answered            // the model answered
	Aborted             // a person stopped it
	Failed              // it could not go on; Cause says why
)

var endNames = [...]string{"live", "answered", "aborted", "failed"}

// String is the end as records spell it.
func (e End) String() string { return endNames[e] }

// Cause is why a turn failed.
type Cause uint8

// The causes.
const (
	None       Cause = iota
	RoundLimit       // the cap on tool rounds was reached
	ModelError       // the provider failed and no retry is left or allowed
	NoAnswer         // the reply had no text and no call, and no note is left
	Stuck            // a recovery gave up, or a noted reply came and no note is left
	Late             // a deferred answer was not ready by its deadline
	TooLong          // the context does not fit and cannot be made shorter
	Broken           // the turn's own ground is gone: the log cannot be written
)

var causeNames = [...]string{"", "run_limit", "model_error", "no_answer", "stuck", "late", "too_long", "broken"}

// String names the cause. In records all but run_limit and broken are spelled
// model_error, with the words that say more (H4.4, H4.7, H4.8).
func (c Cause) String() string { return causeNames[c] }

// State is where a turn stands. The zero value is a new turn; a continuation is a new
// turn, so its rounds count from 0 (H4.2). It is comparable, and all that the rule
// remembers: a process that takes a turn up again makes it with Resume.
type State struct {
	Phase  Phase
	End    End
	Cause  Cause
	Reason Reason // of the compaction, while Compacting
	// Rounds counts the tool rounds made, those whose calls were truncated too.
	Rounds uint16
	// Of this generation: the transient failures, the noted replies, and the compactions
	// that made the context shorter.
	Retries, Notes, Compactions uint16
	// Note is the attempt that the note of the next request names, 0 for no note: the
	// request ends with it, and the log never holds it (H4.7).
	Note uint16
	// Of the deferred answer: its still-deferred answers in a row, and the polls that
	// failed since the last of them.
	Polls, Failures uint16
}

// Attempt is the number of the request that is out or comes next within its
// generation, as its note names it; 1 is the request without a note. Requests of one
// generation with the same attempt differ only where a compaction came between.
func (s State) Attempt() uint16 { return max(s.Note, 1) }

// Kept is what a log keeps of an open turn: the rounds, the budgets that its open
// generation spent, and the deferred answer that it waits for.
type Kept struct {
	Rounds, Retries, Notes, Compactions uint16
	// Deferred is true while a provider's job is out; Polls and Failures are its own.
	Deferred        bool
	Polls, Failures uint16
}

// Resume is the turn as a process that ended left it (H4.5: a restart keeps what was
// spent). A request that was out is lost and made again, since its reply is in no
// log; a deferred one is not: its job is polled.
func Resume(k Kept) State {
	s := State{Rounds: k.Rounds, Retries: k.Retries, Notes: k.Notes, Compactions: k.Compactions}
	if k.Notes > 0 {
		s.Note = k.Notes + 1
	}
	if k.Deferred {
		s.Phase, s.Polls, s.Failures = Polling, k.Polls, k.Failures
	}
	return s
}

// First is what the driver does first with a state that Resume made, or a new one.
func (s State) First() Act {
	if s.Phase == Polling {
		return Poll
	}
	return Prepare
}
