package call

// Step is the unit that is judged, asked about and run. For the shell it is one
// simple command with its redirections; for a document tool it is one access;
// for a script outside the step grammar it is the whole script (S7.7, S7.8).
type Step struct {
	// N counts the steps of one call from 1, in the order they are judged.
	N int
	// Text is exactly what runs, with control and bidi characters escaped, as a
	// person is shown it and as the log keeps it.
	Text string
	// Dir is the directory the step runs in; empty is the workspace. A cd of an earlier
	// step moves it, and the same text does another thing elsewhere.
	Dir string
	// Effects is everything the step may do.
	Effects Effects
	// Notes say why the effects are what they are, one sentence each.
	Notes []string
}
