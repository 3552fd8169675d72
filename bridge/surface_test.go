package bridge

import (
	"slices"
	"testing"

	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	"tenet/core/call"
	"tenet/core/rules"
	"tenet/core/surface"
	"tenet/laws"
)

// TestSurfaceModel builds every small declaration and judges what would be sent; then every
// order of installs, settings, joins and quits.
func TestSurfaceModel(t *testing.T) {
	defer report.Time("surface")()
	r, err := surfaceArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := append(engine.Unapplied(laws.RegistryBook, r.Premises), engine.Unapplied(laws.SurfaceBook, r.Premises)...); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// Real sessions beside the model: what their requests carry, what dyn lists and runs.
func TestSurfaceQuick(t *testing.T) {
	defer report.Time("surface")()
	if err := surfaceQuick(); err != nil {
		t.Fatal(err)
	}
}

// Random histories that shrink.
func TestSurfaceRapid(t *testing.T) {
	defer report.Time("surface")()
	report.Histories("surface", trial.Check(t, 40, func(src engine.Source) error {
		return engine.Drive(src, registryMachine, newToolSession(), laws.RegistryBook, engine.Premises{})
	}))
}

// The names that the gate knows as the roster's are those that nothing behind dyn may
// have: a late tool is asked about as one.
func TestReservedNamesAreTheRosters(t *testing.T) {
	for _, name := range surface.Reserved() {
		if name != "dyn" && slices.Contains(rules.Needs(name), call.MCPCall) {
			t.Errorf("%s is reserved and the rules take it for a late tool", name)
		}
	}
}
