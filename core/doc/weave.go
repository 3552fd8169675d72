package doc

import (
	"bytes"
	"slices"
)

// Piece is a run of lines of a new file: lines of the old one, or new ones.
type Piece struct {
	// Keep is the lines of the old file when its From is over 0; its To is 0 for all
	// the lines that follow. Lines past the end of the file are none.
	Keep Span
	// New is the texts of new lines, without their endings. A text holds no \n. It is
	// not looked at when Keep names lines.
	New []string
}

// Weave makes the bytes of a new file out of pieces of an old one, in the order given;
// a line may be kept anywhere, and more than once. The rules (S8.6):
//
//   - a kept line keeps its bytes and its ending; a new one, and the old file's last
//     line when that has no ending, takes the ending written before it, at the top Carry;
//   - the last line has an ending exactly when the old file's last line has one; in a
//     file that had no line, and after an empty line, which would be no line without, it
//     always has one;
//   - the byte order mark stays where it is.
//
// It takes time in proportion to the old file and the new, and kept lines are copied a
// span at a time.
func Weave(file []byte, pieces []Piece) []byte {
	w := weaving{file: file, starts: boundaries(file, pieces), carry: Carry(file)}
	w.out = make([]byte, 0, w.size(pieces))
	w.out = append(w.out, file[:bomLen(file)]...)
	w.top = len(w.out)
	for _, p := range pieces {
		if p.Keep.From > 0 {
			w.keep(p.Keep)
			continue
		}
		for _, text := range p.New {
			w.line(text)
		}
	}
	return w.end()
}

// Carry is the ending that a new line at the top of a file takes: the file's first, or
// LF where it has none.
func Carry(file []byte) Ending { return max(LF, FirstEnding(file)) }

// bomLen is the length of a file's byte order mark.
func bomLen(file []byte) int {
	if bytes.HasPrefix(file, []byte(BOM)) {
		return len(BOM)
	}
	return 0
}

// weaving is a new file under way.
type weaving struct {
	file, out []byte
	starts    lineStarts
	// top is where the first line begins in out, carry the ending that the next new line
	// takes, ending the one that out has at its end.
	top           int
	carry, ending Ending
}

// keep copies a span of the old file.
func (w *weaving) keep(s Span) {
	b := w.file[w.starts.of(s.From):w.starts.after(s)]
	if len(b) == 0 {
		return
	}
	w.close()
	w.out = append(w.out, b...)
	w.ending = endingAt(b, len(b))
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		w.carry = endingAt(b, i+1)
	}
}

// line writes a new line.
func (w *weaving) line(text string) {
	w.close()
	w.out = append(append(w.out, text...), w.carry.Bytes()...)
	w.ending = w.carry
}

// close ends a line that has no ending before another follows it.
func (w *weaving) close() {
	if len(w.out) > w.top && w.ending == NoEnding {
		w.out = append(w.out, w.carry.Bytes()...)
		w.ending = w.carry
	}
}

// end gives the last line of the new file the ending that the old file's has.
func (w *weaving) end() []byte {
	if n := len(w.file); n == bomLen(w.file) || w.file[n-1] == '\n' {
		return w.out
	}
	text := w.out[:len(w.out)-len(w.ending.Bytes())]
	if len(text) == w.top || text[len(text)-1] == '\n' {
		return w.out
	}
	return text
}

// size is the bytes that the new file takes at most.
func (w *weaving) size(pieces []Piece) int {
	n := len(BOM)
	for _, p := range pieces {
		if p.Keep.From > 0 {
			n += w.starts.after(p.Keep) - w.starts.of(p.Keep.From) + len("\r\n")
			continue
		}
		for _, text := range p.New {
			n += len(text) + len("\r\n")
		}
	}
	return n
}

// endingAt is the ending that stands in b before a place.
func endingAt(b []byte, at int) Ending {
	switch {
	case at == 0 || b[at-1] != '\n':
		return NoEnding
	case at > 1 && b[at-2] == '\r':
		return CRLF
	default:
		return LF
	}
}

// lineStarts is where the lines that pieces name begin in a file. A file is gone through
// once, whatever the order of the pieces.
type lineStarts struct {
	lines  []int64 // in order
	places []int   // of each of them; the end of the file for a line past it
	size   int
}

func boundaries(file []byte, pieces []Piece) lineStarts {
	s := lineStarts{size: len(file)}
	for _, p := range pieces {
		if p.Keep.From > 0 {
			s.lines = append(s.lines, p.Keep.From)
			if !p.Keep.open() && p.Keep.To >= p.Keep.From {
				s.lines = append(s.lines, p.Keep.To+1)
			}
		}
	}
	slices.Sort(s.lines)
	s.lines = slices.Compact(s.lines)
	s.places = make([]int, 0, len(s.lines))
	at, line := bomLen(file), int64(1)
	for _, wanted := range s.lines {
		at, line = skipLines(file, at, line, wanted)
		s.places = append(s.places, at)
	}
	return s
}

// of is where a line begins.
func (s lineStarts) of(line int64) int {
	i, _ := slices.BinarySearch(s.lines, line)
	return s.places[i]
}

// after is where a span of lines ends.
func (s lineStarts) after(span Span) int {
	switch {
	case span.open():
		return s.size
	case span.To < span.From:
		return s.of(span.From)
	default:
		return s.of(span.To + 1)
	}
}
