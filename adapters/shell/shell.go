// Package shell runs scripts one judged step at a time (S7.7). A script becomes
// pipelines of simple commands; each pipeline is expanded, shown to the gate stage
// by stage, and only then does anything of it open, start or change. What the step
// grammar does not cover is one step that bash runs.
//
// A command's processes form a session and a group of their own, without a
// terminal. A process that leaves its group (setsid) is out of reach of a cancel;
// it is named in the result instead. What a call leaves in the background lives until
// Close.
package shell

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
	"tenet/core/childenv"
	"tenet/core/effect"
	"tenet/core/gate"
	"tenet/core/output"
	"tenet/core/script"
	"tenet/core/turn"
)

// Gate is who decides whether a step runs; the shell asks and obeys.
type Gate interface {
	// Permit judges a whole call before anything of it runs; plan gives its steps, and
	// may be asked again. The wait for an answer ends with ctx.
	Permit(ctx context.Context, plan func() []call.Step) gate.Outcome
	// Confirm judges one step again as it is now, expanded as runs says. The shell asks
	// about every stage of a pipeline, in order, before anything of the pipeline opens,
	// is created or starts, and stops at the first that may not run.
	Confirm(s call.Step, runs string) gate.Outcome
	// Skip passes over a step that the script leaves out.
	Skip()
	// Start is called once all stages of a pipeline may run. It returns nil when it
	// is recorded durably that they were dispatched; an error stops the script with
	// nothing of the pipeline run.
	Start(ctx context.Context) error
}

// Judge says what commands may do, in the file system as it is now.
type Judge interface {
	// Command judges one simple command that runs in dir.
	Command(dir string, c effect.Command) effect.Finding
	// Whole judges a script outside the step grammar.
	Whole(dir string, f *syntax.File) effect.Finding
	// Changed says that a step may have changed the file system: what was resolved
	// before is forgotten.
	Changed()
}

// Limits bound what a call keeps and how long it waits.
type Limits struct {
	// Output bounds the text of the result (S2).
	Output output.Limits
	// ArtifactDir is where the whole of a longer output is kept; empty keeps none. It
	// is created when it is needed.
	ArtifactDir string
	// ArtifactBytes is the most that one such file holds; 0 means 64 MiB.
	ArtifactBytes int64
	// Grace is the time between TERM and KILL of a cancelled call; 0 is turn.KillAfter.
	Grace time.Duration
	// Drain is how long the output of a finished pipeline stays open for a process
	// it left in the background; 0 means 100 milliseconds.
	Drain time.Duration
}

func (l Limits) filled() Limits {
	if l.ArtifactBytes <= 0 {
		l.ArtifactBytes = 64 << 20
	}
	if l.Grace <= 0 {
		l.Grace = turn.KillAfter
	}
	if l.Drain <= 0 {
		l.Drain = 100 * time.Millisecond
	}
	return l
}

// Config is what a Shell is made of.
type Config struct {
	// Dir is the workspace: the absolute directory that each script starts in.
	Dir string
	// Env is tenet's own environment, NAME=VALUE; children get it without credentials.
	Env []string
	// Session is the session's id, which children see as TENET_SESSION.
	Session string
	// Judge says what steps may do. Required.
	Judge Judge
	// Harden is the argv that runs for a git command that is not exec, so that the
	// repository cannot make git run a program; nil means effect.Harden.
	Harden func(argv []string) []string
	// Limits bound each call.
	Limits Limits
}

// Shell runs scripts. State such as cd and export lasts for one script. It may be
// used by several goroutines at once.
type Shell struct {
	dir     string
	env     []string
	judge   Judge
	harden  func([]string) []string
	limits  Limits
	parsers sync.Pool
	buffers sync.Pool // for reading output: *[chunk]byte
	// mark is the part of its calls' marks that they have in common.
	mark string
	left leftGroups
}

// defaults are set where tenet's own environment does not: a pager or a password
// prompt would wait for a terminal that is not there.
var defaults = []string{"NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0"}

// New is a shell for one session.
func New(c Config) *Shell {
	env := childenv.Build(childenv.Process, c.Env, childenv.Session{Set: []string{"TENET_SESSION=" + c.Session}, Default: defaults})
	s := &Shell{dir: c.Dir, env: env, judge: c.Judge, harden: c.Harden, limits: c.Limits.filled(), mark: rand.Text()}
	if s.harden == nil {
		s.harden = effect.Harden
	}
	s.parsers.New = func() any { return script.NewParser() }
	s.buffers.New = func() any { return new([chunk]byte) }
	return s
}

// Run runs a script to its end: to its last step, to exit, to a step that may not
// run, or to the end of ctx, which stops every process group that it started. The
// result is never empty-handed: it says what ran, what came of it and why it ended.
func (s *Shell) Run(ctx context.Context, g Gate, src string) Result {
	return s.RunFor(ctx, g, src, func() time.Duration { return 0 })
}

// RunFor is Run with a time limit that counts from the moment the call may run: what a
// person takes to answer is not its time. limit is asked only about a call that the gate
// let through (law denied_input_unchanged); 0 is none.
func (s *Shell) RunFor(ctx context.Context, g Gate, src string, limit func() time.Duration) Result {
	return s.perform(ctx, g, Call{Script: src, Limit: limit}, func(*run) {})
}

// Call is one script, or one program with its arguments.
type Call struct {
	// Name is the call's own name among those of the session's whole life, so that what
	// it leaves behind can be known again later (Mark); empty when nobody will look.
	Name string
	// Script is what runs, unless Argv does.
	Script string
	// Argv is a program and its arguments, as they are: there is no shell. Its two
	// outputs are kept apart, each within ArgvBytes.
	Argv []string
	// Limit is how long it may run once it may, asked only then; 0 is for ever. Nil is no
	// limit either.
	Limit func() time.Duration
	// Heard gets what the call writes while it runs, clean, at most every HeardEvery and
	// then at most the last HeardMost bytes of each output; nothing once the call has ended.
	// It is called one at a time, and holds up no more of the call than its end. Nil is nobody.
	Heard func(text string)
	// Notes are further sentences for the person who is asked about it.
	Notes []string
}

// TimeLimit is why a call was ended that ran longer than it may.
type TimeLimit struct{ Of time.Duration }

// Error is the limit in words, with what to do about it.
func (t *TimeLimit) Error() string {
	return fmt.Sprintf("it ran for %s, the time limit of the call; give a longer timeout, or start less at once", t.Of)
}

// perform takes a call from its judging to its result. began gets the run when the call
// may run, before anything of it does.
func (s *Shell) perform(ctx context.Context, g Gate, c Call, began func(*run)) Result {
	sc, err := s.read(c)
	if err != nil {
		return Result{Status: 2, End: End{Kind: Failed, Err: err}}
	}
	out := g.Permit(ctx, func() []call.Step {
		s.judge.Changed() // people and other programs move links between calls
		return s.plan(sc, c)
	})
	switch {
	case ctx.Err() != nil:
		return Result{Status: 130, End: End{Kind: Cancelled, Err: context.Cause(ctx)}}
	case !out.Runs:
		return Result{Status: 1, End: End{Kind: Refused, Verdict: out.Verdict, Answer: out.Answer, Refusal: out.Refusal}}
	}
	if d := c.limit(); d > 0 {
		bounded, cancel := context.WithTimeoutCause(ctx, d, &TimeLimit{Of: d})
		defer cancel()
		ctx = bounded
	}
	r := newRun(s, g, sc, c)
	defer r.close()
	began(r)
	return r.toItsEnd(ctx)
}

// toItsEnd runs the steps, and ends what they started when ctx ends.
func (r *run) toItsEnd(ctx context.Context) Result {
	grace := r.sh.limits.Grace
	stop := context.AfterFunc(ctx, func() { r.groups.cancel(grace) })
	end := r.all(ctx)
	if !stop() || ctx.Err() != nil {
		end = End{Kind: Cancelled, Err: context.Cause(ctx)}
		r.survivors = r.groups.end(grace)
	}
	r.background = r.groups.background()
	r.sh.left.add(r.background)
	return r.result(end)
}

func (c Call) limit() time.Duration {
	if c.Limit == nil {
		return 0
	}
	return c.Limit()
}

// read is the script of a call; one that is an argv has none.
func (s *Shell) read(c Call) (script.Script, error) {
	if c.Argv == nil {
		return s.parse(c.Script)
	}
	return script.Script{}, checkArgv(c.Argv)
}

func (s *Shell) parse(src string) (script.Script, error) {
	src, err := script.Canonical(src)
	if err != nil {
		return script.Script{}, err
	}
	p := s.parsers.Get().(*script.Parser)
	defer s.parsers.Put(p)
	return p.Parse(src)
}
