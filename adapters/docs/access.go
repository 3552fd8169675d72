package docs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tenet/core/call"
	"tenet/core/doc/patch"
	"tenet/core/guard"
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
	// deed is what a write does to the file.
	deed guard.Deed
	// byTag is true for a change that is held against a version of the file line by line,
	// so that a change by others since is no reason of its own to refuse it.
	byTag bool
	// removes is true for a file that goes.
	removes bool
	// notes tell the person who is asked what the path does not.
	notes []string
	// reads is true for a write whose reply shows lines of the file.
	reads bool
	// preview is what a write would make of the file; nil for a read.
	preview func(current) ([]byte, error)
	// content names the bytes that the last plan showed; answered is true when a person
	// said yes to that plan, and so to these bytes alone.
	content  string
	answered bool
	// own is true for a change that the person makes, who need not have read the file by this
	// session; undoes is the record of the change that it takes back.
	own    bool
	undoes uint64
	// witness is told what the call changed; nil for nobody.
	witness Witness
}

// place resolves and judges a path, and refuses one that leaves the workspace in
// silence, by dots or a link. An absolute path elsewhere is a deliberate reach: the
// gate judges it by that name (law path_reach_is_deliberate).
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

// confine keeps an access inside the workspace, unless the call named the place.
func (d *Docs) confine(p place) error {
	switch pathpolicy.Reaches(d.root, p.asked, p.target.Real) {
	case pathpolicy.Within, pathpolicy.Deliberate:
		return nil
	case pathpolicy.Looped:
		return fmt.Errorf("%s: too many symbolic links, they lead in a circle; look at them with list_dir", shown(p.asked))
	case pathpolicy.Escapes:
	}
	return fmt.Errorf("%s leaves the workspace: it leads to %s; use a path inside %s, or name the place by its absolute path", shown(p.asked), shown(p.real), shown(d.root))
}

func within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir) && path[len(dir)] == '/'
}

// permit asks the gate for the whole call, and records that its accesses start. Each
// time the gate asks for the plan the places are resolved and judged again; the access
// then happens where the last plan says.
func (d *Docs) permit(ctx context.Context, g Gate, places ...*place) error {
	var steps []call.Step
	first := true
	out := g.Permit(ctx, func() []call.Step {
		steps = make([]call.Step, len(places))
		for i, p := range places {
			if !first {
				d.again(p)
			}
			steps[i] = d.step(i+1, p)
			p.content = steps[i].Content
		}
		first = false
		return steps
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !out.Runs {
		return errors.New(out.Refusal)
	}
	for i, p := range places {
		p.witness = witness(g)
		if p.answered = out.Answer.Yes(); p.answered {
			d.again(p) // an answer takes its time, and others do not wait for it
			steps[i] = d.step(i+1, p)
		}
		if out := g.Confirm(steps[i], steps[i].Text); !out.Runs {
			return errors.New(out.Refusal)
		}
	}
	return g.Start(ctx)
}

// again resolves and judges a place anew.
func (d *Docs) again(p *place) {
	d.judge.Changed()
	p.target, p.effects = d.judge.Access(d.root, p.asked, p.kind)
	p.real = p.target.Real.Path
}

// step is an access as the gate judges it.
func (d *Docs) step(n int, p *place) call.Step {
	use, effects := call.Reads, p.effects
	if p.kind == pathpolicy.Writing {
		use = call.Writes
	}
	s := call.Step{N: n, Text: p.kind.String() + " " + call.ExactLine(p.real), Notes: notes(*p)}
	s.Paths = []call.Path{{Real: p.real, Written: p.asked, Use: use, Class: p.target.Class.String(), Holds: p.target.Holds}}
	if p.reads { // the reply shows lines of the file
		effects = effects.With(p.target.Effects(pathpolicy.Reading))
		read := s.Paths[0]
		read.Use = call.Reads
		s.Paths = append(s.Paths, read)
	}
	s.Effects = effects
	if p.preview != nil {
		d.propose(&s, p)
	}
	return s
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
	out = append(out, p.notes...)
	if written := filepath.Clean(p.asked); filepath.IsAbs(written) && written != p.real {
		out = append(out, "the call named "+shown(p.asked))
	}
	return out
}

// rel is a real path as results show it: from the workspace where it lies in it.
func (d *Docs) rel(real string) string {
	switch {
	case real == d.root:
		return "."
	case !within(real, d.root):
		return shown(real)
	}
	return shown(strings.TrimPrefix(strings.TrimPrefix(real, d.root), "/"))
}

// inHeader is a real path as the header of its rows names it: edit reads back the same.
func (d *Docs) inHeader(real string) string {
	if within(real, d.root) && real != d.root {
		real = strings.TrimPrefix(strings.TrimPrefix(real, d.root), "/")
	}
	return patch.InHeader(real)
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
