package bridge

import (
	"testing"

	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	"tenet/laws"
)

// Every history of four changes of two files: each law holds, and each law's premise held
// somewhere.
func TestUndoModel(t *testing.T) {
	defer report.Time("undo")()
	r, err := undoArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.UndoBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// The check that the shipped binary and the mutants run.
func TestUndoQuick(t *testing.T) {
	defer report.Time("undo")()
	if err := undoQuick(); err != nil {
		t.Fatal(err)
	}
}

// Real files, the tools that change them, and undo, shrunk when one is not as the model says.
func TestUndoRapid(t *testing.T) {
	defer report.Time("undo")()
	n := engine.Premises{}
	report.Histories("undo", trial.Check(t, 12, func(src engine.Source) error { return driveUndo(src, n) }))
}
