package term

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// drainWait is the longest that leaving waits for a terminal that takes no bytes.
const drainWait = time.Second

// writer writes to the terminal in a goroutine of its own, in order. A terminal may
// take nothing for as long as it likes (a dead connection, a stopped multiplexer): the
// loop of the interface never waits for it. Frames are offered only while nothing is
// being written, so at most one stands in the queue.
type writer struct {
	out *os.File
	// idle is called after the last byte when somebody was told that the writer is busy.
	idle func()

	mu      sync.Mutex
	pend    []byte
	writing bool
	frame   bool // a frame is among the bytes on their way
	owed    bool // another one was not taken for that
	empty   *sync.Cond
	err     error // the first failure; then nothing is written any more
}

func newWriter(out *os.File, idle func()) *writer {
	w := &writer{out: out, idle: idle}
	w.empty = sync.NewCond(&w.mu)
	return w
}

// busy says whether a frame is still on its way. If so, idle is called later.
func (w *writer) busy() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.owed = w.frame
	return w.frame
}

// queue adds bytes that are no frame; they are never dropped.
func (w *writer) queue(s string) { w.add([]byte(s), false) }

// add adds bytes, and begins to write them when nothing else is being written.
func (w *writer) add(b []byte, frame bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil || len(b) == 0 {
		return
	}
	w.pend = append(w.pend, b...)
	w.frame = w.frame || frame
	if !w.writing {
		w.writing = true
		go Guard(w.run)
	}
}

// run writes until nothing is left.
func (w *writer) run() {
	var b []byte
	for w.next(&b) {
		if err := writeAll(w.out, b); err != nil {
			w.fail(err)
		}
	}
}

// next takes what is queued, in exchange for the buffer of the last round.
func (w *writer) next(b *[]byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.pend) > 0 {
		*b, w.pend = w.pend, (*b)[:0]
		return true
	}
	w.writing, w.frame = false, false
	w.empty.Broadcast()
	if w.owed {
		w.owed = false
		go w.idle()
	}
	return false
}

func (w *writer) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err, w.pend = fmt.Errorf("write to the terminal: %w", err), nil
}

// drain waits until everything is written, at most so long.
func (w *writer) drain(most time.Duration) {
	late := false
	timer := time.AfterFunc(most, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		late = true
		w.empty.Broadcast()
	})
	defer timer.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.writing && !late {
		w.empty.Wait()
	}
}

// close writes what is queued, at most so long, and nothing after it.
func (w *writer) close(most time.Duration) {
	w.drain(most)
	w.fail(os.ErrClosed)
}

// writeAll writes all of b. The terminal's file may be set not to block by another
// program that shares it: then it waits until there is room.
func writeAll(f *os.File, b []byte) error {
	fd := int(f.Fd())
	for len(b) > 0 {
		n, err := unix.Write(fd, b)
		b = b[max(n, 0):]
		switch {
		case err == nil, errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EAGAIN):
			_ = waitWritable(fd)
		default:
			return err
		}
	}
	return nil
}
