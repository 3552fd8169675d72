// Package floor is the short list of catastrophes that no rule, no profile and no
// answer lets happen (seed 4 §4.2): wiping the disk or the home, writing a raw disk,
// stopping the machine, a fork bomb, rewriting a shared main branch. It is a floor and
// no first defence: it looks at commands as the program will see them, with quotes
// gone, wrappers peeled and what is known expanded.
package floor

import "tenet/core/call"

// Place is where the commands run.
type Place struct {
	// Home is the user's home directory, absolute and real.
	Home string
	// Root is the workspace root, absolute and real.
	Root string
}

// Check is the first rule of the floor that a step falls under: its stable name and,
// in one sentence, what the step would do. hit is false when none does.
func Check(place Place, s call.Step) (rule, why string, hit bool) {
	for _, h := range s.Hazards {
		if h == call.HazardForkBomb {
			return "fork-bomb", "it starts itself without end until the machine stops", true
		}
	}
	return "", "", false
}
