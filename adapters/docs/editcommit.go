package docs

import (
	"context"
	"fmt"
	"path/filepath"

	"tenet/core/doc"
	"tenet/core/doc/patch"
	"tenet/core/doc/snapshot"
)

// commit puts the new bytes in place, over the very bytes that they were worked out from,
// and tells file by file what landed (law edit_reports_what_landed).
func (e *editing) commit(ctx context.Context) (reply, error) {
	files, changes := e.changes()
	if len(files) == 0 {
		return e.alreadyThere(), nil
	}
	c, err := e.d.commit(ctx, changes...)
	if err != nil {
		return reply{}, err
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = e.d.rel(f.at.real)
	}
	if stopper, stopped := c.Stopper(); c.Refused() {
		return reply{}, fmt.Errorf("nothing was changed: %w", e.d.publishFault(files[stopper].at.real, changes[stopper].cur, changes[stopper].err))
	} else if stopped {
		why := e.d.publishFault(files[stopper].at.real, changes[stopper].cur, changes[stopper].err)
		e.patch.Warnings = append(e.patch.Warnings, fmt.Sprintf("%v; the files after it were not tried. Send the sections of the files that were NOT changed again", why))
	}
	e.d.failed.forget()
	for i, f := range files {
		f.warnings = append(f.warnings, changes[i].warnings...)
	}
	return e.tell(c, names, files, changes), nil
}

// changes are the files that a commit has to write; what is there already is left out.
func (e *editing) changes() (files []*editedFile, changes []*changed) {
	for _, f := range e.files {
		if f.there {
			continue
		}
		files = append(files, f)
		changes = append(changes, &changed{p: *f.at, to: f.to, removes: f.section.File == patch.Remove, next: e.next(f)})
	}
	return files, changes
}

// next gives the bytes that were worked out, for the file that they were worked out from
// and for no other (law edit_all_or_nothing_on_conflict).
func (e *editing) next(f *editedFile) func(current) ([]byte, error) {
	return func(cur current) ([]byte, error) {
		if !f.same(cur) {
			return nil, fmt.Errorf("nothing was changed: %s was changed by something else meanwhile; read it again, then send the whole edit again", e.d.rel(f.at.real))
		}
		return f.result.Bytes, nil
	}
}

// alreadyThere answers a retry of inserts that landed (S8.2).
func (e *editing) alreadyThere() reply {
	var r reply
	for _, f := range e.files {
		r.line(fmt.Sprintf("%s already holds these lines at that place; nothing was written, an earlier call did it", e.d.rel(f.at.real)))
		r.header(e.d.rel(f.at.real), f.verdict.Live.Tag)
	}
	return r
}

// tell remembers what landed and says it, with the new tags and the changed lines.
func (e *editing) tell(c doc.Commit, names []string, files []*editedFile, changes []*changed) reply {
	var r reply
	r.line(c.Summary(names))
	for i, f := range files {
		if !c.Fate(i).Landed() {
			continue
		}
		name, v := e.d.rel(f.finally()), f.remember(e.d, changes[i])
		switch {
		case f.section.File == patch.Remove:
			r.line(name + " is removed")
			continue
		case f.to != nil:
			r.line(names[i] + " is now " + name)
		}
		r.header(name, v.Tag)
		r.around(f.finally(), v, f.result.Changed)
	}
	for _, f := range e.files {
		if f.there {
			r.line(e.d.rel(f.at.real) + " already holds the lines that it was to get; it was not written")
		}
	}
	r.notes(e.warnings())
	return r
}

// remember tells the store what the file is now. Lines that were seen stay seen, those
// that the edit wrote are seen; of bytes that another program put there only what it is.
func (f *editedFile) remember(d *Docs, done *changed) (v snapshot.Version) {
	if f.section.File == patch.Remove {
		d.seen.with(func(s *snapshot.Store) { s.Forget(f.at.real) })
		return v
	}
	if f.to != nil {
		d.seen.with(func(s *snapshot.Store) { s.Move(f.at.real, f.to.real) })
	}
	d.seen.saw(f.finally(), f.at.deed, digest(done.live), digest(f.was.bytes))
	d.seen.with(func(s *snapshot.Store) {
		if v = s.Landed(f.finally(), f.verdict, f.result.Pieces, f.result.Bytes); string(done.live) != string(f.result.Bytes) {
			v = s.Record(f.finally(), done.live)
		}
	})
	return v
}

// around shows the changed lines of a version with the lines beside them.
func (r *reply) around(path string, v snapshot.Version, changed []doc.Span) {
	if len(changed) == 0 {
		return
	}
	in := func(n int64, by int64) bool {
		for _, s := range changed {
			if s.From-by <= n && n <= s.To+by {
				return true
			}
		}
		return false
	}
	last, left := int64(0), 0
	for n, l := range doc.Lines(v.Text) {
		n := int64(n)
		switch {
		case !in(n, margin):
			continue
		case len(r.rows) >= editedRows:
			left++
			continue
		case last != 0 && n != last+1:
			r.line("...")
		}
		mark := " "
		if in(n, 0) {
			mark = ""
		}
		text := doc.Excerpt(l.Text, 0, 0)
		r.row(path, v.Digest, mark, n, text, text == string(l.Text))
		last = n
	}
	if left > 0 {
		r.line(fmt.Sprintf("[%d more lines of the result are not shown; read %s to see them]", left, filepath.Base(path)))
	}
}

// editedRows bounds the rows of all results of one edit.
const editedRows = 200

// notes adds what is to be told besides, in brackets.
func (r *reply) notes(all []string) {
	for _, w := range all {
		r.line("[" + w + "]")
	}
}
