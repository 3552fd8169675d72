package docs

import (
	"encoding/binary"
	"sync"

	"golang.org/x/sys/unix"

	"tenet/core/doc"
	"tenet/core/doc/snapshot"
	"tenet/core/guard"
	"tenet/core/pathpolicy"
)

// sightings is the edit store of the session behind a lock (S8.3, S8.7, S8.8): what the
// results tell it is decided in core/doc/snapshot, and the results are told here and
// nowhere else.
type sightings struct {
	mu    sync.Mutex
	store *snapshot.Store
	// named is a seam: see WhenNamed.
	named func(path string)
}

func newSightings() *sightings {
	return &sightings{store: snapshot.New(), named: func(string) {}}
}

// WhenNamed has f called with the real path of a file whose bytes were taken, before
// they get their tag: the moment at which another program may change the file. It is for
// drills, and for one goroutine.
func (d *Docs) WhenNamed(f func(path string)) { d.seen.named = f }

// Snapshot is the version of a file that a tag of this session names, with its lines
// that reached the model. path is as a call gives it.
func (d *Docs) Snapshot(path, tag string) (v snapshot.Version, seen snapshot.LineSet, ok bool) {
	p, err := d.place(path, pathpolicy.Reading)
	if err != nil {
		return v, seen, false
	}
	d.seen.with(func(st *snapshot.Store) {
		if v, ok = st.Find(p.real, tag); ok {
			seen = st.Seen(p.real, v.Digest)
		}
	})
	return v, seen, ok
}

// with hands the store to one caller at a time, for steps that must happen together.
func (s *sightings) with(do func(*snapshot.Store)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do(s.store)
}

// saw takes the result of a call that went well.
func (s *sightings) saw(path string, did guard.Deed, version, before uint64) {
	s.with(func(st *snapshot.Store) {
		st.Learn(path, guard.Result{OK: true, Deed: did, Version: version, Before: before})
	})
}

// of is what the session knows of a file's versions.
func (s *sightings) of(path string) (k guard.Knowledge) {
	s.with(func(st *snapshot.Store) { k = st.Known(path) })
	return k
}

// record keeps the very bytes that rows come from, before the rows are shown; their tag
// names them (S8.7).
func (s *sightings) record(path string, text []byte) (v snapshot.Version) {
	s.named(path)
	s.with(func(st *snapshot.Store) { v = st.Record(path, text) })
	return v
}

// wrote keeps bytes that this session put in the file. All of their lines are seen when
// the model gave them all.
func (s *sightings) wrote(path string, text []byte, seen ...doc.Span) (v snapshot.Version) {
	s.with(func(st *snapshot.Store) {
		v = st.Wrote(path, text)
		st.MarkSeen(path, v.Digest, seen...)
	})
	return v
}

// carried gives a version what was seen of the one before a replacement, where its lines
// stand now, and the lines that the replacement is all of (S8.8).
func (s *sightings) carried(path string, before, after uint64, did doc.Replacement) {
	s.with(func(st *snapshot.Store) {
		seen := st.Seen(path, before)
		for _, k := range did.Kept {
			st.MarkSeen(path, after, seen.Within(k.Lines, k.By).Spans()...)
		}
		st.MarkSeen(path, after, did.Wrote...)
	})
}

// shown takes rows that reached the model (S8.8).
func (s *sightings) shown(path string, version uint64, lines doc.Span) {
	s.with(func(st *snapshot.Store) { st.MarkSeen(path, version, lines) })
}

// explain adds to a reply why a section of an edit does not apply: its rows count as
// seen when the reply reaches the model with them.
func (r *reply) explain(d *Docs, path string, e snapshot.Explanation) {
	r.line(e.Before)
	if len(e.Rows) > 0 {
		r.header(d.inHeader(path), e.Of.Tag)
	}
	last := int64(0)
	for _, row := range e.Rows {
		if last != 0 && row.Line != last+1 {
			r.line(gapRow)
		}
		mark := " "
		if row.Anchor {
			mark = "*"
		}
		text := row.Text
		if row.Cut {
			text += "…"
		}
		r.row(path, e.Of.Digest, mark, row.Line, text, row.Counts)
		last = row.Line
	}
	r.line(e.After)
}

// digest is the version of a file that was taken whole.
func digest(b []byte) uint64 { return doc.Digest(b) }

// identity is the version of a file that is too large to be taken whole: which file
// it is, its size and when it was changed. A writer that keeps all of them cannot be
// told from none, which is why it stands only for such files.
func identity(st unix.Stat_t) uint64 {
	b := make([]byte, 0, 64)
	m, c := st.Mtim, st.Ctim
	for _, v := range []int64{int64(st.Dev), int64(st.Ino), st.Size, int64(m.Sec), int64(m.Nsec), int64(c.Sec), int64(c.Nsec)} {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return doc.Digest(b)
}
