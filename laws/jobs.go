package laws

import (
	core "tenet/core/jobs"
	"tenet/laws/law"
	"tenet/models/jobs"
)

type jobsLaw = law.Law[jobs.State, jobs.Op, jobs.Out]

// Jobs: a call that takes long becomes a job, which ends once and leaves nothing (S7.7).
var Jobs = struct {
	// CallBlocksAtMostBudget: no call and no wait for a job blocks longer than the blocking budget.
	CallBlocksAtMostBudget jobsLaw `law:"call_blocks_at_most_budget" rule:"S7.7"`
	// CallSettlesWithJob: a call that has used up the budget is answered with the output so far and its job, which the table lists and the log knows with every process group that it has.
	CallSettlesWithJob jobsLaw `law:"call_settles_with_job" rule:"S7.7"`
	// JobEndIsFinal: a job that has settled has its one row in the log, and nothing changes it; who asked for its end first stays who did.
	JobEndIsFinal jobsLaw `law:"job_end_is_final" rule:"S7.7"`
	// JobKillEndsGroups: a job that was killed, by whom ever, leaves no process group that is known for its own, and no group of others is touched; a restart calls killed what it found alive, and lost what it did not.
	JobKillEndsGroups jobsLaw `law:"job_kill_ends_groups" rule:"S7.7"`
	// JobCapDropsOnlyExcess: of more jobs than may run the last one alone is stopped, and only the oldest ended ones are forgotten.
	JobCapDropsOnlyExcess jobsLaw `law:"job_cap_drops_only_excess" rule:"S7.7"`
}{
	CallBlocksAtMostBudget: jobsLaw{State: func(s jobs.State) law.Verdict {
		blocks := s.Wait.On > 0
		for i, c := range s.Slots {
			if !c.Begun || c.Job.Phase != core.Blocking {
				continue
			}
			if blocks = true; c.Blocked >= jobs.Budget {
				return law.Broken("call %d has blocked %d ticks of a budget of %d and has no answer", i, c.Blocked, jobs.Budget)
			}
		}
		if !blocks {
			return law.Idle
		}
		return law.Check(s.Wait.On == 0 || s.Wait.Blocked < jobs.Budget, "a wait has blocked %d ticks of a budget of %d", s.Wait.Blocked, jobs.Budget)
	}},
	CallSettlesWithJob: jobsLaw{Step: func(b jobs.State, op jobs.Op, out jobs.Out, a jobs.State) law.Verdict {
		v := law.Idle
		for i, c := range b.Slots {
			if !c.Begun || c.Job.Phase != core.Blocking || a.Slots[i].Job.Phase == core.Blocking || op.Kind != jobs.Tick {
				continue
			}
			if v = detached(c, out.Told[i], a, i); v.Err != nil {
				return v
			}
		}
		return v
	}},
	JobEndIsFinal: jobsLaw{Step: func(b jobs.State, op jobs.Op, _ jobs.Out, a jobs.State) law.Verdict {
		v := law.Idle
		for i, c := range a.Slots {
			was := b.Slots[i]
			if c.Job.Phase != core.Settled && c.Rows == 0 && was.Job.Phase != core.Settled {
				continue
			}
			v = law.Holds
			if c.Job.Phase != core.Settled || c.Rows != 1 || c.Job.Status == core.Running {
				return law.Broken("after %+v job %d is %+v with %d settlements", op, i, c.Job, c.Rows)
			}
			if was.Job.Phase == core.Settled && c.Job != was.Job {
				return law.Broken("%+v makes the settled job %+v %+v", op, was.Job, c.Job)
			}
		}
		if !v.Applies || v.Err != nil || b.Down || a.Down {
			return v
		}
		return firstStopperStays(b, a)
	}},
	JobKillEndsGroups: jobsLaw{Step: func(b jobs.State, op jobs.Op, _ jobs.Out, a jobs.State) law.Verdict {
		v := law.Idle
		for i, c := range a.Slots {
			ended := op.Kind == jobs.Stopped && int(op.Call) == i || op.Kind == jobs.Restart && b.Slots[i].Job.Live()
			if !ended {
				continue
			}
			v = law.Holds
			for p, proc := range b.Procs {
				if int(proc.Owner) == i+1 && !(op.Blind && proc.Headless) && a.Procs[p].Owner != 0 {
					return law.Broken("%+v leaves group %d of job %d, which is %+v", op, p, i, c.Job)
				}
			}
			if found := known(b, op, i); op.Kind == jobs.Restart && (c.Job.Status == core.Killed) != found {
				return law.Broken("a restart finds job %d alive: %v, and calls it %v", i, found, c.Job.Status)
			}
		}
		if v.Applies {
			return strangersLive(b, op, a)
		}
		return v
	}},
	JobCapDropsOnlyExcess: jobsLaw{Step: func(b jobs.State, op jobs.Op, out jobs.Out, a jobs.State) law.Verdict {
		switch {
		case op.Kind == jobs.Tick && out.Told != [jobs.Calls]uint8{}:
			return onlyExcessStops(b, a)
		case settledNow(b, a):
			return onlyOldestGoes(b, a)
		}
		return law.Idle
	}},
}

// JobsBook lists the laws of jobs.
var JobsBook = law.Book[jobs.State, jobs.Op, jobs.Out]("jobs", &Jobs)

// detached judges what a call that was answered without its end was told, and what
// became of it.
func detached(before jobs.Slot, told uint8, a jobs.State, i int) law.Verdict {
	c := a.Slots[i]
	if told != 1+before.Wrote || c.Job.Phase != core.Detached || !c.Known {
		return law.Broken("call %d wrote %d and is told %d; its job is %+v, listed %v", i, before.Wrote, told, c.Job, c.Known)
	}
	for p, proc := range a.Procs {
		if int(proc.Owner) == i+1 && c.Log[p] != proc.Start {
			return law.Broken("job %d runs group %d and the log says %v", i, p, c.Log)
		}
	}
	return law.Holds
}

// known reports whether a group of the job lives that a restart can know for its own.
func known(s jobs.State, op jobs.Op, i int) bool {
	for _, proc := range s.Procs {
		if int(proc.Owner) == i+1 && !(op.Blind && proc.Headless) {
			return true
		}
	}
	return false
}

// firstStopperStays: of two who want the end of a job the first is who stopped it.
func firstStopperStays(b, a jobs.State) law.Verdict {
	for i, c := range a.Slots {
		if was := b.Slots[i].Job.Stopper; was != core.Nobody && c.Job.Stopper != was {
			return law.Broken("job %d was stopped by %v, and now by %v", i, was, c.Job.Stopper)
		}
	}
	return law.Holds
}

// strangersLive: what is not of a call's own is as it was.
func strangersLive(b jobs.State, op jobs.Op, a jobs.State) law.Verdict {
	for p, proc := range b.Procs {
		if proc.Owner == jobs.Foreign && a.Procs[p] != proc {
			return law.Broken("%+v makes the group of another program %+v %+v", op, proc, a.Procs[p])
		}
	}
	return law.Holds
}

// onlyExcessStops: a job that ran before goes on, and of the new ones no more than may
// run go on.
func onlyExcessStops(b, a jobs.State) law.Verdict {
	run := 0
	for i, c := range a.Slots {
		if was := b.Slots[i].Job; was.Live() && c.Job.Stopper != was.Stopper {
			return law.Broken("job %d ran and is stopped for another: %+v", i, c.Job)
		}
		if c.Job.Live() && c.Job.Stopper == core.Nobody {
			run++
		}
		if was := b.Slots[i].Job; !was.Live() && c.Job.Stopper == core.ByLimit && liveJobs(a) <= jobs.Live {
			return law.Broken("job %d is stopped, and no more than %d run", i, jobs.Live)
		}
	}
	return law.Check(run <= jobs.Live, "%d jobs run, %d may", run, jobs.Live)
}

func liveJobs(s jobs.State) (n int) {
	for _, c := range s.Slots {
		if c.Job.Live() {
			n++
		}
	}
	return n
}

// settledNow reports whether a job settled in the step.
func settledNow(b, a jobs.State) bool {
	for i := range a.Slots {
		if a.Slots[i].Job.Phase == core.Settled && b.Slots[i].Job.Phase != core.Settled {
			return true
		}
	}
	return false
}

// onlyOldestGoes: what runs stays in the table, so does the last one that ended, and
// of the ended ones no more than are kept.
func onlyOldestGoes(b, a jobs.State) law.Verdict {
	kept := 0
	for i, c := range a.Slots {
		switch {
		case c.Job.Live() && !c.Known:
			return law.Broken("job %d runs and is forgotten", i)
		case c.Job.Phase == core.Settled && c.Known:
			kept++
		}
	}
	ended := 0
	for i, c := range a.Slots {
		if c.Job.Phase == core.Settled && (b.Slots[i].Known || b.Slots[i].Job.Phase != core.Settled) {
			ended++
		}
	}
	return law.Check(kept == min(ended, jobs.Kept), "of %d ended jobs %d are kept, want %d", ended, kept, min(ended, jobs.Kept))
}
