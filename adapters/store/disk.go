package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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
