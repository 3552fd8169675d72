package admission

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	core "tenet/core/admission"
)

func controller(t *testing.T, slots, queue int) *Controller {
	t.Helper()
	c, err := New(core.Limits{Slots: slots, Queue: queue})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A user's request takes the slot of a compaction, which is told, stops, and asks
// again; it gets its slot back when the user's reply is there.
func TestUserBeforeCompaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := controller(t, 1, 8)
		work, err := c.Admit(t.Context(), "openai", core.Background)
		if err != nil {
			t.Fatal(err)
		}
		again := make(chan error)
		go func() {
			<-work.Done()
			if work.Cause() != ErrPreempted {
				t.Errorf("the work was stopped by %v", work.Cause())
			}
			work.Release()
			p, err := c.Admit(t.Context(), "openai", core.Background)
			if err == nil {
				p.Release()
			}
			again <- err
		}()
		user, err := c.Admit(t.Context(), "openai", core.Interactive)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if s := c.Stats()[0]; s.Background.Waiting != 1 || s.Interactive.Slots != 1 {
			t.Errorf("while the user's request runs: %+v", s)
		}
		user.Release()
		if err := <-again; err != nil {
			t.Error(err)
		}
		want := Stats{Provider: "openai", Limits: core.Limits{Slots: 1, Queue: 8},
			Interactive: ClassStats{Counts: Counts{Admitted: 1}},
			Background:  ClassStats{Counts: Counts{Admitted: 2, Preempted: 1}}}
		if got := c.Stats()[0]; got != want {
			t.Errorf("afterwards %+v, not %+v", got, want)
		}
	})
}

// A wait ends with its context, at the instant, and says whose request it was.
func TestWaitHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := controller(t, 1, 8)
		if _, err := c.Admit(t.Context(), "local", core.Interactive); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		_, err := c.Admit(ctx, "local", core.Interactive)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "local") {
			t.Errorf("the wait ended with %v", err)
		}
		if took := time.Since(start); took != time.Minute {
			t.Errorf("it took %v", took)
		}
		if s := c.Stats()[0].Interactive; s.Waiting != 0 || s.Left != 1 {
			t.Errorf("it left %+v behind", s)
		}
	})
}

func TestQueueFull(t *testing.T) {
	c := controller(t, 1, 1)
	for _, want := range []error{nil, nil, ErrQueueFull} {
		if _, err := c.Enter("p", core.Background); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	_, err := c.Admit(t.Context(), "p", core.Background)
	if want := "admission: 1 background requests to p wait already: the queue is full; try again when some are done"; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	if _, err := c.Admit(t.Context(), "p", core.Interactive); err != nil {
		t.Errorf("background work kept a user's request out: %v", err)
	}
	if n := c.Stats()[0].Background.Refused; n != 2 {
		t.Errorf("%d refusals counted", n)
	}
}

func TestLimitsThatCannotBeKept(t *testing.T) {
	for _, l := range []core.Limits{{Slots: 0, Queue: 1}, {Slots: 1, Queue: -1}} {
		if c, err := New(l); err == nil {
			t.Errorf("a controller with %+v: %v", l, c)
		}
	}
	c := controller(t, 2, 3)
	if err := c.SetLimit("p", 0); err == nil {
		t.Error("no slots at all were accepted")
	}
	if err := c.SetLimits("p", core.Limits{Slots: 4, Queue: 5}); err != nil {
		t.Error(err)
	}
	if err := c.SetLimit("p", 6); err != nil {
		t.Error(err)
	}
	if got := c.Stats()[0].Limits; got != (core.Limits{Slots: 6, Queue: 5}) {
		t.Errorf("the limits are %+v", got)
	}
}

// A slot that was lost before its waiter looked is a permit that is done; a ticket
// that is over is no ticket to wait on.
func TestWaitOnATicketThatIsOver(t *testing.T) {
	c := controller(t, 1, 1)
	work, _ := c.Enter("p", core.Background)
	user, _ := c.Enter("p", core.Interactive)
	if p, err := work.Wait(t.Context()); err != nil || p.Cause() != ErrPreempted {
		t.Errorf("a preempted one: %v", err)
	}
	if !user.End() || user.End() {
		t.Error("the first end ends, the second does nothing")
	}
	if _, err := user.Wait(t.Context()); !errors.Is(err, ErrReleased) {
		t.Errorf("an ended one: %v", err)
	}
}

// Bound work ends with its own context too, and the permit lives on.
func TestBind(t *testing.T) {
	c := controller(t, 1, 1)
	p, err := c.Admit(t.Context(), "p", core.Interactive)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := p.Bind(t.Context())
	cancel()
	if ctx.Err() == nil || p.Cause() != nil {
		t.Errorf("the work %v, the permit %v", ctx.Err(), p.Cause())
	}
	p.Release()
	p.Release()
	if p.Cause() != ErrReleased {
		t.Errorf("released: %v", p.Cause())
	}
}

// Providers are sorted, and each has its own tickets.
func TestStats(t *testing.T) {
	c := controller(t, 1, 1)
	for _, p := range []string{"b", "a", "c"} {
		tk, err := c.Enter(p, core.Interactive)
		if err != nil || tk.Status() != core.Held || tk.Number() != 1 || tk.Class() != core.Interactive {
			t.Errorf("%s: %+v, %v", p, tk, err)
		}
	}
	var names []string
	for _, s := range c.Stats() {
		names = append(names, s.Provider)
	}
	if got := strings.Join(names, " "); got != "a b c" {
		t.Errorf("the providers are %s", got)
	}
}
