package host

import (
	"context"
	"errors"

	"tenet/adapters/approvals"
	"tenet/adapters/store"
	"tenet/core/event"
)

// Event is one thing that happened: exactly one of its members is set, Left aside.
type Event struct {
	// Record is a record of the log.
	Record *event.Record
	// Live is a sign of what goes on between two records. Pieces of one kind are one sign.
	Live *event.Live
	// Asked is a question of the gate that waits for a person, Settled the end of one.
	Asked   *approvals.Approval
	Settled *approvals.Settled
	// Missed is true when questions or ends of questions were left out: what follows are
	// all that are open, and Questions says the same.
	Missed bool
	// Left counts the bytes of live text that were left out before this sign.
	Left int64
}

// ErrClosed is what Next returns once the session or the feed is closed and all was read.
var ErrClosed = errors.New("the session is closed; nothing more happens in it")

// bounds are those of what waits for one reader. One who is slower reads the records from
// the log, and of the live signs gets the last ones.
type bounds struct {
	records, bytes, cards int
	// pageRecords and pageBytes bound what Next reads from the log at once.
	pageRecords, pageBytes int
}

var usual = bounds{records: 1024, bytes: 8 << 20, cards: 256, pageRecords: 512, pageBytes: 1 << 20}

// Feed is the events of a session for one reader.
type Feed struct {
	j     *journal
	pages *store.Pages
	ready chan struct{} // holds one token while there may be something for Next

	// What follows is guarded by the journal's lock.

	// next is the first record that was not handed out.
	next uint64
	// queue is what waits, oldest first, without the records that are read from the log
	// while the reader is behind.
	queue  []item
	behind bool
	// records, bytes and cards measure the queue.
	records, bytes, cards int
	ended                 bool
}

// Feed gives everything after a sequence number, then what happens, without a gap: each
// record once and in order, whenever it attaches. The questions that are open now come
// first of what is live.
func (h *Host) Feed(after uint64) *Feed { return h.journal.attach(after) }

// Next returns what is there, oldest first; when there is nothing it waits. The error is
// ErrClosed, the cause of ctx, or why the log cannot be read. One goroutine at a time may
// wait.
func (f *Feed) Next(ctx context.Context) ([]Event, error) {
	for {
		out, from, to, over := f.take()
		switch {
		case len(out) > 0:
			return out, nil
		case from > 0:
			return f.page(from, to)
		case over:
			return nil, ErrClosed
		}
		select {
		case <-f.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// take is the queue, or the records that are to be read from the log first.
func (f *Feed) take() (out []Event, from, to uint64, over bool) {
	f.j.mu.Lock()
	defer f.j.mu.Unlock()
	if f.ended {
		return nil, 0, 0, true
	}
	if f.behind {
		return nil, f.next, f.j.last, false
	}
	for i := range f.queue {
		e := f.queue[i].event()
		if e.Record != nil {
			f.next = e.Record.Seq + 1
		}
		out = append(out, e)
	}
	f.queue, f.records, f.bytes, f.cards = nil, 0, 0, 0
	return out, 0, 0, f.j.closed
}

// page reads the next records from the log, and looks whether the reader has caught up.
func (f *Feed) page(from, to uint64) ([]Event, error) {
	recs, err := f.pages.Read(from, to, f.j.most.pageRecords, f.j.most.pageBytes)
	out := make([]Event, len(recs))
	for i := range recs {
		out[i] = Event{Record: &recs[i]}
	}
	f.j.mu.Lock()
	defer f.j.mu.Unlock()
	f.next += uint64(len(recs))
	f.behind = f.next <= f.j.last
	if len(out) > 0 {
		return out, nil
	}
	return nil, err
}

// Close ends the feed; the session does not notice.
func (f *Feed) Close() {
	f.j.mu.Lock()
	defer f.j.mu.Unlock()
	f.ended, f.queue = true, nil
	delete(f.j.feeds, f)
	f.wake()
}

// wake tells a Next that waits to look again. The lock is held, here and below.
func (f *Feed) wake() {
	select {
	case f.ready <- struct{}{}:
	default:
	}
}

// record puts a record in the queue. One too many, and all of them are read from the log
// instead, with those that follow until the reader has caught up; the signs before them
// tell of what has passed.
func (f *Feed) record(r event.Record) {
	switch {
	case f.behind:
		f.forget()
	case f.records >= f.j.most.records || f.bytes+len(r.Body) > f.j.most.bytes && f.records > 0:
		f.behind = true
		f.forget()
	default:
		f.queue = append(f.queue, item{record: &r})
		f.records++
		f.bytes += len(r.Body)
	}
	f.wake()
}

// forget drops all that is no question from the queue.
func (f *Feed) forget() {
	kept := f.queue[:0]
	for _, i := range f.queue {
		if i.card {
			kept = append(kept, i)
		}
	}
	clear(f.queue[len(kept):])
	f.queue, f.records, f.bytes = kept, 0, 0
}

// show puts a live sign in the queue, in one with those before it of its kind.
func (f *Feed) show(l event.Live) {
	f.queue = merged(f.queue, l)
	f.wake()
}

// card puts a question, or the end of one, in the queue. Too many, and the reader is told
// what is open now in their place.
func (f *Feed) card(e Event, open []approvals.Approval) {
	if f.cards >= f.j.most.cards || e.Missed {
		kept := f.queue[:0]
		for _, i := range f.queue {
			if !i.card {
				kept = append(kept, i)
			}
		}
		clear(f.queue[len(kept):])
		f.queue, f.cards = append(kept, item{card: true, rest: Event{Missed: true}}), 1
		f.ask(open)
	} else {
		f.queue = append(f.queue, item{card: true, rest: e})
		f.cards++
	}
	f.wake()
}

func (f *Feed) ask(open []approvals.Approval) {
	for _, a := range open {
		f.queue = append(f.queue, item{card: true, rest: Event{Asked: &a}})
		f.cards++
	}
}
