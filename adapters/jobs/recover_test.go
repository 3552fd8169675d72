package jobs

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tenet/adapters/shell"
	"tenet/adapters/store"
	"tenet/core/event"
	core "tenet/core/jobs"
)

// TestMain is also the process that a test kills: with the variable set it holds jobs.
func TestMain(m *testing.M) {
	if dir := os.Getenv("TENET_TEST_HOLDS_JOBS"); dir != "" {
		holds(dir)
		return
	}
	goleak.VerifyTestMain(m)
}

// onDisk is a log on the disk.
type onDisk struct{ *store.Log }

// Record commits.
func (l onDisk) Record(b event.Body) error {
	_, err := l.Commit(b)
	return err
}

// holds is a session that dies with two jobs and a call that is waited for.
func holds(dir string) {
	session := filepath.Base(dir)
	l, err := store.Create(dir, session, store.Options{})
	if err != nil {
		panic(err)
	}
	log := onDisk{l}
	sh := shell.New(shell.Config{Dir: dir, Env: []string{"PATH=/usr/bin:/bin"}, Session: session, Judge: open{}})
	table := New(Options{Session: session, Limits: core.Limits{Budget: time.Hour}})
	table.OnSettle(func(s event.Settlement) error { return log.Record(s) })
	for i, src := range scripts {
		id := fmt.Sprintf("call_%d", i+1)
		call := event.ToolCall{ID: id, Tool: "bash"}
		must(log.Record(event.Reply{Calls: []event.ToolCall{call}}))
		must(log.Record(event.Call{Call: id, Tool: "bash"}))
		must(log.Record(event.Judgement{Call: id, Ruling: event.Ruling{Verdict: "allow", Steps: []event.JudgedStep{{N: 1}}}}))
		must(log.Record(event.Dispatch{Call: id, Steps: []int{1}}))
		c := Call{ID: id, Kind: Shell, Command: src, Log: log, Start: func(ctx context.Context) Script {
			return sh.Start(ctx, open{}, shell.Call{Name: shell.Mark(session, id), Script: src})
		}}
		if i < 2 {
			c.Blocks = func() time.Duration { return 50 * time.Millisecond }
		}
		if _, err := table.Run(context.Background(), c); err != nil {
			panic(err)
		}
		must(log.Record(event.Result{Call: id, Text: "goes on"}))
	}
}

// scripts: a job with a child, a job whose processes end while nobody watches, and a call
// that is waited for and says when it runs.
var scripts = []string{
	`echo before; sh -c 'sleep 987 & wait'`,
	`sh -c 'exec sleep 986'`,
	"sh -c 'echo > ready; sleep 985'",
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// killedHolder starts the process that holds jobs, kills it, and is the session as its log
// tells it.
func killedHolder(t *testing.T) (dir string, past event.State) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), rand.Text()) // the session's name: no other process has its mark
	must(os.Mkdir(dir, 0o700))
	ready := filepath.Join(dir, "ready")
	must(syscall.Mkfifo(ready, 0o600))
	c := exec.Command(os.Args[0], "-test.run=^$")
	c.Env = append(os.Environ(), "TENET_TEST_HOLDS_JOBS="+dir)
	c.Stderr = os.Stderr
	must(c.Start())
	f, err := os.Open(ready)
	must(err)
	_, _ = bufio.NewReader(f).ReadString('\n')
	f.Close()
	must(c.Process.Kill())
	_ = c.Wait()
	return dir, fold(t, dir)
}

func logOf(dir string) string { return filepath.Join(dir, filepath.Base(dir)+".jsonl") }

func fold(t *testing.T, dir string) event.State {
	t.Helper()
	records, _, err := store.Read(logOf(dir))
	if err != nil {
		t.Fatal(err)
	}
	s, err := event.Fold(records)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// stranger is a process of nobody's, alone in a group of its own.
func stranger(t *testing.T) event.Group {
	t.Helper()
	c := exec.Command("sleep", "984")
	c.Env = []string{"PATH=/usr/bin:/bin"}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	must(c.Start())
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	return event.Group{PID: c.Process.Pid, Name: "sleep"}
}

// alive reports whether a process of the group lives.
func alive(g event.Group) bool { return shell.Orphans{}.Look(shell.Boot(), g, "").Members }

// After kill -9 each job gets exactly one end: what lives of it is found by number and
// start and ended, what is gone is lost, and a number that somebody else has by now is
// left alone. The call that was waited for leaves nothing either.
func TestRecoverAfterKill(t *testing.T) {
	dir, past := killedHolder(t)
	if len(past.Jobs) != 2 || len(past.Calls) != 1 {
		t.Fatalf("jobs %+v, calls %+v", past.Jobs, past.Calls)
	}
	lives, gone := past.Jobs[0].Groups[0], past.Jobs[1].Groups[0]
	waited := shell.Orphans{}.Find(shell.Mark(filepath.Base(dir), "call_3"))
	if !alive(lives) || !alive(gone) || len(waited) != 1 && hasMarks() {
		t.Fatalf("%v %v, waited for %v", alive(lives), alive(gone), waited)
	}
	syscall.Kill(-gone.PID, syscall.SIGKILL)
	for alive(gone) {
		time.Sleep(time.Millisecond)
	}
	other := stranger(t)
	past.Jobs[1].Groups = []event.Group{{PID: other.PID, Start: gone.Start, Name: "sleep"}}

	l, _, err := store.Open(logOf(dir))
	if err != nil {
		t.Fatal(err)
	}
	table := New(Options{Session: filepath.Base(dir)})
	ends, strays := table.Recover(t.Context(), past)
	for _, b := range event.Resume(past) {
		must(onDisk{l}.Record(b))
	}
	must(table.OnSettle(func(s event.Settlement) error { return onDisk{l}.Record(s) }))
	must(l.Close())

	if len(ends) != 2 || ends[0].Status != "killed" || ends[0].By != "restart" || ends[1].Status != "lost" {
		t.Errorf("%+v", ends)
	}
	if !strings.Contains(ends[0].Text, "before\n") || !strings.Contains(ends[0].Text, fmt.Sprint(lives.PID)) {
		t.Errorf("%s", ends[0].Text)
	}
	if alive(lives) || !alive(other) || slices.ContainsFunc(strays, alive) || len(strays) != len(waited) {
		t.Errorf("the job lives %v, the stranger %v, strays %v", alive(lives), alive(other), strays)
	}
	after := fold(t, dir)
	if len(after.Jobs)+len(after.Calls)+len(after.Disorders) != 0 {
		t.Errorf("jobs %v, calls %v, disorders %v", after.Jobs, after.Calls, after.Disorders)
	}
	if ends, strays := New(Options{Session: filepath.Base(dir)}).Recover(t.Context(), after); len(ends)+len(strays) != 0 {
		t.Errorf("again: %v, %v", ends, strays)
	}
	if v := table.List(); len(v) != 2 || v[0].Status != core.Killed || v[1].Status != core.Lost {
		t.Errorf("%+v", v)
	}
}

// The machine was started anew: the numbers of that time say nothing.
func TestRecoverAfterReboot(t *testing.T) {
	other := stranger(t)
	if m := (shell.Orphans{}).Find(""); len(m) != 0 { // nobody has an empty mark
		t.Fatalf("%v", m)
	}
	s := event.State{Jobs: []event.OpenJob{{Detachment: event.Detachment{Job: "job_4", Call: "call_9", Boot: "another", Groups: []event.Group{other}}}}, Detached: 4}
	table := New(Options{Session: "s1"})
	ends, _ := table.Recover(t.Context(), s)
	if len(ends) != 1 || ends[0].Status != "lost" || !alive(other) {
		t.Errorf("%+v, the stranger lives: %v", ends, alive(other))
	}
}

func hasMarks() bool {
	_, err := os.Stat("/proc/self/environ")
	return err == nil
}
