// Package docs is the document tools: read, write, edit, search_replace, grep, glob and
// list_dir (seed 5, S8). Each access is one step that the gate judges before
// anything is opened; it then happens on the very path that was judged, opened
// without following any link. What to show, replace or count is core/doc's decision.
package docs

import (
	"context"
	"fmt"
	"time"

	"tenet/core/call"
	"tenet/core/doc"
	"tenet/core/gate"
	"tenet/core/pathpolicy"
	"tenet/core/surface"
)

// Gate lets an access through or not. The session's gate records and asks.
type Gate interface {
	// Permit judges the whole call; plan gives its steps, and is asked again when a
	// question was answered with yes. When the call does not run, the outcome says why.
	Permit(ctx context.Context, plan func() []call.Step) gate.Outcome
	// Confirm judges a step again before it starts.
	Confirm(s call.Step, runs string) gate.Outcome
	// Start records durably that the permitted steps begin. An error means that
	// nothing may happen.
	Start(ctx context.Context) error
}

// Judge says where a path leads and what reaching it may do (G1.6).
type Judge interface {
	// Access resolves path from dir once and judges the place it leads to.
	Access(dir, path string, kind pathpolicy.Access) (pathpolicy.Target, call.Effects)
	// Changed forgets what was known of links: the tree may have changed.
	Changed()
}

// Options is what the tools need.
type Options struct {
	// Root is the workspace: an absolute real path.
	Root string
	// Judge judges every path of the session.
	Judge Judge
	// Before is called before each action of a commit; an error of it is the action's
	// failure. It is how a drill makes a disk fail, or another program write, at every
	// point. Nil for none.
	Before func(doc.Action) error
	// Env is the environment in which the user's own ignore rules are looked for, as
	// git looks for its core.excludesFile; empty means that there are none.
	Env []string
	// Deadline ends a grep or glob with what it found; 0 means DefaultDeadline.
	Deadline time.Duration
	// Kept is the folder where the bytes that a change replaces are kept when they are many:
	// the session's output folder. Empty keeps only few.
	Kept string
}

// The limits of the tools.
const (
	// PageBytes bounds the rows of one read (seed 5).
	PageBytes = 32 << 10
	// WriteBytes bounds the content of a write, and the old and the new text of a
	// replacement (seed 5).
	WriteBytes = 256 << 10
	// SnapshotBytes bounds the files that are taken whole: what is changed, and what
	// has a digest (S8.10).
	SnapshotBytes = 4 << 20
	// Matches is how many matches one grep shows (seed 5).
	Matches = 200
	// Paths is how many paths one glob shows (S8.9).
	Paths = doc.GlobPaths
	// Names is how many names one list_dir shows (seed 5).
	Names = 500
	// DefaultDeadline ends a grep or glob.
	DefaultDeadline = 20 * time.Second
)

// Docs is the document tools of one session. It may be used from several goroutines.
type Docs struct {
	root     string
	env      []string
	judge    Judge
	deadline time.Duration
	kept     string
	seen     *sightings
	locks    *locks
	noops    noops
	// at is Options.Before.
	at func(doc.Action) error
}

// New makes the tools of a session.
func New(o Options) *Docs {
	if o.Deadline == 0 {
		o.Deadline = DefaultDeadline
	}
	if o.Before == nil {
		o.Before = func(doc.Action) error { return nil }
	}
	return &Docs{
		root: o.Root, env: o.Env, judge: o.Judge, deadline: o.Deadline, kept: o.Kept,
		seen: newSightings(), locks: newLocks(),
		at: o.Before,
	}
}

// Run does one call. The text and the error are both for the model: an error says
// what failed, on what, and what to do next. When ctx ends, Run returns its cause.
func (d *Docs) Run(ctx context.Context, g Gate, tool string, args surface.Args) (string, error) {
	var run func(context.Context, Gate, surface.Args) (reply, error)
	switch tool {
	case "read":
		run = d.read
	case "write":
		run = d.write
	case "search_replace":
		run = d.replace
	case "edit":
		run = d.edit
	case "grep":
		run = d.grep
	case "glob":
		run = d.glob
	case "list_dir":
		run = d.list
	default:
		return "", fmt.Errorf("%q is no document tool", tool)
	}
	d.judge.Changed() // commands and people move links between calls
	r, err := run(ctx, g, args)
	if ctx.Err() != nil && !r.settled {
		return "", context.Cause(ctx)
	}
	return d.deliver(r, err)
}
