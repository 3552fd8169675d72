package docs

import (
	"context"
	"errors"
	"fmt"

	"tenet/core/doc"
	"tenet/core/event"
	"tenet/core/guard"
	"tenet/core/undo"
)

// UndoError is why a change was not taken back.
type UndoError struct {
	// Path is the file, What what stands against it.
	Path, What string
}

// Error says so, and that nothing was written.
func (e *UndoError) Error() string {
	return fmt.Sprintf("%s was not put back: %s; nothing was written", e.Path, e.What)
}

// Undo takes back a change that the log tells of, as record seq: each of its paths gets what
// stood there before, if it still holds what the session left (law
// undo_never_overwrites_others_work). It is a write as any other: the gate judges it, it
// happens on the judged path, and it is told as a change that can be taken back itself. dir
// is the session's output folder. The text says what became of the file.
func (d *Docs) Undo(ctx context.Context, g Gate, c event.Change, seq uint64, dir string) (text, diff string, err error) {
	d.judge.Changed()
	f, places, err := d.undoOf(c, dir)
	if err != nil {
		return "", "", err
	}
	for _, p := range places {
		p.own, p.undoes = true, seq
	}
	if err := d.permit(ctx, g, places...); err != nil {
		return "", "", err
	}
	f.p = *places[0]
	if len(places) > 1 {
		f.to = places[1]
	}
	done, err := d.commit(ctx, f)
	if err != nil {
		return "", "", err
	}
	if done.Refused() {
		return "", "", d.publishFault(f)
	}
	var r reply
	r.line(d.putBack(f))
	r.warn(f.warnings)
	return string(r.text), d.diffOf(f, f.cur.bytes, f.bytes), nil
}

// undoOf makes the change that takes a change back: from the path that has a file now, to
// the one that gets what stood there before.
func (d *Docs) undoOf(c event.Change, dir string) (*changed, []*place, error) {
	var from, to *event.Side
	for i := range c.Sides {
		s := &c.Sides[i]
		if s.After.There() {
			from = s
		}
		if s.Before.There() {
			to = s
		}
	}
	if from == nil {
		from = to
	}
	if from == nil {
		return nil, nil, errors.New("the record of the change names no file; nothing was written")
	}
	f := &changed{}
	var bytes []byte
	if f.removes = to == nil; !f.removes {
		var err error
		if bytes, err = Kept(dir, to.Before); err != nil {
			return nil, nil, &UndoError{d.rel(to.Path), err.Error()}
		}
		f.perm = to.Before.Mode
	}
	f.next = func(cur current) ([]byte, error) { return bytes, d.asLeft(from, cur) }
	p, err := d.undoPlace(from, bytes)
	if err != nil {
		return nil, nil, err
	}
	p.removes = f.removes
	places := []*place{&p}
	if to != nil && to.Path != from.Path {
		dest, err := d.undoPlace(to, bytes)
		if err != nil {
			return nil, nil, err
		}
		p.notes, dest.notes = []string{"the file moves back to " + d.rel(dest.real)}, []string{"the file comes back from " + d.rel(p.real)}
		places = append(places, &dest)
	}
	return f, places, nil
}

func (d *Docs) undoPlace(s *event.Side, bytes []byte) (place, error) {
	p, err := d.writePlace(s.Path)
	if err != nil {
		return p, err
	}
	if p.real != s.Path {
		return p, &UndoError{d.rel(s.Path), "its path leads to " + d.rel(p.real) + " now"}
	}
	p.makesParents, p.deed = true, guard.WroteAll
	p.preview = func(current) ([]byte, error) { return bytes, nil }
	return p, nil
}

// asLeft is nil while a path holds what the session left there.
func (d *Docs) asLeft(s *event.Side, cur current) error {
	now, err := sumNow(cur)
	if err != nil {
		return d.fault(s.Path, err, "try again")
	}
	c := undo.Change{Sides: []undo.Side{{Path: s.Path, Before: undo.Mark(s.Before.Sum), After: undo.Mark(s.After.Sum)}}}
	r, _ := c.Left(func(string) undo.Mark { return undo.Mark(now) })
	switch {
	case r == undo.Allowed:
		return nil
	case !cur.exists:
		return &UndoError{d.rel(s.Path), "something else removed it since this session changed it"}
	case !s.After.There():
		return &UndoError{d.rel(s.Path), "something else made a file of this name since this session removed it"}
	}
	return &UndoError{d.rel(s.Path), fmt.Sprintf("something else changed it since this session did (it is #%s now)", doc.Tag(cur.version()))}
}

// putBack says what an undo did.
func (d *Docs) putBack(f *changed) string {
	name := d.rel(f.p.real)
	switch {
	case f.removes:
		return "removed " + name + ", which this session had made"
	case f.to != nil:
		return "moved " + name + " back to " + d.rel(f.to.real)
	case !f.cur.exists:
		return "brought " + name + " back"
	}
	return "put " + name + " back as it was before the change"
}
