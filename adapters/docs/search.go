package docs

import (
	"bytes"
	"context"

	"golang.org/x/sys/unix"

	"tenet/core/doc"
)

// The limits of searching one file.
const (
	// searchBytes is how much of a file is searched at a time; no line may be longer.
	// A file that has a digest fits.
	searchBytes = SnapshotBytes + 1
	// oversizeBytes is the largest file that a walk searches.
	oversizeBytes = 64 << 20
)

// row is one line of a search result.
type row struct {
	line  int
	text  string
	match bool
}

// found is what the search of one file gave.
type found struct {
	// matches counts the matching lines, rows are those asked for with their context.
	matches int
	rows    []row
	// skip is the class of a file that was not, or not wholly, searched.
	skip    doc.Skip
	skipped bool
	// version is that of the bytes that were searched.
	version uint64
}

// searcher searches files one at a time with one buffer.
type searcher struct {
	ctx     context.Context
	pattern *pattern
	// context is the lines shown before and after a match.
	context int
	buf     []byte
}

// keep says which matches of a file are wanted as rows: n of them after the first
// skip.
type keep struct{ skip, n int }

// file searches one file of an open directory. outright is true for a file that the
// call named: its size does not matter then.
func (s *searcher) file(dir int, name string, outright bool, k keep) found {
	fd, err := openAt(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return found{skip: doc.Unreadable, skipped: true}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	switch err := unix.Fstat(fd, &st); {
	case err != nil:
		return found{skip: doc.Unreadable, skipped: true}
	case kindOf(uint32(st.Mode)) != "":
		return found{skip: doc.Special, skipped: true}
	case st.Size > oversizeBytes && !outright:
		return found{skip: doc.OversizeFile, skipped: true}
	}
	return s.open(fd, st, k)
}

// open searches an open file in pieces that end with a line. A file of one piece has
// the digest of the bytes that were searched as its version (S8.7).
func (s *searcher) open(fd int, st unix.Stat_t, k keep) found {
	t := tally{s: s, keep: k, first: true}
	have, large := 0, false
	for {
		n, err := s.fill(fd, have, st.Size)
		if err != nil {
			return found{skip: doc.Unreadable, skipped: true}
		}
		piece, last := s.buf[:n], n < searchBytes
		if bytes.IndexByte(piece[have:], 0) >= 0 {
			return found{skip: doc.BinaryFile, skipped: true}
		}
		if !last {
			large = true
			piece = t.whole(piece)
		}
		t.search(piece, !last)
		if last || s.ctx.Err() != nil {
			break
		}
		have = copy(s.buf, s.buf[len(piece):n])
	}
	t.found.version = identity(st)
	if !large && t.found.matches > 0 {
		t.found.version = digest(s.buf[:t.size])
	}
	return t.found
}

// fill reads on behind the bytes that are kept until the buffer holds searchBytes or
// the file ends. The buffer grows to what the file needs and is used again.
func (s *searcher) fill(fd, have int, size int64) (int, error) {
	if want := int(min(max(size+1, 64<<10), searchBytes)); len(s.buf) < want {
		s.buf = append(make([]byte, 0, want), s.buf[:have]...)[:want]
	}
	n := have
	for n < searchBytes {
		if n == len(s.buf) {
			s.buf = append(s.buf, make([]byte, min(len(s.buf), searchBytes-n))...)
		}
		k, err := unix.Read(fd, s.buf[n:min(len(s.buf), searchBytes)])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return 0, err
		}
		if k <= 0 {
			break
		}
		if n += k; int64(n) == size {
			break // as large as it was opened: the read that tells the end is saved
		}
	}
	return n, nil
}

// tally collects the matches of one file.
type tally struct {
	s     *searcher
	keep  keep
	found found
	// line is the number of the line at counted, a place in the piece under search;
	// before counts the lines of the earlier pieces.
	line, counted, before int
	// size is the bytes of the last piece; shown the last line that is a row.
	size, shown int
	// first is true until the first piece is searched.
	first bool
}

// hit is a match that becomes a row: its line, where that starts and ends, where the
// next one starts, and the match inside it.
type hit struct{ line, start, end, next, from, to int }

// whole cuts a piece behind its last line; a line that fills the buffer is searched
// in parts and told.
func (t *tally) whole(piece []byte) []byte {
	if i := bytes.LastIndexByte(piece, '\n'); i >= 0 {
		return piece[:i+1]
	}
	t.found.skip, t.found.skipped = doc.LongLine, true
	return piece
}

// search takes the next piece; more says that another follows.
func (t *tally) search(piece []byte, more bool) {
	t.line, t.counted, t.size = t.before+1, 0, len(piece)
	if t.first {
		t.first, piece = false, bytes.TrimPrefix(piece, []byte(doc.BOM))
	}
	var hits []hit
	t.s.pattern.scan(piece, func(start, end, from, to int) bool {
		if n := t.found.matches; n >= t.keep.skip && n < t.keep.skip+t.keep.n {
			_, next := lineEnd(piece, end)
			hits = append(hits, hit{t.at(piece, start), start, end, next, from, to})
		}
		t.found.matches++
		return t.found.matches%1024 != 0 || t.s.ctx.Err() == nil
	})
	for i, h := range hits {
		limit := len(piece)
		if i+1 < len(hits) {
			limit = hits[i+1].start
		}
		t.show(piece, h, limit)
	}
	if more {
		t.before = t.at(piece, len(piece)) - 1
	}
}

// at moves the line count to a place where a line starts.
func (t *tally) at(piece []byte, start int) int {
	t.line += bytes.Count(piece[t.counted:start], []byte{'\n'})
	t.counted = start
	return t.line
}

// show adds a matching line with its context: the lines before it that are no rows
// yet, and those after it up to the next row. Context stays inside a piece.
func (t *tally) show(piece []byte, h hit, limit int) {
	at, n := h.start, 0
	for n < t.s.context && at > 0 && h.line-n-1 > t.shown {
		at = bytes.LastIndexByte(piece[:at-1], '\n') + 1
		n++
	}
	for ; n > 0; n-- {
		at = t.beside(piece, at, h.line-n)
	}
	t.add(row{line: h.line, text: doc.Excerpt(piece[h.start:h.end], h.from, h.to), match: true})
	at = h.next
	for n := 1; n <= t.s.context && at < limit; n++ {
		at = t.beside(piece, at, h.line+n)
	}
}

// beside adds a line of context and gives the start of the next line.
func (t *tally) beside(piece []byte, at, line int) (next int) {
	end, next := lineEnd(piece, at)
	t.add(row{line: line, text: doc.Excerpt(piece[at:end], 0, 0)})
	return next
}

func (t *tally) add(r row) {
	t.found.rows = append(t.found.rows, r)
	t.shown = r.line
}
