package cli

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// ErrReader is the cause of a run whose reader went away: tenet run ... | head.
var ErrReader = errors.New("stopped, because nobody reads the output any more")

// outlet is where a run prints. When the reader goes away it ends the run as a signal
// would: a run that goes on unseen spends money and changes files, and one that dies by
// SIGPIPE leaves its commands behind.
type outlet struct {
	io.Writer
	gone func()
}

// Write writes, and tells when nobody reads any more.
func (o *outlet) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		o.gone()
	}
	return n, err
}

// file is the file behind a writer, nil without one.
func file(w io.Writer) *os.File {
	if o, ok := w.(*outlet); ok {
		w = o.Writer
	}
	f, _ := w.(*os.File)
	return f
}
