package recovery

// RestartNote is the note of a process that takes a turn up after another one ended: of
// the reply that was not taken it knows what the log says, the fault.
func RestartNote(attempt int, fault string) string {
	if fault == "" {
		fault = "the log does not say why."
	}
	return noted(attempt, "your previous reply was not taken: "+cut(fault, ArgumentsShown)+" Do not give the same reply again.")
}
