package shell

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"tenet/core/output"
)

// sink is a call's output: bounded in memory as it is written, whole in a file when
// it does not fit. Every writer of a call may use it at once.
type sink struct {
	mu    sync.Mutex
	bound *output.Bound
	dir   string
	max   int64

	file  *os.File
	saved int64
	lost  int64
	err   error // the first reason why something was lost
	tap   *tap
	told  int64 // bytes of the text that the tap has had
	// held is true when a background process still held the output when it was closed.
	held bool
}

func newSink(l Limits) *sink {
	return &sink{bound: output.New(l.Output), dir: l.ArtifactDir, max: l.ArtifactBytes}
}

// Write never fails: what does not fit is counted.
func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	s.save(s.bound.Write(p))
	s.mu.Unlock()
	s.tap.wrote()
	return len(p), nil
}

// news is the end of what the tap has not had.
func (s *sink) news() (text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, s.told = s.bound.After(s.told, HeardMost)
	return text
}

// save keeps overflow in the artifact, as far as its bound and the disk allow.
func (s *sink) save(p []byte) {
	if len(p) == 0 || s.dir == "" {
		return
	}
	if s.file == nil && s.err == nil {
		s.create()
	}
	n := 0
	if room := s.max - s.saved; s.err == nil {
		n, s.err = s.file.Write(p[:min(int64(len(p)), room)])
	}
	s.saved += int64(n)
	s.lost += int64(len(p) - n)
}

func (s *sink) create() {
	if s.err = os.MkdirAll(s.dir, 0o700); s.err == nil {
		s.file, s.err = os.CreateTemp(s.dir, "output-*.txt")
	}
}

// hold says that somebody still had the output when it was no longer waited for.
func (s *sink) hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = true
}

// soFar is what there is while the output grows: the text that would stay if it ended
// now, but for a character that has not come whole.
func (s *sink) soFar() (text string, b Bounded) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bound.Text(), s.account()
}

// account is how the output stands.
func (s *sink) account() Bounded {
	b := Bounded{Count: s.bound.Count(), Cut: s.bound.Cut(), Lost: s.lost, Held: s.held}
	if s.file != nil {
		b.Artifact = filepath.Clean(s.file.Name())
	}
	if s.err != nil {
		b.Err = fmt.Errorf("the whole output was not kept in %s: %w", s.dir, s.err)
	}
	return b
}

// close ends the output and says what came of it.
func (s *sink) close() (text string, b Bounded) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.save(s.bound.Close())
	if s.file != nil {
		if err := s.file.Close(); s.err == nil {
			s.err = err
		}
	}
	return s.bound.Text(), s.account()
}
