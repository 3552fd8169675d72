package store

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tenet/core/event"
)

// Fork makes a new session, dir/id.jsonl, that begins with the records of another up to
// a record after which nothing was under way (event.State.Still): the last such one at
// or before record at, or of all with at 0. They are the same bytes, so the chain of
// the new log vouches for them as the other's does; then comes what event.State.Fork
// says, and the bodies of more. The other session is only read, and may be in use. It
// returns the new log's path and the number of the last common record.
//
// The new log appears whole or not at all.
func Fork(origin, dir, id string, at uint64, more ...event.Body) (string, uint64, error) {
	return Options{}.Fork(origin, dir, id, at, more...)
}

// Fork is the package's Fork on these options.
func (o Options) Fork(origin, dir, id string, at uint64, more ...event.Body) (string, uint64, error) {
	path := filepath.Join(dir, id+Extension)
	if err := checkID(id); err != nil {
		return "", 0, err
	}
	n, err := o.fork(origin, path, at, more)
	if err != nil {
		return "", 0, fmt.Errorf("fork session %s: %w", nameOf(origin), err)
	}
	return path, n, nil
}

// nameOf is the id of the session whose log is at a path.
func nameOf(path string) string {
	return strings.TrimSuffix(filepath.Base(path), Extension)
}

func (o Options) fork(origin, path string, at uint64, more []event.Body) (uint64, error) {
	from, err := o.fs().View(origin)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	still, err := lastStill(from, at)
	if err != nil {
		return 0, err
	}
	s, err := foldTo(from, still)
	if err != nil {
		return 0, err
	}
	bodies := append(s.Fork(nameOf(origin), still.chain.Sum.String()), more...)
	if err := o.grow(path, from, still, bodies); err != nil {
		return 0, err
	}
	return still.chain.Seq, nil
}

// lastStill is the last place, at or before record at, where nothing is under way.
func lastStill(log File, at uint64) (mark, error) {
	size, err := log.Size()
	if err != nil {
		return mark{}, err
	}
	var s event.State
	still, begin, seen := beginning(), int64(0), event.Begin()
	var unreadable error
	_, err = follow(log, beginning(), size, whole, func(h event.Head) error {
		if unreadable != nil || at > 0 && h.Seq > at {
			return nil
		}
		if s, unreadable = s.Apply(h.Record()); unreadable != nil {
			return nil
		}
		line := int64(h.Len())
		seen = event.Chain{Seq: h.Seq, Sum: event.Sum(h.Sums)}
		if s.Still() {
			still = mark{seen, begin, begin + line}
		}
		begin += line
		return nil
	})
	if err == nil && still.chain.Seq == 0 {
		err = errors.Join(fmt.Errorf("no turn of it is over at or before record %d, so there is nothing that another session could begin with", seen.Seq), unreadable)
	}
	return still, err
}

// foldTo is the state at a place.
func foldTo(log File, to mark) (event.State, error) {
	var s event.State
	_, err := follow(log, beginning(), to.end, whole, func(h event.Head) error {
		var err error
		s, err = s.Apply(h.Record())
		return err
	})
	return s, err
}

// grow writes the new log under another name and gives it its own when it is whole.
func (o Options) grow(path string, from File, to mark, bodies []event.Body) error {
	dir := filepath.Dir(path)
	if err := o.fs().MakeDir(dir); err != nil {
		return err
	}
	lock, err := o.fs().Lock(path)
	if err != nil {
		return err
	}
	defer lock.Close()
	if f, err := o.fs().View(path); err == nil {
		return errors.Join(ErrExists, f.Close())
	}
	tail, sum, now := []byte(nil), to.chain.Sum, o.now()()
	for i, b := range bodies {
		tail, sum = event.Encode(tail, sum, to.chain.Seq+uint64(i)+1, now, b)
	}
	if err := o.copied(path+unfinished, io.NewSectionReader(from, 0, to.end), tail); err != nil {
		return err
	}
	if err := o.fs().Rename(path+unfinished, path); err != nil {
		return err
	}
	return o.fs().SyncDir(dir)
}

// copied makes a durable file of some bytes and a tail.
func (o Options) copied(name string, first io.Reader, tail []byte) error {
	if err := o.fs().Remove(name); err != nil {
		return err
	}
	f, err := o.fs().Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(onlyWriter{f}, first)
	if err == nil {
		_, err = f.Write(tail)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
