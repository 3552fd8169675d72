package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tenet/core/event"
)

// Repairs are what was cut off a log when it was opened, and where the bytes are.
type Repairs []event.Repair

// String says it in one sentence for each, empty without one.
func (r Repairs) String() string {
	var b strings.Builder
	for _, x := range r {
		fmt.Fprintf(&b, "%d bytes at the end of the log were no sound record (as a rule an unfinished commit) and were cut off; they are kept in %s.\n", x.LostBytes, x.Kept)
	}
	return b.String()
}

// mend cuts off a torn tail. It returns every cut that the log does not tell of
// yet, also one whose record a crash prevented: the bytes get their final name
// before the log is cut, so a cut that happened always left a file to find.
func (o Options) mend(path string, file File, e end, told map[string]bool) (Repairs, error) {
	if e.tail == event.Broken {
		return nil, e.broken()
	}
	untold, last, err := o.kept(path, told)
	if err != nil || e.tail == event.Whole {
		return untold, err
	}
	if !slices.ContainsFunc(untold, func(r event.Repair) bool { return o.same(path, file, e, r) }) {
		r, err := o.keep(path, file, e, last+1)
		if err != nil {
			return nil, fmt.Errorf("keep the %d bytes of its torn end: %w", e.behind(), err)
		}
		untold = append(untold, r)
	}
	if err := errors.Join(file.Truncate(e.good), file.Sync()); err != nil {
		return nil, fmt.Errorf("cut its torn end: %w", err)
	}
	return untold, nil
}

// kept finds the kept tails of a log: those that the log does not tell of, and the
// highest number. Half-made ones are removed: their bytes are still in the log.
func (o Options) kept(path string, told map[string]bool) (untold Repairs, last int, err error) {
	dir, prefix := filepath.Dir(path), filepath.Base(path)+torn
	entries, err := o.fs().List(dir)
	if err != nil {
		return nil, 0, err
	}
	for _, f := range entries {
		number, ours := strings.CutPrefix(f.Name, prefix)
		if ours && strings.HasSuffix(number, unfinished) {
			err = errors.Join(err, o.fs().Remove(filepath.Join(dir, f.Name)))
			continue
		}
		n, bad := strconv.Atoi(number)
		if !ours || bad != nil {
			continue
		}
		last = max(last, n)
		if !told[f.Name] {
			untold = append(untold, event.Repair{LostBytes: f.Size, Kept: f.Name})
		}
	}
	return untold, last, err
}

const (
	torn       = ".torn-"
	unfinished = ".tmp"
)

// same reports whether a kept tail is the one that is still in the log: a crash
// came between keeping it and cutting it.
func (o Options) same(path string, file File, e end, r event.Repair) bool {
	if r.LostBytes != e.behind() {
		return false
	}
	f, err := o.fs().View(filepath.Join(filepath.Dir(path), r.Kept))
	if err != nil {
		return false
	}
	defer f.Close()
	kept, err1 := io.ReadAll(io.NewSectionReader(f, 0, r.LostBytes))
	tail, err2 := io.ReadAll(io.NewSectionReader(file, e.good, e.behind()))
	return err1 == nil && err2 == nil && bytes.Equal(kept, tail)
}

// keep copies the tail into a file of its own, whole and durable under its final
// name before the log loses it.
func (o Options) keep(path string, file File, e end, n int) (event.Repair, error) {
	name := path + torn + strconv.Itoa(n)
	f, err := o.fs().Create(name + unfinished)
	if err != nil {
		return event.Repair{}, err
	}
	_, err = io.Copy(onlyWriter{f}, io.NewSectionReader(file, e.good, e.behind()))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return event.Repair{}, err
	}
	if err := o.fs().Rename(name+unfinished, name); err != nil {
		return event.Repair{}, err
	}
	return event.Repair{LostBytes: e.behind(), Kept: filepath.Base(name)}, o.fs().SyncDir(filepath.Dir(name))
}

// onlyWriter hides the other methods of a file from io.Copy, so that every byte
// goes through Write.
type onlyWriter struct{ io.Writer }

// commitRepairs writes the repaired records, in one commit.
func (l *Log) commitRepairs(rs Repairs) ([]event.Record, error) {
	var bodies []event.Body
	for _, r := range rs {
		bodies = append(bodies, r)
	}
	return l.Commit(bodies...)
}
