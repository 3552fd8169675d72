package event

// Standing is where a session stands, for people who look at many.
type Standing uint8

// The standings, as a list shows them.
const (
	IsNew         Standing = iota // no turn began
	IsRunning                     // a process works on a turn
	IsWaiting                     // a process waits for a person's answer
	IsInterrupted                 // the process ended in the middle of a turn
	IsAnswered                    // the last turn was answered
	IsFailed                      // the last turn failed
	IsStopped                     // the last turn was stopped
)

var standings = [...]string{"new", "running", "open question", "interrupted", "answered", "failed", "stopped"}

// String is the standing as lists show it.
func (s Standing) String() string { return standings[s] }

// Standing says where the session stands; held is true while a process holds its log.
func (s State) Standing(held bool) Standing {
	switch {
	case s.InTurn && held && len(s.Questions)+len(s.Inquiries) > 0:
		return IsWaiting
	case s.InTurn && held:
		return IsRunning
	case s.InTurn:
		return IsInterrupted
	case s.Turns == 0:
		return IsNew
	case s.Last.How == "answered":
		return IsAnswered
	case s.Last.How == "aborted":
		return IsStopped
	}
	return IsFailed
}
