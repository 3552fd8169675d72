// Package turn decides how one user turn goes on: request, tool round, retry, or
// the end (H4). It is a step function that performs nothing; the session's driver
// does what it says and tells it what happened.
package turn

// DefaultRounds is the cap on tool rounds when a setting says 0 (H4.2).
const DefaultRounds = 250

// DefaultRetries is how often one request is sent again after a transient failure (H4.5).
const DefaultRetries = 3

// Config is the limits of a turn.
type Config struct {
	// Rounds is the most tool rounds of a turn; 0 counts as 1 here, since a caller
	// that wants the default says DefaultRounds.
	Rounds uint16
	// Retries is the most transient failures of one request that are tried again; the
	// request after a round counts anew.
	Retries uint16
}

// Cap is the rounds a turn may make: at least one (law run_rounds_capped).
func (c Config) Cap() uint16 { return max(c.Rounds, 1) }

// Phase is what a turn waits for.
type Phase uint8

// The phases.
const (
	Preparing Phase = iota // a request may be built and sent
	Calling                // a request is out
	Tooling                // the calls of a reply run
	Over                   // the turn has ended
)

var phaseNames = [...]string{"preparing", "calling", "tooling", "over"}

// String names the phase.
func (p Phase) String() string { return phaseNames[p] }

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
	NoAnswer         // the reply had no text and no call
	Broken           // the turn's own ground is gone: the log cannot be written
)

var causeNames = [...]string{"", "run_limit", "model_error", "no_answer", "broken"}

// String is the cause as records spell it.
func (c Cause) String() string { return causeNames[c] }

// State is where a turn stands. The zero value is a new turn.
type State struct {
	Phase Phase
	End   End
	Cause Cause
	// Rounds counts the tool rounds made, Retries the transient failures of this
	// round's request.
	Rounds, Retries uint16
}

// Kind is what happened to a turn.
type Kind uint8

// The inputs.
const (
	Sent      Kind = iota // the request was built and is on its way
	Replied               // a whole reply arrived
	Failure               // the request failed
	RoundDone             // every call of the reply has its result
	Abort                 // a person stopped the turn
	Break                 // the log cannot be written
)

var kindNames = [...]string{"sent", "replied", "failure", "round done", "abort", "break"}

// String names the input.
func (k Kind) String() string { return kindNames[k] }

// Input is one thing that happened.
type Input struct {
	Kind Kind
	// Text and Calls say what a reply holds; text that is only blanks is no text.
	Text, Calls bool
	// Length is true when the reply hit the output limit, so its calls may be cut.
	Length bool
	// Transient is true when the same request may succeed later.
	Transient bool
}

// Act is what the driver does next.
type Act uint8

// The acts.
const (
	Ignore   Act = iota // nothing: the input does not belong to the phase
	Await               // wait for the reply of the request that was sent
	Request             // build and send the next request
	Resend              // wait as the failure says, then send the same request
	Run                 // run the calls of the reply
	Truncate            // run none of them: each gets the truncation result
	Stop                // the turn is over
)

var actNames = [...]string{"ignore", "await", "request", "resend", "run", "truncate", "stop"}

// String names the act.
func (a Act) String() string { return actNames[a] }

// Step is the whole rule. An input that does not belong to the phase changes
// nothing, and an ended turn never changes (laws run_end_stays, run_abort_ends_now).
func (c Config) Step(s State, in Input) (State, Act) {
	if s.Phase == Over {
		return s, Ignore
	}
	switch in.Kind {
	case Abort:
		return end(s, Aborted, None)
	case Break:
		return end(s, Failed, Broken)
	case Sent:
		if s.Phase == Preparing {
			s.Phase = Calling
			return s, Await
		}
	case Replied:
		if s.Phase == Calling {
			return reply(s, in)
		}
	case Failure:
		if s.Phase == Calling {
			return c.failure(s, in)
		}
	case RoundDone:
		if s.Phase == Tooling {
			return c.round(s)
		}
	}
	return s, Ignore
}

// reply: calls go to a round whatever text or stop reason comes with them (H4.1);
// calls of a cut reply are not run; nothing at all is no answer (H4.7).
func reply(s State, in Input) (State, Act) {
	switch {
	case in.Calls && in.Length:
		s.Phase = Tooling
		return s, Truncate
	case in.Calls:
		s.Phase = Tooling
		return s, Run
	case in.Text:
		return end(s, Answered, None)
	default:
		return end(s, Failed, NoAnswer)
	}
}

func (c Config) failure(s State, in Input) (State, Act) {
	if !in.Transient || s.Retries >= c.Retries {
		return end(s, Failed, ModelError)
	}
	s.Retries++
	s.Phase = Preparing
	return s, Resend
}

func (c Config) round(s State) (State, Act) {
	s.Rounds++
	if s.Rounds >= c.Cap() {
		return end(s, Failed, RoundLimit)
	}
	s.Phase, s.Retries = Preparing, 0
	return s, Request
}

func end(s State, e End, c Cause) (State, Act) {
	s.Phase, s.End, s.Cause = Over, e, c
	return s, Stop
}
