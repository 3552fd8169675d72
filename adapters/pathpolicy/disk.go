package pathpolicy

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"

	"tenet/core/pathpolicy"
)

// disk reads links from the real file system and counts what it asks the kernel.
type disk struct{ calls int }

// Read looks at one path. What may not be looked at is missing: the same user cannot
// get past it either.
func (d *disk) Read(path string) (target string, kind pathpolicy.Kind) {
	d.calls++
	target, err := os.Readlink(path)
	switch {
	case err == nil:
		return target, pathpolicy.Link
	case errors.Is(err, syscall.EINVAL):
		return "", pathpolicy.Present
	default:
		return "", pathpolicy.Missing
	}
}

// stood is what stood at a path when it was looked at.
type stood struct {
	target string
	kind   pathpolicy.Kind
}

// remembered answers from what was read since the last change. The link to a
// process's own working directory means the step's, not that of this process.
type remembered struct {
	*Judge
	cwd string
}

// Read looks at one path, once until something changes.
func (r remembered) Read(path string) (target string, kind pathpolicy.Kind) {
	if ownCwd(path) {
		return r.cwd, pathpolicy.Link
	}
	if s, ok := r.links[path]; ok {
		return s.target, s.kind
	}
	target, kind = r.disk.Read(path)
	r.links[path] = stood{target, kind}
	return target, kind
}

var ownProc = "/proc/" + strconv.Itoa(os.Getpid()) + "/"

func ownCwd(path string) bool {
	rest, ok := strings.CutPrefix(path, ownProc)
	return ok && (rest == "cwd" || strings.HasPrefix(rest, "task/") && strings.HasSuffix(rest, "/cwd"))
}
