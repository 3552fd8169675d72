package bridge

import (
	"testing"

	"tenet/bridge/engine"
	"tenet/bridge/engine/crash"
	"tenet/core/doc"
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

// Every crash point of edits and moves of several files, every disk that may survive it,
// alone and with another program that writes any of the files before any action.
func TestDocCommitCrashes(t *testing.T) {
	defer report.Time("doccommit")()
	for _, c := range []struct {
		loss crash.Loss
		want crash.Seen
	}{
		{crash.Kill, crash.Seen{Calls: 5001, Cases: 10493}},
		{crash.PowerLoss, crash.Seen{Calls: 5001, Cases: 106969}},
	} {
		var sum crash.Seen
		for _, parts := range crashPlans {
			for _, other := range intrusions(parts) {
				seen, err := docCrashes(parts, other, c.loss)
				if err != nil {
					t.Fatalf("%v, other program %+v: %v", parts, other, err)
				}
				sum.Calls, sum.Cases = sum.Calls+seen.Calls, sum.Cases+seen.Cases
			}
		}
		if sum != c.want {
			t.Errorf("%v: %+v, pinned %+v: the commit makes other calls, or the engine tries other disks", c.loss, sum, c.want)
		}
		report.Histories("doccommit", sum.Cases)
	}
}

// intrusions is no other program, and one before every action on every name.
func intrusions(parts []crashPart) []intrusion {
	out := []intrusion{{}}
	for at := 1; at <= 24; at++ {
		for _, p := range parts {
			out = append(out, intrusion{at, p.name})
			if p.change == doc.Moves {
				out = append(out, intrusion{at, p.to})
			}
		}
	}
	return out
}
