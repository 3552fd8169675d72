package bridge

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"tenet/bridge/engine/crash"
	"tenet/core/doc"
)

// crashDisk is the disk of the crash engine with hard links.
type crashDisk interface {
	crash.FS
	Link(from, to string) error
}

// crashPart is what a crashed commit was to do to one file: "old NAME" becomes
// "new NAME", at to when the file moves.
type crashPart struct {
	name   string
	change doc.Change
	to     string
}

func (p crashPart) target() string {
	if p.change == doc.Moves {
		return p.to
	}
	return p.name
}

func (p crashPart) old() string { return "old " + p.name }

func (p crashPart) fresh() string { return "new " + p.name }

// crashPlans are the commits that are stopped at every call.
var crashPlans = [][]crashPart{
	{{"a", doc.Overwrites, ""}, {"b", doc.Overwrites, ""}, {"c", doc.Overwrites, ""}},
	{{"a", doc.Moves, "m"}, {"b", doc.Overwrites, ""}},
	{{"a", doc.Overwrites, ""}, {"b", doc.Moves, "m"}},
	{{"a", doc.Removes, ""}, {"b", doc.Moves, "m"}},
	{{"n", doc.Creates, ""}},
}

// intrusion is another program that writes one file just before one action of a commit.
type intrusion struct {
	at   int // the action's number, from 1; 0 for none
	name string
}

const theirs = "theirs, and longer"

// crashWork is a commit on a disk that may stop: core says what to do, and this does it.
type crashWork struct {
	disk  crashDisk
	parts []crashPart
	other intrusion
	// wrote is true once the other program wrote its file, and kept it.
	wrote   bool
	touched map[string]bool
}

// run is the commit; told is what its reply would be, nothing when it was stopped.
func (w *crashWork) run() (told []doc.Fate) {
	var kinds []doc.Change
	for _, p := range w.parts {
		kinds = append(kinds, p.change)
	}
	c := doc.NewCommit(kinds...)
	for n := 1; ; n++ {
		i, a, more := c.Next()
		if !more {
			break
		}
		if n == w.other.at && w.intrude() != nil {
			return nil
		}
		if a == doc.CheckFiles {
			c = c.Check(w.standings())
			continue
		}
		err := w.do(w.parts[i], a)
		if errors.Is(err, crash.ErrCrash) {
			return nil
		}
		c = c.Did(err == nil)
	}
	for i := range w.parts {
		told = append(told, c.Fate(i))
	}
	return told
}

// intrude is the other program, which makes what it writes durable at once.
func (w *crashWork) intrude() error {
	f, err := w.disk.Create("theirs")
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(theirs))
	err = errors.Join(err, f.Sync(), w.disk.Rename("theirs", w.other.name), w.disk.SyncDir())
	w.touched[w.other.name] = true
	w.wrote = err == nil
	return err
}

func (w *crashWork) standings() (out []doc.Standing) {
	for _, p := range w.parts {
		b, err := w.disk.ReadFile(p.name)
		s := doc.Standing{Same: string(b) == p.old(), Free: true}
		if p.change == doc.Creates {
			s.Same = err != nil
		}
		if p.change == doc.Moves {
			_, err := w.disk.ReadFile(p.to)
			s.Free = err != nil
		}
		out = append(out, s)
	}
	return out
}

func crashTemp(p crashPart) string { return doc.TempName(uint64(p.target()[0]), 1, 1) }

// do is one action on the disk.
func (w *crashWork) do(p crashPart, a doc.Action) error {
	temp := crashTemp(p)
	switch a {
	case doc.SweepTemps:
		if _, err := w.disk.ReadFile(temp); err == nil {
			return w.disk.Remove(temp)
		}
	case doc.CreateTemp:
		_, err := w.disk.Create(temp)
		return err
	case doc.FillTemp, doc.SyncTemp:
		f, err := w.disk.OpenAppend(temp)
		if err != nil || a == doc.SyncTemp {
			return errors.Join(err, f.Sync())
		}
		_, err = f.Write([]byte(p.fresh()))
		return err
	case doc.SwapIn:
		if w.touched[p.name] {
			return errors.New("changed")
		}
		return w.disk.Rename(temp, p.name)
	case doc.LinkNew:
		return w.disk.Link(temp, p.target())
	case doc.DropTemp:
		return w.disk.Remove(temp)
	case doc.DropOld:
		if w.touched[p.name] {
			return errors.New("changed")
		}
		return w.disk.Remove(p.name)
	case doc.SyncDir, doc.SyncOldDir:
		return w.disk.SyncDir()
	case doc.KeepAttributes, doc.CheckFiles, doc.NumActions:
	}
	return nil
}

// crashStart is the disk before the commit: every file of it, durable, and what a crash
// of an earlier one left.
func crashStart(parts []crashPart) (*crash.Mem, error) {
	m := crash.NewMem()
	files := map[string]string{doc.TempName(uint64(parts[0].target()[0]), 1, 1): "left"}
	for _, p := range parts {
		if p.change != doc.Creates {
			files[p.name] = p.old()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := m.Create(name)
		if err != nil {
			return nil, err
		}
		_, err = f.Write([]byte(files[name]))
		if err := errors.Join(err, f.Sync(), m.SyncDir()); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// crashedCommit is what a stopped commit leaves beside the disk: what it told, and whether the
// other program's text was on the disk by then.
type crashedCommit struct {
	told  []doc.Fate
	wrote bool
}

// docCrashes stops a commit at every call, with another program at one point of it, and
// judges every disk that may survive.
func docCrashes(parts []crashPart, other intrusion, loss crash.Loss) (crash.Seen, error) {
	start, err := crashStart(parts)
	if err != nil {
		return crash.Seen{}, err
	}
	return crash.Exploration[crashedCommit]{
		Start: start, Loss: loss,
		Work: func(disk crash.FS) crashedCommit {
			w := &crashWork{disk: disk.(crashDisk), parts: parts, other: other, touched: map[string]bool{}}
			told := w.run()
			return crashedCommit{told, w.wrote}
		},
		Law: func(after *crash.Mem, w crashedCommit) error { return docSurvives(after, parts, other, w) },
	}.Run()
}

// docSurvives judges a disk: every file is the old one or the new one, whole; none is
// lost; what the reply called landed is there; and the other program's text is kept.
func docSurvives(disk *crash.Mem, parts []crashPart, other intrusion, w crashedCommit) error {
	for i, p := range parts {
		at, err := contents(disk, p)
		if err != nil {
			return err
		}
		took := other.at > 0 && (other.name == p.name || other.name == p.target())
		fate := doc.Untried
		if w.told != nil {
			fate = w.told[i]
		}
		switch {
		case took: // judged below
		case fate == doc.Landed && !p.landed(at):
			return fmt.Errorf("the reply says that %s landed, and there is %v", p.name, at)
		case !fate.Landed() && w.told != nil && p.landed(at):
			return fmt.Errorf("the reply says that %s did not land, and there is %v", p.name, at)
		case p.change != doc.Removes && p.change != doc.Creates && at[p.name] == "" && at[p.target()] == "":
			return fmt.Errorf("%s is lost", p.name)
		}
	}
	if b, err := disk.ReadFile(other.name); w.wrote && (err != nil || string(b) != theirs) {
		return fmt.Errorf("the other program's %s is %q now (%w)", other.name, b, err)
	}
	return nil
}

func (p crashPart) landed(at map[string]string) bool {
	switch p.change {
	case doc.Removes:
		return at[p.name] == ""
	case doc.Moves:
		return at[p.to] == p.fresh() && at[p.name] == ""
	case doc.Creates, doc.Overwrites:
	}
	return at[p.name] == p.fresh()
}

// contents is what stands under the names of a part. A text that nobody wrote whole is an
// error: a file is never half written.
func contents(disk *crash.Mem, p crashPart) (map[string]string, error) {
	at := map[string]string{}
	for _, name := range []string{p.name, p.target()} {
		b, err := disk.ReadFile(name)
		if err != nil {
			continue
		}
		if s := string(b); s != p.old() && s != p.fresh() && s != theirs {
			return nil, fmt.Errorf("%s is %q: nobody wrote that", name, s)
		}
		at[name] = string(b)
	}
	return at, nil
}
