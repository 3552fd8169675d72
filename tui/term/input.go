package term

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// input reads the terminal in one goroutine, which waits in select for bytes, for a
// deadline of the decoder, or for being woken. It reads only while it holds the token:
// whoever takes it has the terminal's input to itself.
type input struct {
	fd         int
	wake, ring *os.File // a pipe: a byte in ring ends the wait on wake
	send       func(tea.Msg)

	reading chan struct{} // holds a token while somebody has the input
	quit    chan struct{}
	done    chan struct{}
	dec     decoder
}

func newInput(in *os.File, send func(tea.Msg)) (*input, error) {
	wake, ring, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &input{fd: int(in.Fd()), wake: wake, ring: ring, send: send,
		reading: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}, nil
}

// run reads until stop, and says why the terminal's input ended otherwise.
func (in *input) run() error {
	defer close(in.done)
	buf := make([]byte, 4096)
	for {
		n, err := in.read(buf)
		if errors.Is(err, errStopped) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, m := range in.events(buf[:n], time.Now()) {
			in.send(m)
		}
		ignored.Store(int64(in.dec.tally.sequences))
	}
}

var errStopped = errors.New("stopped")

func (in *input) events(b []byte, now time.Time) []tea.Msg {
	if len(b) == 0 {
		return in.dec.expire(now)
	}
	return in.dec.feed(b, now)
}

// read waits for bytes; 0 without an error when the decoder's deadline passed, or when
// it was woken.
func (in *input) read(buf []byte) (int, error) {
	select {
	case <-in.quit:
		return 0, errStopped
	case in.reading <- struct{}{}:
	}
	defer func() { <-in.reading }()
	ready, err := waitReadable(in.fd, int(in.wake.Fd()), in.timeout())
	if err != nil || !ready {
		return 0, err
	}
	n, err := unix.Read(in.fd, buf)
	switch {
	case errors.Is(err, syscall.EINTR), errors.Is(err, syscall.EAGAIN):
		return 0, nil
	case err != nil:
		return 0, err
	case n == 0:
		return 0, ErrGone
	}
	return n, nil
}

// timeout is how long the decoder lets it wait; negative: for ever.
func (in *input) timeout() time.Duration {
	at, ok := in.dec.deadline()
	if !ok {
		return -1
	}
	return max(0, time.Until(at))
}

// pause takes the terminal's input away from the reader until resume.
func (in *input) pause() {
	_, _ = in.ring.Write([]byte{0})
	in.reading <- struct{}{}
}

func (in *input) resume() {
	var b [1]byte
	_, _ = in.wake.Read(b[:])
	<-in.reading
}

// stop ends the reader and waits for it. Whatever it wanted to send must not block.
func (in *input) stop() {
	close(in.quit)
	_, _ = in.ring.Write([]byte{0})
	<-in.done
	_ = in.ring.Close()
	_ = in.wake.Close()
}

var ignored atomic.Int64

// Ignored counts the sequences of the terminal that meant nothing and became no keys.
func Ignored() int64 { return ignored.Load() }
