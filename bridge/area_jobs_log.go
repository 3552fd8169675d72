package bridge

import (
	"errors"
	"sync"
	"sync/atomic"

	"tenet/core/event"
)

// jobsLog is the log of a session and its fold: what a crash leaves.
type jobsLog struct {
	mu    sync.Mutex
	seq   uint64
	state event.State
	ends  map[string][]event.Settlement // by job
	jobs  map[string]string             // job of a call
	// ended is told of each end, spawned of each group that a job started.
	ended   chan string
	spawned chan event.Group
}

func newJobsLog() *jobsLog {
	return &jobsLog{ends: map[string][]event.Settlement{}, jobs: map[string]string{}, ended: make(chan string, 64), spawned: make(chan event.Group, 64)}
}

func (l *jobsLog) record(b event.Body) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	l.state = l.state.With(l.seq, b)
	switch b := b.(type) {
	case event.Detachment:
		l.jobs[b.Call] = b.Job
	case event.Spawn:
		select {
		case l.spawned <- b.Group:
		default: // nobody asks for that many
		}
	case event.Settlement:
		l.ends[b.Job] = append(l.ends[b.Job], b)
		l.ended <- b.Job
	}
}

// of is the job of a call with its ends, and the record of it while it has none.
func (l *jobsLog) of(call string) (job string, ends []event.Settlement, open *event.OpenJob) {
	l.mu.Lock()
	defer l.mu.Unlock()
	job = l.jobs[call]
	for i := range l.state.Jobs {
		if l.state.Jobs[i].Call == call {
			open = &l.state.Jobs[i]
		}
	}
	return job, l.ends[job], open
}

func (l *jobsLog) fold() event.State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// jobsHand is the log as one process of tenet holds it. A dead process writes nothing.
type jobsHand struct {
	log  *jobsLog
	dead atomic.Bool
}

var errDead = errors.New("the process is gone")

// Record writes, unless the process is gone.
func (h *jobsHand) Record(b event.Body) error {
	if h.dead.Load() {
		return errDead
	}
	h.log.record(b)
	return nil
}

func (h *jobsHand) settle(s event.Settlement) error { return h.Record(s) }
