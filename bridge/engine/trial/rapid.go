// Package trial has the engines that need the testing machinery: rapid as a Source,
// schedules and instants in the virtual time of testing/synctest, and porcupine's
// judgement of concurrent histories. Only tests import it, so that the shipped
// binary links none of it.
package trial

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"tenet/bridge/engine"
)

// Rapid is a Source over rapid: its histories shrink when they fail.
type Rapid struct {
	// T is the case that rapid runs.
	T *rapid.T
	// Steps is how many steps the history still has.
	Steps int
}

// NewRapid is a Source of 1 to most steps, as many as rapid draws.
func NewRapid(t *rapid.T, most int) *Rapid {
	return &Rapid{T: t, Steps: rapid.IntRange(1, most).Draw(t, "steps")}
}

// Pick draws a number.
func (s *Rapid) Pick(n int, what string) int {
	if n <= 1 {
		return 0
	}
	return rapid.IntRange(0, n-1).Draw(s.T, what)
}

// More counts the steps down.
func (s *Rapid) More() bool { s.Steps--; return s.Steps >= 0 }

// Check runs run on as many histories of 1 to most steps as -rapid.checks says, and
// returns how many there were. Near the deadline of the test binary rapid stops
// early and passes; here that is a failure, since what was not run was not seen.
func Check(t *testing.T, most int, run func(engine.Source) error) int {
	t.Helper()
	return check(t, func(rt *rapid.T) {
		if err := run(NewRapid(rt, most)); err != nil {
			rt.Fatal(err)
		}
	})
}

// CheckTimed is Check with each history in a bubble of virtual time.
func CheckTimed(t *testing.T, most int, run func(engine.Source) error) int {
	t.Helper()
	return check(t, func(rt *rapid.T) {
		rapid.SyncTest(rt, func(rt *rapid.T) {
			if err := run(NewRapid(rt, most)); err != nil {
				rt.Fatal(err)
			}
		})
	})
}

func check(t *testing.T, prop func(*rapid.T)) (n int) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) { n++; prop(rt) })
	if want := checks(); n < want {
		t.Errorf("only %d of %d histories were run: give the test more time", n, want)
	}
	return n
}

// checks is rapid's number of cases; with -short it runs a fifth.
func checks() int {
	n, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	if err != nil {
		return 1
	}
	if testing.Short() {
		n /= 5
	}
	return n
}
