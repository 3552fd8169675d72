package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Lock locks log.lock, a file of its own that stays: a lock file that is removed
// can be held by one process while another locks its successor. The lock is the
// system's, which dies with its holder; the text in the file only names the holder, so
// that a text that was left behind never blocks anybody.
func (Disk) Lock(log string) (io.Closer, error) {
	name := log + ".lock"
	l := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ok, err := take(l, name)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w; if this disk knows no locks, move TENET_HOME to one that does", name, err)
	}
	if !ok {
		return nil, holder(name)
	}
	if err := os.WriteFile(name, []byte(signature()), 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return held{l, name}, nil
}

// How long a lock is waited for whose holder is gone, and how often it is tried: a
// command that was just being started has the descriptors of the process that was
// killed until its program runs.
const (
	orphaned     = 2 * time.Second
	orphanedEach = 5 * time.Millisecond
)

func take(l *flock.Flock, name string) (bool, error) {
	ok, err := l.TryLock()
	for until := time.Now().Add(orphaned); !ok && err == nil && !holder(name).Lives() && time.Now().Before(until); {
		time.Sleep(orphanedEach)
		ok, err = l.TryLock()
	}
	return ok, err
}

// signature names this process for good: the number of a process is used again after
// its end, the number together with its start within one boot is not.
func signature() string {
	pid := os.Getpid()
	return fmt.Sprintf("pid %d\nboot %s\nstart %d\n", pid, bootID(), startOf(pid))
}

// held is a lock with the holder's name in its file.
type held struct {
	lock *flock.Flock
	name string
}

// Close empties the file first, so that it never names a process that let go.
func (h held) Close() error { return errors.Join(os.Truncate(h.name, 0), h.lock.Close()) }

// Busy says that another process holds a log.
type Busy struct {
	// PID is the holder's process id, Boot the boot it lives in and Start when it
	// started, in the system's own units; zero and empty when the lock file does not say.
	PID   int
	Boot  string
	Start int64
}

// Lives reports whether the process that is named still runs: one of that number, in
// this boot, that started when the holder did. A number alone is never believed, since
// the system may have given it to another process.
func (b *Busy) Lives() bool {
	return b.PID > 0 && b.Start != 0 && b.Boot == bootID() && startOf(b.PID) == b.Start
}

// Error names the holder, says whether it lives, and what to do.
func (b *Busy) Error() string {
	const meanwhile = ". Reading and verifying the log work meanwhile"
	switch {
	case b.PID == 0:
		return "another process holds this session; let it end, or start a new session" + meanwhile
	case b.Lives():
		return fmt.Sprintf("process %d holds this session; let it end, or start a new session", b.PID) + meanwhile
	case b.Boot != bootID():
		return fmt.Sprintf("process %d of another machine or boot (%s) holds this session; end it there, or start a new session", b.PID, b.Boot) + meanwhile
	}
	return fmt.Sprintf("the process that took this session (%d) is gone and its lock is still held, as a rule by a program that it was just starting; try again, or start a new session", b.PID) + meanwhile
}

// Holder reads who holds a log from its lock file; nil when the file names nobody who
// still lives: a process that is gone did not let go, it was killed.
func (Disk) Holder(log string) *Busy {
	if b := holder(log + ".lock"); b.Lives() {
		return b
	}
	return nil
}

func holder(name string) *Busy {
	b := &Busy{}
	text, err := os.ReadFile(name)
	if err != nil {
		return b
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		// A number that is none leaves the holder unnamed.
		switch key {
		case "pid":
			_, _ = fmt.Sscan(value, &b.PID)
		case "boot":
			b.Boot = value
		case "start":
			_, _ = fmt.Sscan(value, &b.Start)
		}
	}
	return b
}
