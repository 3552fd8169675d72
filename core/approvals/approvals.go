// Package approvals decides what becomes of a question that needs a person (G5, S7.8
// "The question"): which session of a chain shows it, whose answer counts, what else
// an answer settles. It waits for nothing and has no clock: there is no event by which
// the passage of time could allow anything (law silence_is_not_consent).
package approvals

import (
	"unicode/utf8"

	"tenet/core/call"
)

// Kind is what a client said of itself when it attached.
type Kind uint8

// The kinds of clients.
const (
	Interactive Kind = iota // shows a question and may answer it
	Gateway                 // shows no question, so nothing ever waits for it
)

var kindNames = [...]string{"interactive", "gateway"}

// String is the kind as frames spell it.
func (k Kind) String() string { return kindNames[k] }

// Fate is how a question ended. Everything but Approved is a denial: silence is not
// consent.
type Fate uint8

// The fates.
const (
	Unanswered     Fate = iota // nobody could answer, or the asker stopped waiting
	Approved                   // yes, to this very question
	Denied                     // no
	GatewayRefused             // the gateway rule refused it
)

var fateNames = [...]string{"unanswered", "approved", "denied", "gateway_refused"}

// String is the fate as frames and records spell it.
func (f Fate) String() string { return fateNames[f] }

// Cause is what brought the fate about.
type Cause uint8

// The causes.
const (
	Quiet     Cause = iota // no session of the chain has a client that answers
	Answered               // a client answered
	Ruled                  // the gateway rule, without a client's answer
	WithTurn               // a client denied another question of the same turn
	Covered                // a grant that a client gave to another question covers this one
	Cancelled              // the asker stopped waiting: its step ended or was cancelled
	Moved                  // another session has it now; it may still be answered there
	Twice                  // the call has an open question already
	TooMany                // MaxOpen questions are open
)

var causeNames = [...]string{"quiet", "answered", "gateway_rule", "turn_denied", "covered", "cancelled", "moved", "twice", "too_many"}

// String is the cause as frames and records spell it.
func (c Cause) String() string { return causeNames[c] }

// Choice is an answer that a client may give.
type Choice uint8

// The choices. Deny may be chosen always; the others only when they are offered.
const (
	Deny         Choice = iota
	AllowOnce           // this call, as shown
	AllowSession        // these exact paths or argv, for the rest of the session
	AllowAlways         // a standing pattern in the project's settings
)

var choiceNames = [...]string{"deny", "allow_once", "allow_session", "allow_always"}

// String is the choice as frames spell it.
func (c Choice) String() string { return choiceNames[c] }

// ParseChoice finds a choice by the name that a frame gives it. An unknown name is no
// choice, and never a yes.
func ParseChoice(name string) (c Choice, ok bool) {
	for i, n := range choiceNames {
		if n == name {
			return Choice(i), true
		}
	}
	return Deny, false
}

// Offer is a yes that may be chosen; Pattern is empty but for AllowAlways.
type Offer struct {
	Choice  Choice
	Pattern string
}

// Question is what the decision needs of one; what is shown of it is the adapter's.
type Question struct {
	// ID is ours and names no other question, ever.
	ID string
	// Session is the session whose call asks, Turn its turn and Call the call: all of
	// them stay what they are when the question is handed up a chain.
	Session, Turn, Call string
	// Effects are those of the steps asked about.
	Effects call.Effects
	// Offers are the yeses that a client may choose from.
	Offers []Offer
	// Patient is true for a question from before a restart. It waits for the first
	// client to come back; another one that finds nobody is unanswered at once.
	Patient bool
}

// Answer is what a client says. Pattern is for AllowAlways, Reason for Deny.
type Answer struct {
	Choice          Choice
	Pattern, Reason string
}

// Verdict is how a question ended and why.
type Verdict struct {
	Fate  Fate
	Cause Cause
	// Choice and Pattern say how far an approval reaches.
	Choice  Choice
	Pattern string
	// Reason is the person's own words to a denial, at most MaxReason bytes.
	Reason string
	// By names the client that answered; empty when none did.
	By string
}

// given is true for a verdict that a client or the gateway rule gave: no later event
// takes it back.
func (v Verdict) given() bool { return v.Fate != Unanswered }

// The bounds of one session.
const (
	// MaxReason is how many bytes of a denial's reason are kept.
	MaxReason = 2000
	// MaxOpen is how many questions may be open; one more is unanswered at once.
	MaxOpen = 256
	// MaxClients is how many clients may be attached.
	MaxClients = 64
)

// bounded is the reason cut at the last whole character within MaxReason bytes.
func bounded(reason string) string {
	if len(reason) <= MaxReason {
		return reason
	}
	end := MaxReason
	for end > 0 && !utf8.RuneStart(reason[end]) {
		end--
	}
	return reason[:end]
}
