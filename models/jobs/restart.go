package jobs

import core "tenet/core/jobs"

// crash: who watched is gone, every process lives on, and what only the memory held is
// lost: a call that blocked is one that was interrupted (H7.4), and nobody remembers
// who was stopping what.
func (s State) crash() (State, Out) {
	var out Out
	s.Down = true
	for i := range s.Slots {
		c := &s.Slots[i]
		if c.Begun && c.Job.Phase == core.Blocking {
			*c = Slot{Begun: true, Job: core.Job{Phase: core.Answered}}
			s.abandon(uint8(i))
		}
		if c.Job.Live() {
			c.Job.Stopper = core.Nobody
		}
		c.Known = c.Job.Live()
	}
	if s.Wait.On > 0 {
		s.Wait, out.Woke = Wait{}, ByCrash
	}
	return s, out
}

// reboot: every process is gone, and numbers and starts begin again.
func (s *State) reboot() {
	s.Rebooted, s.Procs = true, [Pids]Proc{}
}

// restart looks for the groups that the log names, ends those that are the job's, and
// gives each job its one end.
func (s *State) restart(op Op) {
	for i := range s.Slots {
		c := &s.Slots[i]
		if !c.Job.Live() {
			continue
		}
		alive := false
		for p := range s.Procs {
			if c.Log[p] != 0 && s.sight(uint8(i), uint8(p), op.Blind).Ours() {
				s.free(uint8(p))
				alive = true
			}
		}
		if op.Kind == Falter {
			continue
		}
		var act core.Act
		if c.Job, act = c.Job.Found(alive); act == core.Settle {
			s.settle(uint8(i))
		}
	}
	s.Down = op.Kind == Falter
	if !s.Down {
		s.Rebooted = false
	}
}

// sight is what a restart sees under a number.
func (s *State) sight(call, pid uint8, blind bool) core.Sight {
	p := s.Procs[pid]
	there := p.Owner != 0
	return core.Sight{
		Boot: !s.Rebooted, Members: there, Leader: there && !p.Headless,
		Same:   there && !p.Headless && p.Start == s.Slots[call].Log[pid],
		Marked: p.Owner == call+1 && !blind,
	}
}
