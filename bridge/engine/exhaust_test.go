package engine

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"tenet/laws/law"
)

func TestExhaustCountsWhatOtherCheckersCount(t *testing.T) {
	for _, c := range []struct{ places, states, steps int }{
		{3, 468, 2_541},
		{4, 4_587, 29_538},
		{5, 52_708, 392_611},
	} {
		rep, err := Exhaust(slotMachine(c.places, []uint8{2, 1, 3}, false), slotBook)
		if err != nil {
			t.Fatal(err)
		}
		if rep.States != c.states || rep.Steps != c.steps {
			t.Errorf("%d places: %v, want %d states and %d steps", c.places, rep, c.states, c.steps)
		}
		if idle := Unapplied(slotBook, rep.Premises); len(idle) > 0 {
			t.Errorf("%d places: laws that never applied: %v", c.places, idle)
		}
	}
}

func TestExhaustFindsAPlantedBugByAShortestRun(t *testing.T) {
	_, err := Exhaust(slotMachine(4, []uint8{2, 1, 3}, true), slotBook)
	var f *Failure
	if !errors.As(err, &f) || f.Law != "no_lost_wakeup" {
		t.Fatalf("got %v", err)
	}
	// An interactive request holds, a background one waits for it, and the end of
	// the first is not handed on: three operations after the start.
	if len(f.Steps) != 4 {
		t.Errorf("the run is not a shortest one:\n%v", f)
	}
	if !strings.Contains(f.Error(), "a free slot and an eligible waiter") {
		t.Errorf("the message does not say what was seen: %v", f)
	}
}

// counter counts modulo n.
func counter(n int) Machine[int, int, int] {
	return Machine[int, int, int]{
		Step: func(s, op int) (int, int) { return (s + op) % n, s },
		Ops:  func(int) iter.Seq[int] { return slices.Values([]int{1}) },
	}
}

func TestExhaustFailsWhenItCannotSeeAll(t *testing.T) {
	if _, err := Exhaust[int, int, int](counter(MaxStates), nil); err != nil {
		t.Errorf("%d states are not too many: %v", MaxStates, err)
	}
	if _, err := Exhaust[int, int, int](counter(MaxStates+1), nil); !errors.Is(err, ErrTruncated) {
		t.Errorf("got %v", err)
	}
}

type countLaw = law.Law[int, int, int]

func book(id string, l countLaw) []countLaw {
	l.ID = id
	return []countLaw{l}
}

func TestExhaustReportsALawThatNeverApplied(t *testing.T) {
	never := book("never", countLaw{State: func(int) law.Verdict { return law.Idle }})
	rep, err := Exhaust(counter(5), never)
	if err != nil || !slices.Equal(Unapplied(never, rep.Premises), []string{"never"}) {
		t.Errorf("got %v, %v", rep, err)
	}
}

func TestExhaustJudgesEveryPairOfAFunction(t *testing.T) {
	square := Machine[int, int, int]{
		Step: func(s, in int) (int, int) { return s, in * in },
		Ops:  func(int) iter.Seq[int] { return slices.Values([]int{-3, 1, 2}) },
	}
	monotone := book("monotone", countLaw{Pair: func(a, fa, b, fb int) law.Verdict {
		if a > b {
			return law.Idle
		}
		return law.Check(fa <= fb, "%d and %d give %d and %d", a, b, fa, fb)
	}})
	_, err := Exhaust(square, monotone)
	var f *Failure
	if !errors.As(err, &f) || !strings.Contains(err.Error(), "-3 and 1 give 9 and 1") {
		t.Errorf("got %v", err)
	}
}

// drain is a queue that the adversary fills to at most 3 (+1) and the system
// drains (-1).
func drain(stuckAt int) Machine[int, int, int] {
	return Machine[int, int, int]{
		Step: func(s, op int) (int, int) { return s + op, 0 },
		Ops: func(s int) iter.Seq[int] {
			var ops []int
			if s < 3 {
				ops = append(ops, 1)
			}
			if s > 0 && s != stuckAt {
				ops = append(ops, -1)
			}
			return slices.Values(ops)
		},
		Progress: &Progress[int, int]{
			Law:    "drains",
			System: func(_, op int) bool { return op < 0 },
			Done:   func(s int) bool { return s == 0 },
		},
	}
}

func lowers(b, op, _, a int) law.Verdict {
	if op > 0 {
		return law.Idle
	}
	return law.Check(a < b, "from %d to %d", b, a)
}

func TestExhaustShowsProgress(t *testing.T) {
	rep, err := Exhaust(drain(-1), book("drains", countLaw{Rank: lowers}))
	if err != nil || rep.Premises["drains"] != 3 {
		t.Errorf("a queue that drains: %v, %v", rep, err)
	}
	_, err = Exhaust(drain(2), book("drains", countLaw{Rank: lowers}))
	if !errors.Is(err, errStuck) {
		t.Errorf("a queue that gets stuck: %v", err)
	}
	_, err = Exhaust(drain(-1), book("drains", countLaw{Rank: func(b, op, out, a int) law.Verdict {
		if b == 2 {
			return law.Idle
		}
		return lowers(b, op, out, a)
	}}))
	if !errors.Is(err, errUnranked) {
		t.Errorf("a rank that is silent about a step of the system: %v", err)
	}
	if _, err = Exhaust(drain(2), book("another", countLaw{Step: lowers})); err != nil {
		t.Errorf("progress is judged only when its law is asked for: %v", err)
	}
}

func TestHistoriesJudgesWholeHistories(t *testing.T) {
	m := Machine[int, int, int]{
		Step: func(s, op int) (int, int) { return (s + op) % 2, 0 },
		Ops:  func(int) iter.Seq[int] { return slices.Values([]int{0, 1}) },
	}
	three := book("never_three_ones", countLaw{Trace: func(_ int, run []law.Did[int, int, int]) law.Verdict {
		ones := 0
		for _, d := range run {
			ones += d.Op
		}
		return law.Check(ones < 3, "%d ones", ones)
	}})
	rep, err := Histories(m, three, 2)
	if err != nil || rep.States != 7 || rep.Steps != 6 || rep.Depth != 2 || rep.Premises["never_three_ones"] != 6 {
		t.Errorf("histories of two steps: %v, %v", rep, err)
	}
	_, err = Histories(m, three, 3)
	var f *Failure
	if !errors.As(err, &f) || len(f.Steps) != 3 {
		t.Errorf("histories of three steps: %v", err)
	}
}
