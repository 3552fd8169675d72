package provider

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"time"

	"tenet/adapters/provider/sse"
	"tenet/core/event"
)

// lingerFor is how long the end of the body is awaited after the server's last
// word, so that the connection can serve the next request.
const lingerFor = 200 * time.Millisecond

// read feeds the stream to the accumulator until it ends. The watch ends it once
// the reply stands and nothing more is owed.
func (x *exchange) read(stream io.Reader) error {
	buf := make([]byte, 32<<10)
	for total := 0; total <= MaxReply; {
		n, err := stream.Read(buf)
		total += n
		if ferr := x.feed(buf[:n]); ferr != nil {
			return ferr
		}
		if err == io.EOF {
			return x.sse.Close(x.take)
		}
		if err != nil {
			// What stood before the break may be the server's own reason for it.
			return errors.Join(x.sse.Close(x.take), brokeOff(err))
		}
	}
	return tooLong()
}

func tooLong() *Error {
	return &Error{Class: TooLarge, Message: fmt.Sprintf("the reply is longer than %d MiB on the wire; it was given up", MaxReply>>20)}
}

func brokeOff(err error) *Error {
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) {
		return &Error{Class: Malformed, Message: "the server says that its answer is gzip, and it is not; switch compression off in the proxy before it", Err: err}
	}
	return &Error{Class: Cut, Message: "the connection broke in the middle of the reply", Err: err}
}

func (x *exchange) feed(b []byte) error {
	x.raw.add(b)
	pieces, comments := x.pieces, x.sse.Comments
	if err := x.sse.Feed(b, x.take); err != nil {
		return tooLarge(err)
	}
	if x.pieces == pieces && x.sse.Comments > comments {
		x.show(Delta{Waiting: true})
	}
	switch done, closed := x.acc.Done(), x.acc.Closed(); {
	case done && closed:
		x.watch.finished(lingerFor)
	case done:
		x.watch.finished(x.client.deadlines.Tail)
	case closed:
		_, err := x.acc.Reply()
		return err // the server says that nothing follows, so waiting is in vain
	default:
		x.watch.bytes(x.pieces > pieces)
	}
	return nil
}

func (x *exchange) take(e sse.Event) error {
	d, progress, err := x.acc.Take(e)
	if progress {
		x.pieces++
	}
	x.show(d)
	return err
}

func (x *exchange) show(d Delta) {
	if x.on != nil && d != (Delta{}) {
		x.on(d)
	}
}

func tooLarge(err error) error {
	if errors.Is(err, sse.ErrTooLarge) {
		return &Error{Class: TooLarge, Message: err.Error() + "; the reply was given up", Err: err}
	}
	return err
}

// reply is the accumulated reply. A body without one event or comment was no
// stream, whatever its headers said, and is named by what it was.
func (x *exchange) reply() (event.Reply, error) {
	if !x.acc.Done() && x.sse.Events+x.sse.Comments == 0 {
		return event.Reply{}, x.client.notStream([]byte(x.raw.String()))
	}
	return x.acc.Reply()
}
