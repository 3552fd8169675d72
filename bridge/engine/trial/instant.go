package trial

import (
	"context"
	"iter"
	"testing/synctest"
	"time"
)

// Never is the instant of what does not happen.
const Never = -1

// Instant is one way in which an event, a deadline and a cancel may meet a wait: the
// tick at which each is there, or Never. At tick 0 a thing is there before the wait
// looks. Within a tick the event and the cancel come one after the other, each seen
// before the other, and the deadline is the tick's end.
type Instant struct {
	Event, Deadline, Cancel int
	// CancelFirst turns the order of an event and a cancel of one tick around.
	CancelFirst bool
}

// Instants is every Instant up to the tick last, in which anything happens at all.
func Instants(last int) iter.Seq[Instant] {
	return func(yield func(Instant) bool) {
		for i := range (last + 2) * (last + 2) * (last + 2) {
			in := Instant{i/(last+2)/(last+2) - 1, i/(last+2)%(last+2) - 1, i%(last+2) - 1, false}
			if in == (Instant{Never, Never, Never, false}) {
				continue
			}
			if !yield(in) {
				return
			}
			in.CancelFirst = in.Event == in.Cancel && in.Event > 0
			if in.CancelFirst && !yield(in) {
				return
			}
		}
	}
}

// Wait is what is played: it returns when the event, the cancel of ctx or the
// deadline is there. A deadline of 0 is none, one below 0 has passed already.
type Wait func(ctx context.Context, event <-chan int, deadline time.Duration)

// Play runs a wait in the virtual time of the bubble it is called in and returns the
// tick at which the wait ended, Never if it did not end by two ticks after the last
// thing happened; it is cancelled then, so that nothing stays behind.
func (i Instant) Play(tick time.Duration, wait Wait) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	event, ended := make(chan int, 1), make(chan time.Duration, 1)
	i.happen(0, event, cancel)
	start := time.Now()
	go func() {
		wait(ctx, event, i.deadline(tick))
		ended <- time.Since(start)
	}()
	for at := 1; ; at++ {
		synctest.Wait()
		select {
		case took := <-ended:
			return int(took / tick)
		default:
		}
		if at > max(i.Event, i.Deadline, i.Cancel)+2 {
			cancel()
			synctest.Wait()
			return Never
		}
		time.Sleep(tick)
		i.happen(at, event, cancel)
	}
}

// happen brings what is due at a tick. After the wait has begun each thing is seen
// before the next comes.
func (i Instant) happen(at int, event chan<- int, cancel func()) {
	due := []func(){}
	if i.Event == at {
		due = append(due, func() { event <- at })
	}
	if i.Cancel == at {
		due = append(due, cancel)
	}
	if i.CancelFirst && len(due) == 2 {
		due[0], due[1] = due[1], due[0]
	}
	for _, f := range due {
		f()
		if at > 0 {
			synctest.Wait()
		}
	}
}

// deadline is the duration until the end of the deadline's tick.
func (i Instant) deadline(tick time.Duration) time.Duration {
	switch i.Deadline {
	case Never:
		return 0
	case 0:
		return -1
	default:
		return time.Duration(i.Deadline)*tick + 1
	}
}
