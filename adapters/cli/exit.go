// Package cli is the terminal without an interface: it prints a session as lines,
// asks questions on the terminal, unpacks the demo, and names the exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"

	"tenet/core/event"
)

// Exit codes of tenet, as README documents them.
const (
	ExitOK          = 0   // answered
	ExitFailed      = 1   // the run failed
	ExitUsage       = 2   // usage or configuration
	ExitInterrupted = 130 // interrupted by the user (SIGINT)
	ExitTerminated  = 143 // stopped by SIGTERM
)

// Error is an error that knows the exit code it ends the process with.
type Error struct {
	Code int
	Err  error
}

// Error is the cause's own text.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// Usage is an error in what the user asked for or set up.
func Usage(format string, a ...any) error {
	return &Error{Code: ExitUsage, Err: fmt.Errorf(format, a...)}
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

// ErrTerminated is the cancel cause when SIGTERM stopped the run.
var ErrTerminated = errors.New("stopped by SIGTERM")

// Ended turns the end of a turn into the command's error; nil when it was answered.
func Ended(ctx context.Context, e event.Ending) error {
	switch {
	case e.How == "answered":
		return nil
	case e.How == "aborted" && errors.Is(context.Cause(ctx), ErrTerminated):
		return &Error{Code: ExitTerminated, Err: ErrTerminated}
	case e.How == "aborted":
		return &Error{Code: ExitInterrupted, Err: errors.New("interrupted")}
	default:
		return &Error{Code: ExitFailed, Err: errors.New(e.Cause)}
	}
}
