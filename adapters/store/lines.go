package store

import (
	"bytes"
	"errors"
	"io"

	"tenet/core/event"
)

// chunk is what one read asks for: small enough to stay in a processor's cache
// while the lines in it are found and followed.
const chunk = 256 << 10

// lines reads a log line by line, up to a size that was taken before: what another
// process appends meanwhile is not seen. No line is longer than a commit, so a
// longer run of bytes comes out in pieces, which are no records.
type lines struct {
	r         io.ReaderAt
	next, end int64 // the next byte to read from r, and the size
	buf       []byte
	from, to  int // the unread bytes of buf
}

func newLines(r io.ReaderAt, size int64) *lines {
	return &lines{r: r, end: size, buf: make([]byte, min(int64(chunk), max(size, 1)))}
}

// line gives the next line with its newline, or without one at the end; the slice
// is good until the next call. The error is io.EOF at the end.
func (l *lines) line() ([]byte, error) {
	seen := 0
	for {
		if i := bytes.IndexByte(l.buf[l.from+seen:l.to], '\n'); i >= 0 {
			return l.take(seen + i + 1), nil
		}
		seen = l.to - l.from
		if seen > event.MaxCommit {
			return l.take(seen), nil
		}
		if l.next >= l.end {
			if seen == 0 {
				return nil, io.EOF
			}
			return l.take(seen), nil
		}
		if err := l.fill(); err != nil {
			return nil, err
		}
	}
}

func (l *lines) take(n int) []byte {
	b := l.buf[l.from : l.from+n]
	l.from += n
	return b
}

// fill moves the unread bytes to the front, doubles a buffer that is full of one
// line, and reads what fits.
func (l *lines) fill() error {
	kept := copy(l.buf, l.buf[l.from:l.to])
	l.from, l.to = 0, kept
	if kept == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	room := l.buf[kept:]
	room = room[:min(int64(len(room)), l.end-l.next)]
	n, err := l.r.ReadAt(room, l.next)
	l.to += n
	l.next += int64(n)
	if n == len(room) {
		return nil
	}
	if errors.Is(err, io.EOF) || err == nil {
		return io.ErrUnexpectedEOF
	}
	return err
}
