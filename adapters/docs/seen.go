package docs

import (
	"container/list"
	"encoding/binary"
	"sync"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sys/unix"

	"tenet/core/doc"
	"tenet/core/guard"
)

// seenPaths bounds how many files a session remembers to have seen; the one not met
// for the longest time is forgotten, and must be read again before it is replaced.
const seenPaths = 4096

// sightings is what this session knows of which files (S8.3, seed 3): core/guard says
// what a result shows, the results are told here and nowhere else.
type sightings struct {
	mu    sync.Mutex
	paths map[string]*list.Element
	order *list.List // of *sighting, the latest first
}

type sighting struct {
	path  string
	known guard.Knowledge
}

func newSightings() *sightings {
	return &sightings{paths: map[string]*list.Element{}, order: list.New()}
}

// saw takes the result of a call that went well.
func (s *sightings) saw(path string, did guard.Deed, version, before uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.paths[path]
	if !ok {
		e = s.order.PushFront(&sighting{path: path})
		s.paths[path] = e
	}
	s.order.MoveToFront(e)
	v := e.Value.(*sighting)
	v.known = v.known.After(guard.Result{OK: true, Deed: did, Version: version, Before: before})
	if s.order.Len() > seenPaths {
		last := s.order.Remove(s.order.Back()).(*sighting)
		delete(s.paths, last.path)
	}
}

// shown takes rows that reached the model (S8.8).
func (s *sightings) shown(path string, version uint64, lines doc.Span) {}

func (s *sightings) of(path string) guard.Knowledge {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.paths[path]; ok {
		return e.Value.(*sighting).known
	}
	return guard.Knowledge{}
}

// digest is the version of a file that was taken whole.
func digest(b []byte) uint64 { return xxhash.Sum64(b) }

// identity is the version of a file that is too large to be taken whole: which file
// it is, its size and when it was changed. A writer that keeps all of them cannot be
// told from none, which is why it stands only for such files.
func identity(st unix.Stat_t) uint64 {
	b := make([]byte, 0, 64)
	m, c := st.Mtim, st.Ctim
	for _, v := range []int64{int64(st.Dev), int64(st.Ino), st.Size, int64(m.Sec), int64(m.Nsec), int64(c.Sec), int64(c.Nsec)} {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return xxhash.Sum64(b)
}
