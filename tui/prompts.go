package tui

// prompt is a message from a file.
type prompt struct{ Name, Hint, Description, Source string }

// Expand is the message with its arguments.
func (p prompt) Expand(args string) string { return args }
