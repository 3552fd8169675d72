package bridge_test

import (
	"strings"
	"testing"

	"tenet/bridge"
	"tenet/bridge/bites"
	"tenet/bridge/engine/golden"
)

// TestBites breaks the program in every named way. Each mutant must be caught by
// the law that it names, each law must catch one, and each adapter must have one
// that the check of production catches.
func TestBites(t *testing.T) {
	ms, err := bites.Load("..")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := bites.Run(t.Context(), "..", ms)
	if err != nil {
		t.Fatal(err)
	}
	if testing.Verbose() {
		for _, r := range rows {
			t.Logf("%-44s %-36s %-10s %5.2fs  %s", r.Mutant, r.Law, r.By, r.Took.Seconds(), r.Saw)
		}
	}
	if notes := bites.Notes(rows); len(notes) > 0 {
		t.Logf("caught by the clock, or not run on this system:\n  %s", strings.Join(notes, "\n  "))
	}
	for _, p := range bites.Problems(rows, bridge.Areas()) {
		t.Error(p)
	}
	if t.Failed() {
		return // nothing is compared, or rewritten, from a run that failed
	}
	if err := golden.Check("../BITES.md", bites.Markdown(rows, bridge.Areas())); err != nil {
		t.Error(err)
	}
}
