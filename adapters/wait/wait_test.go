package wait

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	core "tenet/core/wait"
)

// What the laws leave to the adapter: the event's value, and what stays where.

func TestAClosedChannelIsAnEventWithTheZeroValue(t *testing.T) {
	event := make(chan string)
	close(event)
	if v, end := Race(t.Context(), event, 0); v != "" || end != core.Event {
		t.Errorf("%q, %v", v, end)
	}
}

func TestAnEventThatDidNotWinStaysInItsChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		event := make(chan string, 1)
		if _, end := Race(t.Context(), event, time.Second); end != core.Deadline {
			t.Fatalf("ended by %v", end)
		}
		event <- "late"
		if v, end := Race(t.Context(), event, -1); v != "late" || end != core.Event {
			t.Errorf("the next wait: %q, %v", v, end)
		}
	})
}

func TestANilChannelIsAWaitForTheOtherTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if _, end := Race[int](t.Context(), nil, time.Hour); end != core.Deadline {
			t.Errorf("ended by %v", end)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		if _, end := Race[int](ctx, nil, time.Hour); end != core.Cancelled {
			t.Errorf("ended by %v", end)
		}
	})
}

// A race starts no goroutine: a bubble whose goroutines have all ended ends as well,
// and one with a goroutine left behind panics.
func TestARaceLeavesNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		event := make(chan int)
		go func() { event <- 1 }()
		Race(t.Context(), event, time.Hour)
	})
}

func BenchmarkRaceOfAnEventThatIsThere(b *testing.B) {
	event := make(chan int, 1)
	for b.Loop() {
		event <- 1
		Race(b.Context(), event, time.Minute)
	}
}
