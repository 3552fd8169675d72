// Package store keeps session logs on a disk: it appends commits that survive a
// crash, opens a log that a crash left torn, and reads and verifies any log. What a
// sound line is and what a bad end means is decided by core/event.
//
// The promise: when Commit returns, the records are on the disk; whatever
// is read back later is a prefix of what was appended, in order, with nothing
// altered (laws log_acked_survives and log_prefix).
package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"tenet/core/event"
)

// Extension is how the file of a session log ends.
const Extension = ".jsonl"

// Options is what a store stands on. The zero value is the real disk and the real
// clock.
type Options struct {
	// FS is the file system; nil is the real one.
	FS FS
	// Now gives the time that records carry; nil is time.Now.
	Now func() time.Time
}

func (o Options) fs() FS {
	if o.FS == nil {
		return Disk{}
	}
	return o.FS
}

func (o Options) now() func() time.Time {
	if o.Now == nil {
		return time.Now
	}
	return o.Now
}

// ErrExists is returned when a session is created under an id that is taken.
var ErrExists = errors.New("a session of this id exists already; open it, or choose another id")

// Create makes the empty log of a new session, dir/id.jsonl, and holds it open. The
// directory is made when it is missing (0700), the file is for its owner only
// (0600), and the file's name is durable before Create returns: a record in a file
// that the directory lost would be acknowledged and gone.
func Create(dir, id string, o Options) (*Log, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, id+Extension)
	l, err := create(dir, path, o)
	if err != nil {
		return nil, fmt.Errorf("create session log %s: %w", path, err)
	}
	return l, nil
}

func create(dir, path string, o Options) (*Log, error) {
	fs := o.fs()
	if err := fs.MakeDir(dir); err != nil {
		return nil, err
	}
	lock, err := fs.Lock(path)
	if err != nil {
		return nil, err
	}
	file, err := fs.Create(path)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	if err := fs.SyncDir(dir); err != nil {
		return nil, errors.Join(err, file.Close(), lock.Close())
	}
	return newLog(path, file, lock, o, end{chain: event.Begin()}), nil
}

// checkID keeps a session's id from naming a file elsewhere or one of the files
// that stand beside a log.
func checkID(id string) error {
	if len(id) == 0 || len(id) > 100 || strings.ContainsFunc(id, notInID) || id[0] == '.' || id[0] == '-' || strings.Contains(id, Extension) {
		return fmt.Errorf("session id %q is not usable: use 1 to 100 letters, digits, dots, dashes and underscores, not a dot or a dash first", id)
	}
	return nil
}

func notInID(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '.', r == '_', r == '-':
		return false
	}
	return true
}

// Open takes up the log of a session for append. It cuts off and keeps what a crash
// left of a commit that nobody was told of, and says so in the log itself; it
// refuses a log whose chain is broken, and one that another process holds.
func Open(path string) (*Log, Repairs, error) { return Options{}.Open(path) }

// Open is the package's Open on these options.
func (o Options) Open(path string) (*Log, Repairs, error) {
	l, repairs, err := o.open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("open session log %s: %w", path, err)
	}
	return l, repairs, nil
}

func (o Options) open(path string) (*Log, Repairs, error) {
	return o.held(path, func(file File, lock lockCloser) (*Log, Repairs, error) { return o.takeUp(path, file, lock) })
}

// held takes the lock of a log that is there, opens it, and gives both back unless
// takeUp succeeds.
func (o Options) held(path string, takeUp func(File, lockCloser) (*Log, Repairs, error)) (*Log, Repairs, error) {
	if err := o.there(path); err != nil { // or a lock would be made for no log
		return nil, nil, err
	}
	lock, err := o.fs().Lock(path)
	if err != nil {
		return nil, nil, err
	}
	file, err := o.fs().Open(path)
	if err != nil {
		return nil, nil, errors.Join(err, lock.Close())
	}
	l, repairs, err := takeUp(file, lock)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close(), lock.Close())
	}
	return l, repairs, nil
}

func (o Options) there(path string) error {
	file, err := o.fs().View(path)
	if err != nil {
		return err
	}
	return file.Close()
}

// takeUp follows the chain, repairs the end, and reports every repair that the log
// does not tell of yet.
func (o Options) takeUp(path string, file File, lock lockCloser) (*Log, Repairs, error) {
	size, err := file.Size()
	if err != nil {
		return nil, nil, err
	}
	told := map[string]bool{}
	end, err := follow(file, beginning(), size, Window, func(h event.Head) error { return tell(told, h) })
	if err != nil {
		return nil, nil, err
	}
	l, untold, _, err := o.repaired(path, file, lock, end, told)
	return l, untold, err
}

// repaired opens a log that ends at e: it cuts off a torn end, and writes a record of
// every repair that was not told of yet.
func (o Options) repaired(path string, file File, lock lockCloser, e end, told map[string]bool) (*Log, Repairs, []event.Record, error) {
	untold, err := o.mend(path, file, e, told)
	if err != nil {
		return nil, nil, nil, err
	}
	l := newLog(path, file, lock, o, e)
	recs, err := l.commitRepairs(untold)
	return l, untold, recs, err
}

// tell notes the names of the kept bytes that the log itself tells of.
func tell(told map[string]bool, h event.Head) error {
	if string(h.Kind) != string(event.Repaired) {
		return nil
	}
	b, err := event.Decode(h.Record())
	if err != nil {
		return err
	}
	told[b.(event.Repair).Kept] = true
	return nil
}

// lockCloser gives a lock back.
type lockCloser = interface{ Close() error }
