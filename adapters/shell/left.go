package shell

import (
	"context"
	"slices"
	"sync"
	"syscall"
	"time"
)

// maxLeft bounds the groups that a shell remembers. Close names the processes of a
// forgotten one as survivors where their mark is readable.
const maxLeft = 256

// member is one process of a group. A number is used again; a number and a start are not.
type member struct {
	pid   int
	start int64 // in the system's own unit
	name  string
}

// leftGroup is a group that a call left in the background, with its members then.
type leftGroup struct {
	id   int
	seen []member
}

// known reports that what has the group's number now is still that group: a process
// that was seen in it when the call ended, or one with a mark of this shell. When every
// member has ended the number is free, and some other program's group may have it.
func (l leftGroup) known(now []member, mark string) bool {
	return slices.ContainsFunc(now, func(m member) bool {
		return hasMark(m.pid, mark) || slices.ContainsFunc(l.seen, func(s member) bool { return s.pid == m.pid && s.start == m.start })
	})
}

// leftGroups is what a shell's calls left behind.
type leftGroups struct {
	mu  sync.Mutex
	all []leftGroup
}

// add remembers groups; past the bound it first forgets those that are gone, then the
// oldest.
func (l *leftGroups) add(more []leftGroup) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, more...)
	if len(l.all) > maxLeft {
		l.all = slices.DeleteFunc(l.all, func(g leftGroup) bool { return !ours(g.id) })
	}
	l.all = l.all[max(0, len(l.all)-maxLeft):]
}

// take hands over all groups, so that no two calls of Close signal the same one.
func (l *leftGroups) take() []leftGroup {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.all
	l.all = nil
	return all
}

// Ended is a process group in the background that Close ended.
type Ended struct {
	// Group is the group's number.
	Group int
	// Name is the name of one of its processes.
	Name string
}

// Close ends what calls left in the background: TERM to each of their groups, and KILL
// to what is still there after the grace time of the limits, or at once when ctx ends.
// It never signals a group that it does not know for one of its own. It returns when
// they are gone, a second after KILL at the latest, and says which groups ended and
// which processes of this shell did not: those that left their group, and those that
// the kernel does not let die. Call it when every Run has returned; a further call has
// only what was left since then to end.
func (s *Shell) Close(ctx context.Context) (ended []Ended, survivors []Survivor) {
	c := closing{mark: s.mark}
	for _, g := range s.left.take() {
		c.note(g)
	}
	c.signal(syscall.SIGTERM)
	c.signal(syscall.SIGCONT) // a stopped process takes TERM only when it goes on
	if !c.gone(ctx, s.limits.Grace) {
		c.signal(syscall.SIGKILL)
		c.gone(context.WithoutCancel(ctx), killed)
	}
	return c.ended, c.survivors()
}

// killed is how long a killed group has to be gone; only a process inside the kernel
// takes longer, and no wait would help it.
const killed = time.Second

// closing is the groups of one Close that are not gone yet.
type closing struct {
	mark  string
	open  []leftGroup
	names map[int]string
	ended []Ended
}

// note takes a group when it is still there.
func (c *closing) note(g leftGroup) {
	if !c.still(&g) {
		return
	}
	if c.names == nil {
		c.names = map[int]string{}
	}
	c.names[g.id] = g.seen[0].name
	c.open = append(c.open, g)
}

// still reports whether a group is there and ours, and learns who is in it now: the
// processes that were known may end before those that they start.
func (c *closing) still(g *leftGroup) bool {
	if !ours(g.id) {
		return false
	}
	now := members(g.id)
	if !g.known(now, c.mark) {
		return false
	}
	g.seen = now
	return true
}

// signal sends to each group that is still there.
func (c *closing) signal(sig syscall.Signal) {
	for i := range c.open {
		if g := &c.open[i]; c.still(g) {
			syscall.Kill(-g.id, sig)
		}
	}
}

// gone waits until no group is left, for at most d; false when some is.
func (c *closing) gone(ctx context.Context, d time.Duration) bool {
	ctx, stop := context.WithTimeout(ctx, d)
	defer stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for c.sweep(); len(c.open) > 0; c.sweep() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// sweep moves the groups that are gone to ended.
func (c *closing) sweep() {
	var open []leftGroup
	for _, g := range c.open {
		if c.still(&g) {
			open = append(open, g)
		} else {
			c.ended = append(c.ended, Ended{Group: g.id, Name: c.names[g.id]})
		}
	}
	c.open = open
}

// survivors names what is left of the groups and what left them.
func (c *closing) survivors() []Survivor {
	out := marked(c.mark)
	for _, g := range c.open {
		for _, m := range g.seen {
			if !slices.ContainsFunc(out, func(s Survivor) bool { return s.PID == m.pid }) {
				out = append(out, Survivor{PID: m.pid, Name: m.name})
			}
		}
	}
	return out
}
