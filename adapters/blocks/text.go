package blocks

import (
	"bytes"
	"fmt"
	"sort"

	"tenet/core/doc"
)

// text is a file's bytes and where its lines begin.
type text struct {
	path   string
	src    []byte
	starts []int32
}

func newText(path string, src []byte) (*text, error) {
	if len(src) > MaxBytes {
		return nil, fmt.Errorf("%s has %d bytes, and blocks are found in files of up to %d; give the lines as a range", path, len(src), MaxBytes)
	}
	if bytes.IndexByte(src, 0) >= 0 {
		return nil, fmt.Errorf("%s holds a NUL byte, so it is no source text; give the lines as a range", path)
	}
	t := &text{path: path, src: bytes.TrimPrefix(src, []byte(doc.BOM))}
	t.starts = make([]int32, 0, bytes.Count(t.src, []byte{'\n'})+1)
	for at := 0; at < len(t.src); {
		t.starts = append(t.starts, int32(at))
		n := bytes.IndexByte(t.src[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return t, nil
}

func (t *text) count() int { return len(t.starts) }

// line is the text of line n without its ending.
func (t *text) line(n int) []byte {
	l, _ := doc.Cut(t.src[t.starts[n-1]:])
	return l.Text
}

// lineAt is the line that holds a byte.
func (t *text) lineAt(off int) int {
	return sort.Search(len(t.starts), func(i int) bool { return int(t.starts[i]) > off })
}

// first is where the first byte of a line that is no blank stands, or -1.
func (t *text) first(n int) int {
	l := t.line(n)
	for i, c := range l {
		if c != ' ' && c != '\t' && c != '\f' && c != '\r' {
			return int(t.starts[n-1]) + i
		}
	}
	return -1
}

// tab is how far apart tab stops are; only which of two lines is deeper matters.
const tab = 8

// indent is the column of the first byte that is no blank; ok is false for a blank line.
func (t *text) indent(n int) (col int, ok bool) {
	for _, c := range t.line(n) {
		switch c {
		case ' ':
			col++
		case '\t':
			col += tab - col%tab
		case '\f', '\r':
		default:
			return col, true
		}
	}
	return 0, false
}

// trimmed is a line without the blanks around it.
func (t *text) trimmed(n int) []byte { return bytes.TrimSpace(t.line(n)) }

func span(from, to int) doc.Span { return doc.Span{From: int64(from), To: int64(to)} }
