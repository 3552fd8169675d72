package docs

import (
	"bytes"
	"context"
	"errors"

	"golang.org/x/sys/unix"

	"tenet/core/doc"
	"tenet/core/doc/scan"
)

// headBytes is the first part of a file that is read, to know a large binary by it.
const headBytes = 64 << 10

// searcher searches files one at a time with one buffer.
type searcher struct {
	ctx     context.Context
	pattern *scan.Pattern
	scan    *scan.Searcher
	// context is the lines shown before and after a match.
	context int
	buf     []byte
}

func newSearcher(ctx context.Context, q query) *searcher {
	return &searcher{ctx: ctx, pattern: q.pattern, scan: q.pattern.Searcher(), context: q.context}
}

// probe looks whether a file has a match, in the lines wanted.
func (s *searcher) probe(open func() (int, error), lines []doc.Span, facts *doc.FileFacts) {
	fd, err := open()
	if err != nil {
		facts.Gone = gone(err)
		facts.Unreadable = !facts.Gone
		return
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		facts.Unreadable = true
		return
	}
	facts.Special, facts.Size = kindOf(uint32(st.Mode)) != "", st.Size
	if fate, _ := facts.Fate(); fate == doc.Passed {
		return
	}
	t := tally{s: s, want: 1, lines: lines, only: true}
	s.pieces(fd, st.Size, facts, t.search)
	facts.Match = t.matches > 0
}

// gone reports whether an error says that a name does not lead to what it led to.
func gone(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, errMoved) || errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENOTDIR)
}

// piece is a part of a file that ends with a line, and the last one of its file.
type piece struct {
	b           []byte
	first, last bool
}

// pieces reads an open file in pieces. each returns false to end it. A file is binary
// when a NUL byte is in its first piece, by which it is then known early.
func (s *searcher) pieces(fd int, size int64, facts *doc.FileFacts, each func(piece) bool) {
	n, err := s.head(fd, size, facts)
	for first, have := true, 0; !facts.Binary; first = false {
		if err != nil {
			facts.Unreadable = true
			return
		}
		p := piece{b: s.buf[:n], first: first, last: n < doc.SearchBytes}
		if !p.last {
			p.b, facts.Parts = whole(p.b, facts.Parts)
		}
		if !each(p) || p.last || s.ctx.Err() != nil {
			return
		}
		have = copy(s.buf, s.buf[len(p.b):n])
		n, err = s.fill(fd, have, size, doc.SearchBytes)
	}
}

// head reads the first piece, its beginning first, and looks for a NUL byte in it.
func (s *searcher) head(fd int, size int64, facts *doc.FileFacts) (int, error) {
	n, err := s.fill(fd, 0, size, headBytes)
	facts.Binary = bytes.IndexByte(s.buf[:n], 0) >= 0
	if err != nil || facts.Binary || n < headBytes {
		return n, err
	}
	n, err = s.fill(fd, n, size, doc.SearchBytes)
	facts.Binary = err == nil && bytes.IndexByte(s.buf[headBytes:n], 0) >= 0
	return n, err
}

// whole cuts a piece behind its last line; a line that fills the buffer is searched in
// parts, which is told.
func whole(b []byte, parts bool) ([]byte, bool) {
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		return b[:i+1], parts
	}
	return b, true
}

// fill reads on behind the bytes that are kept until the buffer holds as many as
// wanted or the file ends. The buffer grows to what the file needs and is used again.
func (s *searcher) fill(fd, have int, size int64, upTo int) (int, error) {
	if want := int(min(max(size+1, headBytes), doc.SearchBytes)); len(s.buf) < want {
		s.buf = append(make([]byte, 0, want), s.buf[:have]...)[:want]
	}
	n := have
	for n < upTo {
		if n == len(s.buf) {
			s.buf = append(s.buf, make([]byte, min(len(s.buf), doc.SearchBytes-n))...)
		}
		k, err := unix.Read(fd, s.buf[n:min(len(s.buf), upTo)])
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

// row is one line of a search result.
type row struct {
	line  int64
	text  string
	match bool
	// whole is true when the text is all of the line.
	whole bool
}

// tally collects the matches of one file: it counts them all, or only looks whether
// there is one.
type tally struct {
	s *searcher
	// want is how many matches become rows, lines those that are looked at.
	want  int
	lines []doc.Span
	// only is true when nothing is asked but whether there is a match.
	only bool

	// matches counts the matching lines, groups are the rows of each of the first ones
	// with its context, next is the line of the first match that is no row.
	matches int
	groups  [][]row
	next    int64
	// line is the number of the line at counted, a place in the piece under search;
	// before counts the lines of the earlier pieces, shown is the last line that is a
	// row.
	line, before, shown int64
	counted             int
}

// search takes the next piece and says whether it needs another.
func (t *tally) search(p piece) bool {
	b := p.b
	if p.first {
		b = bytes.TrimPrefix(b, []byte(doc.BOM))
	}
	t.line, t.counted = t.before+1, 0
	for at := 0; at < len(b); {
		l, ok := t.s.scan.Next(b, at)
		if !ok {
			break
		}
		at = l.Next
		if t.only && len(t.lines) == 0 {
			t.matches++
			return false
		}
		t.match(b, l)
		if t.only && t.matches > 0 || t.matches%1024 == 0 && t.s.ctx.Err() != nil {
			return false
		}
	}
	t.before = t.at(b, len(b)) - 1
	return true
}

// match takes a matching line.
func (t *tally) match(b []byte, l scan.Line) {
	line := t.before + 1
	if len(t.lines) > 0 || t.matches <= t.want {
		line = t.at(b, l.Start)
	}
	if !t.wanted(line) {
		return
	}
	switch {
	case t.only:
	case t.matches < t.want:
		t.show(b, l, line)
	case t.matches == t.want:
		t.next = line
	}
	t.matches++
}

func (t *tally) wanted(line int64) bool {
	for _, s := range t.lines {
		if line >= s.From && (s.To == 0 || line <= s.To) {
			return true
		}
	}
	return len(t.lines) == 0
}

// at moves the line count to a place where a line starts.
func (t *tally) at(b []byte, start int) int64 {
	t.line += int64(bytes.Count(b[t.counted:start], []byte{'\n'}))
	t.counted = start
	return t.line
}

// show adds the rows of a match: the lines before it that are no rows yet, itself, and
// those after it up to the next match, which show adds when it takes that. Context
// stays inside a piece.
func (t *tally) show(b []byte, l scan.Line, line int64) {
	var rows []row
	at, n := l.Start, int64(0)
	for n < int64(t.s.context) && at > 0 && line-n-1 > t.shown {
		at = bytes.LastIndexByte(b[:at-1], '\n') + 1
		n++
	}
	for ; n > 0; n-- {
		rows, at = beside(rows, b, at, line-n)
	}
	from, to, _ := t.s.pattern.Place(b[l.Start:l.End])
	text := b[l.Start:l.End]
	rows = append(rows, row{line: line, text: doc.Excerpt(text, from, to), match: true, whole: doc.Entire(text)})
	at = l.Next
	for n := int64(1); n <= int64(t.s.context) && at < len(b); n++ {
		if next, ok := t.s.scan.Next(b[:lineAfter(b, at)], at); ok && next.Start == at && t.wanted(line+n) {
			break // the next match brings its own rows
		}
		rows, at = beside(rows, b, at, line+n)
	}
	t.shown = rows[len(rows)-1].line
	t.groups = append(t.groups, rows)
}

func lineAfter(b []byte, at int) int {
	_, next := scan.End(b, at)
	return next
}

// beside adds a line of context and gives the start of the next line.
func beside(rows []row, b []byte, at int, line int64) ([]row, int) {
	end, next := scan.End(b, at)
	return append(rows, row{line: line, text: doc.Excerpt(b[at:end], 0, 0), whole: doc.Entire(b[at:end])}), next
}
