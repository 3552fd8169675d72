package pathpolicy

import "strings"

// Reach is how a path that a call named stands to the workspace.
type Reach uint8

// The reaches. Only the first two may go on to the gate (law path_reach_is_deliberate).
const (
	Within     Reach = iota // it leads into the workspace
	Deliberate              // the call named a place elsewhere, by its absolute path
	Escapes                 // its name stays in the workspace, and a link or dots lead out
	Looped                  // its links lead in a circle
)

var reachNames = [...]string{"within", "deliberate", "escapes", "looped"}

// String names the reach.
func (r Reach) String() string { return reachNames[r] }

// Reaches is how the path that was asked for, relative to root or absolute, stands to
// root; root and real are absolute and clean. A path that leads elsewhere is deliberate
// only when its spelling never stands in the workspace: whoever writes /w/../etc/passwd
// wrote a name of the workspace, and a person who reads it takes it for one.
func Reaches(root, asked string, real Real) Reach {
	switch {
	case real.Looped:
		return Looped
	case within(real.Path, root):
		return Within
	case strings.HasPrefix(asked, "/") && !passes(root, asked):
		return Deliberate
	}
	return Escapes
}

// passes reports whether an absolute path, read name by name and its dots taken by
// their letter, stands in the root somewhere on its way.
func passes(root, asked string) bool {
	var at []byte
	for name := range strings.SplitSeq(asked, "/") {
		switch name {
		case "", ".":
			continue
		case "..":
			at = at[:max(0, strings.LastIndexByte(string(at), '/'))]
		default:
			at = append(append(at, '/'), name...)
		}
		if within("/"+strings.TrimPrefix(string(at), "/"), root) {
			return true
		}
	}
	return root == "/"
}
