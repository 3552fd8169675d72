package crash

import (
	"errors"
	"os"
	"path/filepath"
)

// Disk is an FS on a real directory. Hook, when set, runs before every call that
// changes something, so that a child can kill itself there.
type Disk struct {
	// Dir is the directory; it exists.
	Dir string
	// Hook runs before each call, with the call's name: "write", "rename".
	Hook func(call string)
}

func (d *Disk) before(call string) {
	if d.Hook != nil {
		d.Hook(call)
	}
}

func (d *Disk) path(name string) string { return filepath.Join(d.Dir, name) }

func (d *Disk) open(call, name string, flags int) (File, error) {
	d.before(call)
	f, err := os.OpenFile(d.path(name), flags, 0o600)
	if err != nil {
		return nil, err
	}
	return &diskFile{f, d}, nil
}

// Create makes a new empty file.
func (d *Disk) Create(name string) (File, error) {
	return d.open("create", name, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND)
}

// OpenAppend opens a file at its end and makes it when it is absent.
func (d *Disk) OpenAppend(name string) (File, error) {
	return d.open("open", name, os.O_CREATE|os.O_RDWR|os.O_APPEND)
}

// OpenRead opens a file for reading.
func (d *Disk) OpenRead(name string) (File, error) {
	f, err := os.Open(d.path(name))
	if err != nil {
		return nil, err
	}
	return &diskFile{f, d}, nil
}

// ReadFile is the whole content.
func (d *Disk) ReadFile(name string) ([]byte, error) { return os.ReadFile(d.path(name)) }

// Rename moves a file over another.
func (d *Disk) Rename(from, to string) error {
	d.before("rename")
	return os.Rename(d.path(from), d.path(to))
}

// Remove takes a name away.
func (d *Disk) Remove(name string) error { d.before("remove"); return os.Remove(d.path(name)) }

// SyncDir makes the names durable.
func (d *Disk) SyncDir() error {
	d.before("sync of the directory")
	f, err := os.Open(d.Dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// List is the names, sorted.
func (d *Disk) List() ([]string, error) {
	entries, err := os.ReadDir(d.Dir)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

type diskFile struct {
	f *os.File
	d *Disk
}

func (f *diskFile) ReadAt(b []byte, at int64) (int, error) { return f.f.ReadAt(b, at) }
func (f *diskFile) Write(b []byte) (int, error)            { f.d.before("write"); return f.f.Write(b) }
func (f *diskFile) Truncate(size int64) error              { f.d.before("truncate"); return f.f.Truncate(size) }
func (f *diskFile) Sync() error                            { f.d.before("sync"); return f.f.Sync() }
func (f *diskFile) Close() error                           { return f.f.Close() }

func (f *diskFile) Size() (int64, error) {
	info, err := f.f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
