package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// slotted is a production for slotMachine: the model itself with one planted bug,
// the slot of a request that was preempted is not handed on when it ends.
type slotted struct {
	s     slots
	m     Machine[slots, slotOp, struct{}]
	buggy bool
}

func (p *slotted) Do(op slotOp) struct{} {
	if p.buggy && op.kind == "end" && p.s.reqs[op.slot].class == background {
		p.s = p.s.end(op.slot, true)
		return struct{}{}
	}
	p.s, _ = p.m.Step(p.s, op)
	return struct{}{}
}

func (p *slotted) View() slots { return p.s }

func driveSlots(buggy bool, n Premises) func(Source) error {
	m := slotMachine(3, []uint8{2, 1}, false)
	return func(src Source) error {
		return Drive(src, m, &slotted{s: m.Init, m: m, buggy: buggy}, slotBook, n)
	}
}

func TestDriveAcceptsProductionThatObeys(t *testing.T) {
	n := Premises{}
	count, err := Every(5, driveSlots(false, n))
	if err != nil {
		t.Fatal(err)
	}
	if idle := Unapplied(slotBook, n); len(idle) > 0 {
		t.Errorf("laws that never applied in %d histories: %v", count, idle)
	}
}

func TestDriveFindsAPlantedBugOnProductionsOwnState(t *testing.T) {
	_, err := Every(5, driveSlots(true, Premises{}))
	var f *Failure
	if !errors.As(err, &f) || f.Law != "no_lost_wakeup" || !strings.Contains(err.Error(), "production:") {
		t.Errorf("got %v", err)
	}
	if err := Many(1000, 20, 1, driveSlots(true, Premises{})); err == nil {
		t.Error("a thousand random histories did not find it")
	}
}

func TestDriveFindsADivergenceThatNoLawSpeaksAbout(t *testing.T) {
	m := slotMachine(3, []uint8{2, 1}, false)
	err := Many(1000, 20, 1, func(src Source) error {
		return Drive(src, m, &slotted{s: m.Init, m: m, buggy: true}, nil, Premises{})
	})
	var f *Failure
	if !errors.As(err, &f) || f.Law != "model" {
		t.Errorf("got %v", err)
	}
}

func TestDriveRefusesProductionThatStartsElsewhere(t *testing.T) {
	m := slotMachine(3, []uint8{2, 1}, false)
	err := Drive(NewRandom(1, 5), m, &slotted{m: m}, slotBook, Premises{})
	if err == nil || !strings.Contains(err.Error(), "production starts in") {
		t.Errorf("got %v", err)
	}
}

func TestOdometerEnumeratesExactly(t *testing.T) {
	var seen []string
	n, err := Every(2, func(src Source) error {
		s := ""
		for src.More() {
			k := src.Pick(3, "letter")
			s += string(rune('a' + k))
			if k == 1 {
				s += string(rune('x' + src.Pick(2, "mark")))
			}
		}
		seen = append(seen, s)
		return nil
	})
	want := []string{"aa", "abx", "aby", "ac", "bxa", "bxbx", "bxby", "bxc", "bya", "bybx", "byby", "byc", "ca", "cbx", "cby", "cc"}
	if err != nil || n != len(want) || !slices.Equal(seen, want) {
		t.Errorf("%d histories, %v:\n%v", n, err, seen)
	}
}

func TestOdometerNoticesADriverThatIsNotAFunctionOfItsChoices(t *testing.T) {
	runs := 0
	_, err := Every(1, func(src Source) error {
		runs++
		src.Pick(2+runs%2, "unsteady")
		src.Pick(2, "second")
		return nil
	})
	if !errors.Is(err, ErrUnsteady) {
		t.Errorf("got %v after %d runs", err, runs)
	}
}

func TestBytesEndWithTheInput(t *testing.T) {
	src := &Bytes{B: []byte{7, 2}}
	if got := []int{src.Pick(5, ""), src.Pick(1, ""), src.Pick(3, ""), src.Pick(9, "")}; !slices.Equal(got, []int{2, 0, 2, 0}) || src.More() {
		t.Errorf("got %v, more %v", got, src.More())
	}
}
