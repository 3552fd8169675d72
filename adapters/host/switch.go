package host

import (
	"context"
	"errors"
	"fmt"

	"tenet/adapters/cli"
)

// ErrRunning is why a session was not left: its turn would be lost in the middle.
var ErrRunning = errors.New("a turn runs; stop it first, or wait until it is over")

// Switch opens another session, or this one with another model or profile (Resume is then
// its id), and closes this one. What is not said stays as it is here: the directory, the
// version, and for a new session the model and the profile. On an error this one is still
// open, or open again: then the host that goes on is returned with the error.
func (h *Host) Switch(ctx context.Context, o Options) (*Host, error) {
	if h.Running() {
		return h, ErrRunning
	}
	o = h.filled(o)
	if !h.means(o) {
		next, err := Open(ctx, o)
		if err != nil {
			return h, err
		}
		return next, h.Close()
	}
	if err := h.Close(); err != nil { // a log is held by one at a time
		return nil, err
	}
	next, err := Open(ctx, o)
	if err == nil {
		return next, nil
	}
	back := h.o
	back.Continue, back.Resume, back.Fork, back.Prompt = false, h.held.ID, "", ""
	again, lost := Open(ctx, back)
	if lost != nil {
		return nil, errors.Join(err, fmt.Errorf("and session %s could not be opened again: %w", h.held.ID, lost))
	}
	return again, err
}

// filled is what a person asked for, with the rest as it is here.
func (h *Host) filled(o Options) Options {
	if o.Dir == "" {
		o.Dir = h.held.Workspace
	}
	if o.Version == "" {
		o.Version = h.o.Version
	}
	if o.Sentence == nil {
		o.Sentence = h.o.Sentence
	}
	if o.Model != "" || o.Script != "" {
		return o
	}
	switch {
	case h.o.Script != "": // a rehearsal is in no list of models
		o.Script = h.o.Script
	case o.Resume == "" && o.Fork == "" && !o.Continue:
		o.Model = h.held.Model
	}
	if o.Profile == "" && o.Resume == "" && o.Fork == "" && !o.Continue {
		o.Profile = h.o.Profile
	}
	return o
}

// means reports whether this very session is meant.
func (h *Host) means(o Options) bool {
	switch {
	case o.Fork != "":
		return false
	case o.Continue:
		id, err := cli.Newest(o.Dir)
		return err == nil && id == h.held.ID
	case o.Resume != "":
		path, err := cli.SessionPath(o.Resume)
		return err == nil && path == h.held.Log.Path()
	}
	return false
}

// Rename gives the session a name; an empty one takes it away.
func (h *Host) Rename(name string) error {
	if err := cli.CheckName(name); err != nil {
		return err
	}
	return h.held.Session.Set("name", name)
}
