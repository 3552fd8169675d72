package host

import (
	"slices"
	"sync"

	"tenet/adapters/approvals"
	"tenet/adapters/store"
	"tenet/core/event"
)

// journal hands what happens to every feed. Nothing in it waits for a reader.
type journal struct {
	mu   sync.Mutex
	path string
	// last is the newest record.
	last  uint64
	feeds map[*Feed]bool
	// open are the questions of the gate that wait, oldest first.
	open   []approvals.Approval
	closed bool
	most   bounds
}

func newJournal(most bounds) *journal { return &journal{feeds: map[*Feed]bool{}, most: most} }

// begin takes the journal of a log up where it stands.
func (j *journal) begin(path string, last uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.path, j.last = path, max(j.last, last)
}

func (j *journal) attach(after uint64) *Feed {
	j.mu.Lock()
	defer j.mu.Unlock()
	f := &Feed{j: j, pages: store.NewPages(j.path), ready: make(chan struct{}, 1), next: min(after, j.last) + 1}
	f.behind = f.next <= j.last
	f.ask(j.open)
	if !j.closed {
		j.feeds[f] = true
	}
	return f
}

// record tells of a record that is durable. The session's lock is held: it must not be
// called from here.
func (j *journal) record(r event.Record) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last = r.Seq
	for f := range j.feeds {
		f.record(r)
	}
}

func (j *journal) live(l event.Live) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for f := range j.feeds {
		f.show(l)
	}
}

// frame takes what the broker tells its client; pending is what stands before it now, for
// a frame that says that some were missed.
func (j *journal) frame(f approvals.Frame, pending func() []approvals.Approval) {
	e := Event{}
	var all []approvals.Approval
	if _, ok := f.(*approvals.Missed); ok {
		all = pending()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	switch f := f.(type) {
	case *approvals.Approval:
		e.Asked = f
		if j.has(f.ID) { // it was among those that stood there when some were missed
			return
		}
		j.open = append(j.open, *f)
	case *approvals.Settled:
		e.Settled = f
		j.open = slices.DeleteFunc(slices.Clone(j.open), func(a approvals.Approval) bool { return a.ID == f.ID })
	case *approvals.Missed:
		e.Missed, j.open = true, all
	}
	for to := range j.feeds {
		to.card(e, j.open)
	}
}

func (j *journal) has(id string) bool {
	return slices.ContainsFunc(j.open, func(a approvals.Approval) bool { return a.ID == id })
}

// close lets the feeds end once they were read.
func (j *journal) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	for f := range j.feeds {
		f.wake()
	}
}
