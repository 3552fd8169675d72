package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tenet/adapters/approvals"
	"tenet/adapters/jobs"
	"tenet/adapters/session"
	"tenet/adapters/shell"
	"tenet/core/call"
	"tenet/core/guard"
	core "tenet/core/jobs"
	"tenet/core/runner"
	"tenet/core/surface"
)

// maxTimeout is the longest that a call may name for its program, in seconds (seed 5).
const maxTimeout = 600

// bash is the script tool (S7.7). Its steps are what the gate judges.
var bash = surface.Tool{
	Name: "bash",
	Description: "Run a shell script in the workspace. A script is judged before anything of it runs: simple commands joined by ; newline && || | each by what they do, " +
		"a script with other syntax (loops, functions, subshells, $(...), here-documents) as one program. A call that is refused runs nothing. " +
		"A script that takes longer than the call may block goes on as a job: you get its output so far and the job's id, and a row when it has ended (see the tool job). " +
		"Output is bounded to 50 KiB and 2,000 lines. There is no terminal and no input. cd and export last for one call.",
	Params: []surface.Param{
		{Name: "command", Type: surface.String, Description: "The script.", Required: true},
		{Name: guard.TimeoutKey, Type: surface.Integer, Description: "End the script, also as a job, after this many seconds: 1 to 600. Without it a script has as long as it needs, and blocks the call for 120 seconds at most."},
	},
	Runner: &runner.Runner{Caps: call.All, Gate: runner.EachStep},
}

// argv is the tool that runs one program without a shell (seed 5).
var argv = surface.Tool{
	Name: "run",
	Description: "Run one program with its arguments in the workspace, without a shell: no variables, patterns, pipes or redirections; every word arrives as you write it. " +
		"It gives back up to 64 KiB of stdout and of stderr, apart. One that takes longer than the call may block goes on as a job, as with bash. Use bash for scripts.",
	Params: []surface.Param{
		{Name: "argv", Type: surface.Strings, Description: `The program, then its arguments, one word each: ["go", "test", "./..."].`, Required: true},
		{Name: guard.TimeoutKey, Type: surface.Integer, Description: "End it after this many seconds: 1 to 600, 120 without it."},
	},
	Runner: &runner.Runner{Caps: call.All, Gate: runner.EachCall},
}

// job is the tool over the session's jobs (J8). It acts on nothing but them.
var job = surface.Tool{
	Name: "job",
	Description: "Look at and stop the jobs of this session: calls of bash and run that took longer than they may block and go on. " +
		"list shows every job; wait waits for one to end, or for any without an id, up to the blocking budget; tail shows the last lines it wrote; kill ends it with every process it started. " +
		"You are told when a job ends, so you need not wait for it.",
	Params: []surface.Param{
		{Name: "verb", Type: surface.String, Description: "What to do.", Required: true, Shape: &surface.Shape{Enum: []string{"list", "wait", "tail", "kill"}}},
		{Name: "id", Type: surface.String, Description: "The job, as job_1. Needed for tail and kill."},
		{Name: "lines", Type: surface.Integer, Description: fmt.Sprintf("How many lines tail shows: 1 to %d, %d without it.", jobs.TailMost, jobs.TailLines)},
		{Name: "seconds", Type: surface.Integer, Description: "How long wait waits at most; the blocking budget without it, and never longer."},
	},
}

// jobTools are the tools that run programs and look after those that go on.
func jobTools(sh *shell.Shell, table *jobs.Table, sessionID string) []session.Tool {
	r := runners{sh: sh, table: table, session: sessionID}
	return []session.Tool{{Tool: bash, Run: r.bash}, {Tool: argv, Run: r.argv}, {Tool: job, Run: r.job}}
}

// runners are the hands of the tools.
type runners struct {
	sh      *shell.Shell
	table   *jobs.Table
	session string
}

// timeout is the time that a call names, 0 for none. The error is about one that is no
// time.
func timeout(tool string, args surface.Args) (time.Duration, error) {
	s := args.Int(guard.TimeoutKey, 1)
	if s < 1 || s > maxTimeout {
		return 0, fmt.Errorf("%s was not run: timeout is %d; it counts seconds, 1 to %d", tool, s, maxTimeout)
	}
	return time.Duration(args.Int(guard.TimeoutKey, 0)) * time.Second, nil
}

// bash runs a script. A time that the call names ends the script. The time that the guard
// gives a call without one (seed 3) bounds how long the call blocks, no more: a job has
// no time limit of its own (J6).
func (r runners) bash(ctx context.Context, g *approvals.Gate, args surface.Args) (session.Output, error) {
	named, err := timeout("bash", args)
	if err != nil {
		return session.Output{}, err
	}
	script := args.Str("command", "")
	return r.run(ctx, g, jobs.Shell, script, shell.Call{Script: script, Limit: func() time.Duration { return named }}, func() time.Duration {
		patched := surface.Args(guard.Patch(true, args)) // the last thing that happens to the input
		return time.Duration(patched.Int(guard.TimeoutKey, guard.DefaultTimeout)) * time.Second
	})
}

// argv runs a program without a shell. Its time limit is its own, named or not (seed 5).
func (r runners) argv(ctx context.Context, g *approvals.Gate, args surface.Args) (session.Output, error) {
	named, err := timeout("run", args)
	if err != nil {
		return session.Output{}, err
	}
	words, limit := args.List("argv"), guard.DefaultTimeout*time.Second
	c := shell.Call{Argv: words}
	if c.Argv == nil {
		c.Argv = []string{}
	}
	if named > 0 && named != limit {
		limit = named
		c.Notes = []string{fmt.Sprintf("it may run for %s", named)}
	}
	c.Limit = func() time.Duration { return limit }
	return r.run(ctx, g, jobs.Argv, shell.Line(words), c, nil)
}

// run starts a call, and answers with its end or with the job that it has become.
func (r runners) run(ctx context.Context, g *approvals.Gate, kind, command string, c shell.Call, blocks func() time.Duration) (session.Output, error) {
	c.Name = shell.Mark(r.session, g.Call)
	c.Heard = func(text string) { r.table.Heard(g.Call, text) }
	a, err := r.table.Run(ctx, jobs.Call{
		ID: g.Call, Kind: kind, Command: command, Log: g.Log, Blocks: blocks,
		Start: func(ctx context.Context) jobs.Script { return r.sh.Start(ctx, g, c) },
	})
	if err != nil {
		return session.Output{}, err
	}
	if a.Job != "" {
		return session.Output{Text: goesOn(a), Dropped: a.Result.Dropped()}, nil
	}
	k := a.Result.End.Kind
	failed := k == shell.Refused || k == shell.Cancelled || k == shell.Failed
	return session.Output{Text: a.Result.Text(), Dropped: a.Result.Dropped(), Failed: failed}, nil
}

// goesOn is what the model reads of a call that has become a job: what there is so far,
// and what to do next.
func goesOn(a jobs.Answer) string {
	text := a.Result.SoFarText()
	if a.Excess {
		return text + fmt.Sprintf("[still running after %s as %s, but as many jobs as may run at once run already: it is being stopped. End one with job kill (job list shows them), then run it again]\n", a.Blocked, a.Job)
	}
	return text + fmt.Sprintf("[still running after %s; it goes on as %s. You are told when it ends, in a row that begins [job-settled job:%s; go on with other work, or end your turn. "+
		"job wait waits for it, job tail shows what it writes, job kill ends it]\n", a.Blocked, a.Job, a.Job)
}

// job looks after the session's jobs.
func (r runners) job(ctx context.Context, _ *approvals.Gate, args surface.Args) (session.Output, error) {
	id, verb := args.Str("id", ""), args.Str("verb", "")
	if _, lines := args["lines"]; lines && verb != "tail" {
		return session.Output{}, fmt.Errorf("job %s takes no lines; they are for tail", verb)
	}
	if _, seconds := args["seconds"]; seconds && verb != "wait" {
		return session.Output{}, fmt.Errorf("job %s takes no seconds; they are for wait", verb)
	}
	switch verb {
	case "list":
		return session.Output{Text: r.list()}, nil
	case "wait":
		return r.wait(ctx, id, args.Int("seconds", 0))
	case "tail":
		return r.tail(id, int(args.Int("lines", jobs.TailLines)))
	case "kill":
		return r.kill(ctx, id)
	}
	return session.Output{}, fmt.Errorf("job has no verb %q; it is list, wait, tail or kill", verb)
}

func (r runners) list() string {
	var b strings.Builder
	for _, v := range r.table.List() {
		fmt.Fprintf(&b, "%s\n", jobLine(v))
	}
	if b.Len() == 0 {
		return "No call of this session has become a job.\n"
	}
	return b.String()
}

// jobLine is a job in one line.
func jobLine(v jobs.View) string {
	state := v.Status.String()
	switch {
	case v.Stopper != core.Nobody && v.Status == core.Running:
		state = "is being stopped (" + v.Stopper.String() + ")"
	case v.Stopper != core.Nobody:
		state += " by " + v.Stopper.String()
	case v.Status == core.Finished:
		state += fmt.Sprintf(" with exit status %d", v.End.Exit)
	}
	if v.For > 0 {
		state += fmt.Sprintf(" after %s, %d bytes written", v.For.Round(time.Second), v.Written)
	}
	return fmt.Sprintf("%s %s %s: %s", v.ID, v.Kind, state, call.OneLine(v.Command, 200))
}

func (r runners) wait(ctx context.Context, id string, seconds int64) (session.Output, error) {
	if seconds < 0 || seconds > maxTimeout {
		return session.Output{}, fmt.Errorf("seconds is %d; it may be 1 to %d, or nothing for the blocking budget", seconds, maxTimeout)
	}
	views, err := r.table.Wait(ctx, id, time.Duration(seconds)*time.Second)
	if err != nil {
		return session.Output{}, err
	}
	var b strings.Builder
	for _, v := range views {
		fmt.Fprintf(&b, "%s\n", jobLine(v))
		b.WriteString(ending(v))
	}
	if ctx.Err() == nil && !over(views) {
		b.WriteString("[not ended yet; a wait never takes longer than the blocking budget. Go on with other work: you are told when a job ends]\n")
	}
	return session.Output{Text: b.String()}, nil
}

func over(views []jobs.View) bool {
	return slices.ContainsFunc(views, func(v jobs.View) bool { return v.Status != core.Running })
}

// ending is where the end of a job can be read; the row with its output comes by itself.
func ending(v jobs.View) string {
	if v.Status == core.Running {
		return ""
	}
	return fmt.Sprintf("[its output comes in the row that begins [job-settled job:%s]\n", v.ID)
}

func (r runners) tail(id string, lines int) (session.Output, error) {
	if id == "" {
		return session.Output{}, fmt.Errorf("job tail needs the id of a job; job list shows them")
	}
	text, v, err := r.table.Tail(id, lines)
	if err != nil {
		return session.Output{}, fmt.Errorf("job tail: %w", err)
	}
	if text == "" {
		text = "[nothing written yet]\n"
	}
	return session.Output{Text: jobLine(v) + "\n" + text}, nil
}

func (r runners) kill(ctx context.Context, id string) (session.Output, error) {
	if id == "" {
		return session.Output{}, fmt.Errorf("job kill needs the id of a job; job list shows them")
	}
	v, took, err := r.table.Kill(ctx, id, core.ByAgent)
	if err != nil {
		return session.Output{}, fmt.Errorf("job kill: %w", err)
	}
	text := jobLine(v) + "\n"
	if !took {
		text += "[this call changed nothing: the job had ended, or was being stopped already]\n"
	}
	for _, s := range v.End.Survivors {
		text += fmt.Sprintf("[%s still runs]\n", s)
	}
	return session.Output{Text: text, Failed: v.Status == core.Running}, nil
}
