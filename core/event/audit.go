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
	MadeTwice   Wrong = iota // a reply makes a call whose id waits for its result
	NotMade                  // a call was taken up that no reply made
	NotWaiting               // a record speaks of a call that waits for no result
	NotAllowed               // a step was dispatched that the gate did not let through
	RunAgain                 // an interrupted call was taken up or dispatched again
	NotNamed                 // a resumption does not name a call that has no result
	JudgedTwice              // a call has two verdicts
	NotRunning               // a record speaks of a job that does not run
)

var wrongTexts = [...]string{
	"the call was made twice",
	"the call was taken up and no reply made it",
	"the call is not waiting for a result: it has one, or nobody made it",
	"a step of the call was dispatched that the gate did not let through",
	"the call was interrupted and was started again",
	"the call has no result and the resumption does not name it",
	"the call was judged twice",
	"the job does not run: it was settled, or nobody started it",
}

// String says the contradiction in words.
func (w Wrong) String() string { return wrongTexts[w] }

// Disorder is one contradiction: what, about which call or job, in which record.
type Disorder struct {
	Seq  uint64
	What Wrong
	Call string
}

// String is the disorder as reports show it.
func (d Disorder) String() string {
	if d.What == NotRunning {
		return fmt.Sprintf("record %d: %s (job %s)", d.Seq, d.What, d.Call)
	}
	return fmt.Sprintf("record %d: %s (call %s)", d.Seq, d.What, d.Call)
}

func (s *State) disorder(w Wrong, call string) {
	s.Disorders = append(s.Disorders, Disorder{Seq: s.Seq, What: w, Call: call})
}

// yes are the answers to a verdict that asked on which a call may run. A word that is
// not here lets nothing through (G5).
var yes = []string{"allow_once", "allow_session", "allow_always"}

// Permits reports whether a judgement lets its call run: an allow that nobody was asked
// about, or an ask with a yes.
func Permits(verdict, answer string) bool {
	switch verdict {
	case "allow":
		return answer == ""
	case "ask":
		return slices.Contains(yes, answer)
	}
	return false
}
