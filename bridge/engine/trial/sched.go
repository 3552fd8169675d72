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
	named  bool // ask everybody who parks for its name, for the trail
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	names  []string       // by the order of Go
	who    map[uint64]int // goroutine to position in names
	at     []string       // where each was last seen; "end" when it has ended
	live   int
	parked []*parked // in an order that depends on nothing but the choices
	fresh  int       // how many of them parked since the last was let go
	trail  []string  // who went on from where
	on     bool      // the schedule is running: Pause parks
}

// parked is a goroutine that waits to go on.
type parked struct {
	who   int // position in names; unknown, or production's own
	point string
	next  chan word
}

// word is what a parked goroutine is told.
type word bool

const (
	sayWho word = false
	goOn   word = true
)

const (
	unknown = -1      // nobody asked yet
	own     = 1 << 30 // a goroutine that production started by itself
)

// NewSched is a scheduler for one bubble; call it inside. Schedules and
// SomeSchedules do.
func NewSched(src engine.Source) *Sched {
	ctx, cancel := context.WithCancel(context.Background())
	return &Sched{src: src, named: true, ctx: ctx, cancel: cancel, who: map[uint64]int{}}
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
		s.park("start")
		f(s.ctx)
		s.mu.Lock()
		s.live--
		s.at[i] = "end"
		s.mu.Unlock()
	}()
	synctest.Wait() // parked before the next one is added: in the order of Go
	s.mu.Lock()
	s.fresh = 0
	s.mu.Unlock()
}

// Pause parks the calling goroutine until the schedule lets it go on. A goroutine
// that production started by itself is parked as well. Before and after Run nobody
// is, so that a scenario can bring production into the state in which the schedule
// begins, and look at it at the end.
func (s *Sched) Pause(point string) {
	s.mu.Lock()
	if !s.on {
		s.mu.Unlock()
		return
	}
	s.park(point)
}

// park is called with the lock held and returns without it.
func (s *Sched) park(point string) {
	p := &parked{unknown, point, make(chan word)}
	if s.named {
		s.identify(p)
	}
	s.parked = append(s.parked, p)
	s.fresh++
	s.mu.Unlock()
	for <-p.next == sayWho {
		s.mu.Lock()
		s.identify(p)
		s.mu.Unlock()
	}
}

// identify finds out who the calling goroutine is. That takes longer than all else
// here together, so it is done only where something depends on it.
func (s *Sched) identify(p *parked) {
	who, known := s.who[goroutine()]
	if !known {
		who = own
	} else {
		s.at[who] = p.point
	}
	p.who = who
}

// Run lets parked goroutines go on, one at a time, until all have ended. When all
// are blocked it lets virtual time pass; when a day of that changes nothing it gives
// up and says who waits where.
func (s *Sched) Run() error {
	s.set(true)
	defer s.cancel()
	defer s.set(false)
	for idle := time.Millisecond; ; {
		switch n, live := s.settle(); {
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

func (s *Sched) set(on bool) { s.mu.Lock(); s.on = on; s.mu.Unlock() }

// settle waits until nobody runs, and brings those who have parked meanwhile into an
// order of their own: several ran until they parked, in an order that nobody chose.
func (s *Sched) settle() (waiting, live int) {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := s.parked[len(s.parked)-s.fresh:]
	if len(fresh) > 1 {
		s.ask(fresh)
		slices.SortStableFunc(fresh, func(a, b *parked) int {
			return cmp.Or(cmp.Compare(a.who, b.who), strings.Compare(a.point, b.point))
		})
	}
	s.fresh = 0
	return len(s.parked), s.live
}

// ask has parked goroutines say who they are. The lock is held before and after.
func (s *Sched) ask(fresh []*parked) {
	for _, p := range fresh {
		if p.who == unknown {
			s.mu.Unlock()
			p.next <- sayWho
			synctest.Wait()
			s.mu.Lock()
		}
	}
}

func (s *Sched) release(i int) {
	s.mu.Lock()
	p := s.parked[i]
	s.parked = slices.Delete(s.parked, i, i+1)
	if s.named {
		s.trail = append(s.trail, s.name(p.who)+" from "+p.point)
	}
	s.mu.Unlock()
	p.next <- goOn
}

func (s *Sched) name(who int) string {
	if who == own {
		return "production"
	}
	return s.names[who]
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
	s.on = false
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
		if err := bubble(t, o, false, scenario); err != nil {
			choices := o.Choices()
			o.Again()
			return n, fmt.Errorf("schedule %d, choices %v: %w", n, choices, again(err, bubble(t, o, true, scenario)))
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
		run := func(named bool) error { return bubble(t, engine.NewRandom(seed+i, 0), named, scenario) }
		if err := run(false); err != nil {
			return fmt.Errorf("seed %d: %w", seed+i, again(err, run(true)))
		}
	}
	return nil
}

// again is the failure of the run that was repeated with names.
func again(first, second error) error {
	if second == nil {
		return fmt.Errorf("%w, which did not happen again: %w", first, engine.ErrUnsteady)
	}
	return second
}

func bubble(t *testing.T, src engine.Source, named bool, scenario Scenario) (err error) {
	synctest.Test(t, func(*testing.T) {
		s := NewSched(src)
		s.named = named
		if err = scenario(s); err != nil {
			err = fmt.Errorf("%w\n  schedule: %s", err, s.Trail())
		}
	})
	return err
}
