// Package gate decides whether a step runs: the auto set, the question, and what
// an answer does to the rest of a script (S7.8, G2). It performs nothing: the
// shell and the document tools ask it and do what it says.
package gate

import "tenet/core/call"

// Verdict is what the gate says about a step before anybody is asked.
type Verdict uint8

// The verdicts.
const (
	Run Verdict = iota // runs now, nobody is asked
	Ask                // runs only on a yes
)

var verdictNames = [...]string{"run", "ask"}

// String is the verdict as records spell it.
func (v Verdict) String() string { return verdictNames[v] }

// Rule names why a verdict is what it is; records and statistics count by it.
type Rule uint8

// The rules of this gate, in the order they are tried.
const (
	SecretAsks  Rule = iota // a step that touches a secret always asks
	WithinAuto              // every effect is in the auto set
	OutsideAuto             // at least one effect is not
)

var ruleNames = [...]string{"secret-always-asks", "within-auto-set", "outside-auto-set"}

// String is the rule's stable name.
func (r Rule) String() string { return ruleNames[r] }

// Decision is a verdict with its rule and the effects that made it ask.
type Decision struct {
	Verdict Verdict
	Rule    Rule
	// Over is the effects that the auto set does not cover; empty when Verdict is Run.
	Over call.Effects
}

// Judge decides one step under an auto set. Secret is never covered, whatever the
// set says: a caller that smuggled it in must still ask (law auto_never_sensitive).
func Judge(auto, effects call.Effects) Decision {
	over := effects.Minus(auto & call.Grantable)
	switch {
	case effects.Has(call.Secret):
		return Decision{Verdict: Ask, Rule: SecretAsks, Over: over}
	case over == 0:
		return Decision{Verdict: Run, Rule: WithinAuto}
	default:
		return Decision{Verdict: Ask, Rule: OutsideAuto, Over: over}
	}
}

// Answer is how a question ended.
type Answer uint8

// The answers. Everything but Approved is a denial (G5): silence is not consent.
const (
	Unanswered     Answer = iota // no client could answer, or the wait ended
	Approved                     // a client said yes to this very step
	Denied                       // a client said no
	GatewayRefused               // a standing rule refused on behalf of a client that shows no question
)

var answerNames = [...]string{"unanswered", "approved", "denied", "gateway_refused"}

// String is the answer as records spell it.
func (a Answer) String() string { return answerNames[a] }
