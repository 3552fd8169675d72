package docs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// lockWait bounds the wait for another process that writes in the same directory.
const lockWait = 30 * time.Second

// locks lets one writer at a time into a directory: in this process by a channel,
// among processes by a lock on the directory itself, which leaves no file behind.
// All writers of one file meet there, under whatever name they reached it.
type locks struct {
	mu   sync.Mutex
	dirs map[dirID]*dirLock
}

// dirID is a directory, whatever path leads to it.
type dirID struct{ dev, ino uint64 }

func (a dirID) compare(b dirID) int {
	return cmp.Or(cmp.Compare(a.dev, b.dev), cmp.Compare(a.ino, b.ino))
}

type dirLock struct {
	held  chan struct{} // holds one value while the directory is locked
	users int
}

func newLocks() *locks { return &locks{dirs: map[dirID]*dirLock{}} }

// lock waits for every directory until ctx ends or lockWait has passed. A call takes all
// of its directories at once and in the one order that all calls have, each once: so no
// two calls wait for each other, and none for itself. unlock must be called once; it is
// nil with an error.
func (l *locks) lock(ctx context.Context, dirs ...*os.File) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	files := map[dirID]*os.File{}
	for _, dir := range dirs {
		id, err := idOf(dir)
		if err != nil {
			return nil, fmt.Errorf("look at the directory: %w", err)
		}
		files[id] = dir
	}
	var undo []func()
	unlock = func() {
		for _, u := range slices.Backward(undo) {
			u()
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(files), dirID.compare) {
		u, err := l.one(ctx, id, files[id])
		if err != nil {
			unlock()
			return nil, err
		}
		undo = append(undo, u)
	}
	return unlock, nil
}

func idOf(dir *os.File) (dirID, error) {
	var st unix.Stat_t
	err := unix.Fstat(int(dir.Fd()), &st)
	return dirID{uint64(st.Dev), st.Ino}, err
}

// one locks one directory.
func (l *locks) one(ctx context.Context, id dirID, dir *os.File) (unlock func(), err error) {
	e := l.enter(id)
	select {
	case e.held <- struct{}{}:
	case <-ctx.Done():
		l.leave(id, e)
		return nil, lockFault(ctx)
	}
	if err := flock(ctx, dir); err != nil {
		<-e.held
		l.leave(id, e)
		return nil, err
	}
	return func() {
		unix.Flock(int(dir.Fd()), unix.LOCK_UN)
		<-e.held
		l.leave(id, e)
	}, nil
}

func (l *locks) enter(id dirID) *dirLock {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.dirs[id]
	if !ok {
		e = &dirLock{held: make(chan struct{}, 1)}
		l.dirs[id] = e
	}
	e.users++
	return e
}

func (l *locks) leave(id dirID, e *dirLock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.users--; e.users == 0 {
		delete(l.dirs, id)
	}
}

// flock polls for the lock: a blocking flock could not be cancelled. A file system
// without locks is used without: the lock of this process still holds.
func flock(ctx context.Context, dir *os.File) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		switch err := unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB); err {
		case nil, unix.ENOTSUP, unix.ENOLCK, unix.ENOSYS:
			return nil
		case unix.EWOULDBLOCK, unix.EINTR:
		default:
			return fmt.Errorf("lock the directory: %w", err)
		}
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return lockFault(ctx)
		}
	}
}

func lockFault(ctx context.Context) error {
	if ctx.Err() == context.DeadlineExceeded {
		return fmt.Errorf("another writer has held the directory for %v; nothing was written, try again later", lockWait)
	}
	return context.Cause(ctx)
}
