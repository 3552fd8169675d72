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
	if e := FirstEnding(old); e != NoEnding && FirstEnding(w.Bytes) != NoEnding {
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

// endAll ends every line that has an ending with e.
func endAll(b []byte, e Ending) []byte {
	lf := bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	if e == CRLF {
		return bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n"))
	}
	return lf
}
