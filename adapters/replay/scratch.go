package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// How much a copy may hold: a replay of a workspace that is larger names another by
// --workspace.
const (
	maxFiles = 200_000
	maxBytes = 2 << 30
)

// Scratch is a copy of a workspace, and what is to be said of it.
type Scratch struct {
	// Dir is the copy.
	Dir string
	// Commit is what tracked files were set to, empty when they are as they were found.
	Commit string
	// Files counts what was copied. Left counts the untracked files that were made or
	// changed after the session began and are not in the copy; Later those that are, as
	// they are now; Special what is neither file, directory nor link.
	Files, Left, Later, Special int
	bytes                       int64
}

// Copy copies a workspace below dir, under its own name. The workspace at the time is
// not in a log, so this is as near as can be come to it: with began, tracked files of a
// git repository are set to the last commit before that, and untracked ones that
// changed since are left out; without a repository every file is as it is now. A zero
// began copies everything as it is. The workspace is only read.
func Copy(ctx context.Context, workspace, dir string, began time.Time) (Scratch, error) {
	s := Scratch{Dir: filepath.Join(dir, filepath.Base(workspace))}
	if err := s.tree(ctx, workspace); err != nil {
		return s, fmt.Errorf("copy the workspace %s: %w", workspace, err)
	}
	if began.IsZero() {
		return s, nil
	}
	git, err := exec.LookPath("git")
	if info, statErr := os.Stat(filepath.Join(s.Dir, ".git")); err != nil || statErr != nil || !info.IsDir() {
		return s, s.count(began)
	}
	if err := s.reset(ctx, git, began); err != nil {
		return s, fmt.Errorf("set the copy of %s to what it was: %w", workspace, err)
	}
	return s, nil
}

func (s *Scratch) tree(ctx context.Context, from string) error {
	return filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		to := filepath.Join(s.Dir, rel)
		switch {
		case e.IsDir():
			return os.MkdirAll(to, 0o700)
		case e.Name() == ".git": // of a linked worktree or a module: it leads into the real repository
			s.Special++
			return nil
		}
		return s.one(name, to, e)
	})
}

func (s *Scratch) one(name, to string, e fs.DirEntry) error {
	info, err := e.Info()
	if err != nil {
		return err
	}
	s.Files++
	s.bytes += info.Size()
	if s.Files > maxFiles || s.bytes > maxBytes {
		return fmt.Errorf("it holds more than %d files or %d MiB; name a smaller copy of what the session needs by --workspace", maxFiles, maxBytes>>20)
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(name)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case !info.Mode().IsRegular():
		s.Special++
		return nil
	}
	if err := copyFile(name, to, info.Mode().Perm()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

func copyFile(from, to string, mode fs.FileMode) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close(), os.Chmod(to, mode))
}

// count says how many files of a directory without a repository are later than the
// session's beginning.
func (s *Scratch) count(began time.Time) error {
	return filepath.WalkDir(s.Dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().After(began) {
			s.Later++
		}
		return nil
	})
}

// reset sets tracked files to the last commit before a time and takes out untracked ones
// that are later.
func (s *Scratch) reset(ctx context.Context, git string, began time.Time) error {
	commit, err := s.git(ctx, git, "rev-list", "-1", "--before="+began.UTC().Format(time.RFC3339), "HEAD")
	if err != nil {
		return s.count(began) // a repository without a commit
	}
	s.Commit = strings.TrimSpace(string(commit))
	if s.Commit == "" {
		s.Commit = "HEAD"
	}
	untracked, err := s.git(ctx, git, "ls-files", "-z", "--others")
	if err != nil {
		return err
	}
	for _, name := range bytes.Split(untracked, []byte{0}) {
		if err := s.later(string(name), began); err != nil {
			return err
		}
	}
	_, err = s.git(ctx, git, "reset", "--quiet", "--hard", s.Commit)
	return err
}

// later takes an untracked file out that was changed after the session began.
func (s *Scratch) later(name string, began time.Time) error {
	if name == "" || strings.HasSuffix(name, "/") { // a repository of its own inside
		return nil
	}
	path := filepath.Join(s.Dir, name)
	info, err := os.Lstat(path)
	if err != nil || !info.ModTime().After(began) {
		return nil
	}
	s.Left++
	return os.Remove(path)
}

// git runs git in the copy, with none of the user's settings and no hook.
func (s *Scratch) git(ctx context.Context, git string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, git, append([]string{"-C", s.Dir, "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false"}, args...)...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_DIR="+filepath.Join(s.Dir, ".git"), "GIT_WORK_TREE="+s.Dir, "GIT_TERMINAL_PROMPT=0")
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return out, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return out, nil
}

// String says in words what the copy is.
func (s Scratch) String() string {
	var parts []string
	add := func(n int, format string, a ...any) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, a...))
		}
	}
	add(s.Files, "%d files", s.Files)
	add(len(s.Commit), "what git tracks as in commit %.12s", s.Commit)
	add(s.Left, "without %d untracked files that were made or changed after the session began", s.Left)
	add(s.Later, "%d of them changed after the session began and are as they are now", s.Later)
	add(s.Special, "%d special files left out", s.Special)
	return strings.Join(parts, ", ")
}
