package docs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sys/unix"

	"tenet/core/doc"
)

// errChanged: the file is not the one that the change was computed from.
var errChanged = errors.New("the file changed")

// publication does the actions of a commit to one file. The new bytes go into a temporary
// file beside their name, are made durable, and then get that name at once: until then a
// crash leaves the old file and perhaps a temporary one, which the next write of it removes.
type publication struct {
	d *Docs
	f *changed
	// dir and name are where the bytes will be; oldDir and oldName where the file was.
	dir, oldDir   *os.File
	name, oldName string

	temp     *os.File
	tempName string // "" when there is none
	// synced is the temporary file when its bytes were durable.
	synced unix.Stat_t
}

func newPublication(d *Docs, f *changed) publication {
	p := publication{d: d, f: f, dir: f.dir, oldDir: f.dir, name: filepath.Base(f.target().real), oldName: filepath.Base(f.p.real)}
	if f.toDir != nil {
		p.dir = f.toDir
	}
	return p
}

// close lets go of the temporary file, and with it of its lock.
func (p *publication) close() {
	if p.temp != nil {
		p.temp.Close()
	}
}

// tempCount makes the temporary names of this process different.
var tempCount atomic.Uint64

func nameHash(name string) uint64 { return xxhash.Sum64String(name) }

// do is one action.
func (p *publication) do(a doc.Action) error {
	if err := p.d.at(a); err != nil {
		return p.drilled(a, err)
	}
	switch a {
	case doc.SweepTemps:
		p.sweep()
	case doc.CreateTemp:
		return p.create()
	case doc.FillTemp:
		_, err := p.temp.Write(p.f.bytes)
		return err
	case doc.KeepAttributes:
		return p.keepAttributes()
	case doc.SyncTemp:
		if err := p.perm(); err != nil {
			return err
		}
		return errors.Join(p.temp.Sync(), unix.Fstat(int(p.temp.Fd()), &p.synced))
	case doc.SwapIn:
		return p.swapIn()
	case doc.LinkNew:
		return p.linkNew()
	case doc.DropTemp:
		return p.dropTemp(p.unlinkTemp)
	case doc.SyncDir:
		return p.dir.Sync()
	case doc.DropOld:
		return p.dropOld()
	case doc.SyncOldDir:
		return p.oldDir.Sync()
	case doc.CheckFiles, doc.NumActions:
	}
	return nil
}

// create makes and locks the temporary file. Its mode is narrow while it holds the
// content of a file whose mode may be; a new file gets what the umask leaves of 0644.
func (p *publication) create() error {
	mode := uint32(0o644)
	if p.f.cur.exists {
		mode = 0o600
	}
	if p.f.perm != 0 {
		mode = 0o600
	}
	name := doc.TempName(nameHash(p.name), os.Getpid(), tempCount.Add(1))
	fd, err := unix.Openat(int(p.dir.Fd()), name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, mode)
	if err != nil {
		return fmt.Errorf("make a temporary file beside it: %w", err)
	}
	p.temp, p.tempName = os.NewFile(uintptr(fd), name), name
	unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) // without lock support the directory's lock is all there is
	return nil
}

// perm gives a file that comes back the mode that it had.
func (p *publication) perm() error {
	if p.f.perm == 0 || p.f.cur.exists {
		return nil
	}
	return unix.Fchmod(int(p.temp.Fd()), p.f.perm)
}

// keepAttributes gives the temporary file what the file is besides its bytes; one that
// only moves keeps its times too.
func (p *publication) keepAttributes() error {
	lost, err := keepAttributes(p.f.cur.file, p.temp, p.f.cur.st)
	if err != nil {
		return err
	}
	p.f.warnings = append(p.f.warnings, lost...)
	if p.f.to != nil && bytes.Equal(p.f.bytes, p.f.cur.bytes) {
		times := []unix.Timespec{p.f.cur.st.Atim, p.f.cur.st.Mtim}
		if err := unix.UtimesNanoAt(int(p.dir.Fd()), p.tempName, times, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			p.f.warnings = append(p.f.warnings, fmt.Sprintf("its times could not be kept (%v)", err))
		}
	}
	return nil
}

// unchanged is nil while the file is still the one that was checked.
func (p *publication) unchanged() error {
	st, err := statAt(int(p.oldDir.Fd()), p.oldName)
	if err != nil || identity(st) != identity(p.f.cur.st) {
		return errChanged
	}
	return nil
}

// swapIn puts the temporary file in the place of the file.
func (p *publication) swapIn() error {
	if err := p.unchanged(); err != nil {
		return err
	}
	dir := int(p.dir.Fd())
	if err := unix.Renameat(dir, p.tempName, dir, p.name); err != nil {
		return err
	}
	p.tempName = ""
	return nil
}

// linkNew gives the temporary file a name that must be free: a link fails on one that
// meanwhile exists. A file system without hard links has a rename that fails as well.
func (p *publication) linkNew() error {
	dir := int(p.dir.Fd())
	err := unix.Linkat(dir, p.tempName, dir, p.name, 0)
	if !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.ENOTSUP) && !errors.Is(err, unix.ENOSYS) {
		return err
	}
	if err := renameNew(dir, p.tempName, p.name); err != nil {
		return err
	}
	p.tempName = ""
	return nil
}

// dropTemp takes the temporary name away. One that stays is told, and removed by the
// next write of its target.
func (p *publication) dropTemp(unlink func() error) error {
	if p.tempName == "" {
		return nil
	}
	err := unlink()
	if err != nil {
		p.f.warnings = append(p.f.warnings, fmt.Sprintf("its temporary file %s could not be removed (%v)", p.tempName, err))
	}
	p.tempName = ""
	p.close()
	return err
}

func (p *publication) unlinkTemp() error { return unix.Unlinkat(int(p.dir.Fd()), p.tempName, 0) }

// drilled is an action that a drill makes fail, as the disk would.
func (p *publication) drilled(a doc.Action, err error) error {
	switch a {
	case doc.FillTemp:
		p.temp.Write(p.f.bytes[:len(p.f.bytes)/2]) // a disk that fills up took a part
	case doc.DropTemp:
		return p.dropTemp(func() error { return err })
	case doc.CheckFiles, doc.SweepTemps, doc.CreateTemp, doc.KeepAttributes, doc.SyncTemp, doc.SwapIn, doc.LinkNew, doc.SyncDir, doc.DropOld, doc.SyncOldDir, doc.NumActions:
	}
	return err
}

// dropOld takes the old name away.
func (p *publication) dropOld() error {
	if err := p.unchanged(); err != nil {
		return err
	}
	return unix.Unlinkat(int(p.oldDir.Fd()), p.oldName, 0)
}

// untouched reports whether the file under the target's name is the one that was put
// there, and nobody wrote it since.
func (p *publication) untouched() bool {
	st, err := statAt(int(p.dir.Fd()), p.name)
	return err == nil && st.Dev == p.synced.Dev && st.Ino == p.synced.Ino && st.Size == p.synced.Size && st.Mtim == p.synced.Mtim
}

// reread is the bytes that stand under the target's name, up to one byte more than a
// file that is taken whole.
func (p *publication) reread() ([]byte, error) {
	fd, err := openAt(int(p.dir.Fd()), p.name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), p.name)
	defer f.Close()
	var c current
	c.file = f
	err = c.read()
	return c.bytes, err
}

// sweep removes what crashed writes of this target left: its own temporary files
// that no writer locks (S8.5). What cannot be removed is left for the next time.
func (p *publication) sweep() {
	fd, err := openAt(int(p.dir.Fd()), ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC)
	if err != nil {
		return
	}
	dir := os.NewFile(uintptr(fd), p.dir.Name())
	defer dir.Close()
	for {
		names, err := dir.Readdirnames(512)
		for _, n := range names {
			if doc.IsTemp(n) {
				p.remove(n)
			}
		}
		if err != nil {
			return
		}
	}
}

// remove deletes one temporary file if it is a regular file of this target that nobody
// locks. Another target's is not even opened: trying its lock would hold it.
func (p *publication) remove(name string) {
	swept := func(locked bool) bool { return doc.Swept(name, nameHash(p.name), locked) }
	dir := int(p.dir.Fd())
	st, err := statAt(dir, name)
	if !swept(false) || err != nil || regular(st) != nil {
		return
	}
	fd, err := openAt(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	if locked := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) != nil; swept(locked) {
		unix.Unlinkat(dir, name, 0)
	}
}
