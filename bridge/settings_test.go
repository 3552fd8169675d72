package bridge

import (
	"testing"

	"tenet/bridge/engine"
	"tenet/bridge/engine/crash"
	"tenet/bridge/engine/trial"
	"tenet/laws"
	"tenet/models/settings"
)

// Every state that grants, kills and other programs can reach: each law holds, and
// each law's premise held somewhere.
func TestGrantsModel(t *testing.T) {
	defer report.Time("permission")()
	r := engine.Report{Premises: engine.Premises{}}
	if err := grantsExhaust(&r, nil); err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.GrantsBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// The editor of settings beside the machine, on every short history and every crash.
func TestGrantsQuick(t *testing.T) {
	defer report.Time("permission")()
	if err := grantsQuick(); err != nil {
		t.Fatal(err)
	}
}

func TestGrantsRapid(t *testing.T) {
	defer report.Time("permission")()
	n := engine.Premises{}
	report.Histories("permission", trial.Check(t, 30, func(src engine.Source) error {
		return engine.Drive(src, grantMachine, newGrantSystem(), laws.GrantsBook, n)
	}))
	if idle := engine.Unapplied(laws.GrantsBook, n); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
}

// The counts of a grant's crashes: fewer calls mean that it does less, fewer cases
// that it syncs more.
func TestGrantCrashes(t *testing.T) {
	defer report.Time("permission")()
	for _, c := range []struct {
		loss crash.Loss
		from settings.Content
		want crash.Seen
	}{
		{crash.Kill, 0, crash.Seen{Calls: 11, Cases: 23}},
		{crash.PowerLoss, 0, crash.Seen{Calls: 11, Cases: 67}},
		{crash.Kill, settings.Of(settings.Theirs), crash.Seen{Calls: 16, Cases: 34}},
		{crash.PowerLoss, settings.Of(settings.Theirs), crash.Seen{Calls: 16, Cases: 100}},
	} {
		if seen, err := grantCrashes(c.loss, c.from); err != nil || seen != c.want {
			t.Errorf("%v from %v: %+v, want %+v (%v)", c.loss, c.from.List(), seen, c.want, err)
		}
	}
}
