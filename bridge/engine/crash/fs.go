// Package crash is a file system small enough to enumerate what a crash can leave:
// Mem separates what a program sees from what is certainly on disk, Exploration
// tries every crash point times every disk that may survive it, and Disk with
// KillLoop does the same on a real disk with a real SIGKILL.
//
// The two find different mistakes. A kill leaves all that the kernel was given, so
// no SIGKILL loop ever finds a missing fsync; Mem under PowerLoss does. Mem does
// what this page says and not what a kernel does; the loop runs the real calls.
//
// FS and File are aliases of interface literals on purpose: production declares the
// same literals for itself (an adapter imports nothing of the bridge) and *Mem and
// *Disk satisfy them as they are, without a shim in between.
package crash

import "io"

// FS is one directory of files as a writer that must survive uses it. Names are
// plain file names, without a separator.
type FS = interface {
	// Create makes a new empty file; fs.ErrExist when the name is taken.
	Create(name string) (File, error)
	// OpenAppend opens a file for reading and for writing at its end, and makes it
	// when it is absent.
	OpenAppend(name string) (File, error)
	// OpenRead opens a file for reading only; fs.ErrNotExist without one.
	OpenRead(name string) (File, error)
	// ReadFile is the whole content; fs.ErrNotExist without a file.
	ReadFile(name string) ([]byte, error)
	// Rename moves a file over another at once; fs.ErrNotExist without a file.
	Rename(from, to string) error
	// Remove takes a name away; fs.ErrNotExist without a file.
	Remove(name string) error
	// SyncDir makes the names durable: creates, renames and removes until now.
	SyncDir() error
	// List is the names, sorted.
	List() ([]string, error)
}

// File is an open file that is written at its end.
type File = interface {
	io.ReaderAt
	io.Writer
	// Size is the length in bytes.
	Size() (int64, error)
	// Sync makes the content until now durable; not the name, that is SyncDir's.
	Sync() error
	// Truncate cuts the file to size bytes.
	Truncate(size int64) error
	// Close ends the use of the file; it makes nothing durable.
	Close() error
}

// Loss is what stops, and so what may be lost.
type Loss uint8

// The losses.
const (
	// Kill ends the process: the kernel keeps what it was given.
	Kill Loss = iota
	// PowerLoss ends the machine: what was not synced may be lost, in any part.
	PowerLoss
)

var lossNames = [...]string{"kill", "power loss"}

// String names the loss for a message.
func (l Loss) String() string { return lossNames[l] }
