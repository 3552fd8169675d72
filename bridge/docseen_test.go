package bridge

import (
	"testing"

	"tenet/bridge/engine"
	"tenet/laws"
)

// Every order of rows shown, edits, retries and changes by others.
func TestDocSeenModel(t *testing.T) {
	defer report.Time("docseen")()
	r, err := docSeenArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := append(engine.Unapplied(laws.DocSeenBook, r.Premises), engine.Unapplied(laws.DocRevealBook, r.Premises)...); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// Read and edit on a real file, beside the model.
func TestDocSeenQuick(t *testing.T) {
	defer report.Time("docseen")()
	if err := docSeenQuick(); err != nil {
		t.Fatal(err)
	}
}

// Longer histories of the same.
func TestDocSeenHistories(t *testing.T) {
	defer report.Time("docseen")()
	for seed := range uint64(8) {
		if err := driveSeen(engine.NewRandom(1000+seed, 200), engine.Premises{}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
