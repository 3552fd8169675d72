package bridge

import (
	"testing"
	"time"

	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	"tenet/laws"
)

// Every law of the area within its bound; what it saw is pinned by TestPins.
func TestTurnModel(t *testing.T) {
	start := time.Now()
	rep, err := turnExhaust()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v in %v", rep, time.Since(start).Round(time.Millisecond))
}

// Calls, changes and answers on real gates and real files, in histories that shrink. What
// they never came to would be tied to nothing.
func TestTurnRapid(t *testing.T) {
	defer report.Time("turn")()
	n := engine.Premises{}
	report.Histories("turn", trial.Check(t, 40, func(src engine.Source) error { return turnDrive(src, n) }))
	for _, id := range append(engine.Unapplied(laws.TurnBook, n), engine.Unapplied(laws.BypassBook, n)...) {
		t.Errorf("no history came to the premise of %s", id)
	}
}

// Paths through links that lead out, round and back, on a disk.
func TestTurnReach(t *testing.T) {
	defer report.Time("turn")()
	report.Histories("turn", trial.Check(t, 40, reachHistory))
}

// What questions show of changes, and that the log keeps what they leave out.
func TestTurnCards(t *testing.T) {
	defer report.Time("turn")()
	if err := cardsQuick(); err != nil {
		t.Fatal(err)
	}
}
