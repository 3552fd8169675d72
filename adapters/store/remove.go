package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// outputs is what the name of the directory adds to a session's id that its whole
// outputs are in.
const outputs = ".output"

// Files are the files of a session that are there: its log first, its lock last,
// between them what stands beside it and the directory of its outputs.
func Files(path string) ([]string, error) {
	dir, id := filepath.Dir(path), nameOf(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	log, lock := id+Extension, id+Extension+".lock"
	var out []string
	for _, e := range entries {
		name := e.Name()
		beside := strings.HasPrefix(name, log+torn) || strings.HasPrefix(name, log+keptIn) || name == log+unfinished || name == id+outputs
		if beside {
			out = append(out, filepath.Join(dir, name))
		}
	}
	for _, name := range []string{log, lock} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			continue
		}
		if name == log {
			out = append([]string{filepath.Join(dir, name)}, out...)
			continue
		}
		out = append(out, filepath.Join(dir, name))
	}
	return out, nil
}

// Discard takes a session away: into the directory trash, which is made, or for good
// when trash is empty. A session that another process holds is refused with a *Busy.
// The log goes first: when something stops in the middle, the session is gone already
// and only what stands beside it is left.
func Discard(path, trash string) error {
	lock, err := Disk{}.Lock(path)
	if err != nil {
		return fmt.Errorf("delete session %s: %w", nameOf(path), err)
	}
	defer lock.Close()
	if trash != "" {
		if err := (Disk{}).MakeDir(trash); err != nil {
			return fmt.Errorf("delete session %s: %w", nameOf(path), err)
		}
	}
	files, err := Files(path)
	for _, f := range files {
		err = errors.Join(err, away(f, trash))
	}
	if err = errors.Join(err, Disk{}.SyncDir(filepath.Dir(path))); err != nil {
		return fmt.Errorf("delete session %s: %w", nameOf(path), err)
	}
	return nil
}

func away(name, trash string) error {
	if trash == "" {
		return os.RemoveAll(name)
	}
	err := os.Rename(name, filepath.Join(trash, filepath.Base(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
