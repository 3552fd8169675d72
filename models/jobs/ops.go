package jobs

import (
	"iter"

	core "tenet/core/jobs"
)

// Ops lists what may happen next.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		_ = s.machine(yield) && (s.Down && s.later(yield) || !s.Down && s.now(yield))
	}
}

// machine is what processes do by themselves, whoever watches.
func (s State) machine(yield func(Op) bool) bool {
	for p := range uint8(Pids) {
		proc := s.Procs[p]
		switch {
		case proc.Owner == 0 && proc.Start < Starts:
			if !yield(Op{Kind: Other, Pid: p}) {
				return false
			}
		case proc.Owner == 0:
		case !yield(Op{Kind: Exit, Pid: p}) || !proc.Headless && !yield(Op{Kind: Orphan, Pid: p}):
			return false
		}
	}
	return true
}

// later is what may happen while tenet is down.
func (s State) later(yield func(Op) bool) bool {
	if !s.Rebooted && !yield(Op{Kind: Reboot}) {
		return false
	}
	for _, blind := range []bool{false, true} {
		if !yield(Op{Kind: Restart, Blind: blind}) || !yield(Op{Kind: Falter, Blind: blind}) {
			return false
		}
	}
	return true
}

// now is what may happen while it runs.
func (s State) now(yield func(Op) bool) bool {
	if !yield(Op{Kind: Tick}) || !yield(Op{Kind: Cancel}) || !yield(Op{Kind: Crash}) {
		return false
	}
	for i := range uint8(Calls) {
		if c := s.Slots[i]; !c.Begun {
			if !yield(Op{Kind: Start, Call: i}) {
				return false
			}
		} else if !s.call(i, c, yield) {
			return false
		}
	}
	return true
}

// call is what may happen to a call. A job may always be stopped, also after another
// stop and after its end; the second comes from somebody else.
func (s State) call(i uint8, c Slot, yield func(Op) bool) bool {
	by := core.ByAgent
	if c.Job.Stopper != core.Nobody {
		by = core.ByUser
	}
	if c.Job.Phase != core.Blocking && !yield(Op{Kind: Kill, Call: i, By: by}) {
		return false
	}
	if c.Job.Live() && s.Wait.On == 0 {
		for _, asked := range []uint8{0, 1, 3 * Budget} {
			if !yield(Op{Kind: Await, Call: i, Ticks: asked}) {
				return false
			}
		}
	}
	if c.Job.Phase == core.Settled { // a second end, of a script that was given up
		return yield(Op{Kind: End, Call: i, Status: core.Finished})
	}
	return c.Job.Over() || s.script(i, c, yield)
}

// script is what a running script may do.
func (s State) script(i uint8, c Slot, yield func(Op) bool) bool {
	for p := range uint8(Pids) {
		if proc := s.Procs[p]; proc.Owner == 0 && proc.Start < Starts && !yield(Op{Kind: Spawn, Call: i, Pid: p}) {
			return false
		}
	}
	if c.Job.Phase == core.Blocking && c.Wrote == 0 && !yield(Op{Kind: Write, Call: i}) {
		return false
	}
	if c.Job.Stopper != core.Nobody && !yield(Op{Kind: Stopped, Call: i}) {
		return false
	}
	for _, status := range []core.Status{core.Finished, core.Failed} {
		if !yield(Op{Kind: End, Call: i, Status: status}) {
			return false
		}
	}
	return true
}
