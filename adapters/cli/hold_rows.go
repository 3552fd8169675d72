package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tenet/adapters/provider/catalog"
	"tenet/adapters/store"
	"tenet/core/call"
)

// SessionRow is one recorded session.
type SessionRow = listed

// SessionRows are the sessions of a project, or of every one, the one that was used last
// first. Used is RFC 3339 with whole seconds.
func SessionRows(dir string, all bool) ([]SessionRow, error) {
	project := ""
	if !all {
		var err error
		if project, err = Workspace(dir); err != nil {
			return nil, err
		}
	}
	infos, _, err := sessions()
	if err != nil {
		return nil, err
	}
	out, _ := listedOf(infos, project)
	return out, nil
}

// SessionPath is the log of the session that a word names: its id, a beginning of it, its
// name, or the path of a log.
func SessionPath(word string) (string, error) { return sessionOf(word) }

// ModelRow is one model that is known by name.
type ModelRow = listedModel

// ModelRows are the models that are known, with warnings about the files that name them.
func ModelRows() (rows []ModelRow, warnings []string, err error) {
	home, err := Home()
	if err != nil {
		return nil, nil, err
	}
	c, warnings := catalog.Load(home, os.Getenv)
	return listModels(c), warnings, nil
}

// ready reports whether a model may be used now, as far as its key says.
func ready(k catalog.Key) bool { return k.Found || !k.Needed }

// probeWithin bounds a probe for somebody who waits in front of a screen.
const probeWithin = 60 * time.Second

// ProbeModel asks the server of a model live, as 'tenet models probe' does, and writes what
// it said. ok is true when the model works as one of an agent.
func ProbeModel(ctx context.Context, out io.Writer, dir, selector string) (ok bool, err error) {
	ctx, stop := context.WithTimeoutCause(ctx, probeWithin, fmt.Errorf("the server did not answer within %s; try it again, or look whether it runs", probeWithin))
	defer stop()
	o := modelsOptions{dir: dir, out: out, err: out}
	switch err := o.probe(ctx, selector); {
	case err == nil:
		return true, nil
	case Said(err):
		return false, nil
	default:
		return false, err
	}
}

// ExportTo writes a session, markdown or json, to a new file in tenet's home and returns its
// path.
func ExportTo(log, format string, now time.Time) (path string, err error) {
	o := SessionsOptions{Markdown: format == "markdown", JSON: format == "json", Out: io.Discard, Now: now}
	ext, ok := map[string]string{"markdown": ".md", "json": ".json"}[format]
	if !ok {
		return "", Usage("export as markdown or as json, not %q", call.OneLine(format, 40))
	}
	home, err := Home()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(home, "exports")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the directory of exports: %w", err)
	}
	o.File = filepath.Join(dir, idOf(log)+"-"+now.UTC().Format("150405.000")+ext)
	return o.File, ExportSession(o, log)
}

// BriefAudit is Audit for one log, whose verdicts are no error.
func BriefAudit(ctx context.Context, out io.Writer, log, profile string) error {
	err := Audit(ctx, AuditOptions{Session: log, Profile: profile, Out: out, Err: out})
	if c := Code(err); slices.Contains([]int{ExitAsk, ExitDeny}, c) && Said(err) {
		return nil
	}
	return err
}

// Newest is the id of the newest session of a directory.
func Newest(dir string) (string, error) {
	workspace, err := Workspace(dir)
	if err != nil {
		return "", err
	}
	path, err := newestOf(workspace)
	return idOf(path), err
}

// HolderOf is the process that holds a session's log, 0 without one.
func HolderOf(log string) int {
	_, r, err := store.State(log)
	if err != nil || r.Holder == nil {
		return 0
	}
	return r.Holder.PID
}
