package store

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"tenet/core/event"
)

// Log is a session's log, open for append and held by this process alone. It may be
// used from several goroutines: what they append at the same time shares a write.
type Log struct {
	path string
	file File
	lock io.Closer
	now  func() time.Time

	mu   sync.Mutex
	free sync.Cond // a write ended, or the log failed
	// head is the chain up to the last record that was given a place, size the bytes
	// that are durable.
	head event.Chain
	size int64
	// last is where the line of the last durable record begins.
	last    int64
	pending *batch
	writing bool
	// failed is the first cause; once it is set nothing is written any more.
	failed error

	kept *keeper
}

// batch is what one write carries: the commits that came while another write ran.
type batch struct {
	buf []byte
	// last is where the last line in buf begins.
	last int
	done bool
	err  error
}

// newLog is an open log whose records end where e says.
func newLog(path string, file File, lock io.Closer, o Options, e end) *Log {
	l := &Log{path: path, file: file, lock: lock, now: o.now(), head: e.chain, size: e.good, last: e.last, pending: &batch{}, kept: newKeeper(path, o.fs())}
	l.free.L = &l.mu
	return l
}

// Path is where the log is.
func (l *Log) Path() string { return l.path }

// ErrClosed is the cause of every append to a log after Close.
var ErrClosed = errors.New("the log is closed")

// ErrTooLarge refuses a commit that is larger than a crash may tear.
var ErrTooLarge = fmt.Errorf("a commit may have %d bytes at most; cut the text, or split it into several records", event.MaxCommit)

// Commit writes the records of the bodies together: with one write and one sync,
// which concurrent callers share. It returns when they are durable; no deadline can
// cut that short, since a record that may still reach the disk cannot be taken back.
//
// After any failure to write or to sync, the log takes no more records and every
// later call gets the first cause: what is on the disk is not known any more, and a
// sync that is tried again may succeed without the bytes. Records that were
// acknowledged stay; open the log again to go on.
func (l *Log) Commit(bodies ...event.Body) ([]event.Record, error) {
	if len(bodies) == 0 {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b, recs, err := l.join(bodies)
	if err != nil {
		return nil, err
	}
	for !b.done {
		l.turn()
	}
	if b.err != nil {
		return nil, b.err
	}
	return recs, nil
}

// join encodes the bodies at the end of the pending batch; when they do not fit
// beside what is there, the batch goes first.
func (l *Log) join(bodies []event.Body) (*batch, []event.Record, error) {
	for {
		if l.failed != nil {
			return nil, nil, l.failed
		}
		b := l.pending
		buf, last, head, recs := l.encode(b.buf, bodies)
		if len(buf)-len(b.buf) > event.MaxCommit {
			return nil, nil, fmt.Errorf("session log %s: %d bytes in one commit: %w", l.path, len(buf)-len(b.buf), ErrTooLarge)
		}
		if len(buf) <= event.MaxCommit {
			b.buf, b.last, l.head = buf, last, head
			l.kept.see(bodies)
			return b, recs, nil
		}
		l.turn()
	}
}

// encode appends the lines of the bodies; last is where the last one begins.
func (l *Log) encode(buf []byte, bodies []event.Body) (_ []byte, last int, head event.Chain, recs []event.Record) {
	head, at := l.head, l.now()
	recs = make([]event.Record, 0, len(bodies))
	for _, body := range bodies {
		last = len(buf)
		head.Seq++
		buf, head.Sum = event.Encode(buf, head.Sum, head.Seq, at, body)
		h, _ := event.Cut(buf[last : len(buf)-1])
		recs = append(recs, h.Record())
	}
	return buf, last, head, recs
}

// turn writes the pending batch, or waits until the write that runs has ended.
func (l *Log) turn() {
	if l.writing {
		l.free.Wait()
		return
	}
	b := l.pending
	l.pending = &batch{}
	b.err = l.failed
	if b.err == nil {
		l.writing = true
		l.mu.Unlock()
		err := l.put(b.buf)
		l.mu.Lock()
		l.writing = false
		b.err = err
	}
	b.done = true
	l.settle(b)
	l.free.Broadcast()
}

func (l *Log) settle(b *batch) {
	if b.err == nil {
		if len(b.buf) > 0 {
			l.last = l.size + int64(b.last)
		}
		l.size += int64(len(b.buf))
		return
	}
	if l.failed == nil {
		l.failed = b.err
	}
}

// put makes a batch durable, or takes it back as far as it can and says why.
func (l *Log) put(buf []byte) error {
	if err := l.untouched(); err != nil {
		return err
	}
	n, err := l.file.Write(buf)
	if err == nil && n < len(buf) {
		err = io.ErrShortWrite
	}
	if err == nil {
		err = l.file.Sync()
	}
	if err == nil {
		return nil
	}
	// Without the half-written bytes the file is a valid log again. After a failed sync
	// they must go too: they may be visible and never reach the disk, and a later
	// process would build on them.
	return l.cause(errors.Join(err, l.file.Truncate(l.size)))
}

func (l *Log) cause(err error) error {
	return fmt.Errorf("append to session log %s: %w; the session stops here and its earlier records are safe: remove the cause (is the disk full?) and open the session again", l.path, err)
}

// untouched: a program that takes no lock may still have written; to append after
// its bytes would bury the break in the middle of the log.
func (l *Log) untouched() error {
	size, err := l.file.Size()
	if err != nil {
		return l.cause(err)
	}
	if size != l.size {
		return fmt.Errorf("append to session log %s: the file has %d bytes where this process left %d, so another program changed it; nothing more is written. Run `tenet log verify`", l.path, size, l.size)
	}
	return nil
}

// Close gives the log back. It waits for a write that runs; what comes later gets
// ErrClosed.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.writing {
		l.free.Wait()
	}
	if errors.Is(l.failed, ErrClosed) {
		return nil
	}
	was := l.failed
	l.failed = fmt.Errorf("append to session log %s: %w", l.path, ErrClosed)
	if was != nil {
		l.failed = errors.Join(was, l.failed)
	}
	return errors.Join(l.kept.close(), l.file.Close(), l.lock.Close())
}
