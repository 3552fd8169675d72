package shell

import (
	"context"
	"sync"

	"tenet/core/event"
)

// Running is a call that goes on while its caller does other things.
type Running struct {
	began, done chan struct{}
	stop        context.CancelCauseFunc
	result      Result

	mu  sync.Mutex
	run *run // nil until the call may run
}

// Start begins a call on a goroutine of its own, which judges it, runs it and ends. The
// gate is that goroutine's from now on. ctx ends the call for as long as it lasts: hand
// in one that lives as long as the call may.
func (s *Shell) Start(ctx context.Context, g Gate, c Call) *Running {
	ctx, stop := context.WithCancelCause(ctx)
	x := &Running{began: make(chan struct{}), done: make(chan struct{}), stop: stop}
	go func() {
		defer stop(nil)
		defer close(x.done)
		x.result = s.perform(ctx, g, c, x.begin)
	}()
	return x
}

func (x *Running) begin(r *run) {
	x.mu.Lock()
	x.run = r
	x.mu.Unlock()
	close(x.began)
}

// Began is closed when the call may run: from here on it takes its own time, and no
// longer a person's. It stays open for a call that never may.
func (x *Running) Began() <-chan struct{} { return x.began }

// Done is closed when the call has ended and its processes with it.
func (x *Running) Done() <-chan struct{} { return x.done }

// Result is what came of it, once Done is closed.
func (x *Running) Result() Result {
	<-x.done
	return x.result
}

// Stop ends the call and every process group that it started: TERM, then KILL after the
// grace time. It does not wait; the first cause is what the result says.
func (x *Running) Stop(cause error) { x.stop(cause) }

// SoFar is what the call has written until now, within its limits.
func (x *Running) SoFar() (r Result) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.run == nil {
		return Result{}
	}
	r.Output, r.Bounded = x.run.sink.soFar()
	if x.run.errors != nil {
		r.Errors, r.ErrorsBounded = x.run.errors.soFar()
	}
	return r
}

// Groups lists the process groups of the call that may live, and has each later one told
// before the call goes on. A call that may not run yet has none.
func (x *Running) Groups(told func(event.Group)) []event.Group {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.run == nil {
		return nil
	}
	return x.run.groups.watch(told)
}
