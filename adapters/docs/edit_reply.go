package docs

import (
	"bytes"
	"context"
	"fmt"

	"tenet/core/doc"
	"tenet/core/doc/patch"
	"tenet/core/doc/snapshot"
	"tenet/core/guard"
)

// alreadyThere is the reply to inserts that an earlier call made.
func (e *edit) alreadyThere() reply {
	var r reply
	for _, s := range e.sections {
		s.tellAlready(&r)
	}
	r.warn(e.warnings)
	return r
}

func (s *section) tellAlready(r *reply) {
	r.line(fmt.Sprintf("%s already has these lines, from an earlier call or another program; nothing was written to it. It is #%s now", s.name(), s.tag))
	r.warn(s.warnings)
}

// commit writes the files and tells what became of each.
func (e *edit) commit(ctx context.Context) (reply, error) {
	files := make([]*changed, len(e.todo))
	for i, s := range e.todo {
		files[i] = &changed{p: s.p, to: s.to, removes: s.now.File == patch.Remove, next: s.next}
	}
	c, err := e.d.commit(ctx, files...)
	if err != nil {
		return reply{}, err
	}
	if c.Refused() {
		return reply{}, e.nothing(c, files)
	}
	return e.tell(c, files), nil
}

// next gives the new bytes if the file still is what they were worked out from.
func (s *section) next(cur current) ([]byte, error) {
	if !cur.exists || cur.large || !bytes.Equal(cur.bytes, s.cur.bytes) {
		return nil, fmt.Errorf("%s was changed by something else while this edit was under way; nothing was written to any file. Send the edit again: it is then held against what is there now", s.name())
	}
	return s.result.Bytes, nil
}

// nothing is the error of a commit of which no file landed.
func (e *edit) nothing(c doc.Commit, files []*changed) error {
	at, _ := c.Stopper()
	err := e.d.publishFault(files[at])
	if len(files) == 1 {
		return err
	}
	return fmt.Errorf("nothing was changed in any of the %d files, because one could not be: %w", len(files), err)
}

// tell is the reply to a commit of which something landed: first which files, then each
// with its new tag and the lines around its changes, or why it is as it was.
func (e *edit) tell(c doc.Commit, files []*changed) reply {
	r := reply{settled: true}
	at, stopped := c.Stopper()
	if len(e.sections) > 1 || stopped {
		names := make([]string, len(e.todo))
		for i, s := range e.todo {
			names[i] = s.name()
		}
		r.line(c.Summary(names))
	}
	for i, s := range e.todo {
		switch fate := c.Fate(i); {
		case fate.Landed():
			s.landed(&r, files[i], fate, len(e.todo))
		case fate == doc.Failed:
			r.line("NOT applied: " + e.d.publishFault(files[i]).Error())
		default:
			r.line(fmt.Sprintf("NOT applied: %s was not tried, because %s failed first; it is as it was", s.name(), e.todo[at].name()))
		}
	}
	for _, s := range e.sections {
		if s.already {
			s.tellAlready(&r)
		}
	}
	r.warn(e.warnings)
	return r
}

// landed tells of a file that was changed, and lets the session know its new version.
func (s *section) landed(r *reply, f *changed, fate doc.Fate, files int) {
	now := f.target().real
	v := s.remember(f, now)
	switch {
	case f.removes:
		r.line("removed " + s.name())
	case f.to != nil:
		r.line(fmt.Sprintf("moved %s to %s", s.name(), s.d.rel(now)))
	}
	if !f.removes {
		s.parses(now)
		r.header(s.d.inHeader(now), v.Tag)
		if bytes.Equal(f.live, s.result.Bytes) {
			r.around(now, v.Digest, v.Text, rowsOf{
				spans: s.result.Changed, margin: margin, limit: max(minRows, resultRows*3/files), more: "[more lines changed than are shown here]",
			})
		}
	}
	r.warn(append(s.warnings, f.warnings...))
}

// minRows is how many rows of each file an edit of many files shows at least.
const minRows = 6

// remember tells the session's store what stands there now. Bytes that another program
// put there are a version that nobody saw.
func (s *section) remember(f *changed, now string) (v snapshot.Version) {
	ours := bytes.Equal(f.live, s.result.Bytes)
	s.d.seen.with(func(st *snapshot.Store) {
		if f.removes {
			st.Forget(s.p.real)
			return
		}
		if v = st.Landed(s.p.real, s.verdict, s.result.Pieces, s.result.Bytes); f.to != nil {
			st.Move(s.p.real, now)
		}
		st.Learn(now, guard.Result{OK: true, Deed: guard.EditedIt, Version: v.Digest, Before: s.cur.version()})
		if !ours {
			v = st.Record(now, f.live)
		}
	})
	return v
}
