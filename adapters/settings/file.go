package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// MaxSize bounds a settings file, in bytes.
const MaxSize = 1 << 20

// Name is what a settings file is called, in tenet's home and in a project's folder.
const Name = "settings.json"

// Folder is the project's folder for tenet.
const Folder = ".tenet"

// UserFile is the user's settings file in tenet's home.
func UserFile(home string) string { return filepath.Join(home, Name) }

// ProjectFile is the settings file of the project at a root.
func ProjectFile(root string) string { return filepath.Join(root, Folder, Name) }

// stored is a settings file as it lies on the disk.
type stored struct {
	bytes []byte
	mode  fs.FileMode
	// there is false when no file stands at the name.
	there bool
}

// read reads a settings file through its links. Only a plain file is opened: a pipe
// would hold the program up, and a device may act on being opened.
func read(name string) (stored, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return stored{}, dangling(name)
	case err != nil:
		return stored{}, err
	case !info.Mode().IsRegular():
		return stored{}, fmt.Errorf("%s is not a file", name)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return stored{}, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return stored{}, errors.Join(fmt.Errorf("%s is not a file", name), err)
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return stored{}, err
	}
	if len(b) > MaxSize {
		return stored{}, fmt.Errorf("%s is larger than %d bytes, which no settings file needs", name, MaxSize)
	}
	return stored{bytes: b, mode: info.Mode().Perm(), there: true}, nil
}

// dangling is the error for a link whose target is gone: its writer meant a file to
// be there, and a gate must not open because a disk is not mounted.
func dangling(name string) error {
	target, err := os.Readlink(name)
	if err != nil {
		return nil
	}
	return fmt.Errorf("%s is a link to %s, and nothing is there", name, target)
}
