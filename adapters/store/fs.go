package store

import (
	"io"
	"time"
)

// FS is the part of a file system that a store uses, so that a file system that
// separates visible from durable can stand in. Every name is a path.
type FS interface {
	// MakeDir makes a directory and its missing parents, for the owner only, and makes
	// their names durable. A directory that is there is no error.
	MakeDir(dir string) error
	// Create makes a file that must not be there yet, for its owner only, and opens it
	// for reading and for appending.
	Create(name string) (File, error)
	// Open opens a file that is there for reading and for appending.
	Open(name string) (File, error)
	// View opens a file that is there for reading.
	View(name string) (File, error)
	// Rename gives a file another name in the same directory.
	Rename(from, to string) error
	// Remove takes a name away; a name that is not there is no error.
	Remove(name string) error
	// SyncDir makes the names of a directory durable.
	SyncDir(dir string) error
	// List gives the plain files of a directory, sorted by name.
	List(dir string) ([]Entry, error)
	// Lock takes the lock of a log until it is closed; it does not wait. A lock that
	// another holds is a *Busy.
	Lock(log string) (io.Closer, error)
	// Holder names the process that holds a log, nil when none is known. It takes no
	// lock, so the answer is a hint for people.
	Holder(log string) *Busy
}

// File is an open file. Writes go to its end.
type File interface {
	io.ReaderAt
	io.Writer
	io.Closer
	// Size is the length in bytes.
	Size() (int64, error)
	// Truncate cuts the file to n bytes.
	Truncate(n int64) error
	// Sync returns when the bytes and the length are on the disk. After an error
	// nothing is known, and another Sync that succeeds proves nothing: the system may
	// have dropped the bytes it could not write.
	Sync() error
}

// Entry is a file of a directory.
type Entry struct {
	Name     string
	Size     int64
	Modified time.Time
}
