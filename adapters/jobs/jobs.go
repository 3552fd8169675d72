// Package jobs keeps the calls of a session that may outlast their wait (S7.7): it
// starts each, waits for it no longer than the blocking budget, answers it with what
// there is so far when that is over, and settles the job exactly once. What happens next
// is core/jobs's decision; the processes are the shell's.
package jobs

import (
	"context"
	"errors"
	"sync"
	"time"

	"tenet/adapters/shell"
	"tenet/core/event"
	core "tenet/core/jobs"
)

// Script is a call that runs beside its caller, as shell.Start gives it.
type Script interface {
	// Began is closed when the call may run, Done when it has ended.
	Began() <-chan struct{}
	Done() <-chan struct{}
	// Result is what came of it, once it is done; SoFar is what it has written until now.
	Result() shell.Result
	SoFar() shell.Result
	// Groups lists the process groups that it has, and has each later one told.
	Groups(told func(event.Group)) []event.Group
	// Stop ends it without waiting.
	Stop(cause error)
}

// Recorder is the session's log as one call may write it.
type Recorder interface {
	Record(body event.Body) error
}

// Orphans are the processes of the machine, for one who has started none of them.
type Orphans interface {
	// Look is what stands under the number of a group of the machine's run boot, started
	// by the call with the mark.
	Look(boot string, g event.Group, mark string) core.Sight
	// Find lists the groups with a process that has the mark.
	Find(mark string) []event.Group
	// Signal asks a group to end, or ends it by force when kill is true.
	Signal(group int, kill bool)
}

// Options are what a Table is made of. All but Session may be left out.
type Options struct {
	// Session is the session's id, which is in the marks of its processes.
	Session string
	Limits  core.Limits
	// Grace is the time between TERM and KILL for what a crash left; 0 is 2 seconds.
	Grace time.Duration
	// After is a clock: a channel that tells when the time has passed, and what drops it.
	After func(time.Duration) (<-chan time.Time, func())
	// Boot names the machine's run, Orphans are its processes.
	Boot    func() string
	Orphans Orphans
}

func (o Options) filled() Options {
	o.Limits = o.Limits.Filled()
	if o.Grace <= 0 {
		o.Grace = 2 * time.Second
	}
	if o.After == nil {
		o.After = after
	}
	if o.Boot == nil {
		o.Boot = shell.Boot
	}
	if o.Orphans == nil {
		o.Orphans = shell.Orphans{}
	}
	return o
}

func after(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// Table is the jobs of one session. It may be used by several goroutines.
type Table struct {
	o Options

	mu     sync.Mutex
	closed bool
	made   int      // jobs that the session ever had
	calls  []*entry // calls that are waited for, jobs that run, and the last ones that ended
	// settled tells of the end of jobs; until it is set they wait in unsent.
	settled func(event.Settlement) error
	unsent  []event.Settlement
	// live gets the signs of what calls write; nil is nobody.
	live func(event.Live)
	// changed is closed and made anew with each end of a job.
	changed chan struct{}
	// watching are the goroutines that wait for the end of a job.
	watching sync.WaitGroup
}

// New is an empty table.
func New(o Options) *Table { return &Table{o: o.filled(), changed: make(chan struct{})} }

// OnSettle sets who is told of each end of a job, exactly once a job, and hands over
// those that came before: the session records them.
func (t *Table) OnSettle(tell func(event.Settlement) error) error {
	t.mu.Lock()
	t.settled = tell
	unsent := t.unsent
	t.unsent = nil
	t.mu.Unlock()
	var errs []error
	for _, s := range unsent {
		errs = append(errs, tell(s))
	}
	return errors.Join(errs...)
}

// OnLive sets who gets the signs of what calls and jobs write while they run. No rule reads
// them.
func (t *Table) OnLive(show func(event.Live)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.live = show
}

// Heard tells of what a call wrote: one that is a job by now in its name too.
func (t *Table) Heard(callID, text string) {
	t.mu.Lock()
	sign, show := event.Live{Kind: event.LiveOutput, Call: callID, Text: text}, t.live
	for _, e := range t.calls {
		if e.call.ID == callID {
			sign.Job = e.id
		}
	}
	t.mu.Unlock()
	if show != nil {
		show(sign)
	}
}

// tell hands over one end, or keeps it until somebody wants it.
func (t *Table) tell(s event.Settlement) error {
	t.mu.Lock()
	tell := t.settled
	if tell == nil {
		t.unsent = append(t.unsent, s)
	}
	t.mu.Unlock()
	if tell == nil {
		return nil
	}
	return tell(s)
}

// entry is one call and its job. What is not said to be fixed is under the table's lock.
type entry struct {
	call  Call      // fixed
	began time.Time // fixed; zero for a job of a process that is gone
	job   core.Job
	id    string // of the job, empty while there is none
	// number is the job's among the session's; 0 while there is none, and for one of a process
	// that is gone.
	number int
	// script runs it, nil once the job has settled: it holds its output.
	script  Script
	written int64 // bytes that it had written when it ended
	ended   time.Time
	end     event.Settlement // once it has settled
	// unsaved is why the log does not hold its end.
	unsaved error

	// recorded is closed when the log has the job, or never will.
	recorded chan struct{}
	// over is closed when the job has settled and its end was told.
	over chan struct{}
}

// Stopped is why a script was stopped.
type Stopped struct{ By core.By }

// Error says who, as the model reads it.
func (s *Stopped) Error() string {
	switch s.By {
	case core.ByAgent:
		return "stopped by the agent (job kill)"
	case core.ByUser:
		return "stopped by the user"
	case core.ByLimit:
		return "stopped, because as many jobs as may run at once were running already"
	case core.BySession:
		return "stopped, because the session ended"
	case core.ByTimeout:
		return "stopped, because the time limit of the call was over"
	case core.ByRestart:
		return "stopped after a restart"
	case core.ByLog:
		return "stopped, because the log cannot be written"
	case core.Nobody:
	}
	return "stopped"
}

// errClosed refuses a call after Close.
var errClosed = errors.New("the session is ending; nothing was started")

// Call is one call as a tool makes it.
type Call struct {
	// ID is the call's id, Kind what it is: Shell or Argv.
	ID, Kind string
	// Command is what runs, as a person reads it.
	Command string
	// Log takes the records of the call, also after it was answered.
	Log Recorder
	// Start begins it. ctx lives as long as the call may.
	Start func(ctx context.Context) Script
	// Blocks is how long it may block, when that is shorter than the budget; asked once it
	// may run. Nil is the budget.
	Blocks func() time.Duration
}

// The kinds of jobs.
const (
	Shell = "shell" // a script
	Argv  = "run"   // a program without a shell
)

// Answer is what a call gets.
type Answer struct {
	// Result is what came of it, or for a job what there is so far.
	Result shell.Result
	// Job is the id of the job that it has become, empty when it has ended.
	Job string
	// Blocked is how long it was waited for, for a job.
	Blocked time.Duration
	// Excess is true for a job that is being stopped, because it is one too many.
	Excess bool
}
