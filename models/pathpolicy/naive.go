package pathpolicy

import (
	"slices"
	"strings"

	core "tenet/core/pathpolicy"
)

// Naive is where a path leads, found the slow way: one component after another from
// the root, and from the start again after each link.
func Naive(links core.Links, cwd, path string) (real string, looped bool) {
	todo := split(cwd + "/" + path)
	if strings.HasPrefix(path, "/") {
		todo = split(path)
	}
	var at []string
	for followed := 0; len(todo) > 0; {
		c := todo[0]
		todo = todo[1:]
		if c == ".." {
			at = at[:max(0, len(at)-1)]
			continue
		}
		target, kind := links.Read(whole(append(slices.Clone(at), c)))
		if kind != core.Link || looped || !stands(links, at) {
			at = append(at, c)
			continue
		}
		if followed++; followed > 40 {
			looped = true
			at = append(at, c)
			continue
		}
		todo = append(split(target), todo...)
		if strings.HasPrefix(target, "/") {
			at = nil
		}
	}
	return whole(at), looped
}

// stands reports whether every directory of a path is there: below one that is
// missing nothing can be a link.
func stands(links core.Links, at []string) bool {
	for n := range at {
		if _, kind := links.Read(whole(at[:n+1])); kind == core.Missing {
			return false
		}
	}
	return true
}

// Class is the class of a real path by the letter of G1.2, component by component.
func Class(p core.Policy, real string, looped bool) core.Class {
	path := split(real)
	switch {
	case secret(p, path):
		return core.Secret
	case covered(p, path) || ancestor(p, path):
		return core.Protected
	case !looped && inRoot(p, path) >= 0:
		return core.Inside
	}
	return core.Outside
}

// Holds reports whether the path is an ancestor of a secret entry or of a process's
// environment.
func Holds(p core.Policy, real string) bool {
	path := split(real)
	for _, s := range p.Secrets {
		if len(path) < len(split(s)) && under(split(s), path) {
			return true
		}
	}
	return holdsEnviron(path)
}

func secret(p core.Policy, path []string) bool {
	for _, s := range p.Secrets {
		if under(path, split(s)) {
			return true
		}
	}
	for _, r := range p.SecretNames {
		for _, c := range path[max(0, inRoot(p, path)):] {
			if c == r.Name || strings.HasPrefix(c, r.Name+".") && !ends(c, r.Except) {
				return true
			}
		}
	}
	return len(path) > 2 && path[0] == "proc" && (path[len(path)-1] == "environ" || path[len(path)-1] == "mem" || foreign(path[1], path[2:]))
}

// foreign reports whether the path leads through what another process has.
func foreign(pid string, rest []string) bool {
	if len(rest) > 2 && rest[0] == "task" {
		rest = rest[2:]
	}
	return strings.Trim(pid, "0123456789") == "" && slices.Contains([]string{"root", "cwd", "fd", "map_files"}, rest[0])
}

func ends(c string, suffixes []string) bool {
	return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(c, s) })
}

func covered(p core.Policy, path []string) bool {
	for _, r := range p.Protected {
		e := split(r.Path)
		switch r.Kind {
		case core.Dir:
			if under(path, e) && len(path) <= len(e)+1 {
				return true
			}
		case core.Tree:
			if under(path, e) {
				return true
			}
		case core.Named:
			if slices.Contains(path[max(0, inRoot(p, path)):], r.Path) {
				return true
			}
		}
	}
	return false
}

func ancestor(p core.Policy, path []string) bool {
	for _, r := range p.Protected {
		if e := split(r.Path); r.Kind != core.Named && len(path) < len(e) && under(e, path) {
			return true
		}
	}
	return Holds(p, whole(path))
}

func holdsEnviron(path []string) bool {
	switch {
	case len(path) == 0:
		return true
	case path[0] != "proc":
		return false
	case len(path) == 1:
		return true
	}
	number := strings.Trim(path[1], "0123456789") == "" || path[1] == "self" || path[1] == "thread-self"
	return number && (len(path) == 2 || path[2] == "task" && len(path) <= 4)
}

// inRoot is how many components the longest root has that holds the path, or -1.
func inRoot(p core.Policy, path []string) int {
	best := -1
	for _, r := range p.Roots {
		if under(path, split(r)) {
			best = max(best, len(split(r)))
		}
	}
	return best
}

func under(path, dir []string) bool {
	return len(path) >= len(dir) && slices.Equal(path[:len(dir)], dir)
}

func split(path string) []string {
	var out []string
	for c := range strings.SplitSeq(path, "/") {
		if c != "" && c != "." {
			out = append(out, c)
		}
	}
	return out
}

func whole(path []string) string { return "/" + strings.Join(path, "/") }
