package shell

import (
	"context"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// leaver is a shell in a directory with a FIFO that a background process of a script
// opens when it is ready, so that nothing here waits for time to pass.
func leaver(t *testing.T, grace time.Duration) *Shell {
	t.Helper()
	d := t.TempDir()
	if err := syscall.Mkfifo(d+"/ready", 0o600); err != nil {
		t.Fatal(err)
	}
	return newShell(d, func(c *Config) { c.Limits.Grace, c.Limits.Drain = grace, time.Millisecond })
}

// leave runs a script that leaves one group behind, and names the group.
func leave(t *testing.T, s *Shell, src string) int {
	t.Helper()
	r := s.Run(t.Context(), &recorder{}, src)
	if r.End.Kind != Finished || len(r.Background) != 1 {
		t.Fatalf("%v, background %v: %s", r.End, r.Background, r.Text())
	}
	return r.Background[0]
}

// What a call left in the background runs on after it, and ends with Close, whatever
// it thinks of HUP and TERM, and whether or not it kept its environment.
func TestCloseEndsBackground(t *testing.T) {
	long := time.Minute
	for name, c := range map[string]struct {
		grace time.Duration
		src   string
	}{
		"a process":          {long, `sleep 987 & echo done`},
		"without HUP":        {long, `nohup sleep 987 > /dev/null 2>&1 & echo done`},
		"a child":            {long, `sh -c 'sleep 987 & echo > ready; wait' & cat ready`},
		"deaf to TERM":       {20 * time.Millisecond, `sh -c 'trap "" TERM; echo > ready; exec sleep 987' & cat ready`},
		"stopped":            {long, `sh -c 'echo > ready; exec sleep 987' & cat ready; kill -STOP $!`},
		"without its mark":   {long, `env -i /bin/sh -c 'echo > ready; exec sleep 987' & cat ready`},
		"behind a built-in":  {long, `sh -c 'sleep 987 &'`},
		"starting for ever":  {20 * time.Millisecond, `(trap "" TERM; echo > ready; while true; do sleep 0.01; done) & cat ready`},
		"in a bash function": {long, `f() { sleep 987; }; f & echo done`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := leaver(t, c.grace)
			group := leave(t, s, c.src)
			if len(members(group)) == 0 {
				t.Fatal("it ended with the call")
			}
			ended, survivors := s.Close(t.Context())
			if len(ended) != 1 || ended[0].Group != group || ended[0].Name == "" || len(survivors) != 0 {
				t.Errorf("ended %v, survivors %v", ended, survivors)
			}
			if m := members(group); len(m) != 0 {
				t.Errorf("still there: %v", m)
			}
		})
	}
}

// Close ends what several calls left, and has nothing to do after that.
func TestCloseTwice(t *testing.T) {
	s := leaver(t, time.Minute)
	groups := []int{leave(t, s, `sleep 987 &`), leave(t, s, `sleep 988 & echo done`)}
	ended, survivors := s.Close(t.Context())
	var got []int
	for _, e := range ended {
		got = append(got, e.Group)
	}
	slices.Sort(got)
	slices.Sort(groups)
	if !slices.Equal(got, groups) || len(survivors) != 0 {
		t.Errorf("left %v, ended %v, survivors %v", groups, ended, survivors)
	}
	if ended, survivors = s.Close(t.Context()); len(ended)+len(survivors) != 0 {
		t.Errorf("again: %v %v", ended, survivors)
	}
}

// A call whose processes all ended leaves nothing to signal.
func TestCloseOfNothing(t *testing.T) {
	s := leaver(t, time.Minute)
	r := s.Run(t.Context(), &recorder{}, `/bin/true | cat; for i in 1 2; do /bin/true & done; wait`)
	ended, survivors := s.Close(t.Context())
	if r.End.Kind != Finished || len(r.Background) != 0 || len(ended)+len(survivors) != 0 {
		t.Errorf("%+v, ended %v, survivors %v", r, ended, survivors)
	}
}

// The grace time ends with the context: who will not wait any longer gets KILL sent.
func TestCloseInAHurry(t *testing.T) {
	s := leaver(t, time.Hour)
	group := leave(t, s, `sh -c 'trap "" TERM; echo > ready; exec sleep 987' & cat ready`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if ended, survivors := s.Close(ctx); len(ended) != 1 || len(survivors) != 0 || len(members(group)) != 0 {
		t.Errorf("ended %v, survivors %v", ended, survivors)
	}
}

// A process that left its group is named and not signalled.
func TestCloseNamesWhoLeft(t *testing.T) {
	if !hasMarks() {
		t.Skip("SKIPPED: the environment of other processes is not readable on this machine")
	}
	s := leaver(t, time.Minute)
	r := s.Run(t.Context(), &recorder{}, `setsid sh -c 'echo > ready; exec sleep 987' & cat ready`)
	ended, survivors := s.Close(t.Context())
	if len(ended) != 0 || len(survivors) != 1 {
		t.Fatalf("%s\nended %v, survivors %v", r.Text(), ended, survivors)
	}
	if err := syscall.Kill(survivors[0].PID, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
}

func hasMarks() bool {
	c := exec.Command("sleep", "987")
	c.Env = []string{"PATH=/usr/bin:/bin", "TENET_CALL=probe"}
	if c.Start() != nil {
		return false
	}
	defer func() { c.Process.Kill(); c.Wait() }()
	return hasMark(c.Process.Pid, "probe")
}

// A group's number may be another program's by the time of Close: such a group, whose
// first process is gone as well, is left alone.
func TestCloseSparesAReusedNumber(t *testing.T) {
	c := exec.Command("sh", "-c", "sleep 987 > /dev/null 2>&1 & echo $!")
	c.Env = []string{"PATH=/usr/bin:/bin"}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(out)))
	group := c.Process.Pid
	t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	now := members(group)
	if len(now) != 1 || now[0].pid != pid {
		t.Fatalf("group %d has %v, want %d", group, now, pid)
	}
	s := leaver(t, time.Minute)
	s.left.add([]leftGroup{{id: group, seen: []member{{pid: pid, start: now[0].start - 1, name: "sleep"}}}})
	if ended, survivors := s.Close(t.Context()); len(ended)+len(survivors) != 0 {
		t.Errorf("ended %v, survivors %v", ended, survivors)
	}
	if after := members(group); !slices.Equal(after, now) {
		t.Errorf("the other program's group has %v, had %v", after, now)
	}
}

// What a shell remembers is bounded: groups that are gone go first, then the oldest.
func TestLeftIsBounded(t *testing.T) {
	var l leftGroups
	self := leftGroup{id: syscall.Getpgrp()}
	for range 3 * maxLeft {
		l.add([]leftGroup{{id: 1 << 29}, self})
	}
	if len(l.all) > maxLeft {
		t.Errorf("%d groups are remembered", len(l.all))
	}
}
