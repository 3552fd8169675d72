package bridge

import (
	"context"
	"slices"
	"time"

	"tenet/adapters/jobs"
	"tenet/adapters/shell"
	"tenet/core/event"
	core "tenet/core/jobs"
	model "tenet/models/jobs"
)

// jobsDesk is a session with its table of jobs. A restart makes a new table over what
// the log holds, and nothing else survives.
type jobsDesk struct {
	world *jobsWorld
	log   *jobsLog
	// Of the process that watches now:
	table *jobs.Table
	hand  *jobsHand
	clock *jobsClock
	calls [model.Calls]*jobsCall
	wait  *jobsWait

	down, rebooted bool
	// last is how each job was listed last: an ended one leaves the list.
	last map[string]jobs.View
}

// jobsCall is a call of the model on its way.
type jobsCall struct {
	script *jobsScript
	cancel context.CancelFunc
	timer  *jobsTimer
	answer chan jobs.Answer
	// got is the answer, nil while the call blocks; lost is true for one whose process
	// died meanwhile.
	got  *jobs.Answer
	lost bool
}

// jobsWait is a wait for a job on its way.
type jobsWait struct {
	on     int
	cancel context.CancelFunc
	timer  *jobsTimer
	views  chan []jobs.View
}

func newJobsDesk() *jobsDesk {
	d := &jobsDesk{world: &jobsWorld{}, log: newJobsLog(), last: map[string]jobs.View{}}
	d.begin()
	must(d.table.OnSettle(d.hand.settle))
	return d
}

// begin is a new process of tenet.
func (d *jobsDesk) begin() {
	d.hand, d.clock = &jobsHand{log: d.log}, newJobsClock()
	d.table = jobs.New(jobs.Options{Session: "s", Limits: model.Limits, After: d.clock.After, Boot: d.world.boot, Orphans: d.world})
}

// Do performs one operation.
func (d *jobsDesk) Do(op model.Op) (out model.Out) {
	c, p := int(op.Call), int(op.Pid)
	switch op.Kind {
	case model.Start:
		d.start(c)
	case model.Tick:
		return d.tick()
	case model.Write:
		s := d.calls[c].script
		s.mu.Lock()
		s.wrote++
		s.mu.Unlock()
	case model.Spawn:
		d.calls[c].script.start(p)
	case model.Orphan:
		d.world.procs[p].Headless = true
	case model.Exit:
		d.world.free(p)
	case model.Other:
		d.world.procs[p] = model.Proc{Owner: model.Foreign, Start: d.world.procs[p].Start + 1}
	case model.End:
		return d.end(c, map[core.Status]shell.EndKind{core.Finished: shell.Finished, core.Failed: shell.Failed}[op.Status])
	case model.Kill:
		out.Took = d.kill(c, op.By)
	case model.Stopped:
		return d.end(c, shell.Cancelled)
	case model.Cancel:
		return d.cancel()
	case model.Await:
		d.await(c, op.Ticks)
	case model.Crash:
		return d.crash()
	case model.Reboot:
		d.rebooted = true
		d.world.boots++
		d.world.procs = [model.Pids]model.Proc{}
	case model.Restart, model.Falter:
		d.restart(op)
	}
	return out
}

// soonFrom gets what must come by itself; false when it does not.
func soonFrom[T any](from <-chan T) (v T, ok bool) {
	select {
	case v, ok = <-from:
		return v, true
	case <-time.After(patience):
		return v, false
	}
}

// start makes the call as a session would.
func (d *jobsDesk) start(c int) {
	name := callName(c)
	call := event.ToolCall{ID: name, Tool: "bash"}
	must(d.hand.Record(event.Reply{Calls: []event.ToolCall{call}}))
	must(d.hand.Record(event.Call{Call: name, Tool: "bash"}))
	ctx, cancel := context.WithCancel(context.Background())
	x := &jobsCall{script: newJobsScript(d.world, c), cancel: cancel, answer: make(chan jobs.Answer, 1)}
	d.calls[c] = x
	d.clock.forget()
	table, hand := d.table, d.hand
	go func() {
		a, _ := table.Run(ctx, jobs.Call{ID: name, Kind: jobs.Shell, Log: hand, Start: func(context.Context) jobs.Script { return x.script }})
		x.answer <- a
	}()
	x.timer, _ = soonFrom(d.clock.made)
}

// take gives a call its answer and records its result.
func (d *jobsDesk) take(c int) bool {
	a, ok := soonFrom(d.calls[c].answer)
	if !ok {
		return false
	}
	d.calls[c].got = &a
	must(d.hand.Record(event.Result{Call: callName(c)}))
	return true
}

// tick: the clock of the first call turns before that of the second, and then that of the
// wait, and what rings is waited for.
func (d *jobsDesk) tick() (out model.Out) {
	for i, c := range d.calls {
		if c == nil || c.got != nil || c.lost || c.timer == nil || !d.clock.tick(c.timer) {
			continue
		}
		if d.take(i) && c.got.Job != "" {
			out.Told[i] = 1 + uint8(len(c.got.Result.Output))
		}
	}
	if d.wait != nil && d.wait.timer != nil && d.clock.tick(d.wait.timer) {
		out.Woke = d.woke(model.ByTime)
	}
	return out
}

// woke takes the answer of the wait; by is how it ended when the job had not.
func (d *jobsDesk) woke(by model.Woke) model.Woke {
	w := d.wait
	views, ok := soonFrom(w.views)
	if !ok {
		return model.Asleep
	}
	w.cancel()
	d.wait = nil
	if len(views) == 1 && views[0].Status != core.Running {
		return model.ByEnd
	}
	return by
}

// end ends a script and waits for what must come of it.
func (d *jobsDesk) end(c int, kind shell.EndKind) (out model.Out) {
	x := d.calls[c]
	if closed(x.script.done) {
		return out // a script that has ended says so once
	}
	d.world.disown(c, kind == shell.Cancelled)
	x.script.finish(kind)
	if x.got == nil {
		out.Answered = d.take(c) && x.got.Job == ""
		return out
	}
	if _, ok := soonFrom(d.log.ended); ok && d.wait != nil && d.wait.on == c {
		out.Woke = d.woke(model.Asleep)
	}
	return out
}

// kill stops the job of a call; a call without one has nothing to stop.
func (d *jobsDesk) kill(c int, by core.By) bool {
	gone, cancel := context.WithCancel(context.Background())
	cancel() // its end is another operation's
	job, _, _ := d.log.of(callName(c))
	_, took, _ := d.table.Kill(gone, job, by)
	return took
}

// cancel ends the turn: every call that blocks is stopped, and the wait ends.
func (d *jobsDesk) cancel() (out model.Out) {
	for _, c := range d.calls {
		if c != nil && c.got == nil && !c.lost {
			c.cancel()
			soonFrom(c.script.asked)
		}
	}
	if d.wait != nil {
		d.wait.cancel()
		out.Woke = d.woke(model.ByTurn)
	}
	return out
}

// await begins a wait for the job of a call.
func (d *jobsDesk) await(c int, ticks uint8) {
	ctx, cancel := context.WithCancel(context.Background())
	w := &jobsWait{on: c, cancel: cancel, views: make(chan []jobs.View, 1)}
	d.wait = w
	job, _, _ := d.log.of(callName(c))
	d.clock.forget()
	table := d.table
	go func() {
		views, _ := table.Wait(ctx, job, time.Duration(ticks))
		w.views <- views
	}()
	w.timer, _ = soonFrom(d.clock.made)
}

// crash: the process writes nothing any more, and what it was waiting for is let go so
// that no goroutine stays.
func (d *jobsDesk) crash() (out model.Out) {
	d.hand.dead.Store(true)
	d.down = true
	for i, c := range d.calls {
		if c == nil || c.lost || closed(c.script.done) {
			continue
		}
		if c.got == nil {
			c.lost = true
			d.world.disown(i, false)
		}
		c.script.finish(shell.Cancelled)
		c.cancel()
	}
	if d.wait != nil {
		d.wait.cancel()
		d.woke(model.ByCrash)
		out.Woke = model.ByCrash
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	d.table.Close(ctx)
	return out
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// restart is a later process. One that falters has looked for the groups, and has not
// recorded anything.
func (d *jobsDesk) restart(op model.Op) {
	d.begin()
	d.world.blind = op.Blind
	past := d.log.fold()
	past.Jobs = slices.Clone(past.Jobs)
	d.table.Recover(context.Background(), past)
	d.world.blind = false
	if op.Kind == model.Falter {
		d.hand.dead.Store(true)
		return
	}
	for _, b := range event.Resume(past) {
		must(d.hand.Record(b))
	}
	must(d.table.OnSettle(d.hand.settle))
	for range past.Jobs {
		soonFrom(d.log.ended)
	}
	d.down, d.rebooted = false, false
}

// close lets everything go.
func (d *jobsDesk) close() {
	if !d.down {
		d.crash()
	}
}

// View is the session as its table, its log and the machine show it.
func (d *jobsDesk) View() model.State {
	s := model.State{Down: d.down, Rebooted: d.rebooted, Procs: d.world.procs}
	listed := map[string]jobs.View{}
	if !d.down {
		for _, v := range d.table.List() {
			listed[v.Call], d.last[v.Call] = v, v
		}
	}
	for i, c := range d.calls {
		if c != nil {
			s.Slots[i] = d.slot(i, c, listed)
		}
	}
	if d.wait != nil {
		left, ticks := d.clock.leftOf(d.wait.timer)
		s.Wait = model.Wait{On: uint8(d.wait.on) + 1, Left: uint8(left), Blocked: uint8(ticks)}
	}
	return s
}

// slot is one call: while it blocks as its clock and its script show it, later as the
// table lists its job and the log knows it.
func (d *jobsDesk) slot(i int, c *jobsCall, listed map[string]jobs.View) model.Slot {
	out := model.Slot{Begun: true}
	name := callName(i)
	_, ends, open := d.log.of(name)
	v, known := listed[name]
	switch {
	case c.lost:
		out.Job.Phase = core.Answered
	case c.got == nil:
		left, ticks := d.clock.leftOf(c.timer)
		out.Job = core.Job{Phase: core.Blocking, Left: left, Stopper: c.script.stopper()}
		out.Blocked, out.Wrote = uint8(ticks), uint8(len(c.script.SoFar().Output))
	case c.got.Job == "":
		out.Job = core.Job{Phase: core.Answered, Stopper: c.script.stopper()}
	case open != nil:
		out.Job = core.Job{Phase: core.Detached, Stopper: v.Stopper, Status: v.Status}
		out.Known = known || d.down
		for _, g := range open.Groups {
			out.Log[g.PID-pidOf(0)] = uint8(g.Start)
		}
	default:
		out.Job, out.Known = d.settled(name, ends), known
	}
	out.Rows = uint8(len(ends))
	return out
}

// settled is a job that has its end in the log: as it was listed with it, or as the log
// alone tells it.
func (d *jobsDesk) settled(name string, ends []event.Settlement) core.Job {
	j := core.Job{Phase: core.Settled}
	if v, ok := d.last[name]; ok && v.Status != core.Running {
		j.Status, j.Stopper = v.Status, v.Stopper
		return j
	}
	for s := core.Running; s <= core.Lost; s++ {
		if len(ends) > 0 && ends[0].Status == s.String() {
			j.Status = s
		}
	}
	for by := core.Nobody; by <= core.ByLog; by++ {
		if len(ends) > 0 && ends[0].By == by.String() {
			j.Stopper = by
		}
	}
	return j
}
