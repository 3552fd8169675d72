package doc

import (
	"bytes"
	"strings"
)

// Rewritten is a whole-file write over a file that is there.
type Rewritten struct {
	// Bytes is what the file gets.
	Bytes []byte
	// Converted is true when an ending of the content was changed to the file's.
	Converted bool
	// Kept is the ending every line of the content got; NoEnding when the content or
	// the file has none, and the content stands as given.
	Kept Ending
	// AddedBOM is true when the file's byte order mark was put before the content.
	AddedBOM bool
}

// Rewrite keeps what a whole-file write keeps of the file it replaces: the byte order
// mark and the first ending (S8.3, law lines_write_keeps).
func Rewrite(old []byte, content string) Rewritten {
	w := Rewritten{Bytes: []byte(content)}
	if e := FirstEnding(old); e != NoEnding && strings.Contains(content, "\n") {
		w.Kept = e
		w.Bytes = endAll(w.Bytes, e)
		w.Converted = string(w.Bytes) != content
	}
	if bytes.HasPrefix(old, []byte(BOM)) && !strings.HasPrefix(content, BOM) {
		w.AddedBOM = true
		w.Bytes = append([]byte(BOM), w.Bytes...)
	}
	return w
}

// endAll ends every line that has an ending with e. A line whose text ends in \r keeps
// CRLF: with \n alone its \r would be no text any more.
func endAll(b []byte, e Ending) []byte {
	out := make([]byte, 0, len(b)+bytes.Count(b, []byte{'\n'}))
	for rest := b; len(rest) > 0; {
		var l Line
		l, rest = Cut(rest)
		if l.Ending != NoEnding && !bytes.HasSuffix(l.Text, []byte{'\r'}) {
			l.Ending = e
		}
		out = append(append(out, l.Text...), l.Ending.Bytes()...)
	}
	return out
}
