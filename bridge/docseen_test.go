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
