package docs

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sys/unix"

	"tenet/core/doc"
)

// publishStep is a point at which a write can fail or the process can die.
type publishStep uint8

const (
	stepCreate publishStep = iota
	stepWrite
	stepAttributes
	stepSync
	stepPlace
	stepSyncDir
	numPublishSteps
)

// errChanged: the file is not the one that the change was computed from.
var errChanged = errors.New("the file changed")

// publication puts bytes in the place of a file at once: into a temporary file beside
// it, made durable, then under the file's name. Until the last step a crash leaves
// the old file and perhaps a temporary file, which the next write of it removes.
type publication struct {
	d     *Docs
	dir   *os.File
	name  string
	cur   current
	bytes []byte

	temp     *os.File
	tempName string
	warnings []string
}

// tempCount makes the temporary names of this process different.
var tempCount atomic.Uint64

func nameHash(name string) uint64 { return xxhash.Sum64String(name) }

func (p *publication) run() (warnings []string, err error) {
	p.sweep()
	if err := p.stage(); err != nil {
		if p.temp != nil {
			unix.Unlinkat(int(p.dir.Fd()), p.tempName, 0)
			p.temp.Close()
		}
		return nil, err
	}
	defer p.temp.Close()
	if err := p.place(); err != nil {
		unix.Unlinkat(int(p.dir.Fd()), p.tempName, 0)
		return nil, err
	}
	if err := p.syncDir(); err != nil {
		p.warnings = append(p.warnings, fmt.Sprintf("the file is in place, but its directory could not be made durable (%v)", err))
	}
	return p.warnings, nil
}

// stage writes the temporary file and makes it durable.
func (p *publication) stage() error {
	if err := p.create(); err != nil {
		return fmt.Errorf("make a temporary file beside it: %w", err)
	}
	if err := p.d.at(stepWrite); err != nil {
		p.temp.Write(p.bytes[:len(p.bytes)/2]) // a disk that fills up took a part
		return err
	}
	if _, err := p.temp.Write(p.bytes); err != nil {
		return err
	}
	if err := p.d.at(stepAttributes); err != nil {
		return err
	}
	if p.cur.exists {
		lost, err := keepAttributes(p.cur.file, p.temp, p.cur.st)
		if err != nil {
			return err
		}
		p.warnings = append(p.warnings, lost...)
	}
	if err := p.d.at(stepSync); err != nil {
		return err
	}
	return p.temp.Sync()
}

// create makes and locks the temporary file. Its mode is narrow while it holds the
// content of a file whose mode may be; a new file gets what the umask leaves of 0644.
func (p *publication) create() error {
	if err := p.d.at(stepCreate); err != nil {
		return err
	}
	mode := uint32(0o644)
	if p.cur.exists {
		mode = 0o600
	}
	p.tempName = doc.TempName(nameHash(p.name), os.Getpid(), tempCount.Add(1))
	fd, err := unix.Openat(int(p.dir.Fd()), p.tempName, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, mode)
	if err != nil {
		return err
	}
	p.temp = os.NewFile(uintptr(fd), p.tempName)
	unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) // without lock support the directory's lock is all there is
	return nil
}

// place gives the temporary file the target's name. Over a file it is a rename, when
// the file is still the one that was read; a new file is linked, which fails on a
// name that meanwhile exists.
func (p *publication) place() error {
	if err := p.d.at(stepPlace); err != nil {
		return err
	}
	dir := int(p.dir.Fd())
	if !p.cur.exists {
		return p.placeNew(dir)
	}
	st, err := statAt(dir, p.name)
	if err != nil || identity(st) != identity(p.cur.st) {
		return errChanged
	}
	return unix.Renameat(dir, p.tempName, dir, p.name)
}

func (p *publication) placeNew(dir int) error {
	err := unix.Linkat(dir, p.tempName, dir, p.name, 0)
	switch {
	case err == nil:
		if err := unix.Unlinkat(dir, p.tempName, 0); err != nil {
			p.warnings = append(p.warnings, fmt.Sprintf("its temporary file %s could not be removed (%v)", p.tempName, err))
		}
		return nil
	case !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.ENOTSUP) && !errors.Is(err, unix.ENOSYS):
		return err
	}
	if _, err := statAt(dir, p.name); err == nil { // a file system without hard links
		return unix.EEXIST
	}
	return unix.Renameat(dir, p.tempName, dir, p.name)
}

func (p *publication) syncDir() error {
	if err := p.d.at(stepSyncDir); err != nil {
		return err
	}
	return p.dir.Sync()
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
