package bridge

import (
	"context"
	"fmt"
	"time"

	production "tenet/adapters/wait"
	"tenet/bridge/engine"
	core "tenet/core/wait"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/wait"
)

// waitMachine is core closed with its adversary.
var waitMachine = engine.Machine[wait.State, wait.Op, core.End]{Step: wait.State.Step, Ops: wait.Ops}

func waitArea() Area {
	return Area{
		Name:       "wait",
		Relation:   Same,
		Bound:      fmt.Sprintf("deadlines of none, passed and 1 to %d ticks; looks that find anything at once after 0, 1, 5 or %d ticks", wait.Longest, 2*wait.Longest),
		Laws:       law.Infos(laws.WaitBook),
		Production: []any{core.Begin, core.Wait.Look, production.Race[int]},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(waitMachine, Pick(laws.WaitBook, names))
		},
		Quick: waitQuick,
	}
}

// ahead is a deadline that a check never reaches; soon is one that it waits for. No
// check compares times: a deadline that fires is told from one that does not by
// whether the race ends at all.
const (
	ahead = time.Hour
	soon  = time.Millisecond
)

// waitQuick races production where the order needs no clock: every set of things
// that are there before the race looks, and each thing alone once it sleeps. All
// instants, in virtual time, are in wait_test.go.
func waitQuick() error {
	for _, deadline := range []time.Duration{0, -1, ahead} {
		for i := range 4 {
			if err := raceAtOnce(deadline, core.Seen{Event: i&1 > 0, Cancel: i&2 > 0}); err != nil {
				return err
			}
		}
	}
	for _, seen := range []core.Seen{{Event: true}, {Cancel: true}, {Passed: soon}} {
		if err := raceAsleep(seen); err != nil {
			return err
		}
	}
	return nil
}

// raceAtOnce races with the things there from the start. Where nothing is there the
// race must not end by itself: it is cancelled, and must say so.
func raceAtOnce(deadline time.Duration, seen core.Seen) error {
	want := core.Begin(deadline).Look(seen).End
	r := newRace()
	r.bring(seen)
	r.start(deadline)
	if want == core.Waiting {
		r.cancel()
		want = core.Cancelled
	}
	return r.expect(want, "deadline %v, %+v before it looked", deadline, seen)
}

// raceAsleep races with nothing there and brings one thing once it sleeps.
func raceAsleep(seen core.Seen) error {
	r := newRace()
	deadline := ahead
	if seen.Passed > 0 {
		deadline = seen.Passed
	}
	asleep := make(chan struct{}, 1)
	r.ctx = watched{r.ctx, asleep}
	r.start(deadline)
	select {
	case <-asleep:
	case end := <-r.ended:
		return fmt.Errorf("race with deadline %v and nothing there: it is %v", deadline, end)
	case <-time.After(patience):
		return fmt.Errorf("race with deadline %v and nothing there: it never listens to its context", deadline)
	}
	r.bring(seen)
	return r.expect(core.Begin(deadline).Look(seen).End, "deadline %v, %+v while it slept", deadline, seen)
}

// watched is a context that tells when somebody takes its channel to sleep on it.
type watched struct {
	context.Context
	asleep chan<- struct{}
}

// Done is the context's channel.
func (w watched) Done() <-chan struct{} {
	select {
	case w.asleep <- struct{}{}:
	default:
	}
	return w.Context.Done()
}

// race is one call of Race with its event, its cancel and its end.
type race struct {
	ctx    context.Context
	cancel context.CancelFunc
	event  chan int
	ended  chan core.End
}

func newRace() *race {
	r := &race{event: make(chan int, 1), ended: make(chan core.End, 1)}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

func (r *race) start(deadline time.Duration) {
	go func() {
		_, end := production.Race(r.ctx, r.event, deadline)
		r.ended <- end
	}()
}

// bring makes a thing be there; the event first, so that a race that already sleeps
// cannot see a cancel that came with it alone.
func (r *race) bring(seen core.Seen) {
	if seen.Event {
		r.event <- 1
	}
	if seen.Cancel {
		r.cancel()
	}
}

// patience is how long a check waits for what must happen at once. It is no measure:
// without it a lost wake-up would hang the check and not fail it.
const patience = 5 * time.Second

func (r *race) expect(want core.End, what string, a ...any) error {
	defer r.cancel()
	got := core.Waiting
	select {
	case got = <-r.ended:
	case <-time.After(patience):
	}
	if got != want {
		return fmt.Errorf("race with %s: it is %v, want %v", fmt.Sprintf(what, a...), got, want)
	}
	return nil
}
