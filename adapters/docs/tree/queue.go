package tree

import (
	"container/heap"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// taskKind is what a worker is to do.
type taskKind uint8

const (
	openChild   taskKind = iota // open a directory and read it
	readAgain                   // read a directory again, for the names that did not fit
	lookThrough                 // look through records of a directory that another worker reads
)

// task is the next thing for a worker.
type task struct {
	kind taskKind
	// node is the directory; fd is the open one, or -1 when it was given up.
	node *node
	fd   int
	// path is that of the child to open.
	path string
	// after is the name behind which a repeated reading goes on, nil in the first.
	after []byte
	// records are those to look through.
	records []byte
	// limit bounds the names of directories that the reading keeps.
	limit int
}

// queue holds what waits for a worker. The directory with the smallest path comes
// first: the walk goes down before it goes on, so that few directories are open, and
// who wants the first files by path has them early.
type queue struct {
	mu      sync.Mutex
	wake    sync.Cond
	waiting byKey
	// handed are parts of readings, for workers that have nothing to do.
	handed []task
	// busy are the workers that may still add something; open the directories that
	// are open, bytes the size of the names that wait.
	busy, open, bytes int
	maxNames, maxOpen int
	// hungry are the workers that wait.
	hungry  atomic.Int32
	stopped atomic.Bool
}

// newQueue holds the walk's root as a directory to read.
func newQueue(root *node, maxNames, maxOpen int) *queue {
	q := &queue{open: 1, maxNames: maxNames, maxOpen: maxOpen}
	q.wake.L = &q.mu
	q.handed = []task{{kind: readAgain, node: root, fd: root.fd, limit: q.limit()}}
	return q
}

// stop ends the walk: no worker gets another task, and those at work look at stopped
// before each entry.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped.Store(true)
	q.wake.Broadcast()
}

// begin waits for a task; false when the walk is over. end must follow each task.
func (q *queue) begin() (t task, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch {
		case q.stopped.Load():
			return task{}, false
		case len(q.handed) > 0:
			t, q.handed = q.handed[0], q.handed[1:]
		case len(q.waiting) > 0:
			t = q.child()
		case q.busy == 0:
			return task{}, false
		default:
			q.hungry.Add(1)
			q.wake.Wait()
			q.hungry.Add(-1)
			continue
		}
		q.busy++
		return t, true
	}
}

// end is called when a task and all that it added is done. The last worker wakes the
// others, for nothing more comes.
func (q *queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy--; q.busy == 0 && len(q.waiting) == 0 && len(q.handed) == 0 {
		q.wake.Broadcast()
	}
}

// child takes the first child that waits. When the children of a directory were cut
// and are used up, the task is to read on.
func (q *queue) child() task {
	n := q.waiting[0]
	limit := q.limit()
	if n.next == len(n.children.at) {
		t := task{kind: readAgain, node: n, fd: n.fd, after: n.children.bound, limit: limit}
		q.forget(n)
		n.parts = 1 // the use that the children had is the reading's now
		return t
	}
	t := task{kind: openChild, node: n, fd: n.fd, path: n.key, limit: limit}
	n.next++
	n.uses++
	switch {
	case n.next < len(n.children.at):
		n.point()
		heap.Fix(&q.waiting, 0)
	case !n.children.cut:
		q.forget(n)
		n.uses--
	}
	return t
}

// limit bounds the names of the next directory: half of what is left, so that any
// number of directories below one another stay within the bound; but a block's worth.
func (q *queue) limit() int { return max(min(blockBytes, q.maxNames), (q.maxNames-q.bytes)/2) }

// forget drops the children of the first directory, which are all taken.
func (q *queue) forget(n *node) {
	heap.Pop(&q.waiting)
	q.bytes -= n.children.size()
	n.children = names{}
}

// hand gives a part of a reading to a worker that waits; false when none does.
func (q *queue) hand(t task) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if int(q.hungry.Load()) <= len(q.handed) || q.stopped.Load() {
		return false
	}
	t.node.parts++
	t.node.uses++
	t.records = slices.Clone(t.records)
	q.handed = append(q.handed, t)
	q.wake.Signal()
	return true
}

// read ends one part of a reading with the directories that it found. Behind the last
// part they wait for their turn.
func (q *queue) read(n *node, found *names) {
	q.mu.Lock()
	n.children.limit, n.children.after = found.limit, found.after
	n.children.merge(found)
	n.parts--
	if n.parts == 0 && !q.stopped.Load() {
		q.settle(n)
	}
	fd := q.unuse(n)
	q.mu.Unlock()
	closeFD(fd)
}

func (q *queue) settle(n *node) {
	n.children.settle()
	if n.next = 0; len(n.children.at) == 0 {
		n.children = names{}
		return
	}
	n.uses++
	n.point()
	q.bytes += n.children.size()
	if q.open > q.maxOpen && n.uses == 2 && n.fd >= 0 {
		q.giveUp(n)
	}
	heap.Push(&q.waiting, n)
	if q.hungry.Load() > 0 {
		q.wake.Broadcast()
	}
}

// giveUp closes a directory that waits while too many are open.
func (q *queue) giveUp(n *node) {
	id, err := identify(n.fd)
	if err != nil {
		return
	}
	closeFD(n.fd)
	n.fd, n.id = -1, id
	q.open--
}

// took records a directory that is open for a reading.
func (q *queue) took(n *node, fd int) {
	q.mu.Lock()
	n.fd = fd
	q.open++
	q.mu.Unlock()
}

// release ends a use of a directory.
func (q *queue) release(n *node) {
	q.mu.Lock()
	fd := q.unuse(n)
	q.mu.Unlock()
	closeFD(fd)
}

// unuse gives the descriptor to close behind the last use, else -1.
func (q *queue) unuse(n *node) (fd int) {
	if n.uses--; n.uses > 0 || n.fd < 0 {
		return -1
	}
	fd, n.fd = n.fd, -1
	q.open--
	return fd
}

// close closes what an ended walk left open.
func (q *queue) close() {
	for _, n := range q.waiting {
		q.release(n)
	}
	for _, t := range q.handed {
		q.release(t.node)
	}
}

func closeFD(fd int) {
	if fd >= 0 {
		unix.Close(fd)
	}
}
