package event

import "fmt"

// Resume is what a process that takes a session up appends first, as one commit: a
// resumption that names every call without a result, and the one result of each of
// them. None is run again (H7.4): a call whose steps were dispatched may have had
// some of its effects, and running it twice could double them.
func Resume(s State) []Body {
	out := []Body{Resumption{Interrupted: s.Unresolved()}}
	for _, c := range s.Calls {
		out = append(out, Result{Call: c.ID, Error: true, Text: Interrupted(c)})
	}
	return out
}

// Interrupted is the result of a call that the end of a process interrupted, for
// the model and for people.
func Interrupted(c OpenCall) string {
	if !c.Started {
		return fmt.Sprintf("Tool %s was interrupted by a restart before any step of it started. Nothing of it ran; make the call again if it is still needed.", c.Tool)
	}
	return fmt.Sprintf("Tool %s was interrupted by a restart and may have partially run. Check the state it changes (files, processes, jobs) before you run it again.", c.Tool)
}
