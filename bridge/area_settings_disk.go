package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	production "tenet/adapters/settings"
	"tenet/bridge/engine/crash"
)

// Where the files of the machine lie. The disk knows names only, no directories.
const (
	grantHome = "/tenet-machine/home"
	grantRoot = "/tenet-machine/work"
)

// grantDisk is the editor's file system over one of the crash engine.
type grantDisk struct {
	crash.FS
	held map[string]bool
	// renamed is the directory of the last rename, which the next sync must be of.
	renamed string
	// left is how many renames happen before the process is killed; none is killed
	// below zero.
	left int
	dead bool
}

func newGrantDisk(disk crash.FS) *grantDisk {
	return &grantDisk{FS: disk, held: map[string]bool{}, left: -1}
}

func flat(path string) string { return strings.ReplaceAll(path, "/", "_") }

// Read reads a file; one that is not there is no error.
func (d *grantDisk) Read(name string) ([]byte, fs.FileMode, bool, error) {
	b, err := d.FS.ReadFile(flat(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, false, nil
	}
	return b, 0o644, err == nil, err
}

// MakeDir has nothing to do.
func (d *grantDisk) MakeDir(string, fs.FileMode) error { return d.alive() }

// Create makes a file.
func (d *grantDisk) Create(name string, _ fs.FileMode) (production.File, error) {
	if err := d.alive(); err != nil {
		return nil, err
	}
	f, err := d.FS.Create(flat(name))
	if err != nil {
		return nil, err
	}
	return grantFile{f, d}, nil
}

// Rename renames a file, unless the process is killed before.
func (d *grantDisk) Rename(from, to string) error {
	if d.dead = d.dead || d.left == 0; d.dead {
		return crash.ErrCrash
	}
	d.left--
	d.renamed = filepath.Dir(to)
	return d.FS.Rename(flat(from), flat(to))
}

// Remove removes a file that may be gone already.
func (d *grantDisk) Remove(name string) error {
	if err := d.alive(); err != nil {
		return err
	}
	if err := d.FS.Remove(flat(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncDir makes names durable. A sync of another directory than that of the rename
// makes nothing durable that matters.
func (d *grantDisk) SyncDir(dir string) error {
	if err := d.alive(); err != nil {
		return err
	}
	if dir != d.renamed {
		return fmt.Errorf("the rename was in %s, synced is %s", d.renamed, dir)
	}
	return d.FS.SyncDir()
}

// Lock takes a lock that must be free: there is one process.
func (d *grantDisk) Lock(_ context.Context, dir string) (io.Closer, error) {
	if d.held[dir] {
		return nil, fmt.Errorf("%s is locked twice", dir)
	}
	d.held[dir] = true
	return grantLock{d, dir}, nil
}

func (d *grantDisk) alive() error {
	if d.dead {
		return crash.ErrCrash
	}
	return nil
}

type grantLock struct {
	d   *grantDisk
	dir string
}

// Close lets go.
func (l grantLock) Close() error { delete(l.d.held, l.dir); return nil }

type grantFile struct {
	crash.File
	d *grantDisk
}

// Write writes, unless the process is dead.
func (f grantFile) Write(b []byte) (int, error) {
	if err := f.d.alive(); err != nil {
		return 0, err
	}
	return f.File.Write(b)
}

// Chmod has nothing to do.
func (f grantFile) Chmod(fs.FileMode) error { return f.d.alive() }
