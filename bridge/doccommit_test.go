package bridge

import (
	"testing"

	"tenet/bridge/engine"
	"tenet/laws"
)

// Every order of writes, reads, other programs and dying writers; and of the actions of
// every edit, their failures, deaths and the writes of others between them.
func TestDocCommitModel(t *testing.T) {
	defer report.Time("doccommit")()
	r, err := docCommitArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := append(engine.Unapplied(laws.DocCommitBook, r.Premises), engine.Unapplied(laws.DocEditBook, r.Premises)...); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// The document tools on a real directory, beside the model.
func TestDocCommitQuick(t *testing.T) {
	defer report.Time("doccommit")()
	if err := docCommitQuick(); err != nil {
		t.Fatal(err)
	}
}

// Longer histories of the document tools on a real directory.
func TestDocCommitHistories(t *testing.T) {
	defer report.Time("doccommit")()
	n := engine.Premises{}
	for seed := range uint64(8) {
		if err := driveDocs(engine.NewRandom(1000+seed, 120), n); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
