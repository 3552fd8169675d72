package gate

import "tenet/core/call"

// Phase is where a gated script stands.
type Phase uint8

// The phases of a script.
const (
	Ready    Phase = iota // the next step may be judged
	Asking                // a question about the next step is open
	Refused               // a step was refused; nothing more runs
	Finished              // the script ran to its end
)

var phaseNames = [...]string{"ready", "asking", "refused", "finished"}

// String names the phase.
func (p Phase) String() string { return phaseNames[p] }

// Script is the gate's view of one script while it runs: how far it was judged
// and how far it ran. The zero value is a script whose first step comes next.
// The shell holds one value per call and moves it only through these methods, so
// the laws gate_* of the model are laws of what runs.
type Script struct {
	Phase Phase
	// Judged counts the steps that may run; Ran counts those that did. A pipeline is
	// judged whole before any of it runs, so Judged may be ahead.
	Judged, Ran uint16
	// Asked counts the questions, Yes the approvals.
	Asked, Yes uint16
}

// Judge takes the next step's effects. When the decision is Ask the script waits
// for Answer; in any phase but Ready nothing changes and ok is false.
func (s Script) Judge(auto, effects call.Effects) (next Script, d Decision, ok bool) {
	if s.Phase != Ready {
		return s, Decision{}, false
	}
	d = Judge(auto, effects)
	switch d.Verdict {
	case Run:
		s.Judged++
	case Ask:
		s.Phase = Asking
		s.Asked++
	}
	return s, d, true
}

// Answer closes the open question: a yes lets the step run, anything else stops
// the script there, with its earlier steps done (law gate_deny_stops).
func (s Script) Answer(a Answer) (next Script, ok bool) {
	if s.Phase != Asking {
		return s, false
	}
	if a == Approved {
		s.Phase = Ready
		s.Judged++
		s.Yes++
	} else {
		s.Phase = Refused
	}
	return s, true
}

// Start lets the steps judged so far run: the whole pipeline at once. A script
// that was refused starts nothing more: the denied step takes the rest of its
// pipeline with it (S7.8).
func (s Script) Start() (next Script, ok bool) {
	if s.Phase != Ready || s.Judged == s.Ran {
		return s, false
	}
	s.Ran = s.Judged
	return s, true
}

// Finish ends a script that has no further step.
func (s Script) Finish() (next Script, ok bool) {
	if s.Phase != Ready || s.Judged != s.Ran {
		return s, false
	}
	s.Phase = Finished
	return s, true
}

// Outcome is what the gate made of one step, as the runner of it needs to know.
type Outcome struct {
	// Runs is true when the step may run.
	Runs bool
	// Answer is how the question ended when it may not.
	Answer Answer
	// Refusal is the text for the model when it may not.
	Refusal string
}
