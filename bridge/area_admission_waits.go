package bridge

import (
	"context"
	"errors"
	"fmt"
	"time"

	production "tenet/adapters/admission"
	core "tenet/core/admission"
)

// admissionWaits runs the blocking calls through each race that a waiter can lose,
// one at a time and in a fixed order: the waiter's pauses tell where it stands, and
// there the scene acts before it goes on. Only a waiter that is never woken needs the
// deadline.
func admissionWaits() error {
	for _, w := range []struct {
		name string
		run  func(*waitScene) error
	}{
		{"a release wakes the waiter", releaseWakes},
		{"a raised limit wakes as many as fit", limitWakes},
		{"an ended ticket wakes its waiter", endWakes},
		{"a cancelled waiter leaves the queue", cancelLeaves},
		{"a grant that races with a cancel is passed on", cancelPassesOn},
		{"a grant taken back before it was collected is waited for again", takenBack},
		{"a request whose context is over takes nobody's slot", deadOnArrival},
		{"a preempted holder is told why", holderIsTold},
		{"work bound to a permit ends with it", boundWorkEnds},
		{"limits that cannot be kept change nothing", badLimitsRefused},
	} {
		if err := inScene(w.run); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
	}
	return nil
}

// waitScene is one controller, one slot a provider, and what its waiters reach.
type waitScene struct {
	c *production.Controller
	// ctx is over at the scene's end, or when a waiter was not woken in time.
	ctx context.Context
	// at acts on a waiter's own goroutine when it reaches a point; the scene's first
	// waiter to reach it takes it.
	at map[string]func()
	// entered gets a token for each request that is in line.
	entered chan struct{}
}

// sceneDeadline ends a scene whose waiter was never woken. A right controller needs
// none of it.
const sceneDeadline = 3 * time.Second

func inScene(run func(*waitScene) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), sceneDeadline)
	defer cancel()
	s := &waitScene{ctx: ctx, at: map[string]func(){}, entered: make(chan struct{}, 16)}
	c, err := production.New(core.Limits{Slots: 1, Queue: 8}, production.WithPause(s.reach))
	if err != nil {
		return err
	}
	s.c = c
	return run(s)
}

// reach is where a waiter pauses. A scene sets its traps while its waiters sleep and wakes one,
// so the map needs no lock; it is read before the token that lets the scene go on.
func (s *waitScene) reach(point string) {
	act := s.at[point]
	if point == "entered" {
		s.entered <- struct{}{}
	}
	if act != nil {
		delete(s.at, point)
		act()
	}
}

// hold takes a slot that is free.
func (s *waitScene) hold(c core.Class) (*production.Permit, error) {
	p, err := s.c.Admit(s.ctx, provider, c)
	<-s.entered
	return p, err
}

// wait is a request on a goroutine of its own; it is in line when wait returns.
func (s *waitScene) wait(ctx context.Context, c core.Class) <-chan admitResult {
	out := make(chan admitResult, 1)
	go func() {
		p, err := s.c.Admit(ctx, provider, c)
		out <- admitResult{p, err}
	}()
	<-s.entered
	return out
}

type admitResult struct {
	permit *production.Permit
	err    error
}

// quiet checks that so many requests have a slot and wait.
func (s *waitScene) quiet(slots, waiting int) error {
	for _, st := range s.c.Stats() {
		has, waits := st.Interactive.Slots+st.Background.Slots, st.Interactive.Waiting+st.Background.Waiting
		if has != slots || waits != waiting {
			return fmt.Errorf("%d have a slot and %d wait, not %d and %d", has, waits, slots, waiting)
		}
	}
	return nil
}

func releaseWakes(s *waitScene) error {
	first, err := s.hold(core.Interactive)
	if err != nil {
		return err
	}
	next := s.wait(s.ctx, core.Interactive)
	first.Release()
	first.Release()
	r := <-next
	return errors.Join(r.err, s.quiet(1, 0))
}

func limitWakes(s *waitScene) error {
	if _, err := s.hold(core.Interactive); err != nil {
		return err
	}
	a, b := s.wait(s.ctx, core.Interactive), s.wait(s.ctx, core.Interactive)
	s.wait(s.ctx, core.Interactive)
	if err := s.c.SetLimit(provider, 3); err != nil {
		return err
	}
	ra, rb := <-a, <-b
	return errors.Join(ra.err, rb.err, s.quiet(3, 1))
}

func endWakes(s *waitScene) error {
	if _, err := s.hold(core.Interactive); err != nil {
		return err
	}
	t, err := s.c.Enter(provider, core.Background)
	if err != nil {
		return err
	}
	out := make(chan error, 1)
	go func() { _, err := t.Wait(s.ctx); out <- err }()
	<-s.entered
	t.End()
	if err := <-out; !errors.Is(err, production.ErrReleased) {
		return fmt.Errorf("it says %v", err)
	}
	return s.quiet(1, 0)
}

// errGone is why a scene's waiter goes.
var errGone = errors.New("the user went away")

func cancelLeaves(s *waitScene) error {
	if _, err := s.hold(core.Interactive); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	next := s.wait(ctx, core.Interactive)
	cancel(errGone)
	if r := <-next; !errors.Is(r.err, errGone) {
		return fmt.Errorf("it says %v", r.err)
	}
	return s.quiet(1, 0)
}

// cancelPassesOn cancels the waiter after it was woken for its grant and before it
// looked.
func cancelPassesOn(s *waitScene) error {
	first, err := s.hold(core.Interactive)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	next, last := s.wait(ctx, core.Interactive), s.wait(s.ctx, core.Interactive)
	s.at["woken"] = func() { cancel(errGone) }
	first.Release()
	if r := <-next; !errors.Is(r.err, errGone) {
		return fmt.Errorf("it says %v", r.err)
	}
	r := <-last
	return errors.Join(r.err, s.quiet(1, 0))
}

// takenBack lets an interactive request arrive between the waiter's wake and its
// look.
func takenBack(s *waitScene) error {
	first, err := s.hold(core.Background)
	if err != nil {
		return err
	}
	next := s.wait(s.ctx, core.Background)
	var user *production.Ticket
	arrived := make(chan error, 1)
	s.at["woken"] = func() {
		var err error
		user, err = s.c.Enter(provider, core.Interactive)
		arrived <- err
	}
	first.Release()
	if err := <-arrived; err != nil {
		return err
	}
	if err := s.quiet(1, 1); err != nil {
		return err
	}
	user.End()
	r := <-next
	if r.err != nil {
		return r.err
	}
	return errors.Join(r.permit.Cause(), s.quiet(1, 0))
}

func deadOnArrival(s *waitScene) error {
	work, err := s.hold(core.Background)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	cancel(errGone)
	if _, err := s.c.Admit(ctx, provider, core.Interactive); !errors.Is(err, errGone) {
		return fmt.Errorf("it says %v", err)
	}
	if work.Cause() != nil {
		return fmt.Errorf("background work lost its slot: %w", work.Cause())
	}
	return s.quiet(1, 0)
}

func holderIsTold(s *waitScene) error {
	work, err := s.hold(core.Background)
	if err != nil {
		return err
	}
	user, err := s.hold(core.Interactive)
	if err != nil {
		return err
	}
	if err := told(s.ctx, work.Done(), work.Cause, production.ErrPreempted); err != nil {
		return err
	}
	work.Release()
	if err := s.quiet(1, 0); err != nil {
		return err
	}
	user.Release()
	return errors.Join(told(s.ctx, user.Done(), user.Cause, production.ErrReleased), s.quiet(0, 0))
}

func boundWorkEnds(s *waitScene) error {
	work, err := s.hold(core.Background)
	if err != nil {
		return err
	}
	ctx, cancel := work.Bind(context.Background())
	defer cancel()
	if _, err := s.hold(core.Interactive); err != nil {
		return err
	}
	return told(s.ctx, ctx.Done(), func() error { return context.Cause(ctx) }, production.ErrPreempted)
}

func badLimitsRefused(s *waitScene) error {
	if _, err := s.hold(core.Interactive); err != nil {
		return err
	}
	for _, l := range []core.Limits{{Slots: 0, Queue: 8}, {Slots: 1, Queue: -1}} {
		if s.c.SetLimits(provider, l) == nil {
			return fmt.Errorf("%+v were accepted", l)
		}
	}
	if got := s.c.Stats()[0].Limits; got != (core.Limits{Slots: 1, Queue: 8}) {
		return fmt.Errorf("they led to %+v", got)
	}
	return s.quiet(1, 0)
}

// told waits until done is closed and checks the cause.
func told(ctx context.Context, done <-chan struct{}, cause func() error, want error) error {
	select {
	case <-done:
	case <-ctx.Done():
		return errors.New("its holder was never told")
	}
	if got := cause(); !errors.Is(got, want) {
		return fmt.Errorf("the cause is %v, not %w", got, want)
	}
	return nil
}
