package docs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"tenet/core/pathpolicy"
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
	created  bool
	warnings []string
}

// change makes one file what compute says it should be. It locks the directory of
// the real path, resolves the path again and stops when it moved (G1.7), reads the
// file, and puts the new bytes in its place at once. The file is never half written.
func (d *Docs) change(ctx context.Context, p place, compute func(current) ([]byte, error)) (landed, error) {
	dirReal, name := filepath.Dir(p.real), filepath.Base(p.real)
	dir, err := d.targetDir(p, dirReal)
	if err != nil {
		return landed{}, err
	}
	defer dir.Close()
	unlock, err := d.locks.lock(ctx, dirReal, dir)
	if err != nil {
		return landed{}, err
	}
	defer unlock()
	if err := d.unmoved(p, dir, dirReal); err != nil {
		return landed{}, err
	}
	cur, err := d.look(p, dir, name)
	if err != nil {
		return landed{}, err
	}
	if cur.file != nil {
		defer cur.file.Close()
	}
	if err := d.unshown(p, cur); err != nil {
		return landed{}, err
	}
	next, err := compute(cur)
	if err != nil {
		return landed{}, err
	}
	pub := publication{d: d, dir: dir, name: name, cur: cur, bytes: next}
	warnings, err := pub.run()
	if err != nil {
		return landed{}, d.publishFault(p.real, cur, err)
	}
	d.judge.Changed()
	d.seen.saw(p.real, p.deed, digest(next), cur.version())
	return landed{created: !cur.exists, warnings: warnings}, nil
}

// unmoved resolves the path again, now that no other writer of ours is in the
// directory: a link that was made or moved since the gate judged would lead the
// write elsewhere.
func (d *Docs) unmoved(p place, dir *os.File, dirReal string) error {
	d.judge.Changed()
	again, _ := d.judge.Access(d.root, p.asked, pathpolicy.Writing)
	if again.Real != p.target.Real {
		return fmt.Errorf("%s led to %s when the write was judged and leads to %s now; nothing was written, try again", shown(p.asked), d.rel(p.real), shown(again.Real.Path))
	}
	var here, there unix.Stat_t
	if err := unix.Fstat(int(dir.Fd()), &here); err != nil {
		return d.fault(dirReal, err, "try again")
	}
	if err := unix.Lstat(dirReal, &there); err != nil || here.Dev != there.Dev || here.Ino != there.Ino {
		return fmt.Errorf("the directory %s was moved or replaced while the write waited; nothing was written, try again", d.rel(dirReal))
	}
	return nil
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
	b, err := io.ReadAll(io.LimitReader(c.file, SnapshotBytes+1))
	c.bytes, c.large = b, len(b) > SnapshotBytes
	return err
}

// targetDir opens the directory that the file lies in, and makes it where it is
// missing. It is inside the workspace, as the file is.
func (d *Docs) targetDir(p place, real string) (*os.File, error) {
	dir, err := openDir(real)
	if errors.Is(err, os.ErrNotExist) && p.makesParents {
		dir, err = d.makeDir(real)
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
func (d *Docs) makeDir(real string) (*os.File, error) {
	parent := filepath.Dir(real)
	up, err := openDir(parent)
	if errors.Is(err, os.ErrNotExist) && within(parent, d.root) && parent != d.root {
		up, err = d.makeDir(parent)
	}
	if err != nil {
		return nil, err
	}
	defer up.Close()
	if err := unix.Mkdirat(int(up.Fd()), filepath.Base(real), 0o777); err != nil && err != unix.EEXIST {
		return nil, err
	}
	fd, err := openAt(int(up.Fd()), filepath.Base(real), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), real), up.Sync()
}

// publishFault says why the new bytes are not in place; the old ones still are.
func (d *Docs) publishFault(real string, cur current, err error) error {
	state := "the file is as it was"
	if !cur.exists {
		state = "no file was made"
	}
	switch {
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return fmt.Errorf("%s: the disk is full (%w); %s. Free some space, or ask the user to", d.rel(real), err, state)
	case errors.Is(err, unix.EEXIST):
		return fmt.Errorf("%s was created by another program meanwhile; it is as that program made it. Read it first", d.rel(real))
	case errors.Is(err, errChanged):
		return fmt.Errorf("%s was changed by another program while it was being written; its content is that program's. Read it again", d.rel(real))
	default:
		return fmt.Errorf("%s was not written: %w; %s", d.rel(real), err, state)
	}
}
