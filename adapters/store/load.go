package store

import (
	"errors"
	"fmt"

	"tenet/core/event"
)

// Load takes up the log of a session for append, as Open does, and gives the state that
// its records fold to, the ones that tell of repairs included. Of a session that kept
// checkpoints only the records after the last are read and folded, each with its sum
// checked; without one, all are. A record that this tenet cannot read is an error that
// names it, since a state without it would be of a session that did not happen.
func Load(path string) (event.State, *Log, Repairs, error) { return Options{}.Load(path) }

// Load is the package's Load on these options.
func (o Options) Load(path string) (event.State, *Log, Repairs, error) {
	var s event.State
	l, repairs, err := o.held(path, func(file File, lock lockCloser) (l *Log, r Repairs, err error) {
		s, l, r, err = o.load(path, file, lock)
		return l, r, err
	})
	if err != nil {
		return event.State{}, nil, nil, fmt.Errorf("open session log %s: %w", path, err)
	}
	return s, l, repairs, nil
}

func (o Options) load(path string, file File, lock lockCloser) (event.State, *Log, Repairs, error) {
	k := newKeeper(path, o.fs())
	s, e, unreadable, err := stateOf(file, k)
	if err = errors.Join(err, unreadable); err != nil {
		return s, nil, nil, err
	}
	told := map[string]bool{}
	for _, r := range s.Repairs {
		told[r.Kept] = true
	}
	l, untold, recs, err := o.repaired(path, file, lock, e, told)
	if err != nil {
		return s, nil, nil, err
	}
	l.kept = k // a repair, which is all that the log took until now, takes no message away
	for i, r := range recs {
		s = s.With(r.Seq, untold[i])
	}
	_ = l.Checkpoint(s) // only the next opening would take longer
	return s, l, untold, nil
}

// stateOf is the state at a log's last sound record, or before the first whose body
// cannot be read, from its checkpoint and the records behind that.
func stateOf(file File, k *keeper) (s event.State, e end, unreadable, err error) {
	size, err := file.Size()
	if err != nil {
		return s, e, nil, err
	}
	s, from := recall(file, size, k)
	e, err = follow(file, from, size, whole, func(h event.Head) error {
		k.anew = k.anew || rewrites(event.Kind(h.Kind))
		if unreadable == nil {
			s, unreadable = s.Apply(h.Record())
		}
		return nil
	})
	return s, e, unreadable, err
}

// State is the state that a log's records fold to and what else is to be said of it.
// It takes no lock and changes nothing, as Read does, and reads as little as Load. A
// log that is damaged, or that this tenet cannot read to its end, gives the state up to
// there; the report says so. Only a log that cannot be read at all is an error. The
// report has no First and Last: the record of the one need not be read for the state.
func State(path string) (event.State, Report, error) { return Options{}.State(path) }

// State is the package's State on these options.
func (o Options) State(path string) (event.State, Report, error) {
	file, err := o.fs().View(path)
	if err != nil {
		return event.State{}, Report{}, fmt.Errorf("read session log: %w", err)
	}
	defer file.Close()
	s, e, unreadable, err := stateOf(file, newKeeper(path, o.fs()))
	if err != nil {
		return s, Report{}, fmt.Errorf("read session log %s: %w", path, err)
	}
	r := reportOf(path, e, s, unreadable)
	r.Holder = o.fs().Holder(path)
	return s, r, nil
}
