package turn

import (
	"fmt"
	"iter"

	core "tenet/core/pathpolicy"
	"tenet/models/pathpolicy"
)

// Asked is a path that a call names, from the workspace /w of the world of links.
type Asked struct {
	Path string
	// Elsewhere is true for an absolute path whose spelling never stands in the
	// workspace, as a reader sees it.
	Elsewhere bool
}

// Paths are the paths that calls name.
var Paths = []Asked{
	{Path: "a"}, {Path: "b"}, {Path: "a/k"}, {Path: "b/s/k"}, {Path: "d/c"}, {Path: "d/c/k"}, {Path: "a/../f"}, {Path: "d/c/../x"},
	{Path: "f"}, {Path: "."}, {Path: "./b"}, {Path: "none/../b/k"},
	{Path: ".."}, {Path: "../h/s"}, {Path: "../w/f"}, {Path: "d/../../h"}, {Path: "../wx/f"}, {Path: "d/../d/c/k"},
	{Path: "/w"}, {Path: "/w/f"}, {Path: "/w/a"}, {Path: "/w/d/c/k"}, {Path: "//w//b"}, {Path: "/w/./a/k"},
	{Path: "/w/../h/s"}, {Path: "/h/../w/a"}, {Path: "/h/../w/../h/s"}, {Path: "/w/.."}, {Path: "/w/d/../../o/x"},
	{Path: "/h/s/k", Elsewhere: true}, {Path: "/h", Elsewhere: true}, {Path: "/o/x", Elsewhere: true}, {Path: "/wx/f", Elsewhere: true},
	{Path: "/wx/../o/x", Elsewhere: true}, {Path: "/h/./../o", Elsewhere: true}, {Path: "/o/w/a", Elsewhere: true},
}

// Named is a link that the adversary bends, or a path that a call names.
type Named struct {
	Bend         bool
	Slot, Target uint8
	// Path is an index into Paths.
	Path uint8
}

// String is the move as a run shows it.
func (n Named) String() string {
	if n.Bend {
		return fmt.Sprintf("%s -> %q", pathpolicy.Slots[n.Slot], pathpolicy.Targets[n.Target])
	}
	return "a call names " + Paths[n.Path].Path
}

// Reached is how a named path was taken; zero for a bend.
type Reached struct {
	// Root is the workspace, Real where the path leads by the slow reading.
	Root string
	Real core.Real
	// Reach is what was made of it.
	Reach core.Reach
}

// StepReach is core's reading of a path in the world of links.
func StepReach(w pathpolicy.World, n Named) (pathpolicy.World, Reached) {
	if n.Bend {
		w.To[n.Slot] = n.Target
		return w, Reached{}
	}
	const root = "/w"
	out := Reached{Root: root}
	out.Real.Path, out.Real.Looped = pathpolicy.Naive(w, root, Paths[n.Path].Path)
	out.Reach = core.Reaches(root, Paths[n.Path].Path, core.Resolve(w, root, Paths[n.Path].Path))
	return w, out
}

// Reaches is every bend and every path.
func Reaches(pathpolicy.World) iter.Seq[Named] {
	return func(yield func(Named) bool) {
		for s := range pathpolicy.Slots {
			for t := range pathpolicy.Targets {
				if !yield(Named{Bend: true, Slot: uint8(s), Target: uint8(t)}) {
					return
				}
			}
		}
		for p := range Paths {
			if !yield(Named{Path: uint8(p)}) {
				return
			}
		}
	}
}
