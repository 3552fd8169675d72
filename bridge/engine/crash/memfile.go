package crash

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"syscall"
)

type memFile struct {
	m                *Mem
	i                *inode
	name             string
	readOnly, closed bool
}

// begin is Mem.begin for a file that is open for writing.
func (f *memFile) begin(what string, halves int) (int, error) {
	switch {
	case f.closed:
		return 0, &fs.PathError{Op: what, Path: f.name, Err: fs.ErrClosed}
	case f.readOnly:
		return 0, &fs.PathError{Op: what, Path: f.name, Err: fs.ErrPermission}
	default:
		return f.m.begin(what+" "+f.name, halves)
	}
}

// look is the visible content of an open file, nil after the crash.
func (f *memFile) look() ([]byte, error) {
	switch {
	case f.closed:
		return nil, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrClosed}
	case f.m.crashed():
		return nil, ErrCrash
	default:
		return f.i.data, nil
	}
}

// ReadAt reads what is visible.
func (f *memFile) ReadAt(b []byte, at int64) (int, error) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	data, err := f.look()
	if err != nil {
		return 0, err
	}
	return bytes.NewReader(data).ReadAt(b, at)
}

// Size is the visible length.
func (f *memFile) Size() (int64, error) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	data, err := f.look()
	return int64(len(data)), err
}

func (f *memFile) change(c change) {
	f.i.data = c.apply(f.i.data)
	f.i.pending = append(f.i.pending, c)
}

// Write appends; a call in flight may leave half of the bytes.
func (f *memFile) Write(b []byte) (int, error) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	part, err := f.begin("write", 2)
	n := len(b) * part / 2
	if n > 0 {
		f.change(change{at: len(f.i.data), bytes: slices.Clone(b[:n])})
	}
	return n, err
}

// Truncate cuts the file.
func (f *memFile) Truncate(size int64) error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	part, err := f.begin("truncate", 1)
	if part == 2 {
		f.change(change{at: int(size)})
	}
	return err
}

// Sync makes the content durable.
func (f *memFile) Sync() error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	part, err := f.begin("sync", 1)
	if part == 2 {
		for _, c := range f.i.pending {
			f.i.disk = c.apply(f.i.disk)
		}
	}
	if part == 2 || errors.Is(err, syscall.ENOSPC) {
		f.i.pending = nil // dropped by the failed sync, see FailAt
	}
	return err
}

// Close ends the use of the file.
func (f *memFile) Close() error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if f.closed {
		return &fs.PathError{Op: "close", Path: f.name, Err: fs.ErrClosed}
	}
	f.closed = true
	return nil
}
