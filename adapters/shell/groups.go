package shell

import (
	"crypto/rand"
	"sync"
	"syscall"
	"time"
)

// groups is every process group that one call started and that may still live.
//
// A group's number is that of its first process. It stays ours while that process
// is not reaped, and after that while the group has a member: so waiting and
// reaping are apart, and a signal is sent only under the lock that reaping takes.
type groups struct {
	mu        sync.Mutex
	live      map[int]struct{} // not reaped
	left      []int            // reaped, with members left in the background
	cancelled bool
	killed    chan struct{} // closed when a cancel has sent KILL
	// mark is in the environment of everything the call starts, so that a process
	// that left its group can still be named.
	mark string
}

// newGroups is the groups of one call of the shell that has the mark.
func newGroups(shell string) *groups {
	return &groups{live: map[int]struct{}{}, mark: shell + "." + rand.Text(), killed: make(chan struct{})}
}

// begin starts a group by start, unless the call was cancelled.
func (g *groups) begin(start func() (pid int, err error)) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cancelled {
		return 0, syscall.EINTR
	}
	pid, err := start()
	if err == nil {
		g.live[pid] = struct{}{}
	}
	return pid, err
}

// reap takes the status of a process that is known to have ended.
func (g *groups) reap(pid int) syscall.WaitStatus {
	g.mu.Lock()
	defer g.mu.Unlock()
	var ws syscall.WaitStatus
	for {
		if _, err := syscall.Wait4(pid, &ws, 0, nil); err != syscall.EINTR {
			break
		}
	}
	delete(g.live, pid)
	if syscall.Kill(-pid, 0) != syscall.ESRCH {
		g.left = append(g.left, pid)
	}
	return ws
}

// cancel asks every group to end, lets none begin, and kills what has not ended when
// grace is over. Calls after the first do nothing.
func (g *groups) cancel(grace time.Duration) {
	g.mu.Lock()
	first := !g.cancelled
	g.cancelled = true
	g.mu.Unlock()
	if !first {
		return
	}
	g.signal(syscall.SIGTERM)
	g.signal(syscall.SIGCONT) // a stopped process takes TERM only when it goes on
	time.AfterFunc(grace, func() {
		g.signal(syscall.SIGKILL)
		close(g.killed)
	})
}

// signal sends to each group that still exists.
func (g *groups) signal(sig syscall.Signal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for pid := range g.live {
		syscall.Kill(-pid, sig)
	}
	for _, pid := range g.left {
		if ours(pid) {
			syscall.Kill(-pid, sig)
		}
	}
}

// ours reports whether a group whose first process is gone still exists. Were its
// number in use again, a process with that very number would exist.
func ours(pid int) bool {
	return syscall.Kill(pid, 0) == syscall.ESRCH && syscall.Kill(-pid, 0) == nil
}

// background lists the groups without their first process that still run, with the
// processes in them.
func (g *groups) background() (out []leftGroup) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, pid := range g.left {
		if !ours(pid) {
			continue
		}
		if m := members(pid); len(m) > 0 {
			out = append(out, leftGroup{id: pid, seen: m})
		}
	}
	return out
}

// end waits until the groups of a cancelled call are gone, killed at the latest, and
// names the processes that are not: those that left their group, and those that the
// kernel does not let die.
func (g *groups) end(grace time.Duration) []Survivor {
	g.cancel(grace)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for len(g.background()) > 0 {
		select {
		case <-tick.C:
		case <-g.killed:
			time.Sleep(5 * time.Millisecond)
			return marked(g.mark)
		}
	}
	return marked(g.mark)
}

// Survivor is a process that outlived the cancel of the call that started it.
type Survivor struct {
	PID  int
	Name string
}
