// Package host is one open session and all that a person may do with it: an interface
// reads its feed and calls its methods, and keeps no state of the session of its own. It
// decides nothing: what comes next is core's, what happens is the session's.
package host

import (
	"context"

	"tenet/core/event"
)

// Options is what a person asked for. The zero value opens a new session in the current
// directory with the settings' own model.
type Options struct {
	// Version is tenet's own, for the record; Dir is the workspace, empty is ".".
	Version, Dir string
	// Model is the selector of a model, Script a rehearsal file in its place; both empty is
	// the model of the session that is taken up, else the settings' own.
	Model, Script string
	// Profile names the default layer; empty is the session's own, else what the settings say.
	Profile string
	// Auto overrides the auto set when it is not nil.
	Auto []string
	// Continue takes up the newest session of the directory, Resume the one it names.
	Continue bool
	Resume   string
	// Fork begins a new session with the turns of the one that it names, up to record At (0
	// is the last); Name is its name.
	Fork string
	At   uint64
	Name string
	// Prompt is sent once the session is open; empty for none.
	Prompt string
	// MaxRounds caps the tool rounds of a turn; 0 is what the settings say.
	MaxRounds int
}

// NoModel is why nothing was opened: no model is set up. Its text says what to do.
type NoModel struct{ Text string }

// Error is the text.
func (n *NoModel) Error() string { return n.Text }

// Info is what stays the same while a session is open, but for its name.
type Info struct {
	// Session is its id, Name the name that a person gave it.
	Session, Name string
	// Log is the path of its log, Workspace the real path it works in, Home tenet's own.
	Log, Workspace, Home string
	// Model is the model's selector, Profile the default layer, Auto what runs unasked.
	Model, Profile string
	Auto           []string
	// Context is the model's window in tokens, 0 when nobody knows it.
	Context int
	// Version is tenet's own.
	Version string
	// Resumed is true for a session that was taken up, Open when its last turn is one that
	// the end of a process left open: Continue goes on with it.
	Resumed, Open bool
	// Said are the sentences about settings, models and the log that a person should read.
	Said []string
}

// Host is one open session. Its methods may be called from several goroutines.
type Host struct{}

// Open opens a session, or takes one up. Without a model the error is a *NoModel and
// nothing was made.
func Open(ctx context.Context, o Options) (*Host, error) { return nil, errLater }

// Info says which session this is.
func (h *Host) Info() Info { return Info{} }

// State is the session as its log tells it, for reading.
func (h *Host) State() event.State { return event.State{} }

// Running reports whether a turn runs now.
func (h *Host) Running() bool { return false }

// Close ends what runs for the session and gives its log back. The feeds end once they
// were read.
func (h *Host) Close() error { return errLater }
