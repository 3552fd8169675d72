package bridge

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"tenet/adapters/jobs"
	"tenet/adapters/shell"
	"tenet/core/event"
	core "tenet/core/jobs"
)

// realRig is a table over a real shell.
type realRig struct {
	session string
	sh      *shell.Shell
	log     *jobsLog
	hand    *jobsHand
	table   *jobs.Table
	calls   int
}

func newRealRig(dir string) *realRig {
	r := &realRig{session: filepath.Base(dir), sh: realShell(dir, shell.Limits{}), log: newJobsLog()}
	r.hand = &jobsHand{log: r.log}
	r.table = jobs.New(jobs.Options{Session: r.session, Limits: core.Limits{Budget: 30 * time.Millisecond}})
	must(r.table.OnSettle(r.hand.settle))
	return r
}

// detached lets a script become a job; the turn that made the call ends at once.
func (r *realRig) detached(src string) (job, mark string, groups []event.Group, err error) {
	id := callName(r.calls)
	r.calls++
	must(r.hand.Record(event.Reply{Calls: []event.ToolCall{{ID: id}}}))
	mark = shell.Mark(r.session, id)
	ctx, over := context.WithCancel(context.Background())
	defer over()
	a, err := r.table.Run(ctx, jobs.Call{ID: id, Kind: jobs.Shell, Command: src, Log: r.hand, Start: func(ctx context.Context) jobs.Script {
		return r.sh.Start(ctx, anything{}, shell.Call{Name: mark, Script: src})
	}})
	must(r.hand.Record(event.Result{Call: id}))
	_, _, open := r.log.of(id)
	if err != nil || a.Job == "" || open == nil || len(open.Groups) == 0 {
		return "", mark, nil, fmt.Errorf("law call_settles_with_job: %s: %+v, %w; the log has %+v", src, a, err, open)
	}
	return a.Job, mark, slices.Clone(open.Groups), nil
}

// gone is nil when nothing of a job is left, and its one end says who ended it.
func (r *realRig) gone(src, job, mark string, groups []event.Group, by core.By) error {
	if _, ok := soonFrom(r.log.ended); !ok {
		return fmt.Errorf("law job_kill_ends_groups: %s: it does not end", src)
	}
	for _, g := range append(groups, shell.Orphans{}.Find(mark)...) {
		if (shell.Orphans{}).Look(shell.Boot(), g, mark).Members {
			return fmt.Errorf("law job_kill_ends_groups: %s: group %+v is still there", src, g)
		}
	}
	ends := r.log.ends[job]
	if len(ends) != 1 || ends[0].Status != "killed" || ends[0].By != by.String() || !strings.Contains(ends[0].Text, (&jobs.Stopped{By: by}).Error()) {
		return fmt.Errorf("law job_end_is_final: %s: stopped by %v, and its ends are %+v", src, by, ends)
	}
	return nil
}

// realKills kills real jobs: no process stays, whatever it started and wherever that
// ignores TERM; and the end of the session kills the rest.
func realKills(dir string) error {
	r := newRealRig(dir)
	over := filepath.Join(dir, "over") // written once the step before has ended, whose child has not
	must(syscall.Mkfifo(over, 0o600))
	for _, src := range []string{
		`sh -c 'trap "" TERM; sleep 987 & while :; do sleep 0.01; done'`,
		`sh -c 'sleep 987 &'; sh -c 'echo > over'; sleep 986 | sleep 985`,
	} {
		job, mark, groups, err := r.detached(src)
		if err != nil {
			return err
		}
		if strings.Contains(src, "over") {
			f, err := os.Open(over)
			must(err)
			must(f.Close())
		}
		if _, took, err := r.table.Kill(context.Background(), job, core.ByUser); err != nil || !took {
			return fmt.Errorf("law job_kill_ends_groups: %s: %v, %v", src, took, err)
		}
		if err := r.gone(src, job, mark, groups, core.ByUser); err != nil {
			return err
		}
	}
	return r.realSpawn(dir)
}

// realSpawn has a job start a further group, which must stand in the log, and leaves the
// end to the session.
func (r *realRig) realSpawn(dir string) error {
	gate := filepath.Join(dir, "gate")
	must(syscall.Mkfifo(gate, 0o600))
	src := "sh -c 'read x < gate'; sleep 985"
	job, mark, groups, err := r.detached(src)
	if err != nil {
		return err
	}
	if s := (shell.Orphans{}).Look(shell.Boot(), groups[0], ""); !s.Same {
		return fmt.Errorf("law call_settles_with_job: the log has group %+v, and the machine shows %+v", groups[0], s)
	}
	f, err := os.OpenFile(gate, os.O_WRONLY, 0)
	must(err)
	must(f.Close())
	spawned, ok := soonFrom(r.log.spawned)
	if !ok || spawned.PID == groups[0].PID {
		return fmt.Errorf("law call_settles_with_job: %s: the group that it starts as a job stands in no log: %+v", src, spawned)
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	r.table.Close(ctx)
	return r.gone(src, job, mark, append(groups, spawned), core.BySession)
}

// realRestart has a restart look for groups that another process left: one by its number
// and start, one with the number alone, which somebody else has, one of a machine that was
// started anew since, and one of a call that never became a job, by its mark.
func realRestart(dir string) error {
	session := filepath.Base(dir)
	ours, other, old, stray := lone(""), lone(""), lone(""), lone("x."+shell.Mark(session, "call_3"))
	for _, c := range []*exec.Cmd{ours, other, old, stray} {
		defer func() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL); _ = c.Wait() }()
	}
	g := groupOf(ours)
	past := event.State{Detached: 3, Calls: []event.OpenCall{{ToolCall: event.ToolCall{ID: "call_3"}, Started: true}}, Jobs: []event.OpenJob{
		{Detachment: event.Detachment{Job: "job_1", Call: "call_7", Boot: shell.Boot(), Groups: []event.Group{g}}},
		{Detachment: event.Detachment{Job: "job_2", Call: "call_8", Boot: shell.Boot(), Groups: []event.Group{{PID: other.Process.Pid, Start: g.Start - 1}}}},
		{Detachment: event.Detachment{Job: "job_3", Call: "call_9", Boot: "another", Groups: []event.Group{groupOf(old)}}},
	}}
	table := jobs.New(jobs.Options{Session: session, Grace: 100 * time.Millisecond, Limits: core.Limits{Budget: time.Millisecond}})
	ends, _ := table.Recover(context.Background(), past)
	if err := goesOnCounting(table); err != nil {
		return err
	}
	var got []string
	for _, e := range ends {
		got = append(got, e.Status)
	}
	if want := []string{"killed", "lost", "lost"}; !slices.Equal(got, want) {
		return fmt.Errorf("law job_kill_ends_groups: a restart makes of a live job, of a number used again and of one from before a reboot %v, want %v", got, want)
	}
	if !lives(other) || !lives(old) || lives(ours) || lives(stray) && (shell.Orphans{}).Find(shell.Mark(session, "call_3")) != nil {
		return fmt.Errorf("law job_kill_ends_groups: after a restart the job lives %v, the stray %v, the strangers %v and %v", lives(ours), lives(stray), lives(other), lives(old))
	}
	return nil
}

// goesOnCounting: the first job after three of an earlier process is the fourth.
func goesOnCounting(table *jobs.Table) error {
	s := newJobsScript(&jobsWorld{}, 0)
	a, err := table.Run(context.Background(), jobs.Call{ID: "call_10", Log: &jobsHand{log: newJobsLog()}, Start: func(context.Context) jobs.Script { return s }})
	s.finish(shell.Finished)
	table.Close(context.Background())
	if err != nil || a.Job != "job_4" {
		return fmt.Errorf("law job_end_is_final: after three jobs the next is %q (%v): its end would be that of another", a.Job, err)
	}
	return nil
}

// lone is a process with a child in a group of its own, which both ignore TERM.
func lone(mark string) *exec.Cmd {
	c := exec.Command("sh", "-c", `trap "" TERM; sleep 984 > /dev/null & echo; wait`)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "TENET_CALL=" + mark}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	up, err := c.StdoutPipe()
	must(err)
	must(c.Start())
	_, err = up.Read(make([]byte, 1)) // the child is there
	must(err)
	return c
}

// groupOf is the group of a lone process as a log would name it.
func groupOf(c *exec.Cmd) event.Group {
	return event.Group{PID: c.Process.Pid, Start: shell.Started(c.Process.Pid), Name: "sh"}
}

func lives(c *exec.Cmd) bool {
	return shell.Orphans{}.Look(shell.Boot(), event.Group{PID: c.Process.Pid}, "").Members
}
