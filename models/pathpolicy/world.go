// Package pathpolicy says what must happen to paths (G1): a small world of links
// that an adversary bends at will, judged by core/pathpolicy and gated by core/gate,
// and a naive resolution and classification to hold production against.
package pathpolicy

import (
	"fmt"
	"iter"

	"tenet/core/call"
	"tenet/core/gate"
	core "tenet/core/pathpolicy"
)

// Slots are the places where links may lie. Everything else in the world is fixed.
var Slots = [...]string{"/w/a", "/w/b", "/w/d/c"}

// Targets are what a slot may point at; the first is no link at all. Some lead into
// each other, so that paths loop; some lead out of the workspace and to the secret.
var Targets = [...]string{"", "b", "a", "/w/d/c", "..", "/h/s", "../../h"}

// Policy is the policy of the world: /w is the workspace and /h/s the secret.
var Policy = core.Policy{
	Roots:       []string{"/w"},
	Secrets:     []string{"/h/s"},
	SecretNames: []core.NameRule{{Name: ".env", Except: []string{".example"}}},
	Protected: []core.Rule{
		{Kind: core.Tree, Path: "/w/p"}, {Kind: core.Tree, Path: "/w/sk"}, {Kind: core.Named, Path: ".git"}, {Kind: core.Dir, Path: "/h/bin"},
	},
}

// Paths are the paths that accesses name, from the directory /w.
var Paths = [...]string{
	"a", "b", "a/k", "b/s/k", "d/c", "d/c/k", "a/../f", "d/c/../x", "a/../../h/s/k", "f", ".", "/", "/h", "/h/s", "/h/s/k",
	"p/x", "p/.env", "p", "sk/x", "d/.git/config", ".env", "a/.env.example", "d/.envrc", "/o/x", "/h/bin/t", "/h/bin/t/u", "/h/sx", "none/../b/k", "/proc/7/environ", "/proc/7/root/h",
}

// Autos are the auto sets in force.
var Autos = [...]call.Effects{0, call.Of(call.Read), call.Of(call.Write), call.Of(call.Read, call.Write), call.All}

// World is what the adversary has made of the links, and whether the secret was
// written without a yes.
type World struct {
	To     [len(Slots)]uint8
	Harmed bool
}

// Read is what stands at a path: the world as core/pathpolicy asks it.
func (w World) Read(path string) (target string, kind core.Kind) {
	for i, s := range Slots {
		if s == path && w.To[i] > 0 {
			return Targets[w.To[i]], core.Link
		}
	}
	if path == "/w/none" {
		return "", core.Missing
	}
	return "", core.Present
}

// Op is one move: the adversary bends a link, or the agent accesses a path.
type Op struct {
	// Bend is true when the adversary makes Slot point at Target.
	Bend         bool
	Slot, Target uint8
	// Access, Path, Auto and Yes are an access of the agent, the auto set in force,
	// and what the person says if asked.
	Access core.Access
	Path   uint8
	Auto   call.Effects
	Yes    bool
	// Loud is true when the path is spelled in another case, on a disk that does not tell
	// the two apart.
	Loud bool
}

// String is the move as a run shows it.
func (o Op) String() string {
	if o.Bend {
		return fmt.Sprintf("%s -> %q", Slots[o.Slot], Targets[o.Target])
	}
	return fmt.Sprintf("%v %s (auto %v, yes %v, in another case %v)", o.Access, Paths[o.Path], o.Auto, o.Yes, o.Loud)
}

// Out is what was judged and done; zero for a bend.
type Out struct {
	Target core.Target
	// Naive is the same by the slow reading of the rules.
	Naive   core.Target
	Effects call.Effects
	// Asked is true when a person was asked, Ran when the access happened.
	Asked, Ran bool
}

// Step is the world after a move.
func (w World) Step(o Op) (World, Out) {
	if o.Bend {
		w.To[o.Slot] = o.Target
		return w, Out{}
	}
	t := Policy.Target(core.Resolve(w, "/w", Paths[o.Path]))
	if o.Loud {
		t = w.loud(Paths[o.Path])
	}
	out := Out{Target: t, Naive: w.naive(Paths[o.Path]), Effects: t.Effects(o.Access)}
	out.Asked, out.Ran = permit(o, out.Effects)
	if out.Ran && !o.Yes && o.Access == core.Writing {
		w.Harmed = w.Harmed || w.lands(t.Real.Path)
	}
	return w, out
}

// permit takes the access through core's gate: judged, answered if asked, started.
func permit(o Op, effects call.Effects) (asked, ran bool) {
	d := gate.ByAuto(o.Auto, effects)
	s, _ := gate.Script{}.Plan(d.Verdict)
	s, _ = s.Settle()
	asked = s.Phase == gate.Asking
	answer := gate.Denied
	if o.Yes {
		answer = gate.AllowOnce
	}
	if asked {
		s, _ = s.Answer(answer)
	}
	s, _ = s.Confirm(true)
	_, ran = s.Start()
	return asked, ran
}

func (w World) naive(path string) core.Target {
	real, looped := Naive(w, "/w", path)
	return core.Target{Real: core.Real{Path: real, Looped: looped}, Class: Class(Policy, real, looped), Holds: Holds(Policy, real)}
}

// lands reports whether a write to the judged path changes the secret: the kernel
// follows whatever links are left in that path.
func (w World) lands(path string) bool {
	real, looped := Naive(w, "/", path)
	return !looped && under(split(real), split("/h/s")) && real != "/h/s"
}

// Ops is every move.
func Ops(World) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for s := range Slots {
			for t := range Targets {
				if !yield(Op{Bend: true, Slot: uint8(s), Target: uint8(t)}) {
					return
				}
			}
		}
		for p := range Paths {
			for a := core.Reading; a <= core.Writing; a++ {
				for _, auto := range Autos {
					for _, how := range [...][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
						if !yield(Op{Access: a, Path: uint8(p), Auto: auto, Yes: how[0], Loud: how[1]}) {
							return
						}
					}
				}
			}
		}
	}
}
