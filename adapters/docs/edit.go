package docs

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"tenet/core/doc"
	"tenet/core/doc/patch"
	"tenet/core/doc/snapshot"
	"tenet/core/guard"
	"tenet/core/pathpolicy"
	"tenet/core/surface"
)

// edit changes any number of files by a patch (S8.1, S8.2, S8.8). What the patch makes of
// the files is worked out before anybody is asked, again each time the gate asks for the
// plan, and the commit writes only over the very bytes that it was worked out from.
func (d *Docs) edit(ctx context.Context, g Gate, args surface.Args) (reply, error) {
	text := args.Str("patch", "")
	if len(text) > WriteBytes {
		return reply{}, fmt.Errorf("nothing was changed: one patch has up to %d bytes, this has %d; send it in parts", WriteBytes, len(text))
	}
	p, err := patch.Parse(text, d.root)
	if err != nil {
		return reply{}, fmt.Errorf("nothing was changed: %w", err)
	}
	e, err := d.editing(p)
	if err != nil {
		return reply{}, err
	}
	if e.compute(); e.err != nil {
		return reply{}, e.refuse(ctx, g)
	}
	if err := d.permit(ctx, g, e.places()...); err != nil {
		return reply{}, err
	}
	if e.err != nil { // the files changed while the question was open
		return reply{}, e.err
	}
	return e.commit(ctx)
}

// editing is one edit under way.
type editing struct {
	d     *Docs
	patch patch.Patch
	files []*editedFile
	// err is why the patch does not apply to the files as they were last looked at.
	err error
}

// editedFile is one section of the patch with its file.
type editedFile struct {
	section patch.Section
	at      *place
	// to is where the section moves the file; nil when it does not.
	to *place
	// was is the file as the patch was last worked out from it.
	was     current
	verdict snapshot.Verdict
	result  patch.Result
	// there is true for inserts that an earlier call put there already (S8.2).
	there    bool
	warnings []string
}

// editing resolves and judges the places of a patch.
func (d *Docs) editing(p patch.Patch) (*editing, error) {
	if len(p.Sections) > doc.MaxFiles {
		return nil, fmt.Errorf("nothing was changed: one patch changes up to %d files, this has %d; send it in parts", doc.MaxFiles, len(p.Sections))
	}
	e := &editing{d: d, patch: p}
	for _, s := range p.Sections {
		f, err := e.file(s)
		if err != nil {
			return nil, err
		}
		e.files = append(e.files, f)
	}
	return e, e.distinct()
}

func (e *editing) file(s patch.Section) (*editedFile, error) {
	f := &editedFile{section: s}
	p, err := e.d.writePlace(s.Path)
	if err != nil {
		return nil, err
	}
	p = e.rebound(f, p)
	p.deed, p.reads, p.preview = guard.EditedIt, true, e.preview(f)
	p.rests, p.removes = true, s.File == patch.Remove
	f.at = &p
	if s.File != patch.Move {
		return f, nil
	}
	to, err := e.d.writePlace(s.Dest)
	if err != nil {
		return nil, err
	}
	to.makesParents, to.deed, to.comes = true, guard.WroteAll, e.d.rel(p.real)
	p.goes = e.d.rel(to.real)
	to.preview = e.preview(f)
	f.to = &to
	return f, nil
}

// rebound finds the file that a section means when its path names none: the one that this
// session knows by the same name with the same tag (7.4).
func (e *editing) rebound(f *editedFile, p place) place {
	if exists(p.real) {
		return p
	}
	var found string
	var ok bool
	e.d.seen.with(func(s *snapshot.Store) { found, ok = s.Named(filepath.Base(p.real), f.section.Tag) })
	if !ok || !within(found, e.d.root) || !exists(found) {
		return p
	}
	rel, err := filepath.Rel(e.d.root, found)
	if err != nil {
		return p
	}
	other, err := e.d.place(rel, pathpolicy.Writing)
	if err != nil {
		return p
	}
	f.warnings = append(f.warnings, fmt.Sprintf("%s does not exist; the edit was made to %s, which has that name and tag", shown(f.section.Path), e.d.rel(found)))
	return other
}

// distinct refuses two sections that meet in one file: their line numbers would speak of
// each other's results.
func (e *editing) distinct() error {
	by := map[string]string{}
	for _, f := range e.files {
		for _, p := range f.touched() {
			if other, ok := by[p.real]; ok {
				return fmt.Errorf("nothing was changed: %s and %s lead to the same file %s; write one section for it", shown(other), shown(p.asked), e.d.rel(p.real))
			}
			by[p.real] = p.asked
		}
	}
	return nil
}

// touched are the places that a section changes.
func (f *editedFile) touched() []*place {
	if f.to == nil {
		return []*place{f.at}
	}
	return []*place{f.at, f.to}
}

func (e *editing) places() []*place {
	var out []*place
	for _, f := range e.files {
		if !f.there {
			out = append(out, f.touched()...)
		}
	}
	return out
}

// preview gives the new bytes of a file for its card. A file that is no longer what the
// patch was worked out from has it worked out again.
func (e *editing) preview(f *editedFile) func(current) ([]byte, error) {
	return func(cur current) ([]byte, error) {
		if cur.exists && !f.same(cur) {
			e.compute()
		}
		return f.result.Bytes, e.err
	}
}

// same reports whether the file is the one that the patch was worked out from.
func (f *editedFile) same(cur current) bool {
	return cur.exists == f.was.exists && cur.version() == f.was.version()
}

// refuse answers an edit that does not apply. What it would show of the files has to be
// permitted as a read is: a refusal must not be a way around the gate.
func (e *editing) refuse(ctx context.Context, g Gate) error {
	var places []*place
	for _, f := range e.files {
		p, err := e.d.place(f.at.asked, pathpolicy.Reading)
		if err != nil {
			return err
		}
		places = append(places, &p)
	}
	if err := e.d.permit(ctx, g, places...); err != nil {
		return err
	}
	return e.err
}

// finally is the path of the file after the edit.
func (f *editedFile) finally() string {
	if f.to != nil {
		return f.to.real
	}
	return f.at.real
}

func (e *editing) warnings() []string {
	out := slices.Clone(e.patch.Warnings)
	for _, f := range e.files {
		out = append(out, f.warnings...)
		if w := f.verdict.Warning(e.d.rel(f.at.real), f.section.Tag); w != "" && !f.there {
			out = append(out, w)
		}
		for _, w := range f.result.Warnings {
			out = append(out, e.d.rel(f.at.real)+": "+w)
		}
	}
	return out
}
