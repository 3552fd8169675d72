package trial

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// race is a wait that is right: the first wins, the event before the cancel when
// both are there.
func race(ended *string) Wait {
	return func(ctx context.Context, event <-chan int, deadline time.Duration) {
		late := make(<-chan time.Time)
		if deadline != 0 {
			late = time.After(deadline)
		}
		select {
		case <-event:
			*ended = "event"
		case <-ctx.Done():
			*ended = "cancel"
		case <-late:
			*ended = "deadline"
		}
		select {
		case <-event:
			*ended = "event"
		default:
		}
	}
}

// deaf does not hear the cancel.
func deaf(ended *string) Wait {
	return func(_ context.Context, event <-chan int, deadline time.Duration) {
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		race(ended)(ctx, event, deadline)
	}
}

// played judges a wait on every instant up to a tick.
func played(t *testing.T, last int, wait func(*string) Wait) (n int, err error) {
	synctest.Test(t, func(*testing.T) {
		for i := range Instants(last) {
			n++
			ended := ""
			at := i.Play(time.Second, wait(&ended))
			if first := min(never(i.Event), never(i.Cancel), never(i.Deadline)); at != first && err == nil {
				err = fmt.Errorf("%+v: ended by %q at %d", i, ended, at)
			}
		}
	})
	return n, err
}

// never puts what never happens behind everything else.
func never(at int) int {
	if at == Never {
		return 1 << 30
	}
	return at
}

func TestInstantsArePlayedExactly(t *testing.T) {
	// 6 instants for each of three things, not all Never; at 4 ticks the event and the
	// cancel meet in either order, with each of 6 deadlines.
	n, err := played(t, 4, race)
	if want := 6*6*6 - 1 + 4*6; n != want || err != nil {
		t.Errorf("%d instants, %v; want %d", n, err, want)
	}
}

func TestInstantsFindAWaitThatDoesNotHearTheCancel(t *testing.T) {
	if _, err := played(t, 4, deaf); err == nil {
		t.Error("not found")
	}
}

func TestEventAndCancelOfOneTickAreSeenInTheOrderThatIsPlayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for first, i := range map[string]Instant{
			"event":  {Event: 2, Cancel: 2, Deadline: Never},
			"cancel": {Event: 2, Cancel: 2, Deadline: Never, CancelFirst: true},
		} {
			seen := make(chan string, 1)
			i.Play(time.Second, func(ctx context.Context, event <-chan int, _ time.Duration) {
				select {
				case <-event:
					seen <- "event"
				case <-ctx.Done():
					seen <- "cancel"
				}
			})
			if got := <-seen; got != first {
				t.Errorf("%+v: %s came first", i, got)
			}
		}
	})
}

// A wait that ignores everything is told from one that ends, and is cancelled so
// that the test ends as well.
func TestAWaitThatNeverEndsIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := errors.New("stopped")
		var why error
		at := Instant{Event: 1, Deadline: Never, Cancel: Never}.Play(time.Second, func(ctx context.Context, _ <-chan int, _ time.Duration) {
			<-ctx.Done()
			why = stop
		})
		if at != Never || why != stop {
			t.Errorf("ended at %d, %v", at, why)
		}
	})
}
