package jobs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tenet/core/event"
	core "tenet/core/jobs"
)

// Run starts a call and returns when it has ended, or when it has blocked as long as it
// may: then it goes on as a job. The end of ctx stops a call that is waited for, and no
// job. The error says that nothing was started, or that the log could not take the job,
// which then was ended.
func (t *Table) Run(ctx context.Context, c Call) (Answer, error) {
	e, err := t.begin(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	script := e.script
	t.judged(ctx, e, script)
	blocks := t.o.Limits.Budget
	if c.Blocks != nil && is(script.Began()) {
		blocks = t.o.Limits.Blocks(c.Blocks())
	}
	if !t.outlasts(ctx, e, script, blocks) {
		r := script.Result()
		t.answered(e)
		return Answer{Result: r}, nil
	}
	return t.detach(e, script, blocks)
}

// begin starts the script of a call. Its life is its own: the turn that waits for it may
// be over long before.
func (t *Table) begin(ctx context.Context, c Call) (*entry, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, errClosed
	}
	e := &entry{call: c, began: time.Now(), job: core.Begin(t.o.Limits.Budget), recorded: make(chan struct{}), over: make(chan struct{})}
	e.script = c.Start(context.WithoutCancel(ctx))
	t.calls = append(t.calls, e)
	return e, nil
}

// judged waits until the call may run. What a person takes to answer is not its time.
func (t *Table) judged(ctx context.Context, e *entry, script Script) {
	select {
	case <-script.Began():
		return
	case <-script.Done():
		return
	case <-ctx.Done():
		t.stop(e, core.ByUser)
	}
	select {
	case <-script.Began():
	case <-script.Done():
	}
}

func is(closed <-chan struct{}) bool {
	select {
	case <-closed:
		return true
	default:
		return false
	}
}

// outlasts waits for the end of a call, and is true when it has blocked as long as it
// may (law call_blocks_at_most_budget).
func (t *Table) outlasts(ctx context.Context, e *entry, script Script, blocks time.Duration) bool {
	t.mu.Lock()
	e.job = e.job.Within(blocks)
	t.mu.Unlock()
	passed, drop := t.o.After(blocks)
	defer drop()
	cancelled := ctx.Done()
	for {
		select {
		case <-script.Done():
			return false
		case <-cancelled:
			cancelled = nil
			t.stop(e, core.ByUser)
		case <-passed:
			// An end that is there as well was first.
			return !is(script.Done()) && t.passed(e, blocks)
		}
	}
}

// passed tells core that the time is over, and names the job that the call becomes.
func (t *Table) passed(e *entry, blocks time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	var act core.Act
	e.job, act = e.job.Pass(blocks)
	if act != core.Detach {
		return false
	}
	t.made++
	e.id, e.number = fmt.Sprintf("job_%d", t.made), t.made
	return true
}

// answered takes a call that ended in time off the table: there never was a job.
func (t *Table) answered(e *entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e.job, _ = e.job.End(core.Finished)
	t.drop(e)
}

func (t *Table) drop(e *entry) {
	t.calls = slices.DeleteFunc(t.calls, func(o *entry) bool { return o == e })
}

// detach writes the job into the log with every group that it has, and answers the call
// (law call_settles_with_job). Groups that start from now on are written as they start,
// and each waits for its record before its script goes on.
func (t *Table) detach(e *entry, script Script, blocked time.Duration) (Answer, error) {
	groups := script.Groups(func(g event.Group) { t.spawned(e, g) })
	so := script.SoFar()
	err := e.call.Log.Record(event.Detachment{
		Job: e.id, Call: e.call.ID, Kind: e.call.Kind, Command: e.call.Command, Output: so.SoFarText(),
		Artifact: so.Bounded.Artifact, Groups: groups, Boot: t.o.Boot(),
	})
	if err != nil {
		return Answer{}, t.unlogged(e, script, err)
	}
	close(e.recorded)
	a := Answer{Result: so, Job: e.id, Blocked: blocked, Excess: t.excess(e)}
	if a.Excess {
		t.stop(e, core.ByLimit)
	}
	t.watching.Go(func() {
		<-script.Done()
		t.settle(e, script.Result())
	})
	return a, nil
}

// unlogged ends a job that no log knows: nothing may run unrecorded.
func (t *Table) unlogged(e *entry, script Script, err error) error {
	t.stop(e, core.ByLog)
	close(e.recorded)
	<-script.Done()
	t.mu.Lock()
	t.drop(e)
	t.mu.Unlock()
	close(e.over)
	return fmt.Errorf("the call took longer than it may block, and the log cannot take it as a job, so it was ended: %w", err)
}

// spawned records a group that a job has started. A job whose groups cannot be recorded
// is ended.
func (t *Table) spawned(e *entry, g event.Group) {
	<-e.recorded
	if err := e.call.Log.Record(event.Spawn{Job: e.id, Group: g}); err != nil {
		t.stop(e, core.ByLog)
	}
}

// excess reports whether as many jobs as may run did when this one began: of two that begin
// at once only the later is one too many (law job_cap_drops_only_excess).
func (t *Table) excess(of *entry) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	live := 0
	for _, e := range t.calls {
		if e.job.Live() && e.number <= of.number {
			live++
		}
	}
	return t.o.Limits.TooMany(live)
}

// stop asks for the end of a call or a job; true when this was the first to ask.
func (t *Table) stop(e *entry, by core.By) bool {
	t.mu.Lock()
	var act core.Act
	e.job, act = e.job.Stop(by)
	script := e.script
	t.mu.Unlock()
	if act != core.Stop {
		return false
	}
	script.Stop(&Stopped{By: by})
	return true
}
