package docs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tenet/core/call"
	"tenet/core/pathpolicy"
)

// place is a path that was resolved and judged. The access happens on real and
// never resolves again.
type place struct {
	// asked is the path as the call named it, real where it leads.
	asked, real string
	target      pathpolicy.Target
	effects     call.Effects
	kind        pathpolicy.Access
	// makesParents is true for a write that creates missing directories.
	makesParents bool
}

// place resolves and judges a path, and refuses one that leaves the workspace: in
// silence by dots or a link, or openly by an absolute path (law
// path_reach_is_deliberate).
func (d *Docs) place(path string, kind pathpolicy.Access) (place, error) {
	if err := wellFormed(path); err != nil {
		return place{}, err
	}
	target, effects := d.judge.Access(d.root, path, kind)
	p := place{asked: path, real: target.Real.Path, target: target, effects: effects, kind: kind}
	return p, d.confine(p)
}

func wellFormed(path string) error {
	switch {
	case path == "":
		return errors.New("the path is empty; name a file or directory, or . for the workspace")
	case strings.ContainsRune(path, 0):
		return fmt.Errorf("the path %q holds a NUL byte, which no file name has", path)
	case path == "~" || strings.HasPrefix(path, "~/"):
		return fmt.Errorf("%s: ~ is not expanded here; write the path from the workspace, or ./~ for a file of that name", shown(path))
	}
	return nil
}

// confine keeps an access inside the workspace.
func (d *Docs) confine(p place) error {
	switch {
	case p.target.Real.Looped:
		return fmt.Errorf("%s: too many symbolic links, they lead in a circle; look at them with list_dir", shown(p.asked))
	case within(p.real, d.root):
		return nil
	case filepath.IsAbs(p.asked):
		return fmt.Errorf("%s is outside the workspace %s; the document tools stay inside it: use bash, or ask the user to start tenet there", shown(p.real), shown(d.root))
	default:
		return fmt.Errorf("%s leaves the workspace: it leads to %s; use a path inside %s, or bash", shown(p.asked), shown(p.real), shown(d.root))
	}
}

func within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir) && path[len(dir)] == '/'
}

// permit asks the gate for each place, in order, and records that they start.
func permit(ctx context.Context, g Gate, places ...place) error {
	for i, p := range places {
		step := call.Step{N: i + 1, Text: p.kind.String() + " " + shown(p.real), Effects: p.effects, Notes: notes(p)}
		out := g.Permit(ctx, step)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !out.Runs {
			return errors.New(out.Refusal)
		}
	}
	return g.Start(ctx)
}

// notes tell the person who is asked what the path alone does not.
func notes(p place) []string {
	var out []string
	switch p.target.Class {
	case pathpolicy.Secret:
		out = append(out, "the path is a secret")
	case pathpolicy.Protected:
		out = append(out, "the path is protected")
	case pathpolicy.Inside, pathpolicy.Outside:
	}
	if p.target.Holds {
		out = append(out, "the directory holds a secret")
	}
	if written := filepath.Clean(p.asked); filepath.IsAbs(written) && written != p.real {
		out = append(out, "the call named "+shown(p.asked))
	}
	return out
}

// rel is a real path as results show it: from the workspace.
func (d *Docs) rel(real string) string {
	if real == d.root {
		return "."
	}
	return shown(strings.TrimPrefix(strings.TrimPrefix(real, d.root), "/"))
}

// shown is a name that cannot pretend to be another line or row of a result.
func shown(path string) string {
	return oneLine.Replace(call.Visible(path))
}

var oneLine = strings.NewReplacer("\n", `\n`, "\t", `\t`)

// fault says what the system refused, in the words of the tools.
func (d *Docs) fault(real string, err error, next string) error {
	name := d.rel(real)
	switch {
	case errors.Is(err, errMoved):
		return fmt.Errorf("%s: a directory on the way became a symbolic link after the access was judged; nothing was touched, try again", name)
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s does not exist; %s", name, next)
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("%s: permission denied; ask the user to change its mode or owner", name)
	default:
		return fmt.Errorf("%s: %w", name, err)
	}
}
