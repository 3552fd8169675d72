package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
)

// Disk is the real file system.
type Disk struct{}

// MakeDir makes a directory, its missing parents, and their names durable.
func (d Disk) MakeDir(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if up := filepath.Dir(dir); up != dir {
		if err := d.MakeDir(up); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return d.SyncDir(filepath.Dir(dir))
}

// Create makes a file of mode 0600 that must not be there yet.
func (Disk) Create(name string) (File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrExists
	}
	return diskFile(f, err)
}

// Open opens a file for reading and appending.
func (Disk) Open(name string) (File, error) {
	return diskFile(os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0))
}

// View opens a file for reading.
func (Disk) View(name string) (File, error) { return diskFile(os.Open(name)) }

// Rename renames a file.
func (Disk) Rename(from, to string) error { return os.Rename(from, to) }

// Remove removes a file that may be gone already.
func (Disk) Remove(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncDir syncs a directory.
func (Disk) SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// List gives the plain files of a directory; a file that vanishes meanwhile is left out.
func (Disk) List(dir string) ([]Entry, error) {
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, n := range names {
		if info, err := n.Info(); err == nil && info.Mode().IsRegular() {
			out = append(out, Entry{Name: n.Name(), Size: info.Size(), Modified: info.ModTime()})
		}
	}
	return out, nil
}

// Lock locks log.lock, a file of its own that stays: a lock file that is removed
// can be held by one process while another locks its successor.
func (Disk) Lock(log string) (io.Closer, error) {
	name := log + ".lock"
	l := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w; if this disk knows no locks, move TENET_HOME to one that does", name, err)
	}
	if !ok {
		return nil, holder(name)
	}
	me := fmt.Sprintf("pid %d\nboot %s\n", os.Getpid(), bootID())
	if err := os.WriteFile(name, []byte(me), 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return held{l, name}, nil
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
	// PID is the holder's process id and Boot the boot it lives in; zero and empty when
	// the lock file does not say.
	PID  int
	Boot string
}

// Error names the holder and what to do.
func (b *Busy) Error() string {
	who := "another process"
	if b.PID != 0 {
		who = fmt.Sprintf("process %d", b.PID)
	}
	if b.Boot != "" && b.Boot != bootID() {
		who += " of another machine or boot (" + b.Boot + ")"
	}
	return who + " holds this session; let it end, or start a new session. Reading and verifying the log work meanwhile"
}

// Holder reads who holds a log from its lock file. A process of this boot that is
// gone did not let go, it was killed: nobody holds the log then.
func (Disk) Holder(log string) *Busy {
	b := holder(log + ".lock")
	if b.PID == 0 || b.Boot != bootID() || !alive(b.PID) {
		return nil
	}
	return b
}

func alive(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

func holder(name string) *Busy {
	b := &Busy{}
	text, err := os.ReadFile(name)
	if err != nil {
		return b
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "pid":
			// A pid that is no number leaves the holder unnamed.
			_, _ = fmt.Sscan(value, &b.PID)
		case "boot":
			b.Boot = value
		}
	}
	return b
}

type osFile struct{ *os.File }

func diskFile(f *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

// Size is the file's length.
func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Sync makes the bytes and the length durable; it need not make times durable.
func (f osFile) Sync() error { return syncData(f.File) }
