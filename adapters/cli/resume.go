package cli

import (
	"errors"
	"fmt"
	"strings"

	"tenet/adapters/store"
	"tenet/core/call"
	"tenet/core/event"
)

// resumes reports whether the run takes up an earlier session.
func (o Options) resumes() bool { return o.Continue || o.Resume != "" }

// site is where the session works: the directory of the options, or of the session that is
// taken up, which it finds.
func (o *Options) site() (workspace string, err error) {
	workspace, err = Workspace(o.Dir)
	if err != nil || !o.resumes() {
		return workspace, err
	}
	if o.path, o.past, err = o.earlier(workspace); err != nil {
		return "", err
	}
	return Workspace(o.past.Opening.Workspace)
}

// earlier is the log of the session that --continue or --resume means, and what it tells.
func (o Options) earlier(workspace string) (path string, past event.State, err error) {
	if o.Resume != "" {
		path, err = sessionOf(o.Resume)
	} else {
		path, err = newestOf(workspace)
	}
	if err != nil {
		return "", past, err
	}
	past, _, err = store.State(path)
	switch {
	case err != nil:
		return "", past, Usage("%w; tenet log verify says what is wrong with it", err)
	case past.Opening.Session == "":
		return "", past, Usage("the session log %s holds nothing to go on with; start a new session", path)
	}
	return path, past, nil
}

// newestOf is the newest session of a directory, as a listing tells projects apart.
func newestOf(workspace string) (string, error) {
	infos, dir, err := sessions()
	if err != nil {
		return "", err
	}
	for _, s := range infos {
		if s.Workspace != "" && sameDir(s.Workspace, workspace) {
			return s.Path, nil
		}
	}
	return "", Usage("there is no session of %s in %s to go on with; start one without --continue", call.OneLine(workspace, 300), dir)
}

// takeUp opens the log of the earlier session for this process alone.
func (o Options) takeUp(home string) (spot, error) {
	past, log, repairs, err := store.Load(o.path)
	if err != nil {
		return spot{}, Usage("%w", err)
	}
	for _, r := range repairs {
		fmt.Fprintf(o.Err, "the log was torn by a crash: %d bytes that nobody was told of are kept in %s\n", r.LostBytes, r.Kept)
	}
	return spot{id: idOf(o.path), home: home, log: log, past: past}, nil
}

// goesOn reports whether the run goes on with a turn that was left open: it does when
// there is nothing new to say.
func (o Options) goesOn() bool { return o.resumes() && strings.TrimSpace(o.Prompt) == "" }

var errNothingOpen = errors.New("the session's last turn is over, so there is nothing to go on with; say what to do next: tenet run --continue \"...\"")
