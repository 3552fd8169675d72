package docs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"tenet/core/doc"
	"tenet/core/pathpolicy"
)

// changed is one file of a commit.
type changed struct {
	p place
	// to is where the file moves; nil for one that stays where it is.
	to *place
	// removes is true for a file that goes.
	removes bool
	// perm is the mode of a file that comes back; 0 for the one that it has, or a new one's.
	perm uint32
	// next gives the new bytes when every directory of the commit is locked, from the
	// file as it is then. An error means that nothing of the commit may be written.
	next func(current) ([]byte, error)

	// What the commit finds and does.
	dir, toDir *os.File
	cur        current
	bytes      []byte
	// live is what stands under the target's name when the commit is over.
	live     []byte
	warnings []string
	err      error
}

// target is the place where the bytes will be.
func (f *changed) target() place {
	if f.to != nil {
		return *f.to
	}
	return f.p
}

// kind is what the commit does to the file, once it was looked at.
func (f *changed) kind() doc.Change {
	switch {
	case f.removes:
		return doc.Removes
	case f.to != nil:
		return doc.Moves
	case f.cur.exists:
		return doc.Overwrites
	default:
		return doc.Creates
	}
}

func (f *changed) close() {
	for _, file := range []*os.File{f.dir, f.toDir, f.cur.file} {
		if file != nil {
			file.Close()
		}
	}
}

// commit changes several files (S8.1). It locks the directories of all the real paths,
// resolves each path again and stops when one moved (G1.7), looks at every file, and
// writes nothing when one of them is not as its change wants it. What follows is
// core/doc's decision, action by action. An error means that nothing was written; else
// the commit tells what landed, and each file why it did not.
func (d *Docs) commit(ctx context.Context, files ...*changed) (doc.Commit, error) {
	var made []string
	defer func() {
		for _, f := range files {
			f.close()
		}
	}()
	c, err := d.commitIn(ctx, files, &made)
	if err != nil || c.Refused() {
		unmake(made)
	}
	return c, err
}

func (d *Docs) commitIn(ctx context.Context, files []*changed, made *[]string) (doc.Commit, error) {
	if err := d.at(doc.CheckFiles); err != nil {
		return doc.Commit{}, err
	}
	dirs, err := d.openAll(files, made)
	if err != nil {
		return doc.Commit{}, err
	}
	unlock, err := d.locks.lock(ctx, dirs...)
	if err != nil {
		return doc.Commit{}, err
	}
	defer unlock()
	c, err := d.check(files)
	if err != nil {
		return c, err
	}
	c = d.publish(c, files)
	d.judge.Changed()
	return c, nil
}

// openAll opens the directory of every path.
func (d *Docs) openAll(files []*changed, made *[]string) (dirs []*os.File, err error) {
	for _, f := range files {
		if f.dir, err = d.targetDir(f.p, made); err != nil {
			return nil, err
		}
		dirs = append(dirs, f.dir)
		if f.to == nil {
			continue
		}
		if f.toDir, err = d.targetDir(*f.to, made); err != nil {
			return nil, err
		}
		dirs = append(dirs, f.toDir)
	}
	return dirs, nil
}

// check looks at every file, now that no other writer of ours is in their directories.
// The first that is not as its change wants it ends the commit.
func (d *Docs) check(files []*changed) (doc.Commit, error) {
	d.judge.Changed()
	kinds, found := make([]doc.Change, len(files)), make([]doc.Standing, len(files))
	for i, f := range files {
		if err := d.lookAt(f); err != nil {
			return doc.Commit{}, err
		}
		f.bytes, f.err = f.next(f.cur)
		kinds[i], found[i].Same, found[i].Free = f.kind(), f.err == nil, true
		if f.to != nil {
			_, err := statAt(int(f.toDir.Fd()), filepath.Base(f.to.real))
			found[i].Free = errors.Is(err, unix.ENOENT)
		}
	}
	c := doc.NewCommit(kinds...).Check(found)
	switch at, why := c.Conflict(); why {
	case doc.Changed:
		return c, files[at].err
	case doc.Taken:
		return c, fmt.Errorf("%s was not moved: %s exists, and a move never replaces a file; nothing was written. Move it to another name, or remove that file first", d.rel(files[at].p.real), d.rel(files[at].to.real))
	case doc.NoConflict:
	}
	return c, nil
}

// lookAt resolves the paths of a file again and takes the file as it is.
func (d *Docs) lookAt(f *changed) (err error) {
	if err := d.unmoved(f.p, f.dir); err != nil {
		return err
	}
	if f.to != nil {
		if err := d.unmoved(*f.to, f.toDir); err != nil {
			return err
		}
	}
	if f.cur, err = d.look(f.p, f.dir, filepath.Base(f.p.real)); err != nil {
		return err
	}
	return d.unshown(f.p, f.cur)
}

// unmoved resolves a path again, now that no other writer of ours is in the directory: a
// link that was made or moved since the gate judged would lead the write elsewhere.
func (d *Docs) unmoved(p place, dir *os.File) error {
	again, _ := d.judge.Access(d.root, p.asked, pathpolicy.Writing)
	if again.Real != p.target.Real {
		return fmt.Errorf("%s led to %s when the write was judged and leads to %s now; nothing was written, try again", shown(p.asked), d.rel(p.real), shown(again.Real.Path))
	}
	real := filepath.Dir(p.real)
	var here, there unix.Stat_t
	if err := unix.Fstat(int(dir.Fd()), &here); err != nil {
		return d.fault(real, err, "try again")
	}
	if err := unix.Lstat(real, &there); err != nil || here.Dev != there.Dev || here.Ino != there.Ino {
		return fmt.Errorf("the directory %s was moved or replaced while the write waited; nothing was written, try again", d.rel(real))
	}
	return nil
}

// publish does what core/doc says until the commit is over. The calls after the check do
// not look at a cancel: a disk call ends by itself, and what landed must be told.
func (d *Docs) publish(c doc.Commit, files []*changed) doc.Commit {
	work := make([]publication, len(files))
	for i, f := range files {
		work[i] = newPublication(d, f)
	}
	for {
		i, a, more := c.Next()
		if !more {
			break
		}
		err := work[i].do(a)
		before := c.Fate(i)
		c = c.Did(err == nil)
		if err != nil {
			files[i].note(a, before, c.Fate(i), err)
		}
	}
	for i := range work {
		work[i].close()
		files[i].compare(&work[i], c.Fate(i))
	}
	d.told(c, files)
	return c
}

// note keeps why an action failed: the file did not land, or landed with a warning.
func (f *changed) note(a doc.Action, before, after doc.Fate, err error) {
	switch {
	case before == after: // a temporary file that stays is told by its publication
	case after == doc.Failed:
		f.err = err
	case after == doc.SourceStays && a == doc.SyncDir:
		f.warnings = append(f.warnings, fmt.Sprintf("the file has its new name, but its directory could not be made durable (%v), so the old name stays as well", err))
	case after == doc.SourceStays:
		f.warnings = append(f.warnings, fmt.Sprintf("the file has its new name, but the old one could not be removed (%v): both are there", err))
	default:
		f.warnings = append(f.warnings, fmt.Sprintf("the change is in place, but its directory could not be made durable (%v)", err))
	}
}

// compare takes what stands there now: another program may rewrite a file the moment it
// changes, as a formatter does, and then its bytes are what counts.
func (f *changed) compare(p *publication, fate doc.Fate) {
	if f.live = f.bytes; f.removes || !fate.Landed() || p.untouched() {
		return
	}
	live, err := p.reread()
	switch {
	case err != nil:
		f.warnings = append(f.warnings, fmt.Sprintf("the change landed, but the file could not be read again (%v): read it before the next change", err))
	case string(live) != string(f.bytes):
		f.live = live
		f.warnings = append(f.warnings, "another program changed the file right after it was written: what is shown here may be out of date, read it again")
	}
}
