package settings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"tenet/adapters/store"
)

// FS is the part of a file system that an edit uses, so that one that separates
// visible from durable can stand in. Every name is a path without links.
type FS interface {
	// Read is the content and the mode of a plain file; there is false without one.
	Read(name string) (b []byte, mode fs.FileMode, there bool, err error)
	// MakeDir makes a directory and its missing parents, with what the umask leaves of
	// mode, and makes their names durable. A directory that is there stays as it is.
	MakeDir(dir string, mode fs.FileMode) error
	// Create makes a file that must not be there yet, with what the umask leaves of mode.
	Create(name string, mode fs.FileMode) (File, error)
	// Rename gives a file another name in the same directory, over what stands there.
	Rename(from, to string) error
	// Remove takes a name away; a name that is not there is no error.
	Remove(name string) error
	// SyncDir makes the names of a directory durable.
	SyncDir(dir string) error
	// Lock takes a directory's lock, which every edit of a file in it holds, until it is
	// closed. It waits as long as ctx allows.
	Lock(ctx context.Context, dir string) (io.Closer, error)
}

// File is a new file.
type File interface {
	io.WriteCloser
	// Chmod gives it a mode that no umask cuts.
	Chmod(mode fs.FileMode) error
	// Sync returns when the bytes are on the disk.
	Sync() error
}

// Disk is the real file system: what a log asks of it, and what an edit needs besides.
type Disk struct{ store.Disk }

// Read reads a plain file within MaxSize.
func (Disk) Read(name string) ([]byte, fs.FileMode, bool, error) {
	f, err := read(name)
	return f.bytes, f.mode, f.there, err
}

// MakeDir makes a directory, its missing parents, and their names durable.
func (d Disk) MakeDir(dir string, mode fs.FileMode) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if up := filepath.Dir(dir); up != dir {
		if err := d.MakeDir(up, mode); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return d.SyncDir(filepath.Dir(dir))
}

// Create makes a file that must not be there yet; a link at its name is not followed.
func (Disk) Create(name string, mode fs.FileMode) (File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// lockEvery is how often a lock that another holds is tried again.
const lockEvery = 5 * time.Millisecond

// Lock locks the directory itself: a lock file would stand in the project and could
// be committed, and one that is removed can be held twice.
func (Disk) Lock(ctx context.Context, dir string) (io.Closer, error) {
	l := flock.New(dir, flock.SetFlag(os.O_RDONLY))
	ok, err := l.TryLockContext(ctx, lockEvery)
	switch {
	case ok && err == nil:
		return l, nil
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled):
		return nil, fmt.Errorf("another process is changing the settings in %s; try again", dir)
	default:
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
}
