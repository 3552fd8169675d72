package jobs

import core "tenet/core/jobs"

// Step is what must happen.
func Step(s State, op Op) (State, Out) {
	switch op.Kind {
	case Start:
		s.Slots[op.Call] = Slot{Begun: true, Job: core.Begin(Limits.Budget)}
	case Tick:
		return s.tick()
	case Write:
		s.Slots[op.Call].Wrote++
	case Spawn:
		s.spawn(op.Call, op.Pid)
	case Orphan:
		s.Procs[op.Pid].Headless = true
	case Exit:
		s.free(op.Pid)
	case Other:
		s.Procs[op.Pid] = Proc{Owner: Foreign, Start: s.Procs[op.Pid].Start + 1}
	case End:
		return s.end(op.Call, op.Status)
	case Kill:
		var act core.Act
		c := &s.Slots[op.Call]
		c.Job, act = c.Job.Stop(op.By)
		return s, Out{Took: act == core.Stop}
	case Stopped:
		s.endGroups(op.Call)
		return s.end(op.Call, core.Killed)
	case Cancel:
		return s.cancel()
	case Await:
		s.Wait = Wait{On: op.Call + 1, Left: uint8(Limits.Blocks(ticks(op.Ticks)))}
	case Crash:
		return s.crash()
	case Reboot:
		s.reboot()
	case Restart, Falter:
		s.restart(op)
	}
	return s, Out{}
}

// tick: the calls that have blocked long enough are answered, the first before the
// second; a wait that is over ends.
func (s State) tick() (State, Out) {
	var out Out
	for i := range s.Slots {
		c := &s.Slots[i]
		if !c.Begun || c.Job.Phase != core.Blocking {
			continue
		}
		var act core.Act
		c.Blocked++
		if c.Job, act = c.Job.Pass(1); act == core.Detach {
			out.Told[i] = 1 + c.Wrote
			s.detach(uint8(i))
		}
	}
	if s.Wait.On > 0 {
		s.Wait.Blocked++
		if s.Wait.Left--; s.Wait.Left == 0 {
			s.Wait, out.Woke = Wait{}, ByTime
		}
	}
	return s, out
}

// detach puts the job into the log with the groups that it has, and stops it when it is
// one too many.
func (s *State) detach(call uint8) {
	c := &s.Slots[call]
	c.Blocked, c.Wrote, c.Known = 0, 0, true
	for p, proc := range s.Procs {
		if proc.Owner == call+1 {
			c.Log[p] = proc.Start
		}
	}
	if Limits.TooMany(s.live()) {
		c.Job, _ = c.Job.Stop(core.ByLimit)
	}
}

// spawn: a group of a job stands in the log from its start.
func (s *State) spawn(call, pid uint8) {
	s.Procs[pid] = Proc{Owner: call + 1, Start: s.Procs[pid].Start + 1}
	if c := &s.Slots[call]; c.Job.Live() {
		c.Log[pid] = s.Procs[pid].Start
	}
}

// free ends a group; the number remembers only how often it was given.
func (s *State) free(pid uint8) { s.Procs[pid] = Proc{Start: s.Procs[pid].Start} }

// endGroups ends what a stopped script started: it knows its groups.
func (s *State) endGroups(call uint8) {
	for p := range s.Procs {
		if s.Procs[p].Owner == call+1 {
			s.free(uint8(p))
		}
	}
}

// end is the end of a script, seen by the process that runs it.
func (s State) end(call uint8, status core.Status) (State, Out) {
	var act core.Act
	var out Out
	c := &s.Slots[call]
	switch c.Job, act = c.Job.End(status); act {
	case core.Answer:
		c.Blocked, c.Wrote, out.Answered = 0, 0, true
		s.abandon(call)
	case core.Settle:
		s.abandon(call)
		s.settle(call)
		if s.Wait.On == call+1 {
			s.Wait, out.Woke = Wait{}, ByEnd
		}
	case core.Nothing, core.Detach, core.Stop:
	}
	return s, out
}

// abandon: what a script that ended has left in the background is no job's any more, and
// the groups of a call that never became one stand in no log. They count as anybody's.
func (s *State) abandon(call uint8) {
	for p := range s.Procs {
		if s.Procs[p].Owner == call+1 {
			s.Procs[p].Owner = Foreign
		}
	}
}

// settle puts the one row into the log; the oldest ended jobs leave the table.
func (s *State) settle(call uint8) {
	c := &s.Slots[call]
	c.Log = [Pids]uint8{}
	c.Rows++
	ended := 0
	for _, o := range s.Slots {
		if o.Known && o.Job.Phase == core.Settled {
			ended++
		}
	}
	for range Limits.Forget(ended) {
		s.forget(call)
	}
}

// forget drops one ended job: one that ended before the last one while there is such.
func (s *State) forget(last uint8) {
	for i := range s.Slots {
		if o := &s.Slots[i]; uint8(i) != last && o.Known && o.Job.Phase == core.Settled {
			o.Known = false
			return
		}
	}
	s.Slots[last].Known = false
}

// cancel stops what the turn waits for. Its jobs go on.
func (s State) cancel() (State, Out) {
	var out Out
	for i := range s.Slots {
		if c := &s.Slots[i]; c.Begun && c.Job.Phase == core.Blocking {
			c.Job, _ = c.Job.Stop(core.ByUser)
		}
	}
	if s.Wait.On > 0 {
		s.Wait, out.Woke = Wait{}, ByTurn
	}
	return s, out
}
