// Package output bounds what a tool call hands back to the model: text streams in,
// whole lines within the limits stay, and every byte that does not is counted (S2).
// It performs nothing: its owner brings the bytes and keeps the overflow.
package output

import "bytes"

// The limits of a call that sets none (L1).
const (
	DefaultBytes = 50 << 10
	DefaultLines = 2000
)

// Direction says which end of a too long output stays.
type Direction uint8

// The directions. Tail is the default: the verdict of a test run, a build or a
// stack trace stands at its end.
const (
	Tail Direction = iota
	Head
)

var directionNames = [...]string{"tail", "head"}

// String names the direction.
func (d Direction) String() string { return directionNames[d] }

// Limits bound one output.
type Limits struct {
	// Bytes of text that stay at most; 0 means DefaultBytes.
	Bytes int
	// Lines that stay at most; 0 means DefaultLines.
	Lines int
	// Direction is the end that stays.
	Direction Direction
	// Off keeps everything: an explicit choice of the tool (L1).
	Off bool
}

func (l Limits) filled() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Lines <= 0 {
		l.Lines = DefaultLines
	}
	return l
}

// Count is the account of an output. Produced = Kept + Dropped, in bytes and in
// lines, and Written = Produced + Stripped - 2*Replaced (law output_conserved).
type Count struct {
	// Written is the bytes as they came.
	Written int64
	// Stripped is the bytes of control characters and of a leading byte order mark.
	Stripped int64
	// Replaced is the bytes that are no UTF-8; each became the three bytes of U+FFFD.
	Replaced int64
	// Kept and Dropped are bytes of clean text.
	Kept, Dropped int64
	// KeptLines and DroppedLines are lines of clean text; the end of the text ends a
	// line as a line feed does. A line that was cut counts as kept.
	KeptLines, DroppedLines int64
}

// Bound is an output while it grows. Use New.
type Bound struct {
	limits Limits
	clean  cleaner
	kept   []byte // Head: what stays; Tail: the end of the text
	full   bool   // Head: nothing more stays
	cut    bool   // the one line that stays was longer than the limit
	last   byte   // the last byte of the text, 0 before the first
	total  int64  // bytes of clean text
	lines  int64  // line feeds in it
	gone   int64  // bytes dropped so far
	over   bool   // the text passed a limit
}

// New is an empty output.
func New(l Limits) *Bound { return &Bound{limits: l.filled()} }

// Cut is a whole text within limits, and how many bytes of it were dropped.
func Cut(text string, l Limits) (kept string, dropped int64) {
	b := New(l)
	b.Write([]byte(text))
	b.Close()
	return b.Text(), b.Count().Dropped
}

// Write takes the next bytes. spill is clean text for the file that holds the whole
// output: nothing while the text fits, all of it so far when it first does not, and
// then each new piece. It is valid until the next call.
func (b *Bound) Write(p []byte) (spill []byte) {
	return b.add(b.clean.next(p))
}

// After is what the text has behind its first n bytes, as far as it is kept, and how long
// it is now. Of more than most bytes it is the last, from the start of a character.
func (b *Bound) After(n int64, most int) (text string, total int64) {
	first := b.gone // the place of the first byte that is kept
	if b.limits.Direction == Head {
		first = 0
	}
	end := first + int64(len(b.kept))
	at := max(n, first, end-int64(most))
	if at >= end {
		return "", b.total
	}
	kept := b.kept[at-first:]
	for len(kept) > 0 && kept[0]&0xc0 == 0x80 {
		kept = kept[1:]
	}
	return string(kept), b.total
}

// Close ends the text: an unfinished character at its end is replaced.
func (b *Bound) Close() (spill []byte) {
	return b.add(b.clean.end())
}

func (b *Bound) add(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	b.total += int64(len(text))
	b.lines += int64(bytes.Count(text, newline))
	b.last = text[len(text)-1]
	if b.over {
		b.keep(text)
		return text
	}
	if b.over = b.passed(); !b.over {
		b.kept = append(b.kept, text...)
		return nil
	}
	all := append(bytes.Clone(b.kept), text...)
	b.keep(text)
	return all
}

// passed reports whether the text no longer fits; nothing was dropped until then.
func (b *Bound) passed() bool {
	return !b.limits.Off && (b.total > int64(b.limits.Bytes) || b.allLines() > int64(b.limits.Lines))
}

// keep adds text that passed the limits. The tail grows to twice its window before
// it is moved, so that a byte is copied at most twice.
func (b *Bound) keep(text []byte) {
	if b.limits.Direction == Head {
		b.keepHead(text)
		return
	}
	window := b.limits.Bytes + 1 // one more byte tells whether the window starts a line
	if n := len(text) - window; n > 0 {
		b.gone += int64(len(b.kept) + n)
		b.kept = append(b.kept[:0], text[n:]...)
		return
	}
	if n := len(b.kept) + len(text) - window; n > window {
		n = min(n, len(b.kept))
		b.gone += int64(n)
		b.kept = append(b.kept[:0], b.kept[n:]...)
	}
	b.kept = append(b.kept, text...)
}

func (b *Bound) keepHead(text []byte) {
	if b.full {
		b.gone += int64(len(text))
		return
	}
	all := append(b.kept, text...)
	n := b.headLen(all)
	b.full = true
	b.gone += int64(len(all) - n)
	b.kept = all[:n]
}

// headLen is the length of the whole lines at the start that fit.
func (b *Bound) headLen(all []byte) int {
	n, lines := 0, 0
	for lines < b.limits.Lines {
		at := bytes.IndexByte(all[n:], '\n')
		if at < 0 || n+at+1 > b.limits.Bytes {
			break
		}
		n += at + 1
		lines++
	}
	if n == 0 {
		b.cut = true
		n = boundary(all, b.limits.Bytes)
	}
	return n
}

// boundary is the last start of a character at or before n.
func boundary(p []byte, n int) int {
	n = min(n, len(p))
	for n > 0 && n < len(p) && p[n]&0xc0 == 0x80 {
		n--
	}
	return n
}
