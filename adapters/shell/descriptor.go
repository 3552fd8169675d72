package shell

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"syscall"

	"tenet/core/effect"
)

// maxHops is how many links a redirection's target may lead over, as in Linux.
const maxHops = 40

// descriptor is the number that a path names among a process's own descriptors, over
// whatever links it leads there; ok is false for every other path. Redirections are
// opened in this process: /dev/fd/7 would be tenet's own seventh file, its log perhaps,
// and not the script's.
func descriptor(path string) (n int, ok bool) {
	for range maxHops {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return 0, false
		}
		name := filepath.Base(path)
		if ownFiles().MatchString(dir) {
			n, err := strconv.Atoi(name)
			return n, err == nil
		}
		if n, std := streams[name]; std && dir == "/dev" {
			return n, true
		}
		to, err := os.Readlink(filepath.Join(dir, name))
		if err != nil {
			return 0, false
		}
		if path = to; !filepath.IsAbs(to) {
			path = filepath.Join(dir, to)
		}
	}
	return 0, false
}

// ownFiles are the directories of a process's descriptors.
var ownFiles = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(/dev|/proc/\d+(/task/\d+)?)/fd$`) })

var streams = map[string]int{"stdin": 0, "stdout": 1, "stderr": 2}

// aimAt points a redirection at one of the script's own streams; what else a number may
// mean is not the script's to open.
func (s *stdio) aimAt(op effect.RedirOp, n int) error {
	target := s.in
	switch n {
	case 0:
	case 1:
		target = s.out
	case 2:
		target = s.err
	default:
		return syscall.EBADF
	}
	switch op {
	case effect.In, effect.ReadWrite:
		if n != 0 {
			return syscall.EBADF
		}
	case effect.Out, effect.Append, effect.ErrOut, effect.ErrAppend, effect.Both:
		if n == 0 {
			return syscall.EBADF
		}
		s.point(op, target)
	case effect.Dup:
	}
	return nil
}

// point makes the streams of a redirection those of a file; nil is the call's output.
func (s *stdio) point(op effect.RedirOp, f *os.File) {
	switch op {
	case effect.In, effect.ReadWrite:
		s.in = f
	case effect.Out, effect.Append:
		s.out = f
	case effect.ErrOut, effect.ErrAppend:
		s.err = f
	case effect.Both:
		s.out, s.err = f, f
	case effect.Dup:
	}
}
