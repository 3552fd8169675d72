package bridge

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tenet/adapters/jobs"
	"tenet/adapters/shell"
	"tenet/core/event"
	core "tenet/core/jobs"
	model "tenet/models/jobs"
)

// jobsWorld is a machine whose processes do what a history says: production finds its
// groups there, and signals them there.
type jobsWorld struct {
	mu    sync.Mutex
	procs [model.Pids]model.Proc
	boots int
	blind bool
}

func (w *jobsWorld) boot() string { return fmt.Sprintf("boot %d", w.boots) }

// callMark is the mark of a call's processes.
func callMark(call int) string { return shell.Mark("s", callName(call)) }

func callName(call int) string { return fmt.Sprintf("call_%d", call+1) }

// pidOf is the number that the machine gives; 1 is never a job's.
func pidOf(p int) int { return 100 + p }

// Look is what stands under a number.
func (w *jobsWorld) Look(boot string, g event.Group, mark string) core.Sight {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.procs[g.PID-pidOf(0)]
	there := p.Owner != 0
	return core.Sight{
		Boot: boot == w.boot(), Members: there, Leader: there && !p.Headless,
		Same: there && !p.Headless && int64(p.Start) == g.Start, Marked: there && !w.blind && mark == callMark(int(p.Owner)-1),
	}
}

// Find lists the groups that have a mark.
func (w *jobsWorld) Find(mark string) (out []event.Group) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, p := range w.procs {
		if p.Owner != 0 && !w.blind && mark == callMark(int(p.Owner)-1) {
			out = append(out, event.Group{PID: pidOf(i), Start: int64(p.Start)})
		}
	}
	return out
}

// Signal ends a group, whoever's it is.
func (w *jobsWorld) Signal(group int, _ bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free(group - pidOf(0))
}

func (w *jobsWorld) free(p int) { w.procs[p] = model.Proc{Start: w.procs[p].Start} }

// groups are the groups of a call.
func (w *jobsWorld) groups(call int) (out []event.Group) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, p := range w.procs {
		if int(p.Owner) == call+1 {
			out = append(out, event.Group{PID: pidOf(i), Start: int64(p.Start)})
		}
	}
	return out
}

// disown makes the groups of a call anybody's, or ends them.
func (w *jobsWorld) disown(call int, end bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.procs {
		switch {
		case int(w.procs[i].Owner) != call+1:
		case end:
			w.free(i)
		default:
			w.procs[i].Owner = model.Foreign
		}
	}
}

// jobsClock is a clock that a history turns.
type jobsClock struct {
	mu     sync.Mutex
	timers []*jobsTimer
	made   chan *jobsTimer // each one as it is set
}

type jobsTimer struct {
	left  time.Duration
	ticks int // since it was set
	ring  chan time.Time
}

func newJobsClock() *jobsClock { return &jobsClock{made: make(chan *jobsTimer, 64)} }

// After sets a timer.
func (c *jobsClock) After(d time.Duration) (<-chan time.Time, func()) {
	t := &jobsTimer{left: d, ring: make(chan time.Time, 1)}
	c.mu.Lock()
	c.timers = append(c.timers, t)
	c.mu.Unlock()
	select {
	case c.made <- t:
	default: // nobody asks for that many
	}
	return t.ring, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.timers = slices.DeleteFunc(c.timers, func(o *jobsTimer) bool { return o == t })
	}
}

// forget leaves out the timers that were set until now.
func (c *jobsClock) forget() {
	for {
		select {
		case <-c.made:
		default:
			return
		}
	}
}

// tick lets a unit of time pass for a timer, and rings it when its time has come.
func (c *jobsClock) tick(t *jobsTimer) (rang bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.ticks++
	if t.left--; t.left > 0 {
		return false
	}
	select {
	case t.ring <- time.Time{}:
	default:
	}
	return true
}

func (c *jobsClock) leftOf(t *jobsTimer) (left time.Duration, ticks int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return t.left, t.ticks
}

// jobsScript is a script that does what a history says.
type jobsScript struct {
	world *jobsWorld
	call  int
	began chan struct{}
	done  chan struct{}
	end   shell.Result

	mu    sync.Mutex
	wrote int
	told  func(event.Group)
	by    core.By
	asked chan struct{} // closed when it is stopped
}

func newJobsScript(w *jobsWorld, call int) *jobsScript {
	s := &jobsScript{world: w, call: call, began: make(chan struct{}), done: make(chan struct{}), asked: make(chan struct{})}
	close(s.began)
	return s
}

// Began is closed from the start, Done when the history ends it.
func (s *jobsScript) Began() <-chan struct{} { return s.began }

// Done is closed when the script has ended.
func (s *jobsScript) Done() <-chan struct{} { return s.done }

// Result is how it ended.
func (s *jobsScript) Result() shell.Result { <-s.done; return s.end }

// SoFar is what it wrote.
func (s *jobsScript) SoFar() shell.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	return shell.Result{Output: strings.Repeat("w", s.wrote)}
}

// Groups are its groups in the world.
func (s *jobsScript) Groups(told func(event.Group)) []event.Group {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = told
	return s.world.groups(s.call)
}

// Stop keeps who asked first.
func (s *jobsScript) Stop(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var stopped *jobs.Stopped
	if s.by == core.Nobody && errors.As(cause, &stopped) {
		s.by = stopped.By
		close(s.asked)
	}
}

func (s *jobsScript) stopper() core.By {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.by
}

// start starts a group, and has it told as a shell does.
func (s *jobsScript) start(p int) {
	s.world.mu.Lock()
	proc := model.Proc{Owner: uint8(s.call) + 1, Start: s.world.procs[p].Start + 1}
	s.world.procs[p] = proc
	s.world.mu.Unlock()
	s.mu.Lock()
	told := s.told
	s.mu.Unlock()
	if told != nil {
		told(event.Group{PID: pidOf(p), Start: int64(proc.Start)})
	}
}

// finish ends it.
func (s *jobsScript) finish(kind shell.EndKind) {
	s.end = s.SoFar()
	s.end.End = shell.End{Kind: kind}
	if kind == shell.Cancelled {
		s.end.End.Err = &jobs.Stopped{By: s.stopper()}
	}
	close(s.done)
}
