package bridge

import (
	"testing"

	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	"tenet/laws"
)

// Every small walk, in every order.
func TestDocGlobModel(t *testing.T) {
	defer report.Time("docglob")()
	r, err := docGlobArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.DocGlobBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// The tool on real trees, against a walk of everything that is matched, sorted and cut.
func TestDocGlobQuick(t *testing.T) {
	defer report.Time("docglob")()
	if err := docGlobQuick(); err != nil {
		t.Fatal(err)
	}
}

// More trees, shrunk when one fails.
func TestDocGlobRapid(t *testing.T) {
	defer report.Time("docglob")()
	trial.Check(t, 6, func(src engine.Source) error { return globTree(src, engine.Premises{}) })
}
