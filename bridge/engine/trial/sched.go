package trial

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tenet/bridge/engine"
)

// Sched runs goroutines of production one at a time, in an order that a Source
// chooses. Inside a synctest bubble, synctest.Wait returns when every goroutine is
// either parked here or durably blocked; then the source says who goes on. Real
// code, real channels, virtual time, and a schedule that can be repeated.
//
// Production makes itself schedulable by one option, and pays a nil check for it:
//
//	// WithPause sets a function that is called at the named points, outside of every
//	// lock: points at which a scheduler may pause the caller.
//	func WithPause(pause func(point string)) Option
//
// It calls it wherever another goroutine may come between two of its critical
// sections: before it takes the lock, after a wake-up, after it saw that its context
// ended. Sched.Pause is such a function. Never call it with a lock held: the
// goroutine that blocks on that lock is not durably blocked, and the bubble hangs.
type Sched struct {
	src    engine.Source
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	names  []string       // by the order of Go
	who    map[uint64]int // goroutine to position in names
	at     []string       // where each was last seen
	live   int
	parked []parked
	trail  []string // who went on from where
	free   bool     // gave up: everybody runs
}

type parked struct {
	who   int // position in names, or len(names) for a goroutine of production's own
	point string
	on    chan struct{}
}

// NewSched is a scheduler for one bubble; call it inside.
func NewSched(src engine.Source) *Sched {
	ctx, cancel := context.WithCancel(context.Background())
	return &Sched{src: src, ctx: ctx, cancel: cancel, who: map[uint64]int{}}
}

// Go adds a goroutine that starts when the schedule says so. Its context ends when
// the scheduler gives up, so that nothing stays behind. Call it before Run.
func (s *Sched) Go(name string, f func(ctx context.Context)) {
	s.mu.Lock()
	i := len(s.names)
	s.names, s.at = append(s.names, name), append(s.at, "start")
	s.live++
	s.mu.Unlock()
	go func() {
		s.mu.Lock()
		s.who[goroutine()] = i
		s.mu.Unlock()
		s.Pause("start")
		f(s.ctx)
		s.mu.Lock()
		s.live--
		s.at[i] = "end"
		s.mu.Unlock()
	}()
	synctest.Wait() // parked before the next one is added
}

// Pause parks the calling goroutine until the schedule lets it go on. A goroutine
// that production started by itself is parked as well, under the point's name.
func (s *Sched) Pause(point string) {
	s.mu.Lock()
	if s.free {
		s.mu.Unlock()
		return
	}
	who, known := s.who[goroutine()]
	if known {
		s.at[who] = point
	} else {
		who = len(s.names)
	}
	p := parked{who, point, make(chan struct{})}
	s.parked = append(s.parked, p)
	s.mu.Unlock()
	<-p.on
}

// Run lets parked goroutines go on, one at a time, until all have ended. When all
// are blocked it lets virtual time pass; when a day of that changes nothing it gives
// up and says who waits where.
func (s *Sched) Run() error {
	defer s.cancel()
	for idle := time.Millisecond; ; {
		synctest.Wait()
		switch n, live := s.counts(); {
		case n > 0:
			s.release(s.src.Pick(n, "who goes on"))
			idle = time.Millisecond
		case live == 0:
			return nil
		case idle > 24*time.Hour:
			return s.giveUp()
		default:
			time.Sleep(idle)
			idle *= 2
		}
	}
}

// counts also brings the parked into an order of their own: two goroutines that ran
// until they parked did so in an order that nobody chose.
func (s *Sched) counts() (parkedNow, live int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortStableFunc(s.parked, func(a, b parked) int {
		return cmp.Or(cmp.Compare(a.who, b.who), strings.Compare(a.point, b.point))
	})
	return len(s.parked), s.live
}

func (s *Sched) release(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.parked[i]
	s.parked = slices.Delete(s.parked, i, i+1)
	s.trail = append(s.trail, s.name(p.who)+" from "+p.point)
	close(p.on)
}

func (s *Sched) name(who int) string {
	if who < len(s.names) {
		return s.names[who]
	}
	return "production"
}

// ErrStuck is returned by Run when goroutines wait for what never comes.
var ErrStuck = errors.New("nothing can go on")

func (s *Sched) giveUp() error {
	s.mu.Lock()
	var waiting []string
	for i, at := range s.at {
		if at != "end" {
			waiting = append(waiting, s.names[i]+" since "+at)
		}
	}
	s.free = true
	s.mu.Unlock()
	s.cancel()
	synctest.Wait()
	return fmt.Errorf("%w: %s", ErrStuck, strings.Join(waiting, ", "))
}

// Trail is the schedule so far: who went on from where.
func (s *Sched) Trail() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.trail, "; ")
}

// goroutine is the number of the calling goroutine, as a stack trace names it. The
// runtime has no other way to tell who called, and a hook of production cannot be
// handed a name.
func goroutine() uint64 {
	var buf [64]byte
	b := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	n, err := strconv.ParseUint(string(b[:max(0, bytes.IndexByte(b, ' '))]), 10, 64)
	if err != nil {
		panic("a stack trace does not start with the goroutine's number")
	}
	return n
}

// Scenario sets production up, adds goroutines with Go, runs the schedule with Run
// and judges what was seen.
type Scenario func(*Sched) error

// ErrTruncated is returned when there are more schedules than the limit: the ones
// not run were not seen.
var ErrTruncated = errors.New("more schedules than the limit: make the scenario smaller or the limit larger")

// Schedules runs a scenario in every schedule there is, at most limit, and returns
// how many. It stops at the first failure, which names the schedule's number, its
// choices and its trail.
func Schedules(t *testing.T, limit int, scenario Scenario) (int, error) {
	t.Helper()
	o := &engine.Odometer{}
	for n := 1; n <= limit; n++ {
		if err := bubble(t, o, scenario); err != nil {
			return n, fmt.Errorf("schedule %d, choices %v: %w", n, o.Choices(), err)
		}
		if !o.Next() {
			return n, o.Err()
		}
	}
	return limit, ErrTruncated
}

// SomeSchedules runs a scenario in count pseudo-random schedules, the same ones for
// the same seed: for scenarios with too many to run them all.
func SomeSchedules(t *testing.T, count int, seed uint64, scenario Scenario) error {
	t.Helper()
	for i := range uint64(count) {
		if err := bubble(t, engine.NewRandom(seed+i, 0), scenario); err != nil {
			return fmt.Errorf("seed %d: %w", seed+i, err)
		}
	}
	return nil
}

func bubble(t *testing.T, src engine.Source, scenario Scenario) (err error) {
	synctest.Test(t, func(*testing.T) {
		s := NewSched(src)
		if err = scenario(s); err != nil {
			err = fmt.Errorf("%w\n  schedule: %s", err, s.Trail())
		}
	})
	return err
}
