package store

import (
	"errors"
	"fmt"

	"tenet/core/event"
)

// Pages reads the records of one log in order, some at a time, while its writer appends:
// who keeps up with a session, and fell behind, reads what it missed without the log being
// held in memory. It is used by one goroutine at a time.
type Pages struct {
	o    Options
	path string
	at   mark
}

// NewPages begins at the first record of a log.
func NewPages(path string) *Pages { return &Pages{path: path, at: beginning()} }

// errPage ends the pass over a log when a page is full.
var errPage = errors.New("the page is full")

// Read gives the records from number from to number to, both included, as far as they fit:
// at most most records, and no more once they have size bytes, yet always one. All of them
// must be durable. A from before the last page's end begins at the log's first byte again.
func (p *Pages) Read(from, to uint64, most, size int) ([]event.Record, error) {
	if from <= p.at.chain.Seq {
		p.at = beginning()
	}
	file, err := p.o.fs().View(p.path)
	if err != nil {
		return nil, fmt.Errorf("read session log: %w", err)
	}
	defer file.Close()
	length, err := file.Size()
	if err != nil {
		return nil, fmt.Errorf("read session log %s: %w", p.path, err)
	}
	var out []event.Record
	bytes := 0
	e, err := follow(file, p.at, length, 0, func(h event.Head) error {
		if h.Seq >= from {
			out = append(out, h.Record())
			bytes += h.Len()
		}
		if h.Seq >= to || len(out) >= most || bytes >= size {
			return errPage
		}
		return nil
	})
	p.at = mark{e.chain, e.last, e.good}
	switch {
	case errors.Is(err, errPage):
		return out, nil
	case err != nil:
		return out, fmt.Errorf("read session log %s: %w", p.path, err)
	case len(out) > 0:
		return out, nil
	}
	return nil, fmt.Errorf("read session log %s: record %d is not there, though it was written", p.path, from)
}
