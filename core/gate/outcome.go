package gate

// Outcome is what the gate made of a call or of a step, as the runner of it needs to
// know.
type Outcome struct {
	// Runs is true when it may run.
	Runs bool
	// Verdict is what the gate said, Answer how the question ended when there was one.
	Verdict Verdict
	Answer  Answer
	// Refusal is the text for the model when it may not run.
	Refusal string
}
