// Package doc holds what the document tools decide: where lines begin and end, which
// rows a read shows, what a replacement does to a file's bytes, which matches and
// names fit on a page (S8). It opens nothing: the adapter hands it bytes.
package doc

import (
	"bytes"
	"iter"
)

// Ending is how a line ends (S8.6).
type Ending uint8

// The endings. A \r that no \n follows is text and ends nothing.
const (
	NoEnding Ending = iota // the last line of a file without a final newline
	LF                     // \n
	CRLF                   // \r\n
)

var endingNames = [...]string{"none", "LF", "CRLF"}

// String names the ending.
func (e Ending) String() string { return endingNames[e] }

var endingBytes = [...]string{"", "\n", "\r\n"}

// Bytes is the ending as it stands in a file.
func (e Ending) Bytes() string { return endingBytes[e] }

// BOM is the UTF-8 byte order mark. At the start of a file it belongs to the file
// and to no line.
const BOM = "\xef\xbb\xbf"

// Line is one line of a file: its text without the ending, and the ending.
type Line struct {
	Text   []byte
	Ending Ending
}

// Cut takes the first line from b. The line of an empty b is empty and has no
// ending; a caller stops there.
func Cut(b []byte) (l Line, rest []byte) {
	i := bytes.IndexByte(b, '\n')
	switch {
	case i < 0:
		return Line{Text: b}, nil
	case i > 0 && b[i-1] == '\r':
		return Line{Text: b[:i-1], Ending: CRLF}, b[i+1:]
	default:
		return Line{Text: b[:i], Ending: LF}, b[i+1:]
	}
}

// Lines lists a file's lines with their numbers, from 1. What follows the last \n
// is a line only when it is not empty, and a byte order mark is in no line.
func Lines(file []byte) iter.Seq2[int, Line] {
	return func(yield func(int, Line) bool) {
		rest := bytes.TrimPrefix(file, []byte(BOM))
		for n := 1; len(rest) > 0; n++ {
			var l Line
			if l, rest = Cut(rest); !yield(n, l) {
				return
			}
		}
	}
}

// CountLines is the number of lines that Lines lists.
func CountLines(file []byte) int {
	rest := bytes.TrimPrefix(file, []byte(BOM))
	n := bytes.Count(rest, []byte{'\n'})
	if len(rest) > 0 && rest[len(rest)-1] != '\n' {
		n++
	}
	return n
}

// FirstEnding is the ending of the first line, NoEnding when the file has none.
func FirstEnding(file []byte) Ending {
	l, _ := Cut(file)
	return l.Ending
}

// Endings counts the lines of a file by their ending.
type Endings struct{ LF, CRLF int }

// CountEndings counts a file's endings.
func CountEndings(file []byte) Endings {
	crlf := bytes.Count(file, []byte("\r\n"))
	return Endings{LF: bytes.Count(file, []byte{'\n'}) - crlf, CRLF: crlf}
}

// skipBlock is how many bytes are counted at a time on the way to a line.
const skipBlock = 4 << 10

// skipLines goes from the start of one line to that of a later one, or to the end of
// the bytes, and says which line it reached.
func skipLines(b []byte, at int, line, wanted int64) (int, int64) {
	for line < wanted && at < len(b) {
		block := b[at:min(at+skipBlock, len(b))]
		if n := int64(bytes.Count(block, []byte{'\n'})); line+n < wanted {
			at, line = at+len(block), line+n
			continue
		}
		for line < wanted {
			at, line = at+1+bytes.IndexByte(b[at:], '\n'), line+1
		}
	}
	return at, line
}
