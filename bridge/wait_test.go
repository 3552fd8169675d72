package bridge

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	production "tenet/adapters/wait"
	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	core "tenet/core/wait"
	"tenet/laws"
	"tenet/models/wait"
)

// Every state of a wait against every adversary: each law holds, and each law's
// premise held somewhere.
func TestWaitModel(t *testing.T) {
	defer report.Time("wait")()
	r, err := waitArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.WaitBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	if r.States != 121 || r.Steps != 1976 || r.Depth != 6 {
		t.Errorf("the model is not the one that was pinned: %v", r)
	}
	t.Log(r)
}

// The check that the shipped binary and the mutants run.
func TestWaitQuick(t *testing.T) {
	defer report.Time("wait")()
	if err := waitQuick(); err != nil {
		t.Fatal(err)
	}
}

// waited is production under the model's operations, in virtual time: a look brings
// what is there and lets the time pass, and the view is what Race has answered.
type waited struct {
	race  *race
	op    wait.Op // the begin
	began time.Time
	end   core.End
}

func (w *waited) Do(op wait.Op) core.End {
	if op.Begin {
		w.race, w.op, w.began = newRace(), op, time.Now()
		w.race.bring(op.Seen)
		w.race.start(op.Deadline)
	} else {
		w.bring(op.Seen)
	}
	synctest.Wait()
	select {
	case w.end = <-w.race.ended:
	default:
	}
	return w.end
}

// bring leaves an event that nobody takes in its channel, as a sender would.
func (w *waited) bring(seen core.Seen) {
	seen.Event = seen.Event && len(w.race.event) == 0
	w.race.bring(seen)
	time.Sleep(seen.Passed)
}

// View is empty before the begin, and measures by the bubble's clock what production
// does not show: how much of the deadline is left.
func (w *waited) View() wait.State {
	if w.race == nil {
		return wait.State{}
	}
	s := wait.State{Begun: true, Deadline: w.op.Deadline, Wait: core.Wait{End: w.end}}
	if w.end == core.Waiting && w.op.Deadline != 0 {
		s.Elapsed = time.Since(w.began)
		s.Wait.Bounded, s.Wait.Left = true, max(w.op.Deadline, 0)-s.Elapsed
	}
	return s
}

// driveWait runs one history; call it in a bubble.
func driveWait(src engine.Source, n engine.Premises) error {
	w := &waited{}
	defer func() {
		if w.race != nil {
			w.race.cancel()
		}
		synctest.Wait()
	}()
	return engine.Drive(src, waitMachine, w, laws.WaitBook, n)
}

// Production on every history of a begin and two looks.
func TestWaitShortHistories(t *testing.T) {
	defer report.Time("wait")()
	n := engine.Premises{}
	synctest.Test(t, func(t *testing.T) {
		count, err := engine.Every(3, func(src engine.Source) error { return driveWait(src, n) })
		if err != nil {
			t.Fatal(err)
		}
		report.Histories("wait", count)
	})
	if idle := engine.Unapplied(laws.WaitBook, n); idle != nil {
		t.Errorf("laws that production never met: %v", idle)
	}
}

// Production on histories beyond that, which shrink.
func TestWaitRapid(t *testing.T) {
	defer report.Time("wait")()
	report.Histories("wait", trial.CheckTimed(t, 20, func(src engine.Source) error {
		return driveWait(src, engine.Premises{})
	}))
}

// Production with the event, the deadline and the cancel on every instant of twelve
// ticks, and with any of them never. What must happen is said here once more, and
// without the model: the first wins, and a tie goes to the event, then the cancel.
func TestWaitEveryInstant(t *testing.T) {
	defer report.Time("wait")()
	count := 0
	synctest.Test(t, func(t *testing.T) {
		for i := range trial.Instants(12) {
			count++
			if err := playWait(i); err != nil {
				t.Fatal(err)
			}
		}
	})
	if want := 14*14*14 - 1 + 12*14; count != want {
		t.Errorf("%d instants, want %d", count, want)
	}
	report.Histories("wait", count)
}

func playWait(i trial.Instant) error {
	var end core.End
	var value int
	at := i.Play(time.Second, func(ctx context.Context, event <-chan int, deadline time.Duration) {
		value, end = production.Race(ctx, event, deadline)
	})
	want, wantAt := first(i)
	if end != want || at != wantAt {
		return fmt.Errorf("%+v: ended %v at %d, want %v at %d", i, end, at, want, wantAt)
	}
	if end == core.Event && value != i.Event || end != core.Event && value != 0 {
		return fmt.Errorf("%+v: ended %v with the value %d", i, end, value)
	}
	return nil
}

// first is who must win, and when.
func first(i trial.Instant) (end core.End, at int) {
	order := []struct {
		end core.End
		at  int
	}{{core.Event, i.Event}, {core.Cancelled, i.Cancel}, {core.Deadline, i.Deadline}}
	if i.CancelFirst {
		order[0], order[1] = order[1], order[0]
	}
	at = trial.Never
	for _, o := range order {
		if o.at != trial.Never && (at == trial.Never || o.at < at) {
			end, at = o.end, o.at
		}
	}
	return end, at
}

func FuzzWait(f *testing.F) {
	f.Add([]byte{5, 0, 4, 0, 4, 0})
	f.Add([]byte{1, 8, 8, 8, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		synctest.Test(t, func(t *testing.T) {
			if err := driveWait(&engine.Bytes{B: b}, engine.Premises{}); err != nil {
				t.Fatal(err)
			}
		})
	})
}
