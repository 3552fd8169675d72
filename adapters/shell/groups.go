package shell

import (
	"cmp"
	"crypto/rand"
	"maps"
	"slices"
	"sync"
	"syscall"
	"time"

	"tenet/core/event"
)

// groups is every process group that one call started and that may still live.
//
// A group's number is that of its first process. It stays ours while that process
// is not reaped, and after that while the group has a member: so waiting and
// reaping are apart, and a signal is sent only under the lock that reaping takes.
type groups struct {
	mu        sync.Mutex
	live      map[int]event.Group // not reaped
	left      []event.Group       // reaped, with members left in the background
	cancelled bool
	killed    chan struct{} // closed when a cancel has sent KILL
	kill      *time.Timer   // sends it
	// mark is in the environment of everything the call starts, so that a process
	// that left its group can still be named.
	mark string
	// known is true for a call whose groups a later process may have to find: each one's
	// start is read while its number cannot be anybody else's.
	known bool
	// told is called with each further group, nil while nobody wants to know.
	told func(event.Group)
}

// newGroups is the groups of one call, of the shell that has the mark. A call that has a
// name has it at the end of its mark (see Mark).
func newGroups(shell, call string) *groups {
	g := &groups{live: map[int]event.Group{}, mark: shell + "." + rand.Text(), killed: make(chan struct{}), known: call != ""}
	if g.known {
		g.mark += "." + call
	}
	return g
}

// begin starts a group by start, unless the call was cancelled.
func (g *groups) begin(name string, start func() (pid int, err error)) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cancelled {
		return 0, syscall.EINTR
	}
	pid, err := start()
	if err != nil {
		return 0, err
	}
	of := event.Group{PID: pid, Name: name}
	if g.known {
		of.Start, _ = started(pid)
	}
	g.live[pid] = of
	return pid, nil
}

// announce names a group that has just started to who wants to know. It waits for that
// without the lock: a record on a disk takes longer than a signal may.
func (g *groups) announce(pid int) {
	g.mu.Lock()
	of, told := g.live[pid], g.told
	g.mu.Unlock()
	if told != nil {
		told(of)
	}
}

// watch lists the groups that may still have a process, and lets every later one be told.
func (g *groups) watch(told func(event.Group)) []event.Group {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.told = told
	out := slices.Collect(maps.Values(g.live))
	for _, l := range g.left {
		if ours(l.PID) {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b event.Group) int { return cmp.Compare(a.PID, b.PID) })
	return out
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
	if syscall.Kill(-pid, 0) != syscall.ESRCH {
		g.left = append(g.left, g.live[pid])
	}
	delete(g.live, pid)
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
	g.mu.Lock()
	defer g.mu.Unlock()
	g.kill = time.AfterFunc(grace, func() {
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
	for _, l := range g.left {
		if ours(l.PID) {
			syscall.Kill(-l.PID, sig)
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
	for _, l := range g.left {
		if !ours(l.PID) {
			continue
		}
		if m := members(l.PID); len(m) > 0 {
			out = append(out, leftGroup{id: l.PID, seen: m})
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
	g.over()
	return marked(g.mark)
}

// over keeps a later KILL from numbers that are nobody's any more.
func (g *groups) over() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.kill != nil && len(g.live) == 0 {
		g.kill.Stop()
	}
}

// Survivor is a process that outlived the cancel of the call that started it.
type Survivor struct {
	PID  int
	Name string
}
