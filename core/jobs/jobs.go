// Package jobs decides the life of a call that may outlast its wait (S2, S7.7): how
// long the call blocks, when it is answered without its end, how its job ends, and
// what a restart makes of a job that nobody saw end. It knows no clock and no process:
// the owner tells what happened and does what the answer says.
package jobs

import "time"

// Phase is where a call and its job stand.
type Phase uint8

// The phases. Answered and Settled are ends: nothing leaves them (law job_end_is_final).
const (
	Blocking Phase = iota // the call waits for its script
	Answered              // the script ended in time: the call has its end, and there never was a job
	Detached              // the call has its answer, the script goes on as a job
	Settled               // the job ended
)

var phaseNames = [...]string{"blocking", "answered", "detached", "settled"}

// String names the phase.
func (p Phase) String() string { return phaseNames[p] }

// Status is how a job ended.
type Status uint8

// The statuses.
const (
	Running  Status = iota // it has not ended
	Finished               // its last step ran, or exit did, whatever the exit status
	Failed                 // it could not go on
	Refused                // a step was no longer what had been judged, so it and all after it did not run
	Killed                 // somebody stopped it
	Lost                   // the process that watched it ended, and nothing of it was found afterwards
)

var statusNames = [...]string{"running", "finished", "failed", "refused", "killed", "lost"}

// String is the status as records spell it.
func (s Status) String() string { return statusNames[s] }

// By is who stopped a job.
type By uint8

// Who may stop a job.
const (
	Nobody    By = iota
	ByAgent      // the model, with its tool
	ByUser       // a person
	ByLimit      // it was one job too many
	BySession    // the session ended
	ByTimeout    // the time that its call named was over
	ByRestart    // the process that watched it was gone, and a later one found it alive
	ByLog        // the log could not take what it did
)

var byNames = [...]string{"", "agent", "user", "limit", "session", "timeout", "restart", "log"}

// String is who as records spell it; empty for nobody.
func (b By) String() string { return byNames[b] }

// Job is one call and what becomes of it. Begin makes it.
type Job struct {
	Phase Phase
	// Left is what is left of the blocking budget while the call blocks.
	Left time.Duration
	// Status is Running until the job has settled.
	Status Status
	// Stopper is who asked for its end first.
	Stopper By
}

// Act is what the owner does next.
type Act uint8

// The acts.
const (
	Nothing Act = iota
	Answer      // give the call the end of its script
	Detach      // record the job, then give the call what there is so far with the job's id
	Stop        // end the script and every process group that it started
	Settle      // record the one end of the job
)

var actNames = [...]string{"nothing", "answer", "detach", "stop", "settle"}

// String names the act.
func (a Act) String() string { return actNames[a] }

// Begin is a call whose script runs from now on. A budget of 0 or less is over at once.
func Begin(budget time.Duration) Job { return Job{Left: max(budget, 0)} }

// Within is the call when it may block for no longer than d of its budget.
func (j Job) Within(d time.Duration) Job {
	if j.Phase == Blocking {
		j.Left = min(j.Left, max(d, 0))
	}
	return j
}

// Pass says that time has passed since the last look, and that the script has not
// ended. A call whose budget is used up is answered now (law call_blocks_at_most_budget).
// A job has no time of its own: nothing here ever ends one (J6).
func (j Job) Pass(d time.Duration) (Job, Act) {
	if j.Phase != Blocking {
		return j, Nothing
	}
	if j.Left -= d; j.Left > 0 {
		return j, Nothing
	}
	j.Phase, j.Left = Detached, 0
	return j, Detach
}

// Stop says that somebody wants it ended. The first one is who stopped it; a later
// one, or one after its end, changes nothing and is told so.
func (j Job) Stop(by By) (Job, Act) {
	if j.Over() || j.Stopper != Nobody {
		return j, Nothing
	}
	j.Stopper = by
	return j, Stop
}

// End says that the script has ended by itself or was ended. While the call blocks the
// end is the call's own; after that it is the job's one settlement.
func (j Job) End(s Status) (Job, Act) {
	switch j.Phase {
	case Blocking:
		j.Phase, j.Left = Answered, 0
		return j, Answer
	case Detached:
		j.Phase, j.Status = Settled, s
		return j, Settle
	case Answered, Settled:
	}
	return j, Nothing
}

// Found is what a restart makes of the job: alive is true when a process of it was
// found, and ended since. Every job that nobody saw end gets its one settlement.
func (j Job) Found(alive bool) (Job, Act) {
	if j.Phase != Detached {
		return j, Nothing
	}
	if !alive {
		return j.End(Lost)
	}
	j.Stopper = ByRestart
	return j.End(Killed)
}

// Over reports whether nothing of it runs any more.
func (j Job) Over() bool { return j.Phase == Answered || j.Phase == Settled }

// Live reports whether it is a job that has not settled.
func (j Job) Live() bool { return j.Phase == Detached }
