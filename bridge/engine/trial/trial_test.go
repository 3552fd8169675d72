package trial

import (
	"context"
	"errors"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tenet/bridge/engine"
)

// seat is the production of these tests: one seat that is taken and left. In its
// broken form the look at the seat and the taking of it are two critical sections.
type seat struct {
	mu     sync.Mutex
	taken  bool
	broken bool
	pause  func(point string)
}

func (s *seat) take() bool {
	s.mu.Lock()
	free := !s.taken
	if s.broken {
		s.mu.Unlock()
		s.pause("between look and take")
		s.mu.Lock()
	}
	defer s.mu.Unlock()
	if free {
		s.taken = true
	}
	return free
}

func (s *seat) read() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.taken }

type seatOp string

const (
	take seatOp = "take"
	read seatOp = "read"
)

var seatMachine = engine.Machine[bool, seatOp, bool]{
	Step: func(taken bool, op seatOp) (bool, bool) {
		if op == take {
			return true, !taken
		}
		return taken, taken
	},
	Ops: func(bool) iter.Seq[seatOp] { return slices.Values([]seatOp{take, read}) },
}

// twoTakers lets two clients take one seat, records what they were told and reads
// the seat at the end.
func twoTakers(dir string, broken bool) Scenario {
	return func(s *Sched) error {
		p := &seat{broken: broken, pause: s.Pause}
		h := &History[bool, seatOp, bool]{Machine: seatMachine, Name: "seat"}
		for client, name := range []string{"anna", "bert"} {
			s.Go(name, func(context.Context) {
				h.Do(client, take, func() bool { s.Pause("call"); return p.take() })
			})
		}
		if err := s.Run(); err != nil {
			return err
		}
		h.Quiet(read, p.read)
		return h.Check(dir)
	}
}

func TestSchedulesAreEnumeratedExactly(t *testing.T) {
	// Each taker goes on twice, from its start and from its call, and the last steps
	// of the one that is left alone are no choice: the orders of two and two.
	n, err := Schedules(t, 100, twoTakers(t.TempDir(), false))
	if n != 6 || err != nil {
		t.Errorf("%d schedules, %v; want 6", n, err)
	}
}

func TestSchedulesFindACheckThenAct(t *testing.T) {
	dir := t.TempDir()
	n, err := Schedules(t, 100, twoTakers(dir, true))
	if n != 1 || !errors.Is(err, ErrIllegal) {
		t.Fatalf("%d schedules: %v; want the bug in the first, in which the two take turns", n, err)
	}
	for _, want := range []string{"schedule 1, choices [0 0 0 0 0]", "anna from call; bert from call; anna from between look and take; bert from between look and take"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message does not have %q: %v", want, err)
		}
	}
	picture := err.Error()[strings.Index(err.Error(), dir):]
	if b, err := os.ReadFile(strings.Fields(picture)[0]); err != nil || !strings.Contains(string(b), "<html") {
		t.Errorf("the picture that the message names: %v", err)
	}
	if err := SomeSchedules(t, 50, 1, twoTakers(dir, true)); !errors.Is(err, ErrIllegal) {
		t.Errorf("fifty random schedules: %v", err)
	}
}

// A failure that the same choices do not repeat depends on something else, and says
// so: nobody should hunt for it in the schedule.
func TestAFailureThatDoesNotHappenAgainIsToldApart(t *testing.T) {
	runs := 0
	_, err := Schedules(t, 100, func(s *Sched) error {
		if runs++; runs == 1 {
			return errors.New("once")
		}
		return nil
	})
	if !errors.Is(err, engine.ErrUnsteady) || !strings.Contains(err.Error(), "once") {
		t.Errorf("got %v", err)
	}
}

// One goroutine wakes two others, which then run at the same time until they park.
// Who of them parks first is not chosen, so the schedule must not depend on it: every
// run sees the same orders.
func TestTheOrderOfThoseWhoRanTogetherIsTheSchedulesOwn(t *testing.T) {
	for range 20 {
		var order string
		orders := map[string]bool{}
		n, err := Schedules(t, 1000, func(s *Sched) error {
			order = ""
			var mu sync.Mutex
			wake := make(chan struct{})
			for _, name := range []string{"a", "b"} {
				s.Go(name, func(context.Context) {
					<-wake
					s.Pause("woken")
					mu.Lock()
					order += name
					mu.Unlock()
				})
			}
			s.Go("waker", func(context.Context) { close(wake) })
			err := s.Run()
			orders[order] = true
			return err
		})
		if n != 16 || err != nil || len(orders) != 2 {
			t.Fatalf("%d schedules saw %v, %v", n, orders, err)
		}
	}
}

func TestSchedulesPastTheLimitAreAFailure(t *testing.T) {
	if n, err := Schedules(t, 5, twoTakers(t.TempDir(), false)); n != 5 || !errors.Is(err, ErrTruncated) {
		t.Errorf("%d schedules, %v", n, err)
	}
}

// A goroutine that waits for what never comes ends the schedule with a message, not
// the test with a hang; its context ends, so that it can leave.
func TestAScheduleThatIsStuckSaysWhoWaits(t *testing.T) {
	left := false
	_, err := Schedules(t, 100, func(s *Sched) error {
		s.Go("waiter", func(ctx context.Context) {
			s.Pause("before the wait")
			<-ctx.Done()
			left = true
		})
		return s.Run()
	})
	if !errors.Is(err, ErrStuck) || !strings.Contains(err.Error(), "waiter since before the wait") || !left {
		t.Errorf("left %v, %v", left, err)
	}
}

// When all sleep, virtual time passes and the schedule goes on.
func TestAScheduleLetsVirtualTimePass(t *testing.T) {
	n, err := Schedules(t, 100, func(s *Sched) error {
		s.Go("sleeper", func(context.Context) { time.Sleep(time.Hour) })
		return s.Run()
	})
	if n != 1 || err != nil {
		t.Errorf("%d schedules, %v", n, err)
	}
}

// Goroutines that production starts by itself are scheduled as well.
func TestAScheduleHoldsProductionsOwnGoroutines(t *testing.T) {
	seen := map[string]bool{}
	n, err := Schedules(t, 100, func(s *Sched) error {
		var mu sync.Mutex
		order := ""
		note := func(who string) { mu.Lock(); order += who; mu.Unlock() }
		s.Go("client", func(context.Context) {
			go func() { s.Pause("own"); note("p") }()
			s.Pause("call")
			note("c")
		})
		err := s.Run()
		synctest.Wait()
		seen[order] = true
		return err
	})
	if n != 2 || err != nil || !seen["pc"] || !seen["cp"] {
		t.Errorf("%d schedules saw %v, %v", n, seen, err)
	}
}

func TestHistoryRefusesWhatProvesNothing(t *testing.T) {
	dir := t.TempDir()
	yes := func() bool { return true }
	noisy := &History[bool, seatOp, bool]{Machine: seatMachine}
	noisy.Do(0, take, yes)
	if err := noisy.Check(dir); !errors.Is(err, ErrNotQuiet) {
		t.Errorf("no quiet read: %v", err)
	}
	noisy.Quiet(read, yes)
	noisy.Do(0, read, yes)
	if err := noisy.Check(dir); !errors.Is(err, ErrNotQuiet) {
		t.Errorf("a quiet read that is not the last: %v", err)
	}
	open := &History[bool, seatOp, bool]{Machine: seatMachine}
	open.Do(0, take, func() bool {
		open.Quiet(read, yes)
		if err := open.Check(dir); !errors.Is(err, ErrOpen) {
			t.Errorf("an operation in flight: %v", err)
		}
		return true
	})
}

// The answer of a take was lost. Whether it happened is open, so both reads are
// right; a seat that is free again after it was taken is not.
func TestHistoryClosesLostAnswersByHand(t *testing.T) {
	for _, c := range []struct {
		reads []bool
		want  error
	}{
		{[]bool{false, false}, nil},
		{[]bool{true, true}, nil},
		{[]bool{false, true}, nil},
		{[]bool{true, false}, ErrIllegal},
	} {
		h := &History[bool, seatOp, bool]{Machine: seatMachine, Name: "lost"}
		h.Lose(0, take, func() {})
		for _, taken := range c.reads {
			h.Quiet(read, func() bool { return taken })
		}
		if err := h.Check(t.TempDir()); !errors.Is(err, c.want) || h.Len() != 3 {
			t.Errorf("reads %v: %v, want %v", c.reads, err, c.want)
		}
	}
}

func TestRapidShrinksAndCountsItsHistories(t *testing.T) {
	n := Check(t, 20, func(src engine.Source) error {
		for src.More() {
			if k := src.Pick(5, "k"); k < 0 || k > 4 {
				return errors.New("out of range")
			}
		}
		return nil
	})
	if n < checks() {
		t.Errorf("%d histories", n)
	}
}
