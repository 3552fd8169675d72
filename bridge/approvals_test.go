package bridge

import (
	"testing"
	"testing/synctest"
	"time"

	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	"tenet/laws"
)

// Every chain and every state of the model: each law holds, and each law's premise held
// somewhere.
func TestApprovalsModel(t *testing.T) {
	defer report.Time("approvals")()
	r, err := approvalsArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := append(engine.Unapplied(laws.ApprovalsBook, r.Premises), engine.Unapplied(laws.SettledBook, r.Premises)...); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// Every question up every chain of real brokers.
func TestApprovalsRoutes(t *testing.T) {
	defer report.Time("approvals")()
	if err := everyRoute(); err != nil {
		t.Fatal(err)
	}
}

// Questions and clients that come and go, on real brokers beside the model: every
// history of three events and seeded longer ones.
func TestApprovalsQuick(t *testing.T) {
	defer report.Time("approvals")()
	if err := askingQuick(); err != nil {
		t.Fatal(err)
	}
}

// A question between two sessions, frames that pile up, text that a terminal obeys.
func TestApprovalsMoments(t *testing.T) {
	if err := approvalsMoments(); err != nil {
		t.Fatal(err)
	}
}

// Histories beyond that, which shrink.
func TestApprovalsRapid(t *testing.T) {
	defer report.Time("approvals")()
	n := engine.Premises{}
	report.Histories("approvals", trial.Check(t, 80, func(src engine.Source) error {
		return engine.Drive(src, askingMachine, newDesk(), askingBooks(), n)
	}))
	if idle := engine.Unapplied(askingBooks(), n); idle != nil {
		t.Errorf("laws that production never met: %v", idle)
	}
}

// With weeks between any two events nothing is different: a broker has no clock.
func TestApprovalsTime(t *testing.T) {
	defer report.Time("approvals")()
	synctest.Test(t, func(t *testing.T) {
		if err := engine.Many(300, 30, 5, func(src engine.Source) error {
			d := newDesk()
			d.tick = func() { time.Sleep(7 * 24 * time.Hour) }
			return engine.Drive(src, askingMachine, d, askingBooks(), engine.Premises{})
		}); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzApprovals(f *testing.F) {
	f.Add([]byte{0, 2, 4, 1, 6, 3, 0, 5, 9, 12, 40, 7, 3})
	f.Add([]byte{3, 0, 0, 0, 30, 2, 8, 20, 1, 50, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := engine.Drive(&engine.Bytes{B: b}, askingMachine, newDesk(), askingBooks(), engine.Premises{}); err != nil {
			t.Fatal(err)
		}
	})
}
