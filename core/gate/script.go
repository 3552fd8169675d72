package gate

// Phase is where a gated call stands.
type Phase uint8

// The phases of a call.
const (
	Planning Phase = iota // its steps are being judged
	Asking                // the one question about it is open
	Ready                 // its next step may come
	Refused               // it was refused; nothing more of it runs
	Finished              // it ran to its end
)

var phaseNames = [...]string{"planning", "asking", "ready", "refused", "finished"}

// String names the phase.
func (p Phase) String() string { return phaseNames[p] }

// Script is the gate's view of one call: how it was judged and how far it ran. The
// zero value is a call whose first step is judged next. A call is judged whole before
// anything of it runs, so that a script never stops half way at a question that could
// have been asked at its start (DESIGN, "The gate"). Each gate holds one value a call
// and moves it only through these methods, so the laws gate_* of the model are laws of
// what runs.
type Script struct {
	Phase Phase
	// Planned counts the steps that were judged, Held those of them that need a yes.
	Planned, Held uint16
	// Denied is true when a step was denied.
	Denied bool
	// Passed counts the steps whose turn came: those that may start, and those that the
	// script left out. Skipped counts the latter, Ran those that started.
	Passed, Skipped, Ran uint16
	// Asked counts the questions, Spent the answers that counted for nothing, Yes the
	// steps that a yes covers.
	Asked, Spent, Yes uint16
}

// Plan takes the verdict on the next step.
func (s Script) Plan(v Verdict) (next Script, ok bool) {
	if s.Phase != Planning {
		return s, false
	}
	s.Planned++
	switch v {
	case Allow:
	case Ask:
		s.Held++
	case Deny:
		s.Denied = true
	}
	return s, true
}

// Settle ends the plan: the strictest verdict of its steps is the call's (law
// combine_deny_ask_allow), and there is at most one question (law one_panel_per_call).
func (s Script) Settle() (next Script, ok bool) {
	if s.Phase != Planning {
		return s, false
	}
	switch {
	case s.Denied:
		s.Phase = Refused
	case s.Held > 0:
		s.Phase = Asking
		s.Asked++
	default:
		s.Phase = Ready
	}
	return s, true
}

// Answer closes the open question: a yes covers every held step, anything else stops
// the call before its first step (law gate_deny_stops).
func (s Script) Answer(a Answer) (next Script, ok bool) {
	if s.Phase != Asking {
		return s, false
	}
	if a.Yes() {
		s.Phase = Ready
		s.Yes = s.Held
	} else {
		s.Phase = Refused
	}
	return s, true
}

// Spend drops the answer to the open question: what it was about has changed. The call
// is planned again from its first step (law digest_spends_answer).
func (s Script) Spend() (next Script, ok bool) {
	if s.Phase != Asking {
		return s, false
	}
	return Script{Asked: s.Asked, Spent: s.Spent + 1}, true
}

// Confirm takes the next step as it is now that its turn came. covered is true when it
// is still what was judged (Covers); otherwise the call stops there, its earlier
// steps done.
func (s Script) Confirm(covered bool) (next Script, ok bool) {
	if s.Phase != Ready || s.Passed == s.Planned {
		return s, false
	}
	if !covered {
		s.Phase = Refused
		return s, true
	}
	s.Passed++
	return s, true
}

// Skip passes over the next step: the script left it out, as false && cmd does. It
// comes between pipelines, so no confirmed step waits to start.
func (s Script) Skip() (next Script, ok bool) {
	if s.Phase != Ready || s.Passed == s.Planned || s.waiting() > 0 {
		return s, false
	}
	s.Passed++
	s.Skipped++
	return s, true
}

// waiting counts the steps that may start and did not.
func (s Script) waiting() uint16 { return s.Passed - s.Skipped - s.Ran }

// Start lets the steps confirmed so far run: the whole pipeline at once. A call that
// was refused starts nothing more: the refused step takes the rest of its pipeline
// with it (S7.8).
func (s Script) Start() (next Script, ok bool) {
	if s.Phase != Ready || s.waiting() == 0 {
		return s, false
	}
	s.Ran += s.waiting()
	return s, true
}

// Finish ends a call that has no further step.
func (s Script) Finish() (next Script, ok bool) {
	if s.Phase != Ready || s.Passed != s.Planned || s.waiting() > 0 {
		return s, false
	}
	s.Phase = Finished
	return s, true
}
