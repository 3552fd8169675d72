package pathpolicy

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"tenet/core/pathpolicy"
)

// system is what a judge asks of a file system. It is asked about names as they stand
// and follows no link by itself.
type system interface {
	// readlink is the target of a link; EINVAL for what is no link.
	readlink(path string) (string, error)
	// same reports whether both paths name one entry that stands there.
	same(a, b string) bool
	// list is what stands in a directory, up to a bound; whole is false beyond it.
	list(dir string, most int) (entries []fs.DirEntry, whole bool)
}

// kernel is the file system of this machine.
type kernel struct{}

func (kernel) readlink(path string) (string, error) { return os.Readlink(path) }

func (kernel) same(a, b string) bool {
	one, errA := os.Lstat(a)
	two, errB := os.Lstat(b)
	return errA == nil && errB == nil && os.SameFile(one, two)
}

// list gives no names for what cannot be listed: the same user's command cannot list it
// either.
func (kernel) list(dir string, most int) (entries []fs.DirEntry, whole bool) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0) // a FIFO must not hold the decision up
	if err != nil {
		return nil, true
	}
	defer f.Close()
	entries, err = f.ReadDir(most + 1)
	if err != nil {
		return nil, true
	}
	return entries[:min(len(entries), most)], len(entries) <= most
}

// disk reads a file system and counts what it asks the kernel.
type disk struct {
	system
	calls int
	// folds is true when it takes upper and lower case for the same.
	folds bool
}

// Read looks at one path. What may not be looked at is missing: the same user cannot
// get past it either.
func (d *disk) Read(path string) (target string, kind pathpolicy.Kind) {
	d.calls++
	target, err := d.readlink(path)
	switch {
	case err == nil:
		return target, pathpolicy.Link
	case errors.Is(err, syscall.EINVAL):
		return "", pathpolicy.Present
	default:
		return "", pathpolicy.Missing
	}
}

func (d *disk) names(dir string, most int) (entries []fs.DirEntry, whole bool) {
	d.calls++
	return d.list(dir, most)
}

// Name is the name under which an entry stands. A disk that folds opens .GIT, and .git
// written with a ligature or another form of Unicode, as .git: the entry is found by what
// it is, since how the disk folds is known to the disk alone.
func (d *disk) Name(dir, name string) string {
	if !d.folds || name == "." {
		return name
	}
	at := filepath.Join(dir, name)
	d.calls++
	if !d.same(at, at) {
		return name
	}
	entries, _ := d.names(dir, maxNames)
	var alike []string
	for _, e := range entries {
		switch n := e.Name(); {
		case n == name:
			return name
		case mayMean(name, n):
			alike = append(alike, n)
		}
	}
	for _, n := range alike {
		d.calls++
		if d.same(at, filepath.Join(dir, n)) {
			return n
		}
	}
	return name
}

// mayMean spares the disk the names that differ in letters of ASCII alone: those no
// folding makes the same.
func mayMean(written, stands string) bool {
	return pathpolicy.Folded(written) == pathpolicy.Folded(stands) || !plain(written) || !plain(stands)
}

func plain(name string) bool {
	return strings.IndexFunc(name, func(r rune) bool { return r >= 0x80 }) < 0
}

// stood is what stood at a path when it was looked at.
type stood struct {
	target string
	kind   pathpolicy.Kind
}

// remembered answers from what was read since the last change, for a step in a directory.
type remembered struct {
	*Judge
	cwd string
}

// Read looks at one path, once until something changes.
func (r remembered) Read(path string) (target string, kind pathpolicy.Kind) {
	if target, kind, ok := r.process(path); ok {
		return target, kind
	}
	if s, ok := r.links[path]; ok {
		return s.target, s.kind
	}
	target, kind = r.disk.Read(path)
	if len(r.links) < maxRemembered {
		r.links[path] = stood{target, kind}
	}
	return target, kind
}

// Name finds the entry that a name means, once until something changes.
func (r remembered) Name(dir, name string) string {
	if !r.disk.folds {
		return name
	}
	at := filepath.Join(dir, name)
	if n, ok := r.spelled[at]; ok {
		return n
	}
	n := r.disk.Name(dir, name)
	if len(r.spelled) < maxRemembered {
		r.spelled[at] = n
	}
	return n
}

// process answers about the links that mean something else in each process. What they
// say to this process is not what the step will find: its directory is the step's, and
// its descriptors are those that the step opens, each judged where it is opened. All of
// its own is named by /proc/self, whose ".." leads where that of the number leads; a
// descriptor is not followed.
func (r remembered) process(path string) (target string, kind pathpolicy.Kind, ok bool) {
	rest, proc := strings.CutPrefix(path, "/proc/")
	if !proc {
		return "", 0, false
	}
	pid, rest, _ := strings.Cut(rest, "/")
	thread := false
	if task, ok := strings.CutPrefix(rest, "task/"); ok {
		_, rest, _ = strings.Cut(task, "/")
		thread = rest == ""
	}
	link, number, _ := strings.Cut(rest, "/")
	own := pid == "self"
	switch {
	case path == "/proc/"+self:
		return "self", pathpolicy.Link, true
	case path == "/proc/thread-self":
		return "self/task/self", pathpolicy.Link, true
	case path == "/proc/self", own && thread, own && link == "fd" && number != "":
		return "", pathpolicy.Present, true
	case own && rest == "cwd":
		return r.cwd, pathpolicy.Link, true
	case own && rest == "root":
		return "/", pathpolicy.Link, true
	case own || strings.Trim(pid, "0123456789") != "":
		return "", 0, false
	case rest == "root", rest == "cwd", number != "" && (link == "fd" || link == "map_files"):
		return "", pathpolicy.Present, !r.ourMounts(pid)
	}
	return "", 0, false
}

var self = strconv.Itoa(os.Getpid())

// ourMounts reports whether a process sees the same mounts as this one. One that does
// not names by a path of ours a file that we would judge by another.
func (r remembered) ourMounts(pid string) bool {
	theirs, kind := r.Read("/proc/" + pid + "/ns/mnt")
	ours, _ := r.Read("/proc/self/ns/mnt")
	return kind == pathpolicy.Link && theirs == ours
}
