package event

import (
	"fmt"
	"slices"
)

// Wrong is how a record contradicts the records before it. A whole chain proves
// that nobody changed the log afterwards; these show a tenet that broke its own
// order while it wrote.
type Wrong uint8

// The contradictions.
const (
	MadeTwice  Wrong = iota // a reply makes a call whose id waits for its result
	NotMade                 // a call was taken up that no reply made
	NotWaiting              // a record speaks of a call that waits for no result
	NotAllowed              // a step was dispatched that the gate did not let through
	RunAgain                // an interrupted call was taken up or dispatched again
	NotNamed                // a resumption does not name a call that has no result
)

var wrongTexts = [...]string{
	"the call was made twice",
	"the call was taken up and no reply made it",
	"the call is not waiting for a result: it has one, or nobody made it",
	"a step of the call was dispatched that the gate did not let through",
	"the call was interrupted and was started again",
	"the call has no result and the resumption does not name it",
}

// String says the contradiction in words.
func (w Wrong) String() string { return wrongTexts[w] }

// Disorder is one contradiction: what, about which call, in which record.
type Disorder struct {
	Seq  uint64
	What Wrong
	Call string
}

// String is the disorder as reports show it.
func (d Disorder) String() string {
	return fmt.Sprintf("record %d: %s (call %s)", d.Seq, d.What, d.Call)
}

func (s *State) disorder(w Wrong, call string) {
	s.Disorders = append(s.Disorders, Disorder{Seq: s.Seq, What: w, Call: call})
}

// letThrough are the verdicts, and the answers to a verdict that asked, on which a
// step may run. A word that is not here lets nothing through (G5).
var (
	runs = []string{"run", "allow"}
	yes  = []string{"approved", "allow_once", "allow_session", "allow_always"}
)

// Permits reports whether a judgement lets its step run.
func Permits(verdict, answer string) bool {
	if answer != "" {
		return slices.Contains(yes, answer)
	}
	return slices.Contains(runs, verdict)
}
