// Package floor is the short list of catastrophes that no rule, no profile and no
// answer lets happen (seed 4 §4.2): wiping the disk or the home, giving them away,
// writing a raw disk, stopping the machine, a fork bomb, rewriting a shared main
// branch. It is a floor and no first defence: it looks at commands as the programs
// will see them, with quotes gone, wrappers peeled and what is known expanded.
package floor

import (
	"slices"

	"tenet/core/call"
)

// Place is where the commands run.
type Place struct {
	// Home is the user's home directory, absolute and real; empty when there is none.
	Home string
	// Root is the workspace root, absolute and real. A command whose directory is not
	// known is not taken to run there.
	Root string
}

// entry is one line of the list.
type entry struct {
	name, why string
	hits      func(Place, call.Command) bool
}

// forkBomb is the one line that is about a script and not about a command.
const forkBomb = "fork-bomb"

// list is the floor. A line more is a decision of its own: it takes something away
// from every user that no setting gives back.
var list = []entry{
	{"wipe-root-or-home", "it would remove / or the home directory with everything in it", wipes},
	{"open-root-or-home", "it would change who may use every file of / or of the home directory", opens},
	{"format-disk", "it would make a new file system over what a disk holds", formats},
	{"write-raw-disk", "it would write over a disk below its file system", overwrites},
	{"stop-machine", "it would stop or restart the machine", stops},
	{"force-push-main", "it would rewrite or delete the main branch that others build on", rewrites},
}

// Rules are the names of the floor's rules, in the order they are tried.
func Rules() []string {
	out := []string{forkBomb}
	for _, e := range list {
		out = append(out, e.name)
	}
	return out
}

// Check is the first rule of the floor that a step falls under: its stable name, and
// what the step would do. hit is false when none does. Every command of the step is
// looked at, wherever it stands and whether or not it will be reached.
func Check(place Place, s call.Step) (rule, why string, hit bool) {
	if slices.Contains(s.Hazards, call.HazardForkBomb) {
		return forkBomb, "it would start itself again and again until the machine stands still", true
	}
	for _, c := range s.Commands {
		for _, e := range list {
			if e.hits(place, c) {
				return e.name, e.why, true
			}
		}
	}
	return "", "", false
}

// is reports whether a command is one of the programs: by its word without the
// directory, as far as that is known, or by where the word really leads. A pattern
// such as /bin/r? is every program that it may stand for.
func is(c call.Command, programs ...string) bool {
	return slices.ContainsFunc(programs, func(p string) bool { return called(c, func(n string) bool { return n == p }, p) })
}

// called reports whether one of the command's names fits; p is a name that does.
func called(c call.Command, fits func(string) bool, p string) bool {
	if len(c.Words) == 0 {
		return false
	}
	w := c.Words[0]
	return fits(c.Name()) || w.Real != "" && fits(base(w.Real)) || w.Pattern && glob(base(w.Text), p)
}

// onlyTells reports whether a command only prints its help or its version.
func onlyTells(c call.Command) bool {
	return len(c.Words) == 2 && (c.Words[1].Text == "--help" || c.Words[1].Text == "--version")
}
