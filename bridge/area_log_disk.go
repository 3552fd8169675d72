package bridge

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"tenet/adapters/store"
	"tenet/bridge/engine/crash"
)

// logFS is a store's file system over one of the crash engine, with the locks of
// the processes that use it and one planned fault.
type logFS struct {
	crash.FS
	// held is the locks, by the path of the log.
	held map[string]bool
	// plan decides about a call before it is made; nil lets every call through.
	plan func(call string) fate
	// dead is true once the process was killed: none of its calls has an effect.
	dead bool
	// synced is how many bytes of each file are durable.
	synced map[string]int
}

// fate is what becomes of one call: how many bytes of a write happen (-1 for all),
// the error, and whether the process is killed then.
type fate struct {
	bytes int
	err   error
	dies  bool
}

var goesWell = fate{bytes: -1}

func newLogFS(disk crash.FS) *logFS {
	return &logFS{FS: disk, held: map[string]bool{}, synced: map[string]int{}}
}

// begin is the fate of a call.
func (d *logFS) begin(call string) fate {
	switch {
	case d.dead:
		return fate{err: crash.ErrCrash}
	case d.plan == nil:
		return goesWell
	}
	f := d.plan(call)
	d.dead = f.dies
	if f.dies {
		f.err = crash.ErrCrash
	}
	return f
}

// MakeDir: the directory is there.
func (d *logFS) MakeDir(string) error { return nil }

// Create makes a file and opens it.
func (d *logFS) Create(name string) (store.File, error) {
	if f := d.begin("create"); f.err != nil {
		return nil, f.err
	}
	w, err := d.FS.Create(filepath.Base(name))
	if errors.Is(err, fs.ErrExist) {
		return nil, store.ErrExists
	}
	return d.opened(name, w, err)
}

// Open opens a file that is there.
func (d *logFS) Open(name string) (store.File, error) {
	if f := d.begin("open"); f.err != nil {
		return nil, f.err
	}
	if _, err := d.ReadFile(filepath.Base(name)); err != nil {
		return nil, err
	}
	w, err := d.OpenAppend(filepath.Base(name))
	return d.opened(name, w, err)
}

func (d *logFS) opened(name string, w crash.File, err error) (store.File, error) {
	if err != nil {
		return nil, err
	}
	return &logFile{File: w, d: d, name: filepath.Base(name)}, nil
}

// View opens a file that is there for reading.
func (d *logFS) View(name string) (store.File, error) {
	if _, err := d.ReadFile(filepath.Base(name)); err != nil {
		return nil, err
	}
	return &logFile{d: d, name: filepath.Base(name)}, nil
}

// Rename renames a file.
func (d *logFS) Rename(from, to string) error {
	if f := d.begin("rename"); f.err != nil {
		return f.err
	}
	return d.FS.Rename(filepath.Base(from), filepath.Base(to))
}

// Remove removes a file that may be gone already.
func (d *logFS) Remove(name string) error {
	if f := d.begin("remove"); f.err != nil {
		return f.err
	}
	if err := d.FS.Remove(filepath.Base(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncDir makes the names durable.
func (d *logFS) SyncDir(string) error {
	if f := d.begin("sync of the directory"); f.err != nil {
		return f.err
	}
	return d.FS.SyncDir()
}

// List is the files with their sizes.
func (d *logFS) List(string) ([]store.Entry, error) {
	names, err := d.FS.List()
	var out []store.Entry
	for _, n := range names {
		b, bad := d.ReadFile(n)
		err = errors.Join(err, bad)
		out = append(out, store.Entry{Name: n, Size: int64(len(b))})
	}
	return out, err
}

// Lock takes the lock of a log unless another process of this disk has it.
func (d *logFS) Lock(log string) (io.Closer, error) {
	if d.held[log] {
		return nil, &store.Busy{}
	}
	d.held[log] = true
	return unlock(func() { delete(d.held, log) }), nil
}

// Holder: no process of this disk has a number.
func (d *logFS) Holder(string) *store.Busy { return nil }

type unlock func()

// Close gives the lock back.
func (u unlock) Close() error { u(); return nil }

type logFile struct {
	crash.File // nil when the file is only read
	d          *logFS
	name       string
}

// ReadAt reads what is visible now.
func (f *logFile) ReadAt(b []byte, at int64) (int, error) {
	data, err := f.d.ReadFile(f.name)
	if err != nil {
		return 0, err
	}
	return bytes.NewReader(data).ReadAt(b, at)
}

// Size is the visible length.
func (f *logFile) Size() (int64, error) {
	data, err := f.d.ReadFile(f.name)
	return int64(len(data)), err
}

// Write appends as much as its fate allows.
func (f *logFile) Write(b []byte) (int, error) {
	v := f.d.begin("write")
	if v.bytes >= 0 {
		b = b[:min(v.bytes, len(b))]
	}
	if v.bytes != 0 {
		if n, err := f.File.Write(b); err != nil {
			return n, err
		}
	}
	if v.err != nil {
		return len(b), v.err
	}
	return len(b), nil
}

// Truncate cuts the file.
func (f *logFile) Truncate(size int64) error {
	if v := f.d.begin("truncate"); v.err != nil {
		return v.err
	}
	f.d.synced[f.name] = min(f.d.synced[f.name], int(size))
	return f.File.Truncate(size)
}

// Sync makes the content durable; a process may be killed right after it.
func (f *logFile) Sync() error {
	v := f.d.begin("sync")
	if v.err != nil && v.bytes == 0 {
		return v.err
	}
	if err := f.File.Sync(); err != nil {
		return err
	}
	size, err := f.Size()
	f.d.synced[f.name] = int(size)
	return errors.Join(v.err, err)
}

// Close ends the use of the file.
func (f *logFile) Close() error {
	if f.File == nil {
		return nil
	}
	return f.File.Close()
}
