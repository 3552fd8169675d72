package agenthook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Apply makes a change. The file is replaced at once or not at all, keeps its mode, and
// a link stays a link. A file that somebody else changed since it was read is left
// alone.
func (c Change) Apply() error {
	if err := c.unchanged(); err != nil {
		return err
	}
	if c.Remove {
		return c.remove()
	}
	if err := os.MkdirAll(filepath.Dir(c.File), 0o755); err != nil {
		return fmt.Errorf("make the directory of %s: %w", c.File, err)
	}
	real, err := realName(c.File)
	if err != nil {
		return err
	}
	if err := replace(real, c.After, c.mode); err != nil {
		return fmt.Errorf("write %s: %w", c.File, err)
	}
	return c.leaveNote()
}

func (c Change) unchanged() error {
	now, err := os.ReadFile(c.File)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !c.Existed:
		return nil
	case err != nil:
		return fmt.Errorf("look at %s again: %w", c.File, err)
	case !c.Existed || !bytes.Equal(now, c.Before):
		return fmt.Errorf("%s was changed meanwhile; run the command again", c.File)
	}
	return nil
}

func (c Change) remove() error {
	real, err := realName(c.File)
	if err != nil {
		return err
	}
	if err := os.Remove(real); err != nil {
		return fmt.Errorf("remove %s: %w", c.File, err)
	}
	if real != c.File {
		_ = os.Remove(c.File) // the link that led to it
	}
	for _, dir := range c.note.Dirs {
		_ = os.Remove(dir) // only the ones that are empty go
	}
	return c.dropNote()
}

// leaveNote keeps what uninstall needs. Without a guard in the file there is no note.
func (c Change) leaveNote() error {
	if c.note.Sum != sum(c.After) {
		return c.dropNote()
	}
	b, err := json.MarshalIndent(c.note, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.noteAt), 0o700); err != nil {
		return fmt.Errorf("keep a note of the install: %w", err)
	}
	return replace(c.noteAt, append(b, '\n'), 0o600)
}

func (c Change) dropNote() error {
	if err := os.Remove(c.noteAt); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// realName follows links; a file that is not there yet is its own.
func realName(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		return name, nil
	}
	return real, err
}

// replace writes a file beside another and puts it in its place.
func replace(name string, text []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".tenet-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// missing are the directories that do not exist yet, the innermost first.
func missing(dir string) (out []string) {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return out
		}
		out = append(out, dir)
		dir = filepath.Dir(dir)
	}
}
