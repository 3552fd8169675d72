package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"tenet/adapters/shell"
	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/event"
	"tenet/core/gate"
	core "tenet/core/jobs"
)

// open is a gate and a judge that let everything run.
type open struct{}

func (open) Permit(_ context.Context, plan func() []call.Step) gate.Outcome {
	plan()
	return gate.Outcome{Runs: true}
}
func (open) Confirm(call.Step, string) gate.Outcome { return gate.Outcome{Runs: true} }
func (open) Skip()                                  {}
func (open) Start(context.Context) error            { return nil }
func (open) Command(string, effect.Command) effect.Finding {
	return effect.Finding{Effects: call.Of(call.Exec)}
}
func (open) Whole(string, *syntax.File) effect.Finding {
	return effect.Finding{Effects: call.Of(call.Exec)}
}
func (open) Changed() {}

// log is a session's log in memory.
type log struct {
	mu    sync.Mutex
	all   []event.Body
	state event.State
	fail  error
	after func(event.Body)
}

func (l *log) Record(b event.Body) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil {
		return l.fail
	}
	l.all = append(l.all, b)
	l.state = l.state.With(uint64(len(l.all)), b)
	if l.after != nil {
		l.after(b)
	}
	return nil
}

func (l *log) settle(s event.Settlement) error { return l.Record(s) }

// settlements are the ends in the log.
func (l *log) settlements() (out []event.Settlement) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.all {
		if s, ok := b.(event.Settlement); ok {
			out = append(out, s)
		}
	}
	return out
}

// rig is a table over a real shell in a directory of its own.
type rig struct {
	t     *testing.T
	dir   string
	id    string // of the session: no other process has its mark
	sh    *shell.Shell
	table *Table
	log   *log
	calls int
}

func newRig(t *testing.T, change ...func(*Options)) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir(), id: rand.Text(), log: &log{}}
	o := Options{Session: r.id, Limits: core.Limits{Budget: 20 * time.Millisecond}}
	for _, f := range change {
		f(&o)
	}
	r.sh = shell.New(shell.Config{Dir: r.dir, Env: []string{"PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C"}, Session: r.id, Judge: open{},
		Limits: shell.Limits{Grace: 100 * time.Millisecond, Drain: time.Millisecond, ArtifactDir: filepath.Join(r.dir, "out")}})
	r.table = New(o)
	if err := r.table.OnSettle(r.log.settle); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.table.Close(context.Background())
		r.sh.Close(context.Background())
	})
	return r
}

// call makes the call that the script is run for, as a session would record it.
func (r *rig) call(src string) Call {
	r.calls++
	id := fmt.Sprintf("call_%d", r.calls)
	tool := event.ToolCall{ID: id, Tool: "bash"}
	for _, b := range []event.Body{event.Reply{Calls: []event.ToolCall{tool}}, event.Call{Call: id, Tool: "bash"}} {
		if err := r.log.Record(b); err != nil {
			r.t.Fatal(err)
		}
	}
	return Call{ID: id, Kind: Shell, Command: src, Log: r.log, Start: func(ctx context.Context) Script {
		return r.sh.Start(ctx, open{}, shell.Call{Name: shell.Mark(r.id, id), Script: src, Heard: func(text string) { r.table.Heard(id, text) }})
	}}
}

// run runs a script and records the call's result.
func (r *rig) run(src string) Answer {
	r.t.Helper()
	c := r.call(src)
	a, err := r.table.Run(r.t.Context(), c)
	if err == nil {
		err = r.log.Record(event.Result{Call: c.ID, Text: a.Result.Text()})
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return a
}

// fifo is a pipe with a name that scripts wait at.
func (r *rig) fifo(name string) string {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// let opens a pipe for a script that waits to read from it.
func (r *rig) let(path string) {
	r.t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		r.t.Fatal(err)
	}
	f.Close()
}

// ended waits for the end of a job.
func (r *rig) ended(id string) View {
	r.t.Helper()
	for range 1000 {
		vs, err := r.table.Wait(r.t.Context(), id, 0)
		if err != nil {
			r.t.Fatal(err)
		}
		if vs[0].Status != core.Running {
			return vs[0]
		}
	}
	r.t.Fatalf("%s never ends", id)
	return View{}
}

// job-001: a call that takes longer than it may block is answered with its output so far
// and the id of its job, and settles later, once, with all of its output and a row in
// the model's context.
func TestBudgetPasses(t *testing.T) {
	r := newRig(t)
	gate := r.fifo("gate")
	a := r.run("echo first; cat gate; echo last; exit 3")
	if a.Job != "job_1" || a.Result.Output != "first\n" || len(r.log.settlements()) != 0 {
		t.Fatalf("%+v, %v", a, r.log.settlements())
	}
	if jobs := r.log.state.Jobs; len(jobs) != 1 || jobs[0].Output != "first\n" || jobs[0].Boot == "" && shell.Boot() != "" {
		t.Errorf("the log has %+v", jobs)
	}
	r.let(gate)
	v := r.ended("job_1")
	got := r.log.settlements()
	if len(got) != 1 || got[0].Status != "finished" || got[0].Exit != 3 || !strings.HasPrefix(got[0].Text, "first\nlast\n") || v.End.Text != got[0].Text {
		t.Errorf("%+v, %+v", got, v)
	}
	next := r.log.state.With(r.log.state.Seq+1, event.Request{}) // its row comes with the next request
	msgs := next.Messages
	if last := msgs[len(msgs)-1]; !last.Harness || !strings.HasPrefix(last.Text, "[job-settled job:job_1 status:finished]\nfirst\nlast\n") {
		t.Errorf("the row is %+v", last)
	}
	if d := r.log.state.Disorders; len(d) != 0 || len(r.log.state.Jobs) != 0 {
		t.Errorf("disorders %v, jobs %v", d, r.log.state.Jobs)
	}
}

// A call that ends in time is no job.
func TestEndsInTime(t *testing.T) {
	r := newRig(t, func(o *Options) { o.Limits.Budget = time.Minute })
	if a := r.run("echo hi"); a.Job != "" || a.Result.Output != "hi\n" || len(r.table.List()) != 0 {
		t.Errorf("%+v, %v", a, r.table.List())
	}
}

// A group that a job starts later stands in the log before the job goes on, with the
// start of its first process; a job's last groups are found again by them.
func TestGroupsStandInTheLog(t *testing.T) {
	r := newRig(t)
	gate, more := r.fifo("gate"), r.fifo("more")
	seen := make(chan event.Spawn, 10)
	r.log.after = func(b event.Body) {
		if s, ok := b.(event.Spawn); ok {
			seen <- s
		}
	}
	a := r.run("sh -c 'read x < gate'; sh -c 'read x < more'")
	jobs := r.log.state.Jobs
	if a.Job == "" || len(jobs[0].Groups) != 1 {
		t.Fatalf("%+v: %+v", a, jobs)
	}
	g := jobs[0].Groups[0]
	if s := (shell.Orphans{}).Look(shell.Boot(), g, shell.Mark(r.id, "call_1")); !s.Ours() || !s.Leader || !s.Same || g.Name != "sh" {
		t.Errorf("%+v is seen as %+v", g, s)
	}
	r.let(gate)
	s := <-seen
	if s.Job != "job_1" || s.Group.PID == g.PID || s.Group.Start < g.Start {
		t.Errorf("%+v after %+v", s, g)
	}
	r.let(more)
	r.ended("job_1")
}

// A kill ends what the script started, however deep, also what ignores TERM, and says
// who asked; a second kill changes nothing.
func TestKillEndsGrandchildren(t *testing.T) {
	for name, src := range map[string]string{
		"grandchildren":   `sh -c 'sh -c "sleep 987 & sleep 986" & echo up; wait'`,
		"two sleeps":      `sh -c 'sleep 300 & sleep 300'`,
		"a pipeline":      `yes | cat | sh -c 'sleep 987'`,
		"one that stays":  `sh -c 'trap "" TERM; echo up; while :; do sleep 0.01; done'`,
		"an earlier step": `sh -c 'sleep 987 &'; sleep 987`,
		"a whole script":  `for i in 1 2; do sleep 987 & done; wait`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			a := r.run(src)
			groups := r.log.state.Jobs[0].Groups
			if a.Job == "" || len(groups) == 0 {
				t.Fatalf("%+v, groups %v", a, groups)
			}
			v, took, err := r.table.Kill(t.Context(), "job_1", core.ByUser)
			for err == nil && v.Status == core.Running {
				v, _, err = r.table.Kill(t.Context(), "job_1", core.ByAgent)
			}
			if err != nil || !took || v.Status != core.Killed || v.End.By != "user" || len(v.End.Survivors) != 0 {
				t.Errorf("%+v, %v, %v", v, took, err)
			}
			for _, g := range groups {
				if s := (shell.Orphans{}).Look(shell.Boot(), g, ""); s.Members {
					t.Errorf("group %+v is still there: %+v", g, s)
				}
			}
			if _, took, _ := r.table.Kill(t.Context(), "job_1", core.ByAgent); took || len(r.log.settlements()) != 1 {
				t.Errorf("took %v, %v", took, r.log.settlements())
			}
		})
	}
}

// The end of the turn stops a call that is waited for, and no job.
func TestTurnEnds(t *testing.T) {
	r := newRig(t)
	gate := r.fifo("gate")
	r.run("cat gate")
	ctx, cancel := context.WithCancelCause(t.Context())
	r.table.o.Limits.Budget = time.Minute
	c := r.call("cat gate")
	started := c.Start
	c.Start = func(ctx context.Context) Script {
		s := started(ctx)
		go func() { <-s.Began(); cancel(errors.New("stop")) }()
		return s
	}
	a, err := r.table.Run(ctx, c)
	if err != nil || a.Job != "" || a.Result.End.Kind != shell.Cancelled || !strings.Contains(a.Result.Text(), "stopped by the user") {
		t.Errorf("%+v, %v", a, err)
	}
	if l := r.table.List(); len(l) != 1 || l[0].Status != core.Running || l[0].Stopper != core.Nobody {
		t.Errorf("%+v", l)
	}
	r.let(gate)
	if v := r.ended("job_1"); v.Status != core.Finished {
		t.Errorf("%+v", v)
	}
}

// A flood is bounded in memory; every byte past it is counted, and kept in a file.
func TestFlood(t *testing.T) {
	r := newRig(t)
	if a := r.run("yes"); a.Job == "" {
		t.Fatalf("%+v", a)
	}
	for r.table.List()[0].Written < 1<<20 {
		if _, err := r.table.Wait(t.Context(), "job_1", time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	text, v, err := r.table.Tail("job_1", 200)
	if err != nil || strings.Count(text, "y\n") < 190 || len(text) > TailBytes {
		t.Errorf("%d bytes, %+v, %v", len(text), v, err)
	}
	if _, took, err := r.table.Kill(t.Context(), "job_1", core.ByAgent); err != nil || !took {
		t.Fatalf("%v, %v", took, err)
	}
	v = r.ended("job_1")
	end := r.log.settlements()[0]
	if end.Dropped == 0 || end.Dropped+50<<10 < v.Written || !strings.Contains(end.Text, "the whole output is in ") {
		t.Errorf("dropped %d of %d", end.Dropped, v.Written)
	}
}

// A time limit that the call names ends the script as a job too, and says so.
func TestTimeLimitOfAJob(t *testing.T) {
	r := newRig(t)
	c := r.call("sleep 987")
	c.Start = func(ctx context.Context) Script {
		return r.sh.Start(ctx, open{}, shell.Call{Script: "sleep 987", Limit: func() time.Duration { return 60 * time.Millisecond }})
	}
	if a, err := r.table.Run(t.Context(), c); err != nil || a.Job == "" {
		t.Fatalf("%+v, %v", a, err)
	}
	if v := r.ended("job_1"); v.Status != core.Killed || v.End.By != "timeout" || !strings.Contains(v.End.Text, "the time limit of the call") {
		t.Errorf("%+v", v)
	}
}

// One job more than may run is stopped, and it alone.
func TestOneTooMany(t *testing.T) {
	r := newRig(t, func(o *Options) { o.Limits.Live = 2 })
	gates := []string{r.fifo("one"), r.fifo("two")}
	r.run("cat one")
	r.run("cat two")
	if a := r.run("sleep 987"); !a.Excess {
		t.Errorf("%+v", a)
	}
	if v := r.ended("job_3"); v.Status != core.Killed || v.End.By != "limit" {
		t.Errorf("%+v", v)
	}
	for i, id := range []string{"job_1", "job_2"} {
		r.let(gates[i])
		if v := r.ended(id); v.Status != core.Finished {
			t.Errorf("%+v", v)
		}
	}
}

// The log takes no job: then nothing runs on.
func TestUnlogged(t *testing.T) {
	r := newRig(t)
	c := r.call("sleep 987")
	r.log.fail = errors.New("disk full")
	_, err := r.table.Run(t.Context(), c)
	if err == nil || !strings.Contains(err.Error(), "disk full") || len(r.table.List()) != 0 {
		t.Errorf("%v, %v", err, r.table.List())
	}
}

// The end of the session ends its jobs, each with one row.
func TestClose(t *testing.T) {
	r := newRig(t)
	r.run("sleep 987")
	r.run("sleep 986 | sleep 985")
	ended := r.table.Close(t.Context())
	if len(ended) != 2 || ended[0].End.By != "session" || len(r.log.settlements()) != 2 {
		t.Errorf("%+v, %v", ended, r.log.settlements())
	}
	if _, err := r.table.Run(t.Context(), r.call("true")); err == nil {
		t.Error("a call starts after the end")
	}
	if again := r.table.Close(t.Context()); len(again) != 0 {
		t.Errorf("again: %v", again)
	}
}
