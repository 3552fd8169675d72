package tree

import (
	"context"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"tenet/core/doc"
	"tenet/core/doc/ignore"
)

// handBytes is how much of a directory must be left before a part of it is given to
// another worker: a hundred names, which cost more than to wake one.
const handBytes = 4 << 10

// blocks are the buffers of workers.
var blocks = sync.Pool{New: func() any { return new([blockBytes]byte) }}

// worker takes directories from the queue, one after the other.
type worker struct {
	ctx    context.Context
	id     int
	o      *Options
	q      *queue
	result Result
	block  *[blockBytes]byte
	// found are the directories of the reading; full is the path of the entry at
	// hand, of which the directory's is kept.
	found names
	full  []byte
	entry Entry
	rules *ignore.Rules
}

func newWorker(ctx context.Context, id int, o *Options, q *queue) *worker {
	return &worker{ctx: ctx, id: id, o: o, q: q, block: blocks.Get().(*[blockBytes]byte)}
}

func (w *worker) free() { blocks.Put(w.block) }

func (w *worker) run() {
	for {
		w.check()
		t, ok := w.q.begin()
		if !ok {
			return
		}
		switch t.kind {
		case openChild:
			w.child(t)
		case readAgain:
			w.again(t)
		case lookThrough:
			w.found.reset(t.limit, t.after)
			w.look(t)
			w.q.read(t.node, &w.found)
		}
		w.q.end()
	}
}

// check ends the walk with its context. The queue is also stopped by a goroutine of its
// own, for workers that wait; on a busy machine that one may come late.
func (w *worker) check() {
	if w.ctx.Err() != nil && !w.q.stopped.Load() {
		w.q.stop()
	}
}

// child visits a directory and reads it.
func (w *worker) child(t task) {
	up, fd := t.node, t.fd
	if fd < 0 {
		fd = w.reopen(up)
		defer closeFD(fd)
	}
	w.aim(fd, up)
	w.full = append(w.full, t.path[len(up.path):]...)
	w.full[len(w.full)-1] = 0 // in the slash's place
	w.named()
	n := w.enter(t, fd)
	w.q.release(up)
	if n == nil {
		return
	}
	w.q.took(n, n.fd)
	w.read(task{node: n, fd: n.fd, limit: t.limit})
}

// enter classifies a directory whose turn has come, and opens it when it is walked.
func (w *worker) enter(t task, fd int) *node {
	if fd < 0 {
		w.skip(doc.Vanished)
		return nil
	}
	w.entry.Kind = Dir
	if w.o.Dirs && !w.o.Visit(w.id, &w.entry) {
		w.q.stop()
	}
	switch {
	case w.q.stopped.Load():
		return nil
	case t.node.depth+1 >= MaxDepth:
		w.skip(doc.TooDeep)
		return nil
	case w.o.Enter != nil && !w.o.Enter(t.path):
		w.result.Entries++
		w.result.Pruned++
		return nil
	}
	sub, err := w.entry.Open(unix.O_RDONLY | unix.O_DIRECTORY)
	if err != nil {
		w.skip(lost(err))
		return nil
	}
	return &node{path: t.path, depth: t.node.depth + 1, rules: t.node.rules, fd: sub, uses: 1, parts: 1}
}

// lost is the class of an entry that could not be opened or looked at: what is not
// there, or is a link or a file where a directory was, changed meanwhile.
func lost(err error) doc.Skip {
	switch err {
	case unix.ENOENT, unix.ENOTDIR, unix.ELOOP, unix.EMLINK, unix.ESTALE:
		return doc.Vanished
	default:
		return doc.Unreadable
	}
}

// again reads the root, or a directory that had more names than fitted.
func (w *worker) again(t task) {
	if t.fd < 0 {
		if t.fd = w.reopen(t.node); t.fd < 0 {
			w.result.Skips.Add(doc.Vanished, w.o.shown(t.node.path))
			w.q.read(t.node, &names{})
			return
		}
		w.q.took(t.node, t.fd)
	}
	w.read(t)
}

// reopen opens a directory that was given up, from the root on, or gives -1 when it is
// not there any more.
func (w *worker) reopen(n *node) int {
	fd := -1
	for name := range strings.SplitSeq(strings.TrimSuffix("./"+n.path, "/"), "/") {
		from := fd
		if from < 0 {
			from = w.o.Root
		}
		next, err := openName(from, append([]byte(name), 0), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC)
		closeFD(fd)
		if err != nil {
			return -1
		}
		fd = next
	}
	if id, err := identify(fd); err != nil || id != n.id {
		closeFD(fd)
		return -1
	}
	return fd
}

// read reads an open directory and looks at its entries. The first records come
// together, so that the directory's ignore files are known before an entry is judged.
func (w *worker) read(t task) {
	w.found.reset(t.limit, t.after)
	r := newReader(t.fd, t.after != nil)
	err := w.blocks(&r, t)
	r.close()
	switch {
	case err != nil:
		w.result.Entries++
		w.result.Skips.Add(lost(err), w.o.shown(t.node.path))
	case t.after == nil && t.node.depth > 0:
		w.result.Entries++
		w.result.Dirs++
	}
	w.q.read(t.node, &w.found)
}

// shown is a directory's path as an example of a class.
func (o *Options) shown(path string) string {
	if path == "" {
		return "."
	}
	return strings.TrimSuffix(path, "/")
}

func (w *worker) blocks(r *reader, t task) error {
	records, whole, err := r.fill(w.block[:])
	if w.o.Ignoring && t.after == nil {
		w.addRules(t.node, t.fd, records, whole)
	}
	for len(records) > 0 && !w.q.stopped.Load() {
		t.records = records
		w.look(t)
		if whole || err != nil {
			break
		}
		records, whole, err = r.fill(w.block[:])
	}
	return err
}

// aim turns to a directory: entries are named in it from now on.
func (w *worker) aim(fd int, n *node) {
	w.full = append(append(w.full[:0], w.o.Prefix...), n.path...)
	w.entry = Entry{fd: fd, rootAt: len(w.o.Prefix), nameAt: len(w.full)}
	w.rules = &n.rules
}

// name turns to an entry, given with the NUL behind its name.
func (w *worker) name(name []byte) {
	w.full = append(w.full[:w.entry.nameAt], name...)
	w.named()
}

func (w *worker) named() {
	w.entry.full = w.full[:len(w.full)-1]
	w.entry.name = w.full[w.entry.nameAt:]
}

// look goes through records. While another worker has nothing to do, it gets half of
// what is left.
func (w *worker) look(t task) {
	w.aim(t.fd, t.node)
	t.kind = lookThrough
	for records, n := t.records, 0; len(records) > 0 && !w.q.stopped.Load(); n++ {
		if n%64 == 63 {
			w.check()
		}
		if w.q.hungry.Load() > 0 && len(records) > handBytes {
			if half := halfway(records); w.hand(t, records[half:]) {
				records = records[:half]
			}
		}
		kind, name, size := record(records)
		records = records[size:]
		if name != nil {
			w.one(kind, name, t.after != nil)
		}
	}
}

func (w *worker) hand(t task, records []byte) bool {
	t.records = records
	return w.q.hand(t)
}

// one classifies an entry and visits it, unless it is left out. In a repeated reading
// only directories are of use, and everything was counted in the first.
func (w *worker) one(kind Kind, name []byte, again bool) {
	w.name(name)
	if kind == Unknown {
		kind = w.kind(again)
	}
	class, out := w.out(kind)
	switch {
	case kind == Unknown || again && kind != Dir:
	case out && !again:
		w.skip(class)
	case out:
	case kind == Dir:
		w.found.add(name[:len(name)-1])
	default:
		w.visit(kind)
	}
}

// kind asks for the kind that the record did not tell; Unknown when there is none any
// more, which is counted.
func (w *worker) kind(again bool) Kind {
	var st unix.Stat_t
	if err := w.entry.Stat(&st); err != nil {
		if !again {
			w.skip(lost(err))
		}
		return Unknown
	}
	return Kind(st.Mode & unix.S_IFMT >> 12)
}

// out is the class of an entry that is left out for its name or its kind.
func (w *worker) out(kind Kind) (class doc.Skip, out bool) {
	e := &w.entry
	name := e.Name()
	switch {
	case name == ".git":
		return doc.GitDir, true
	case doc.IsTemp(name):
		return doc.TempFile, true
	case w.o.Ignoring && w.rules.Ignores(text(e.full), e.nameAt, kind == Dir):
		return doc.Ignored, true
	case kind == Link && !w.o.Links:
		return doc.Symlink, true
	case kind != File && kind != Dir && kind != Link:
		return doc.Special, true
	}
	return 0, false
}

func (w *worker) visit(kind Kind) {
	w.result.Entries++
	if kind == Link {
		w.result.Links++
	} else {
		w.result.Files++
	}
	w.entry.Kind = kind
	if !w.o.Visit(w.id, &w.entry) {
		w.q.stop()
	}
}

// skip counts the entry at hand as left out.
func (w *worker) skip(class doc.Skip) {
	w.result.Entries++
	if class.Named() {
		w.result.Skips.Add(class, strings.Clone(w.entry.Path()))
	} else {
		w.result.Skips.Tally(class)
	}
}

// halfway is where a record starts in the middle of records.
func halfway(records []byte) int {
	at := 0
	for at < len(records)/2 {
		_, _, size := record(records[at:])
		at += size
	}
	return at
}
