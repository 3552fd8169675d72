// Package snapshot is what a session knows of the files it worked on: their latest
// texts with the lines that the model saw of each, and which versions it saw whole. It
// decides whether an edit against a tag may happen, and where (S8.3, S8.7, S8.8). It
// reads no file and takes no lock.
package snapshot

import (
	"bytes"
	"path"
	"slices"

	"tenet/core/doc"
	"tenet/core/guard"
)

// The limits of a store.
const (
	// Paths is how many files have texts in the store.
	Paths = 256
	// Versions is how many texts of one file are kept.
	Versions = 4
	// Bytes bounds all texts together.
	Bytes = 64 << 20
	// FileBytes bounds one text. A larger file has no tag (S8.10).
	FileBytes = 4 << 20
	// KnownPaths is of how many files the store remembers which versions were seen,
	// which takes no texts.
	KnownPaths = 4096
)

type limits struct{ paths, versions, bytes, fileBytes, known int }

// Version is one text of a file.
type Version struct {
	// Digest names the bytes.
	Digest uint64
	// Tag is the short name; "" for a text that is too large to be kept.
	Tag string
	// Text is the bytes, not to be changed.
	Text []byte
	// Lines is how many lines the text has.
	Lines int64
}

// entry is a version in the store.
type entry struct {
	Version
	seen LineSet
	// own is true when this session wrote the version.
	own bool
}

// Store is the edit store of one session. It is for one caller at a time.
type Store struct {
	max   limits
	files *recent[[]*entry] // of each file its versions, the latest first
	known *recent[guard.Knowledge]
	bytes int
}

// New is an empty store.
func New() *Store { return newStore(limits{Paths, Versions, Bytes, FileBytes, KnownPaths}) }

func newStore(l limits) *Store {
	return &Store{max: l, files: newRecent[[]*entry](), known: newRecent[guard.Knowledge]()}
}

// Size is the bytes of all the texts in the store.
func (s *Store) Size() int { return s.bytes }

// Record keeps a text as the latest version of its file and gives its tag. The very
// same bytes keep the lines that were seen of them. The text is copied when it is kept.
// A text over FileBytes is not kept and has no tag.
func (s *Store) Record(path string, text []byte) Version {
	return s.record(path, text).Version
}

// Wrote is Record for bytes that this session put in the file.
func (s *Store) Wrote(path string, text []byte) Version {
	e := s.record(path, text)
	e.own = true
	return e.Version
}

func (s *Store) record(path string, text []byte) *entry {
	d := doc.Digest(text)
	if len(text) > s.max.fileBytes {
		return &entry{Version: Version{Digest: d}}
	}
	all, _ := s.files.peek(path)
	e, all := s.without(all, d)
	if e == nil || !bytes.Equal(e.Text, text) {
		e = &entry{Version: Version{d, doc.Tag(d), bytes.Clone(text), int64(doc.CountLines(text))}}
	}
	s.bytes += len(e.Text)
	s.keep(path, append([]*entry{e}, all...))
	return e
}

// without takes the version with a digest out of a file's versions and off the count.
func (s *Store) without(all []*entry, digest uint64) (*entry, []*entry) {
	i := slices.IndexFunc(all, func(e *entry) bool { return e.Digest == digest })
	if i < 0 {
		return nil, all
	}
	s.bytes -= len(all[i].Text)
	return all[i], slices.Concat(all[:i], all[i+1:])
}

// keep makes a file the latest with these versions, whose bytes are counted already,
// and lets go of what is then too much.
func (s *Store) keep(path string, all []*entry) {
	for len(all) > s.max.versions {
		all = s.cut(all)
	}
	s.files.put(path, all)
	for s.files.len() > s.max.paths {
		oldest, _ := s.files.last()
		s.Forget(oldest)
	}
	for s.bytes > s.max.bytes {
		s.shrink()
	}
}

// cut lets go of a file's oldest version.
func (s *Store) cut(all []*entry) []*entry {
	last := len(all) - 1
	s.bytes -= len(all[last].Text)
	return slices.Clone(all[:last])
}

// shrink lets go of the oldest version of the file that was not touched for longest.
func (s *Store) shrink() {
	oldest, all := s.files.last()
	if all = s.cut(all); len(all) == 0 {
		s.files.drop(oldest)
		return
	}
	s.files.at[oldest].Value.(*kept[[]*entry]).value = all
}

// Find is the latest version of a file that has the tag. Another text may have the
// same one: the caller compares the bytes before it uses them.
func (s *Store) Find(path, tag string) (Version, bool) {
	all, _ := s.files.touch(path)
	for _, e := range all {
		if e.Tag == tag {
			return e.Version, true
		}
	}
	return Version{}, false
}

// Has reports whether the store holds exactly this text of the file.
func (s *Store) Has(path string, text []byte) bool {
	e := s.at(path, doc.Digest(text))
	return e != nil && bytes.Equal(e.Text, text)
}

func (s *Store) at(path string, digest uint64) *entry {
	all, _ := s.files.peek(path)
	for _, e := range all {
		if e.Digest == digest {
			return e
		}
	}
	return nil
}

// MarkSeen adds lines that reached the model to a version. Lines that the version does
// not have, and a version that the store does not hold, are not marked.
func (s *Store) MarkSeen(path string, digest uint64, lines ...doc.Span) {
	s.files.touch(path)
	if e := s.at(path, digest); e != nil {
		e.seen = e.seen.Union(Lines(lines...).Within(doc.Span{From: 1, To: e.Lines}, 0))
	}
}

// Seen is the lines of a version that reached the model.
func (s *Store) Seen(path string, digest uint64) LineSet {
	if e := s.at(path, digest); e != nil {
		return e.seen
	}
	return LineSet{}
}

// Move gives the versions of a file that was moved to its new name, with what was seen
// of them; the old name has none. Those that the new name had stay behind them.
func (s *Store) Move(from, to string) {
	if from == to {
		return
	}
	s.inherit(from, to)
	moved, ok := s.files.peek(from)
	if !ok {
		return
	}
	s.files.drop(from)
	rest, _ := s.files.peek(to)
	for _, e := range moved {
		var same *entry
		if same, rest = s.without(rest, e.Digest); same != nil && bytes.Equal(same.Text, e.Text) {
			e.seen, e.own = e.seen.Union(same.seen), e.own || same.own
		}
	}
	s.keep(to, slices.Concat(moved, rest))
}

// inherit lets a name know what another one knows too.
func (s *Store) inherit(from, to string) {
	if k, ok := s.known.peek(from); ok {
		s.known.put(to, s.Known(to).Join(k))
		s.forgetKnown()
	}
}

// Forget lets go of a file's texts, for one that was removed. Which versions were seen
// stays known: whoever puts the same bytes there again has nothing to lose.
func (s *Store) Forget(path string) {
	all, _ := s.files.peek(path)
	for _, e := range all {
		s.bytes -= len(e.Text)
	}
	s.files.drop(path)
}

// Named is the one file with a base name that has a version with the tag; ok is false
// when there is none or more than one.
func (s *Store) Named(base, tag string) (found string, ok bool) {
	for p := range s.files.at {
		if path.Base(p) != base || !s.holds(p, tag) {
			continue
		}
		if ok {
			return "", false
		}
		found, ok = p, true
	}
	return found, ok
}

func (s *Store) holds(path, tag string) bool {
	all, _ := s.files.peek(path)
	return slices.ContainsFunc(all, func(e *entry) bool { return e.Tag == tag })
}

// Learn takes the result of a call on a file that went well.
func (s *Store) Learn(path string, r guard.Result) {
	s.known.put(path, s.Known(path).After(r))
	s.forgetKnown()
}

// Known is what the session knows of a file's versions.
func (s *Store) Known(path string) guard.Knowledge {
	k, _ := s.known.peek(path)
	return k
}

// forgetKnown keeps the bound of what is known; the file that was not met for the
// longest time must be read again before it is replaced.
func (s *Store) forgetKnown() {
	for s.known.len() > s.max.known {
		oldest, _ := s.known.last()
		s.known.drop(oldest)
	}
}
