package store

import (
	"errors"
	"fmt"
	"io"

	"tenet/core/event"
)

// Window is how many bytes at the end of a log Open checks by their sums; before it it
// only reads heads: numbers, links, form. A crash can only damage what was not
// acknowledged, which is one commit, and no commit is larger than the window. Damage
// further back is no crash's: Verify finds it. Load checks every record that it reads.
const Window = event.MaxCommit

// whole is a window over all of a log.
const whole = int64(1) << 62

// end is what a pass over a log found.
type end struct {
	// chain and good are the last sound record and the bytes up to its end; last is
	// where its line begins.
	chain event.Chain
	good  int64
	last  int64
	tail  event.Tail
	// flaw is why the bytes behind are not sound; size counts them with the good ones.
	flaw event.Flaw
	size int64
	// stands is the offset of the first line behind the flaw that is a record with its
	// own sum, -1 for none.
	stands int64
}

// behind counts the bytes after the last sound record.
func (e end) behind() int64 { return e.size - e.good }

// mark is a place between two records of a log: the chain up to there, and where the
// line of the last record begins and ends. The zero chain is the beginning.
type mark struct {
	chain      event.Chain
	begin, end int64
}

// beginning is the place before the first record.
func beginning() mark { return mark{chain: event.Begin()} }

// follow reads a log from a place to its end, or to the first flaw and what comes
// after it. each sees every sound record's head, whose slices are good only during the
// call.
func follow(r io.ReaderAt, from mark, size, window int64, each func(event.Head) error) (end, error) {
	e := end{chain: from.chain, good: from.end, last: from.begin, size: size, stands: -1}
	in := newLines(r, size)
	in.next = from.end
	for {
		line, err := in.line()
		if errors.Is(err, io.EOF) {
			return e, nil
		}
		if err != nil {
			return e, fmt.Errorf("read at byte %d: %w", e.good, err)
		}
		at := e.good + int64(len(line))
		h, flaw := e.chain.Follow(line, size-at < window)
		if flaw != event.Sound {
			return e, e.judge(in, line, flaw)
		}
		e.last, e.good = e.good, at
		if err := each(h); err != nil {
			return e, err
		}
	}
}

// judge looks behind a bad line for a record that stands.
func (e *end) judge(in *lines, bad []byte, flaw event.Flaw) error {
	e.flaw = flaw
	bad = append([]byte(nil), bad...)
	at := e.good + int64(len(bad))
	for e.stands < 0 {
		line, err := in.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read at byte %d: %w", at, err)
		}
		if event.Stands(line) {
			e.stands = at
		}
		at += int64(len(line))
	}
	// A record that stands but does not belong here is no torn write either.
	stands := e.stands >= 0 || event.Stands(bad)
	e.tail = event.Judge(bad, e.good, e.behind(), stands)
	return nil
}

// BrokenError refuses to append to a log that no crash made what it is.
type BrokenError struct {
	// Seq is the number that the bad record should have, Offset where its line begins.
	Seq    uint64
	Offset int64
	Flaw   event.Flaw
}

// Error names the record and what to do.
func (b *BrokenError) Error() string {
	return fmt.Sprintf("its chain is broken at record %d (byte %d): %s, and sound records follow. Nothing was changed. Run `tenet log verify` for the whole report, and start a new session", b.Seq, b.Offset, b.Flaw)
}

func (e end) broken() *BrokenError {
	return &BrokenError{Seq: e.chain.Seq + 1, Offset: e.good, Flaw: e.flaw}
}
