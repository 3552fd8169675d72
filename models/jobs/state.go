// Package jobs closes the decisions of core/jobs with their adversary: scripts that end
// or do not, people and a model that stop them, a turn that is cancelled, a process that
// dies without a word, a machine that starts anew, and programs of others that get the
// numbers of processes which are gone.
package jobs

import (
	"time"

	core "tenet/core/jobs"
)

// The bounds of the model.
const (
	Calls  = 2 // calls that may become jobs
	Budget = 2 // ticks that a call may block
	Pids   = 2 // numbers that the machine gives to process groups
	Starts = 2 // times that it gives the same number
	Live   = 1 // jobs that may run at once
	Kept   = 1 // ended jobs that the table keeps
)

// Limits are the bounds as core takes them; a tick is a nanosecond.
var Limits = core.Limits{Budget: Budget, Live: Live, Kept: Kept}

// Foreign owns the groups of other programs.
const Foreign = Calls + 1

// State is a session with its jobs, and the processes of the machine.
type State struct {
	// Down is true while no process of tenet watches the session, Rebooted when the
	// machine was started anew since its jobs began.
	Down, Rebooted bool
	Slots          [Calls]Slot
	Procs          [Pids]Proc
	Wait           Wait
}

// Slot is one call, and the job that it may become.
type Slot struct {
	Begun bool
	Job   core.Job
	// Blocked counts the ticks that the call has really blocked.
	Blocked uint8
	// Wrote is how much its script has written while the call blocks.
	Wrote uint8
	// Log is what the log holds: the start of the group under each number, 0 for none.
	Log [Pids]uint8
	// Rows counts the settlements in the log, Known is true while the table lists it.
	Rows  uint8
	Known bool
}

// Proc is one number of the machine. With an owner it is that of a group, which may
// have lost its first process; Start is when that process began, and stays for the
// next one to begin later.
type Proc struct {
	Owner    uint8 // 0 none, 1 and up the call, Foreign another program
	Start    uint8
	Headless bool
}

// Wait is the one wait for a job that may be under way.
type Wait struct {
	// On is 1 and up the call whose job is waited for, 0 for none.
	On uint8
	// Left is what is left of the wait, Blocked what it has taken.
	Left, Blocked uint8
}

// Kind is what happens.
type Kind uint8

// The kinds of operations.
const (
	Start   Kind = iota // the model makes the call
	Tick                // time passes
	Write               // the script writes
	Spawn               // the script starts a group under the number
	Orphan              // the first process of a group ends, others of it live on
	Exit                // a group ends by itself
	Other               // another program starts a group under a free number
	End                 // the script ends by itself, with the status
	Kill                // somebody stops the call's script
	Stopped             // a stopped script has ended
	Cancel              // the user stops the turn
	Await               // the model waits for the job, for the ticks
	Crash               // the process of tenet ends without a word
	Reboot              // the machine starts anew meanwhile
	Restart             // a later process takes the session up
	Falter              // a later process takes it up and dies before it has recorded anything
)

// Op is one operation.
type Op struct {
	Kind   Kind
	Call   uint8 // index of the call
	Pid    uint8
	Status core.Status
	By     core.By
	Ticks  uint8
	// Blind is true for a restart that cannot read the environment of processes.
	Blind bool
}

// Out is what the callers are told.
type Out struct {
	// Told is, for each call that was answered as detached, 1 and what it had written.
	Told [Calls]uint8
	// Answered is true when the call got the end of its script.
	Answered bool
	// Woke is how the wait ended.
	Woke Woke
	// Took is true when a stop was the first.
	Took bool
}

// Woke is how a wait for a job ended.
type Woke uint8

// The ends of a wait.
const (
	Asleep  Woke = iota // it goes on, or there was none
	ByEnd               // the job has ended
	ByTime              // its time is over
	ByTurn              // the turn was stopped
	ByCrash             // nobody is there to wait
)

// ticks is a number of ticks as core takes it.
func ticks(n uint8) time.Duration { return time.Duration(n) }

// live counts the jobs that run.
func (s State) live() (n int) {
	for _, c := range s.Slots {
		if c.Job.Live() {
			n++
		}
	}
	return n
}
