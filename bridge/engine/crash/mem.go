package crash

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"syscall"
)

// ErrCrash is returned by every call from the crash on: to the program under test
// the world has ended, and nothing it does afterwards has an effect.
var ErrCrash = errors.New("the machine has crashed")

// Choose makes the choices that a crash leaves open: a number from 0 to n-1.
// engine.Source has it.
type Choose interface{ Pick(n int, what string) int }

// Mem is an FS in memory that keeps what is visible and what is certainly on disk
// apart. Use NewMem. It is safe for goroutines; whether an enumeration is exact is
// then up to their order.
type Mem struct {
	// CrashAt is the number of the call in flight when the machine stops; that call
	// happens in no, half or full measure, as Fate says. 0 is never. Only calls that
	// change something are numbered, from 1.
	CrashAt int
	// FailAt is the number of a call that fails with ENOSPC, half done if it is a
	// write; the calls after it work. A sync that fails has dropped what it was to
	// make durable, as kernels do: the bytes stay visible and a later sync does not
	// bring them to the disk. 0 is none.
	FailAt int
	// Fate chooses what became of the call in flight; without it, nothing of it.
	Fate Choose

	mu        sync.Mutex
	calls     int
	dir, disk map[string]*inode
	pending   []dirChange // changes of names since SyncDir
}

// NewMem is an empty directory.
func NewMem() *Mem { return &Mem{dir: map[string]*inode{}, disk: map[string]*inode{}} }

// Calls is how many calls that change something were made.
func (m *Mem) Calls() int { m.mu.Lock(); defer m.mu.Unlock(); return m.calls }

type inode struct {
	data    []byte   // what a reader sees
	disk    []byte   // what is certainly on disk
	pending []change // changes of the content since Sync
}

// change writes bytes at an offset, or cuts the content there when bytes is nil.
type change struct {
	at    int
	bytes []byte
}

func (c change) apply(data []byte) []byte {
	if c.bytes == nil {
		return slices.Clone(data[:min(c.at, len(data))])
	}
	out := make([]byte, max(len(data), c.at+len(c.bytes)))
	copy(out, data)
	copy(out[c.at:], c.bytes)
	return out
}

// dirChange links an inode at a name, unlinks a name, or does both at once.
type dirChange struct {
	from, to string // empty: nothing is unlinked, nothing is linked
	ino      *inode
}

func (c dirChange) apply(d map[string]*inode) {
	if c.from != "" {
		delete(d, c.from)
	}
	if c.to != "" {
		d[c.to] = c.ino
	}
}

// begin numbers a call that changes something. part is how much of it happens, in
// halves: 2 is all.
func (m *Mem) begin(what string, halves int) (part int, err error) {
	if m.crashed() {
		return 0, ErrCrash
	}
	m.calls++
	switch m.calls {
	case m.CrashAt:
		return m.fate(what, halves), ErrCrash
	case m.FailAt:
		return halves - 1, fmt.Errorf("%s: %w", what, syscall.ENOSPC)
	default:
		return 2, nil
	}
}

func (m *Mem) crashed() bool { return m.CrashAt > 0 && m.calls >= m.CrashAt }

// fate says how much of the call in flight happened: a write may be there in half.
func (m *Mem) fate(what string, halves int) int {
	if m.Fate == nil {
		return 0
	}
	return m.Fate.Pick(halves+1, "fate of "+what) * 2 / halves
}

func (m *Mem) link(c dirChange) {
	c.apply(m.dir)
	m.pending = append(m.pending, c)
}

// Create makes a new empty file.
func (m *Mem) Create(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dir[name] != nil && !m.crashed() {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	part, err := m.begin("create "+name, 1)
	i := &inode{}
	if part == 2 {
		m.link(dirChange{to: name, ino: i})
	}
	if err != nil {
		return nil, err
	}
	return &memFile{m: m, i: i, name: name}, nil
}

// OpenAppend opens a file at its end and makes it when it is absent.
func (m *Mem) OpenAppend(name string) (File, error) {
	m.mu.Lock()
	i, crashed := m.dir[name], m.crashed()
	m.mu.Unlock()
	switch {
	case crashed:
		return nil, ErrCrash
	case i == nil:
		return m.Create(name)
	default:
		return &memFile{m: m, i: i, name: name}, nil
	}
}

// OpenRead opens a file for reading.
func (m *Mem) OpenRead(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, err := m.find(name)
	if err != nil {
		return nil, err
	}
	return &memFile{m: m, i: i, name: name, readOnly: true}, nil
}

// ReadFile is the visible content.
func (m *Mem) ReadFile(name string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, err := m.find(name)
	if err != nil {
		return nil, err
	}
	return slices.Clone(i.data), nil
}

func (m *Mem) find(name string) (*inode, error) {
	switch i := m.dir[name]; {
	case m.crashed():
		return nil, ErrCrash
	case i == nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	default:
		return i, nil
	}
}

// Rename moves a file over another.
func (m *Mem) Rename(from, to string) error { return m.unlink("rename", from, to) }

// Remove takes a name away.
func (m *Mem) Remove(name string) error { return m.unlink("remove", name, "") }

func (m *Mem) unlink(what, from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.dir[from]
	if i == nil && !m.crashed() {
		return &fs.PathError{Op: what, Path: from, Err: fs.ErrNotExist}
	}
	part, err := m.begin(what+" "+from, 1)
	if part == 2 {
		m.link(dirChange{from: from, to: to, ino: i})
	}
	return err
}

// SyncDir makes the names durable.
func (m *Mem) SyncDir() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	part, err := m.begin("sync of the directory", 1)
	if part == 2 {
		for _, c := range m.pending {
			c.apply(m.disk)
		}
		m.pending = nil
	} else if !errors.Is(err, ErrCrash) {
		m.pending = nil // dropped: visible, and never durable by a later sync
	}
	return err
}

// List is the visible names, sorted.
func (m *Mem) List() ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.crashed() {
		return nil, ErrCrash
	}
	return slices.Sorted(maps.Keys(m.dir)), nil
}

// Link gives a file a second name; fs.ErrExist when that is taken.
func (m *Mem) Link(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.dir[from]
	switch {
	case m.crashed():
	case i == nil:
		return &fs.PathError{Op: "link", Path: from, Err: fs.ErrNotExist}
	case m.dir[to] != nil:
		return &fs.PathError{Op: "link", Path: to, Err: fs.ErrExist}
	}
	part, err := m.begin("link "+to, 1)
	if part == 2 {
		m.link(dirChange{to: to, ino: i})
	}
	return err
}
