// Package cli is the terminal without an interface: it prints a session as lines,
// asks questions on the terminal, unpacks the demo, and names the exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"

	"tenet/core/event"
	"tenet/core/turn"
)

// Exit codes of tenet, as README documents them.
const (
	ExitOK          = 0   // answered
	ExitFailed      = 1   // the run failed
	ExitUsage       = 2   // usage or configuration
	ExitTimeout     = 124 // stopped by --timeout
	ExitReader      = 141 // nobody reads the output any more, as for a shell's SIGPIPE
	ExitInterrupted = 130 // interrupted by the user (SIGINT)
	ExitTerminated  = 143 // stopped by SIGTERM
)

// Error is an error that knows the exit code it ends the process with.
type Error struct {
	Code int
	Err  error
	// Said is true when the person was told already.
	Said bool
}

// Error is the cause's own text.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// Usage is an error in what the user asked for or set up.
func Usage(format string, a ...any) error {
	return &Error{Code: ExitUsage, Err: fmt.Errorf(format, a...)}
}

// Said reports whether the person was told of the error already.
func Said(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Said
}

// Code is the exit code for what a command returned: an error without a code of its
// own is a failed run.
func Code(err error) int {
	var e *Error
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &e):
		return e.Code
	default:
		return ExitFailed
	}
}

// The causes of a run that was stopped.
var (
	ErrInterrupted = errors.New("stopped by Ctrl+C")
	ErrTerminated  = errors.New("stopped by SIGTERM")
	ErrTimeout     = errors.New("stopped by --timeout")
)

// Ended turns the end of a turn into the command's error; nil when it was answered.
// said is true when the person was shown the end already.
func Ended(ctx context.Context, e event.Ending, said bool) error {
	switch {
	case e.How == turn.Answered.String():
		return nil
	case e.How == turn.Aborted.String() && errors.Is(context.Cause(ctx), ErrTerminated):
		return &Error{Code: ExitTerminated, Err: ErrTerminated, Said: said}
	case e.How == turn.Aborted.String() && errors.Is(context.Cause(ctx), ErrTimeout):
		return &Error{Code: ExitTimeout, Err: ErrTimeout, Said: said}
	case e.How == turn.Aborted.String():
		return &Error{Code: ExitInterrupted, Err: ErrInterrupted, Said: said}
	default:
		return &Error{Code: ExitFailed, Err: errors.New(e.Cause), Said: said}
	}
}
