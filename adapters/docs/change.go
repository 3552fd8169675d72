package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// current is a file as it is when its directory is locked.
type current struct {
	exists bool
	st     unix.Stat_t
	// file is open for reading while the change is made.
	file *os.File
	// bytes is the whole file, or its first SnapshotBytes when it is large.
	bytes []byte
	large bool
}

// version is what the session must have seen to replace the file whole.
func (c current) version() uint64 {
	if c.large {
		return identity(c.st)
	}
	return digest(c.bytes)
}

// landed is a change that is on the disk.
type landed struct {
	created bool
	// live is the bytes that stand there now.
	live     []byte
	warnings []string
}

// change makes one file what compute says it should be: a commit of one file.
func (d *Docs) change(ctx context.Context, p place, compute func(current) ([]byte, error)) (landed, error) {
	f := &changed{p: p, next: compute}
	c, err := d.commit(ctx, f)
	switch {
	case err != nil:
		return landed{}, err
	case c.Refused():
		return landed{}, d.publishFault(f)
	}
	d.seen.saw(p.real, p.deed, digest(f.live), f.cur.version())
	return landed{created: !f.cur.exists, live: f.live, warnings: f.warnings}, nil
}

// look takes the file as it is now. What is neither missing nor a regular file is
// refused and never opened.
func (d *Docs) look(p place, dir *os.File, name string) (current, error) {
	st, err := statAt(int(dir.Fd()), name)
	if err == unix.ENOENT {
		return current{}, nil
	}
	if err != nil {
		return current{}, d.fault(p.real, err, "try again")
	}
	var kind notRegular
	switch err := regular(st); {
	case errors.As(err, &kind):
		return current{}, fmt.Errorf("%s is %s, not a regular file; nothing was written", d.rel(p.real), string(kind))
	case err != nil:
		return current{}, d.fault(p.real, err, "try again")
	}
	if st.Mode&0o222 == 0 {
		return current{}, fmt.Errorf("%s is read-only (mode %04o); nothing was written. If it should change, make it writable with bash (chmod u+w)", d.rel(p.real), st.Mode&0o7777)
	}
	fd, err := openAt(int(dir.Fd()), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return current{}, d.fault(p.real, err, "try again")
	}
	c := current{exists: true, file: os.NewFile(uintptr(fd), p.real)}
	if err := c.read(); err != nil {
		c.file.Close()
		return current{}, d.fault(p.real, err, "try again")
	}
	return c, nil
}

func (c *current) read() error {
	if err := unix.Fstat(int(c.file.Fd()), &c.st); err != nil {
		return err
	}
	if err := regular(c.st); err != nil {
		return err
	}
	// One allocation and one read do for a file that nobody is making longer.
	b := bytes.NewBuffer(make([]byte, 0, min(c.st.Size, SnapshotBytes)+bytes.MinRead+1))
	_, err := b.ReadFrom(io.LimitReader(c.file, SnapshotBytes+1))
	c.bytes, c.large = b.Bytes(), b.Len() > SnapshotBytes
	return err
}

// targetDir opens the directory that the file lies in, and makes it where it is
// missing. It is inside the workspace, as the file is. What was made is added to made.
func (d *Docs) targetDir(p place, made *[]string) (*os.File, error) {
	real := filepath.Dir(p.real)
	dir, err := openDir(real)
	if errors.Is(err, os.ErrNotExist) && p.makesParents {
		dir, err = d.makeDir(real, made)
	}
	switch {
	case err == nil:
		return dir, nil
	case errors.Is(err, unix.ENOTDIR):
		return nil, fmt.Errorf("%s: a part of that path is a file, not a directory; nothing was written", d.rel(real))
	default:
		return nil, d.fault(real, err, "check the path with list_dir")
	}
}

// makeDir makes a directory and what is missing above it. It goes down from the
// deepest directory there is, by names in open directories, so that a link put in
// the way is met and not followed.
func (d *Docs) makeDir(real string, made *[]string) (*os.File, error) {
	parent := filepath.Dir(real)
	up, err := openDir(parent)
	if errors.Is(err, os.ErrNotExist) && within(parent, d.root) && parent != d.root {
		up, err = d.makeDir(parent, made)
	}
	if err != nil {
		return nil, err
	}
	defer up.Close()
	switch err := unix.Mkdirat(int(up.Fd()), filepath.Base(real), 0o777); err {
	case nil:
		*made = append(*made, real)
	case unix.EEXIST:
	default:
		return nil, err
	}
	fd, err := openAt(int(up.Fd()), filepath.Base(real), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), real), up.Sync()
}

// unmake removes directories that a commit made and then did not use; one that is not
// empty has another user.
func unmake(made []string) {
	for _, real := range slices.Backward(made) {
		if up, err := openDir(filepath.Dir(real)); err == nil {
			unix.Unlinkat(int(up.Fd()), filepath.Base(real), unix.AT_REMOVEDIR)
			up.Close()
		}
	}
}

// publishFault says why the new bytes are not in place; the old ones still are.
func (d *Docs) publishFault(f *changed) error {
	real, cur, err := f.p.real, f.cur, f.err
	state := "the file is as it was"
	if !cur.exists {
		state = "no file was made"
	}
	switch {
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return fmt.Errorf("%s: the disk is full (%w); %s. Free some space, or ask the user to", d.rel(real), err, state)
	case errors.Is(err, unix.EEXIST):
		return fmt.Errorf("%s was created by another program meanwhile; it is as that program made it. Read it first", d.rel(f.target().real))
	case errors.Is(err, errChanged):
		return fmt.Errorf("%s was changed by another program while it was being written; its content is that program's. Read it again", d.rel(real))
	default:
		return fmt.Errorf("%s was not written: %w; %s", d.rel(real), err, state)
	}
}
