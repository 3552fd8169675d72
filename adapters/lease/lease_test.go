package lease

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	core "tenet/core/lease"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The laws of the lease are judged in bridge. Here is what a caller meets.

func ExampleLease() {
	turns := New()
	ticket, err := turns.Acquire(context.Background(), "window 1")
	if err != nil {
		return // the context ended while another turn ran
	}
	defer ticket.Release()
	// The turn runs.
}

func TestTurnsHoldOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New()
		first, err := l.Acquire(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, name := range []string{"two", "three", "four"} {
			ticket := l.Ask(name) // in this order; the goroutines may run in any
			go func() {
				defer ticket.Release()
				if err := ticket.Wait(t.Context()); err != nil {
					t.Error(err)
				}
				order = append(order, name) // the lease is the lock
			}()
		}
		synctest.Wait()
		if len(order) > 0 {
			t.Errorf("%v held beside the holder", order)
		}
		first.Release()
		synctest.Wait()
		if !slices.Equal(order, []string{"two", "three", "four"}) {
			t.Errorf("held in the order %v", order)
		}
	})
}

// A wait that is dropped, on either side of the grant, leaves nothing: no place, no
// origin, no goroutine.
func TestADroppedWaitLeavesNothing(t *testing.T) {
	l := New()
	holder := l.Ask("holder")
	stop := errors.New("the user pressed escape")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if ticket, err := l.Acquire(ctx, "dropped"); !errors.Is(err, stop) || ticket != nil {
		t.Errorf("got %v, %v", ticket, err)
	}
	if line := l.Line(); !slices.Equal(line, []*Ticket{holder}) || len(l.origins) != 1 {
		t.Errorf("left %d places of %d origins, want the holder's", len(line), len(l.origins))
	}
	holder.Release()
	if len(l.Line()) != 0 || len(l.origins) != 0 {
		t.Errorf("left %d places of %d origins", len(l.Line()), len(l.origins))
	}
}

func TestAnEndedTicketSaysHowItEndedAndWhatToDo(t *testing.T) {
	l := New()
	l.Ask("holder")
	ticket := l.Ask("window 2")
	if n := l.Crash("window 2"); n != 1 {
		t.Errorf("the crash ended %d places", n)
	}
	err := ticket.Wait(t.Context())
	var ended *Ended
	if !errors.As(err, &ended) || ended.Status != core.Crashed || ended.Origin != ticket.Origin() {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{`"window 2"`, "crashed", "ask again"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if s := ticket.Release(); s != core.Crashed {
		t.Errorf("a release after the crash: %v", s)
	}
}

// A crash of an origin that waits with many places hands on past all of them.
func TestACrashHandsOnPastItsOwnWaiters(t *testing.T) {
	l := New()
	var crashed []*Ticket
	for range 5 {
		crashed = append(crashed, l.Ask("gone"))
	}
	other := l.Ask("other")
	if n := l.Crash("gone"); n != 5 || other.Status() != core.Holding {
		t.Errorf("the crash ended %d places, the other is %v", n, other.Status())
	}
	for i, ticket := range crashed {
		if ticket.Status() != core.Crashed {
			t.Errorf("place %d is %v", i, ticket.Status())
		}
	}
	if n := l.Crash("gone"); n != 0 {
		t.Errorf("a second crash ended %d places", n)
	}
}

func TestSettledIsForASelect(t *testing.T) {
	l := New()
	holder, waiter := l.Ask("holder"), l.Ask("waiter")
	select {
	case <-waiter.Settled():
		t.Error("it is settled while another holds")
	case <-holder.Settled():
	}
	holder.Release()
	<-waiter.Settled()
}

// Leaving from anywhere in a long line costs what leaving a short one does.
func BenchmarkLeave(b *testing.B) {
	for _, waiters := range []int{10, 100_000} {
		b.Run(strconv.Itoa(waiters), func(b *testing.B) {
			l := New()
			line := make([]*Ticket, waiters)
			for i := range line {
				line[i] = l.Ask("others")
			}
			for i := 0; b.Loop(); i = (i + 7919) % waiters {
				line[i].Stop()
				line[i] = l.Ask("others")
			}
		})
	}
}

// BenchmarkTurn is an uncontended turn: ask, wait, release.
func BenchmarkTurn(b *testing.B) {
	l := New()
	for b.Loop() {
		t, err := l.Acquire(b.Context(), "one")
		if err != nil {
			b.Fatal(err)
		}
		t.Release()
	}
}
