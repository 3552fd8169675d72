package docs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"tenet/core/call"
	"tenet/core/doc"
	"tenet/core/doc/patch"
	"tenet/core/doc/snapshot"
	"tenet/core/guard"
	"tenet/core/pathpolicy"
	"tenet/core/surface"
)

// edit changes, moves and removes files by a patch (S8). All its files are one call: they
// are judged together, and when one of them is not as the patch says, none is written.
// What the patch makes of them is worked out before anybody is asked.
func (d *Docs) edit(ctx context.Context, g Gate, args surface.Args) (reply, error) {
	text := args.Str("patch", "")
	e, err := d.newEdit(text)
	if err != nil {
		return reply{}, err
	}
	if e.again(); e.err != nil || len(e.todo) == 0 {
		return e.answer(ctx, g, text)
	}
	places, err := e.places()
	if err != nil {
		return reply{}, err
	}
	if err := d.permit(ctx, g, places...); err != nil {
		return reply{}, err
	}
	if e.err != nil { // the files changed while a question was open
		return reply{}, e.err
	}
	d.noops.after(text, nil)
	return e.commit(ctx)
}

// edit is one call under way.
type edit struct {
	d        *Docs
	sections []*section
	warnings []string
	// todo is the sections that change something, in the order of the call; err is why
	// the patch does not apply. Both speak of the files as they were last looked at.
	todo []*section
	err  error
}

// again looks at every file and works the whole edit out.
func (e *edit) again() {
	if e.err = e.read(); e.err == nil {
		e.err = e.decide()
	}
}

// answer ends a call that changes nothing: it does not apply, or was made before. What it
// tells of the files has to be permitted as a read is: a refusal is no way round the gate.
func (e *edit) answer(ctx context.Context, g Gate, text string) (reply, error) {
	var places []*place
	for _, s := range e.sections {
		p, err := s.looked()
		if err != nil {
			return reply{}, err
		}
		places = append(places, p)
	}
	if err := e.d.permit(ctx, g, places...); err != nil {
		return reply{}, err
	}
	if e.err != nil {
		return reply{}, e.d.noops.after(text, e.err)
	}
	return e.alreadyThere(), nil
}

// section is one file of an edit.
type section struct {
	d     *Docs
	asked patch.Section
	p     place
	to    *place // where it moves
	// cur is the file as it was read and tag names it, verdict is what the session's store
	// says of the edit against it, now the operations in the lines of cur.
	cur     current
	tag     string
	verdict snapshot.Verdict
	now     patch.Section
	result  patch.Result
	// already is true for inserts that stand there from an earlier call.
	already  bool
	warnings []string
	// rebound tells that the path of the patch was taken as another.
	rebound []string
}

// name is the file as replies show it.
func (s *section) name() string { return s.d.rel(s.p.real) }

// newEdit reads a patch and resolves the paths that it names.
func (d *Docs) newEdit(text string) (*edit, error) {
	if len(text) > WriteBytes {
		return nil, fmt.Errorf("nothing was changed: the patch has %d bytes, more than the %d that one call takes; send it in parts", len(text), WriteBytes)
	}
	p, err := patch.Parse(text, d.root)
	if err != nil {
		return nil, fmt.Errorf("nothing was changed: %w", err)
	}
	if n := len(p.Sections); n == 0 || n > doc.MaxFiles {
		return nil, fmt.Errorf("nothing was changed: the patch has %d sections, one call takes 1 to %d", n, doc.MaxFiles)
	}
	e := &edit{d: d, warnings: p.Warnings}
	for _, s := range p.Sections {
		if err := e.add(s); err != nil {
			return nil, err
		}
	}
	return e, e.distinct()
}

// add resolves the paths of a section.
func (e *edit) add(asked patch.Section) error {
	s := &section{d: e.d, asked: asked}
	p, err := e.d.writePlace(asked.Path)
	if err != nil {
		return err
	}
	// A file that is moved or removed is never guessed: the second of two equal ones would
	// go when a call that took the first is sent again.
	if at := e.d.elsewhere(p.real, asked.Tag); at != "" && asked.File == patch.KeepFile {
		s.rebound = append(s.rebound, fmt.Sprintf("%s does not exist; taken as %s, the one file of that name with the tag #%s", shown(asked.Path), e.d.rel(at), asked.Tag))
		if p, err = e.d.writePlace("./" + e.d.rel(at)); err != nil {
			return err
		}
	}
	p.deed, p.reads, p.byTag = guard.EditedIt, true, true
	p.preview = func(cur current) ([]byte, error) { return e.preview(s, cur) }
	s.p = p
	e.sections = append(e.sections, s)
	switch asked.File {
	case patch.Move:
		return s.moves()
	case patch.Remove:
		s.p.removes, s.p.notes = true, []string{"the file is removed"}
	case patch.KeepFile:
	}
	return nil
}

// moves resolves the path that a section moves its file to.
func (s *section) moves() error {
	to, err := s.d.writePlace(s.asked.Dest)
	if err != nil {
		return err
	}
	to.makesParents = true
	to.notes = []string{"the file comes from " + s.name() + "; one that has this name is never replaced"}
	s.p.notes, s.to = []string{"the file moves to " + s.d.rel(to.real)}, &to
	return nil
}

// elsewhere is the one file that a path which leads nowhere can mean: the only one with
// its base name that this session knows under the tag. "" when there is none, and for a
// path that led to a file before: this session knows that it went, or moved it itself.
func (d *Docs) elsewhere(real, tag string) (at string) {
	d.seen.with(func(st *snapshot.Store) {
		if named, ok := st.Named(filepath.Base(real), tag); ok && named != real && within(named, d.root) && st.Known(real).Of(true, 0) == call.Unknown {
			at = named
		}
	})
	if at == "" {
		return ""
	}
	if _, err := os.Lstat(real); !os.IsNotExist(err) {
		return ""
	}
	return at
}

// distinct refuses a file that two sections name, and a name that two would be given.
func (e *edit) distinct() error {
	by := map[string]*section{}
	for _, s := range e.sections {
		for _, p := range s.places() {
			if other := by[p.real]; other != nil {
				return fmt.Errorf("nothing was changed: %s and %s of the patch both lead to %s; write one section a file, and no move onto a file of the patch", shown(other.asked.Path), shown(s.asked.Path), e.d.rel(p.real))
			}
			by[p.real] = s
		}
	}
	return nil
}

func (s *section) places() []*place {
	if s.to != nil {
		return []*place{&s.p, s.to}
	}
	return []*place{&s.p}
}

// places are all that the call changes, in its order, and those of which its reply only
// tells that they are as they should be, which is to read them.
func (e *edit) places() (out []*place, err error) {
	for _, s := range e.sections {
		if !s.already {
			out = append(out, s.places()...)
			continue
		}
		p, err := s.looked()
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// looked is the place of a section of which the reply only tells something.
func (s *section) looked() (*place, error) {
	p, err := s.d.place(s.p.asked, pathpolicy.Reading)
	return &p, err
}

// noops counts calls of the same patch that would change nothing, in a row.
type noops struct {
	mu   sync.Mutex
	last string
	n    int
}

// maxNoops is how many of them are told plainly.
const maxNoops = 3

// after takes how a call ended and gives what its error says.
func (n *noops) after(text string, err error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !isNoop(err) {
		n.last, n.n = "", 0
		return err
	}
	if text != n.last {
		n.last, n.n = text, 0
	}
	if n.n++; n.n < maxNoops {
		return err
	}
	return fmt.Errorf("this same patch was sent %d times in a row and changes nothing each time; do not send it again. What it asks for is what the files already say, or its line numbers are wrong: read them and compare. %w", n.n, err)
}
