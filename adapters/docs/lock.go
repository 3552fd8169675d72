package docs

import (
	"context"
	"fmt"
	"os"
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
	dirs map[string]*dirLock
}

type dirLock struct {
	held  chan struct{} // holds one value while the directory is locked
	users int
}

func newLocks() *locks { return &locks{dirs: map[string]*dirLock{}} }

// lock waits for the directory until ctx ends or lockWait has passed. unlock must be
// called once; it is nil with an error.
func (l *locks) lock(ctx context.Context, real string, dir *os.File) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	e := l.enter(real)
	select {
	case e.held <- struct{}{}:
	case <-ctx.Done():
		l.leave(real, e)
		return nil, lockFault(ctx)
	}
	if err := flock(ctx, dir); err != nil {
		<-e.held
		l.leave(real, e)
		return nil, err
	}
	return func() {
		unix.Flock(int(dir.Fd()), unix.LOCK_UN)
		<-e.held
		l.leave(real, e)
	}, nil
}

func (l *locks) enter(real string) *dirLock {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.dirs[real]
	if !ok {
		e = &dirLock{held: make(chan struct{}, 1)}
		l.dirs[real] = e
	}
	e.users++
	return e
}

func (l *locks) leave(real string, e *dirLock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.users--; e.users == 0 {
		delete(l.dirs, real)
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
