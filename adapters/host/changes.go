package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"tenet/adapters/approvals"
	"tenet/adapters/cli"
	"tenet/adapters/docs"
	"tenet/adapters/session"
	"tenet/adapters/store"
	"tenet/core/doc"
	"tenet/core/event"
	"tenet/core/undo"
)

// FileChange is what the session made of one file.
type FileChange struct {
	// Path is from the workspace where it lies in it; Was is the path that it had before the
	// session moved it, empty otherwise.
	Path, Was string
	// Kind is created, changed, deleted or moved.
	Kind string
	// Added and Removed count lines, of all its changes that are not taken back.
	Added, Removed int
	// Diff is the unified diff of the last change, bounded.
	Diff string
	// Changes counts the changes that undo can take back, one after the other.
	Changes int
	// Stands is false when something else changed the file since: undo would refuse.
	Stands bool
	// Undone is true when an undo is the last that happened to it: redo takes that back.
	Undone bool
}

// changes are the session's changes of files, as its log tells them.
type changes struct {
	mu sync.Mutex
	// all are the records, without the bytes that they keep; history is the same for core.
	all     []event.Change
	history undo.History
	// read is the last record of the log that was looked at.
	read uint64
	// sums are the files that were looked at.
	sums map[string]looked
}

// looked is what stood in a file when it was last looked at.
type looked struct {
	size, mtime, ctime int64
	ino                uint64
	mark               undo.Mark
}

// catchUp reads the records that came since. The lock is held.
func (c *changes) catchUp(log string, last uint64) error {
	pages := store.NewPages(log)
	for c.read < last {
		recs, err := pages.Read(c.read+1, last, usual.pageRecords, usual.pageBytes)
		if err != nil {
			return err
		}
		for _, r := range recs {
			if r.Kind == event.Changed {
				b, err := event.Decode(r)
				if err != nil {
					return err
				}
				c.add(r.Seq, b.(event.Change))
			}
			c.read = r.Seq
		}
	}
	return nil
}

func (c *changes) add(seq uint64, b event.Change) {
	one := undo.Change{Seq: seq, Undoes: b.Undoes}
	for i, s := range b.Sides {
		one.Sides = append(one.Sides, undo.Side{Path: s.Path, Before: undo.Mark(s.Before.Sum), After: undo.Mark(s.After.Sum)})
		b.Sides[i].Before.Bytes = nil // the log has them
	}
	c.all, c.history = append(c.all, b), append(c.history, one)
}

// mark is what stands at a path now; a file that did not change since it was looked at is
// not read again. The lock is held.
func (c *changes) mark(path string) undo.Mark {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return undo.None
	}
	l := looked{size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), ino: st.Ino}
	if before, ok := c.sums[path]; ok && before.size == l.size && before.mtime == l.mtime && before.ctime == l.ctime && before.ino == l.ino {
		return before.mark
	}
	s, err := docs.SumOf(path)
	if err != nil {
		return undo.None
	}
	if l.mark = undo.Mark(s); c.sums == nil {
		c.sums = map[string]looked{}
	}
	c.sums[path] = l
	return l.mark
}

// with gives the changes up to now to one caller at a time.
func (h *Host) with(do func(*changes) error) error {
	h.journal.mu.Lock()
	last := h.journal.last
	h.journal.mu.Unlock()
	h.changes.mu.Lock()
	defer h.changes.mu.Unlock()
	if err := h.changes.catchUp(h.held.Log.Path(), last); err != nil {
		return err
	}
	return do(&h.changes)
}

// Changes are the files that the session changed and that are not as they were before it, in
// the order of their last changes.
func (h *Host) Changes() []FileChange {
	var out []FileChange
	_ = h.with(func(c *changes) error { // a log that cannot be read says so elsewhere
		stands, seen := c.history.Stands(), map[string]bool{}
		for i := len(c.history) - 1; i >= 0; i-- {
			path := target(c.history[i])
			if seen[path] {
				continue
			}
			seen[path] = true
			if f, ok := h.fileChange(c, stands, path); ok {
				out = append(out, f)
			}
		}
		return nil
	})
	slices.Reverse(out)
	return out
}

// target is the path that a change is listed under: where the file is after it, or was.
func target(c undo.Change) string {
	for _, s := range c.Sides {
		if s.After != undo.None {
			return s.Path
		}
	}
	return c.Sides[0].Path
}

// fileChange sums up the changes of a path that stand; ok is false when none does.
func (h *Host) fileChange(c *changes, stands []bool, path string) (f FileChange, ok bool) {
	f.Path = h.rel(path)
	_, f.Undone = c.history.Undone(path)
	for i, one := range c.history {
		if one.Undoes != 0 || !stands[i] || !slices.ContainsFunc(one.Sides, func(s undo.Side) bool { return s.Path == path }) {
			continue
		}
		f.Changes++
		f.Added, f.Removed, f.Diff = f.Added+c.all[i].Added, f.Removed+c.all[i].Removed, c.all[i].Diff
		f.Kind, f.Was = kindOf(one), ""
		if f.Kind == "moved" {
			f.Was = h.rel(one.Sides[0].Path)
		}
		r, _ := c.history.May(one, c.mark)
		f.Stands = r == undo.Allowed
	}
	return f, f.Changes > 0 || f.Undone
}

func kindOf(c undo.Change) string {
	s := c.Sides[0]
	switch {
	case len(c.Sides) > 1:
		return "moved"
	case s.Before == undo.None:
		return "created"
	case s.After == undo.None:
		return "deleted"
	}
	return "changed"
}

// rel is a path as people read it: from the workspace where it lies in it.
func (h *Host) rel(path string) string {
	if rest, ok := strings.CutPrefix(path, h.held.Workspace+"/"); ok {
		return rest
	}
	return path
}

// real is the path that a person names.
func (h *Host) real(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.held.Workspace, path)
	}
	dir, name := filepath.Split(filepath.Clean(path))
	if r, err := filepath.EvalSymlinks(dir); err == nil {
		dir = r
	}
	return filepath.Join(dir, name)
}

// Diff is what the session made of a file as a whole: from what stood there before its first
// change that stands to what stands there now, bounded as on a card. Empty when that is the
// same.
func (h *Host) Diff(path string) (string, error) {
	real, first := h.real(path), event.Content{}
	err := h.with(func(c *changes) error {
		stands := c.history.Stands()
		for i, one := range c.history {
			if one.Undoes == 0 && stands[i] && target(one) == real {
				full, err := h.changeAt(one.Seq)
				if err == nil {
					first = before(full)
				}
				return err
			}
		}
		return fmt.Errorf("%s: %w", path, ErrNoChange)
	})
	if err != nil {
		return "", err
	}
	var old []byte
	if first.There() {
		if old, err = docs.Kept(h.kept(first), first); err != nil {
			return "", err
		}
	}
	now, err := os.ReadFile(real)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return doc.Removal(h.rel(real), old), nil
	case err != nil:
		return "", err
	}
	return doc.Diff(h.rel(real), first.There(), old, now), nil
}

// kept is the folder of what a change replaced: the session's own, or that of the session
// which it was forked from.
func (h *Host) kept(c event.Content) string {
	own := cli.OutputDir(h.held.Home, h.held.ID)
	from := h.State().Forked
	if c.File == "" || from == nil {
		return own
	}
	if _, err := os.Stat(filepath.Join(own, filepath.Base(c.File))); err == nil {
		return own
	}
	return cli.OutputDir(h.held.Home, from.From)
}

// before is what a change replaced; a change replaces one file at most.
func before(c event.Change) event.Content {
	for _, s := range c.Sides {
		if s.Before.There() {
			return s.Before
		}
	}
	return event.Content{}
}

// changeAt is the record of a change, with all that it keeps.
func (h *Host) changeAt(seq uint64) (event.Change, error) {
	recs, err := store.NewPages(h.held.Log.Path()).Read(seq, seq, 1, 1)
	if err != nil {
		return event.Change{}, err
	}
	b, err := event.Decode(recs[0])
	if err != nil {
		return event.Change{}, err
	}
	c, ok := b.(event.Change)
	if !ok {
		return event.Change{}, fmt.Errorf("record %d is no change of a file", seq)
	}
	return c, nil
}

// Done is what an undo did.
type Done struct {
	// Path is the file, Text a sentence of what became of it.
	Path, Text string
	// Diff is the change that the undo made.
	Diff string
}

// ErrNoChange is why there is nothing to take back.
var ErrNoChange = errors.New("this session has made no change of it that stands, so there is nothing to take back")

// Undo takes back the session's last change of a path that stands, as the person's own act:
// through the gate, into the log, and told to the model. It is refused when the file is not
// what the session left: nobody's work is lost. What it replaces is kept as well, and Redo
// puts that back. The error is ErrNoChange, session.ErrBusy, or says what differs.
func (h *Host) Undo(path string) (Done, error) {
	return h.takeBack("undo", path, func(b undo.History, real string) (undo.Change, bool) { return b.Last(real) })
}

// Redo takes the last undo of a path back.
func (h *Host) Redo(path string) (Done, error) {
	return h.takeBack("redo", path, func(b undo.History, real string) (undo.Change, bool) { return b.Undone(real) })
}

func (h *Host) takeBack(verb, path string, which func(undo.History, string) (undo.Change, bool)) (Done, error) {
	real, of := h.real(path), event.Change{}
	var seq uint64
	err := h.with(func(c *changes) error {
		one, ok := which(c.history, real)
		if !ok {
			return fmt.Errorf("%s: %w", path, ErrNoChange)
		}
		switch r, at := c.history.May(one, c.mark); r {
		case undo.Later:
			return fmt.Errorf("%s was not put back: this session changed %s later; take that back first", path, h.rel(at))
		case undo.Differs:
			return &docs.UndoError{Path: h.rel(at), What: "something else changed it since this session did, or removed it"}
		case undo.Allowed:
		}
		var err error
		seq = one.Seq
		of, err = h.changeAt(seq)
		return err
	})
	if err != nil {
		return Done{}, err
	}
	args, err := json.Marshal(map[string]string{"path": h.rel(real)})
	if err != nil {
		return Done{}, err
	}
	done := Done{Path: h.rel(real)}
	var refused error
	err = h.own(verb, string(args), func(ctx context.Context, g *approvals.Gate) (session.Output, error) {
		g.Tool = "write" // it is judged as the write that it is
		done.Text, done.Diff, refused = h.held.Docs.Undo(ctx, cli.Witness{Gate: g}, of, seq, h.kept(before(of)))
		return session.Output{Text: done.Text}, refused
	})
	return done, errors.Join(err, refused)
}
