package bridge

import (
	"testing"

	"tenet/bridge/engine"
	"tenet/laws"
)

// Every set of facts of a file, every small search in every order, with all its pages.
func TestDocSearchModel(t *testing.T) {
	defer report.Time("docsearch")()
	r, err := docSearchArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.DocSearchBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// The search tool on real trees, beside a reference that lists everything.
func TestDocSearchQuick(t *testing.T) {
	defer report.Time("docsearch")()
	if err := docSearchQuick(); err != nil {
		t.Fatal(err)
	}
}

// More trees: any walk order gives the same pages.
func TestDocSearchTrees(t *testing.T) {
	defer report.Time("docsearch")()
	n := engine.Premises{}
	for seed := range uint64(30) {
		if err := searchTree(engine.NewRandom(1000+seed, 1), n); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
