package bridge

import (
	"testing"
	"time"

	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/floor"
	"tenet/core/script"
	"tenet/laws"
	"tenet/models/permission"
)

// Every law of the area within its bound; what it saw is pinned by TestPins.
func TestPermissionModel(t *testing.T) {
	start := time.Now()
	rep, err := permissionExhaust()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d steps in %v; premises %v", rep.Steps, time.Since(start).Round(time.Millisecond), rep.Premises)
}

// Settings of up to eight rules, beyond what is searched.
func TestPermissionRapid(t *testing.T) {
	defer report.Time("permission")()
	n := trial.Check(t, 40, permissionHistory)
	report.Histories("permission", n)
}

func permissionHistory(src engine.Source) error {
	for range 40 {
		op := permission.Any(src.Pick)
		_, out := permission.None{}.Step(op)
		for _, l := range laws.PermissionBook {
			if v := l.Func(op, out); v.Err != nil {
				return v.Err
			}
		}
	}
	return nil
}

// TestFloorCases: of the list of real failures exactly those fall under the floor that
// must, in whatever way they are written.
func TestFloorCases(t *testing.T) {
	floored := 0
	for _, c := range guardCases(t, "shell") {
		s, err := script.Parse(repeated(c.Input))
		if err != nil {
			continue // what is no script runs nothing
		}
		place := guardPlace(c)
		rule, _, hit := floor.Check(floor.Place{Home: place.Env["HOME"], Root: "/home/u/proj"}, floorStep(s, place))
		if hit {
			floored++
		}
		if hit != c.Floor {
			t.Errorf("%s: %q falls under %q of the floor: %s", c.ID, c.Input, rule, c.Why)
		}
	}
	if floored < 35 {
		t.Errorf("%d cases fall under the floor, some are gone", floored)
	}
}

// FuzzFloor: whatever stands beside a wipe in a script, the wipe is seen, and nothing
// panics on the way from the text to the verdict.
func FuzzFloor(f *testing.F) {
	for _, s := range []string{"ls", "cd /x; echo $(a", "f() { g; }", "x='", "case a in b) c;; esac", "for i in *; do :; done", "coproc a b=c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		place := guardPlace(guardCase{})
		if s, err := script.Parse(text); err == nil {
			floor.Check(floor.Place{Home: "/home/u", Root: "/home/u/proj"}, floorStep(s, place))
		}
		s, err := script.Parse("rm -rf /\n" + text)
		if err != nil {
			return
		}
		if _, _, hit := floor.Check(floor.Place{Home: "/home/u", Root: "/home/u/proj"}, floorStep(s, place)); !hit {
			t.Errorf("a wipe before %q is not seen", text)
		}
	})
}

func floorStep(s script.Script, place effect.Place) call.Step {
	judge := effect.Every
	if s.Whole {
		judge = effect.Whole
	}
	f := judge(s.File, place)
	return call.Step{Class: f.Class, Effects: f.Effects, Commands: f.Commands, Hazards: f.Hazards}
}
