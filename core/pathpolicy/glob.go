package pathpolicy

import (
	"slices"
	"strings"
)

// glob is a pattern under a real directory, one component after another.
type glob struct {
	dir  string
	rest []string
}

// reached is how a pattern lies to an entry.
type reached uint8

const (
	misses  reached = iota // nothing it matches touches the entry
	above                  // it can match an ancestor of the entry
	reaches                // it can match the entry or something under it
)

// reach takes ".." for what it says and, since the directory above it may be a link,
// for anything as well; the worse of both counts.
func (g glob) reach(entry string) reached {
	return max(g.reachAs(entry), g.settled().reachAs(entry))
}

func (g glob) reachAs(entry string) reached {
	if within(g.dir, entry) {
		return reaches
	}
	if !below(entry, g.dir) {
		return misses
	}
	names := components(strings.TrimPrefix(entry, g.dir))
	for i := range min(len(names), len(g.rest)) {
		switch c := g.rest[i]; {
		case c == anyDepth:
			return reaches
		case c != ".." && !matches(c, names[i]):
			return misses
		}
	}
	if len(g.rest) < len(names) {
		return above
	}
	return reaches
}

// anyDepth is, with an option of bash, any number of directories.
const anyDepth = "**"

// settled is the pattern without "..": each takes away the component before it.
func (g glob) settled() glob {
	out := glob{dir: g.dir}
	for _, c := range g.rest {
		switch {
		case c != "..":
			out.rest = append(out.rest, c)
		case len(out.rest) > 0:
			out.rest = out.rest[:len(out.rest)-1]
		default:
			out.dir = parent(out.dir)
		}
	}
	return out
}

// reachEnviron is how the pattern lies to the files that show a process its
// environment. There is one for each process, so they are no entries of a list.
func (g glob) reachEnviron() reached {
	return max(reachEnviron(g.all()), reachEnviron(g.settled().all()))
}

// all is the components from the root, those of the directory as patterns of themselves.
func (g glob) all() []string {
	var out []string
	for _, c := range components(g.dir) {
		out = append(out, escape.Replace(c))
	}
	return append(out, g.rest...)
}

var escape = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// reachEnviron walks /proc, a process, and below it either the file itself, a thread
// of it, or a link of the kernel's that leads anywhere.
func reachEnviron(parts []string) reached {
	for i, may := range []func(string) bool{isProc, mayBeProcess} {
		switch {
		case i == len(parts):
			return above
		case parts[i] == anyDepth:
			return reaches
		case !may(parts[i]):
			return misses
		}
	}
	below := parts[2:]
	switch {
	case len(below) == 0 || len(below) < 3 && matches(below[0], "task"):
		return max(above, ofProcess(below))
	default:
		return ofProcess(below)
	}
}

func isProc(c string) bool { return matches(c, "proc") }

// ofProcess judges the components below the directory of a process.
func ofProcess(below []string) reached {
	if len(below) == 0 {
		return misses
	}
	if slices.Contains(below, anyDepth) || matches(below[len(below)-1], "environ") {
		return reaches
	}
	for _, link := range []string{"root", "cwd", "fd"} {
		if slices.ContainsFunc(below[:len(below)-1], func(c string) bool { return matches(c, link) }) {
			return reaches
		}
	}
	return misses
}

// mayBeProcess reports whether the pattern can match a directory of a process: one of
// the two names, or a number. A bracket counts as a number whatever is in it.
func mayBeProcess(c string) bool {
	if matches(c, "self") || matches(c, "thread-self") {
		return true
	}
	open := false
	for _, r := range c {
		switch {
		case r == '[':
			open = true
		case r == ']':
			open = false
		case !open && !strings.ContainsRune(`*?\0123456789`, r):
			return false
		}
	}
	return true
}
