package admission

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	core "tenet/core/admission"
)

// The sizes that are compared: an operation whose cost grew with the number of
// waiters would cost a hundred times more in the second.
var sizes = []int{1_000, 100_000}

// crowd is one holder and n waiters, in the order of their numbers.
func crowd(b *testing.B, n int) (*Controller, *Ticket, []*Ticket) {
	b.Helper()
	c, err := New(core.Limits{Slots: 1, Queue: 1 << 20})
	if err != nil {
		b.Fatal(err)
	}
	holder, _ := c.Enter("p", core.Interactive)
	waiters := make([]*Ticket, n)
	for i := range waiters {
		waiters[i], _ = c.Enter("p", core.Interactive)
	}
	return c, holder, waiters
}

func perSize(b *testing.B, f func(*testing.B, int)) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("waiters=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			f(b, n)
		})
	}
}

// One request arrives behind n waiters, and leaves from there.
func BenchmarkArriveAndLeave(b *testing.B) {
	perSize(b, func(b *testing.B, n int) {
		c, _, _ := crowd(b, n)
		for b.Loop() {
			t, _ := c.Enter("p", core.Interactive)
			t.End()
		}
	})
}

// One waiter leaves from anywhere among n, and another arrives.
func BenchmarkLeaveFromTheMiddle(b *testing.B) {
	perSize(b, func(b *testing.B, n int) {
		c, _, waiters := crowd(b, n)
		r := rand.New(rand.NewPCG(1, 1))
		for b.Loop() {
			i := r.IntN(n)
			waiters[i].End()
			waiters[i], _ = c.Enter("p", core.Interactive)
		}
	})
}

// The holder releases, the oldest of n waiters is granted and collects, and a new
// one arrives.
func BenchmarkGrant(b *testing.B) {
	perSize(b, func(b *testing.B, n int) {
		c, holder, waiters := crowd(b, n)
		next := 0
		for b.Loop() {
			holder.End()
			holder = waiters[next]
			if holder.Poll() != core.Held {
				b.Fatal("the oldest waiter was not granted")
			}
			waiters[next], _ = c.Enter("p", core.Interactive)
			next = (next + 1) % n
		}
	})
}

// A user's request preempts one uncollected background grant among n waiters: the
// grant goes back to its place.
func BenchmarkPreemptAndTakeBack(b *testing.B) {
	perSize(b, func(b *testing.B, n int) {
		c, err := New(core.Limits{Slots: 1, Queue: 1 << 20})
		if err != nil {
			b.Fatal(err)
		}
		for range n {
			if _, err := c.Enter("p", core.Background); err != nil {
				b.Fatal(err)
			}
		}
		for b.Loop() {
			user, _ := c.Enter("p", core.Interactive)
			user.End()
		}
	})
}

// The limit changes beside n waiters.
func BenchmarkSetLimit(b *testing.B) {
	perSize(b, func(b *testing.B, n int) {
		c, _, _ := crowd(b, n)
		for b.Loop() {
			if err := c.SetLimit("p", 1); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// n goroutines wait in Admit, each holds the slot once and passes it on: the time
// of one hand-over from a real waiter to the next. The controller starts none of
// its own: the goroutines counted are those of the callers.
func BenchmarkBlockedWaiters(b *testing.B) {
	perSize(b, func(b *testing.B, n int) {
		rounds := 0
		for ; b.Loop(); rounds++ {
			b.StopTimer()
			c, holder, _ := crowd(b, 0)
			before := runtime.NumGoroutine()
			var all, entered sync.WaitGroup
			entered.Add(n)
			c.lane("p").pause = func(point string) {
				if point == "entered" {
					entered.Done()
				}
			}
			for range n {
				all.Go(func() {
					p, err := c.Admit(context.Background(), "p", core.Interactive)
					if err == nil {
						p.Release()
					}
				})
			}
			entered.Wait()
			if extra := runtime.NumGoroutine() - before - n; extra > 0 {
				b.Fatalf("%d goroutines beside the waiters' own", extra)
			}
			b.StartTimer()
			holder.End()
			all.Wait()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rounds*n), "ns/hand-over")
	})
}
