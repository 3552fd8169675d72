package guard

import (
	"path"
	"slices"
	"strings"
)

// within reports whether a path is dir or lies under it. Both are clean.
func within(p, dir string) bool { return dir != "" && p == dir || below(p, dir) }

// below reports whether a path lies under dir and is not dir.
func below(p, dir string) bool {
	if dir == "/" {
		return len(p) > 1
	}
	return dir != "" && len(p) > len(dir) && p[len(dir)] == '/' && p[:len(dir)] == dir
}

// temporary are the directories whose content nobody relies on; the system's own
// spellings of them as well.
var temporary = []string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", "/dev/shm"}

// temp reports whether a path lies under a directory for temporary files, and not
// where the workspace or a home lies: a workspace in /tmp is no scratch space.
func (p *Policy) temp(at string) bool {
	if p.inside(at) || p.above(at) {
		return false
	}
	under := func(dir string) bool { return below(at, dir) }
	if slices.ContainsFunc(p.Temps, under) {
		return true
	}
	return !within(at, p.Home) && !below(p.Home, at) && slices.ContainsFunc(temporary, under)
}

// inside reports whether a path lies in the workspace or is it.
func (p *Policy) inside(at string) bool { return p.Root != "" && within(at, p.Root) }

// above reports whether the workspace lies below a path.
func (p *Policy) above(at string) bool { return p.Root != "" && below(p.Root, at) }

// loss says what would be lost if everything at a path were removed, empty where it
// may be: in the workspace, and below temporary directories.
func (p *Policy) loss(at string) string {
	at = whole(at)
	switch {
	case p.Root != "" && at == p.Root:
		return "the workspace itself"
	case p.above(at):
		return at + ", which holds the workspace"
	case p.temp(at):
		return ""
	case repository(at):
		return at + ", a git repository with all that was ever committed there"
	case p.inside(at):
		return ""
	}
	for _, r := range p.WriteRoots {
		if below(at, r) {
			return ""
		}
	}
	return at + ", which is outside the workspace and outside temporary directories"
}

// whole takes a pattern that stands for everything in a directory for the directory.
func whole(at string) string {
	for {
		dir, last := path.Split(at)
		if !everything(last) || dir == "" {
			return at
		}
		at = path.Clean(dir)
	}
}

// everything reports whether a pattern stands for all names, or all hidden ones:
// *, .*, **, .[!.]*, .??*.
func everything(name string) bool {
	return strings.Contains(name, "*") && strings.Trim(name, "*?[]!.^") == ""
}

// repository reports whether removing a path removes what a git repository remembers.
func repository(at string) bool {
	dir, last := path.Split(at)
	if m, err := path.Match(last, ".git"); err != nil || m {
		return strings.HasPrefix(last, ".")
	}
	if path.Base(dir) != ".git" {
		return false
	}
	return last == "objects" || last == "refs" || last == "logs"
}
