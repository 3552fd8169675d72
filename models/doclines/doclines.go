// Package doclines is the line model said the plain way, on lists of lines: what a file's
// lines are, and what an edit and a whole write make of them (S8.6). It lists every file
// of a few characters with every small edit, and asks core.
package doclines

import (
	"strings"

	"tenet/core/doc"
)

// Kind is what is done with a file.
type Kind uint8

// The kinds.
const (
	Weave Kind = iota // pieces of it and new lines become a new file
	Write             // it is replaced by a content
	Look              // its lines are read and found
)

var kindNames = [...]string{"weave", "write", "look"}

// String names the kind.
func (k Kind) String() string { return kindNames[k] }

// In is one thing done with a file.
type In struct {
	Kind Kind
	File string
	// Pieces is of Weave, Content of Write.
	Pieces  []doc.Piece
	Content string
}

// Found is a line as a result shows it.
type Found struct {
	Line int64
	Text string
}

// Out is what came of it.
type Out struct {
	// Bytes is the new file; Singles is the new file when each line was a piece of its
	// own.
	Bytes, Singles string
	// Carry is the ending that a new first line takes.
	Carry doc.Ending
	// Warned is true when the endings of a content were changed and that is told.
	Warned bool
	// Read is the lines as a read shows them, Grep as a search does.
	Read, Grep []Found
}

// Step asks core. There is one state.
func Step(s struct{}, in In) (struct{}, Out) {
	file := []byte(in.File)
	switch in.Kind {
	case Weave:
		return s, Out{
			Bytes:   string(doc.Weave(file, in.Pieces)),
			Singles: string(doc.Weave(file, singles(in.Pieces, int64(doc.CountLines(file))))),
			Carry:   doc.Carry(file),
		}
	case Write:
		w := doc.Rewrite(file, in.Content)
		return s, Out{Bytes: string(w.Bytes), Warned: w.Converted}
	case Look:
	}
	var out Out
	for _, r := range doc.Show(file, doc.Want{Bytes: 1 << 20}).View.Rows {
		out.Read = append(out.Read, Found{r.Line, r.Text})
	}
	if out.Read != nil || doc.Sniff(file, false).Encoding == doc.UTF8 {
		for n, l := range doc.Lines(file) {
			out.Grep = append(out.Grep, Found{int64(n), string(l.Text)})
		}
	}
	return s, out
}

// singles is the same pieces with one line each.
func singles(pieces []doc.Piece, lines int64) (out []doc.Piece) {
	for _, p := range pieces {
		for _, n := range numbers(p, lines) {
			out = append(out, doc.Piece{Keep: doc.Span{From: n, To: n}})
		}
		if p.Keep.From == 0 {
			for _, text := range p.New {
				out = append(out, doc.Piece{New: []string{text}})
			}
		}
	}
	return out
}

// numbers is the lines that a piece keeps.
func numbers(p doc.Piece, lines int64) (out []int64) {
	for n := p.Keep.From; n > 0 && n <= lines && (p.Keep.To == 0 || n <= p.Keep.To); n++ {
		out = append(out, n)
	}
	return out
}

// Line is a line with its ending: "", "\n" or "\r\n".
type Line struct{ Text, Ending string }

// Split is a file's byte order mark and its lines.
func Split(file string) (mark string, lines []Line) {
	if strings.HasPrefix(file, doc.BOM) {
		mark, file = doc.BOM, file[len(doc.BOM):]
	}
	for _, l := range strings.SplitAfter(file, "\n") {
		switch {
		case strings.HasSuffix(l, "\r\n"):
			lines = append(lines, Line{strings.TrimSuffix(l, "\r\n"), "\r\n"})
		case strings.HasSuffix(l, "\n"):
			lines = append(lines, Line{strings.TrimSuffix(l, "\n"), "\n"})
		case l != "":
			lines = append(lines, Line{l, ""})
		}
	}
	return mark, lines
}

// Written is the lines that pieces name, in order. A new line has no ending of its own.
func Written(file string, pieces []doc.Piece) (out []Line) {
	_, old := Split(file)
	for _, p := range pieces {
		for _, n := range numbers(p, int64(len(old))) {
			out = append(out, old[n-1])
		}
		if p.Keep.From == 0 {
			for _, text := range p.New {
				out = append(out, Line{Text: text})
			}
		}
	}
	return out
}

// First is the ending that the first line of a file has, or the \n of a file without.
func First(file string) string {
	if _, lines := Split(file); len(lines) > 0 && lines[0].Ending != "" {
		return lines[0].Ending
	}
	return "\n"
}

// Ended reports whether a new version of the file ends with an ending when its last line
// has this text: as the file does, and where it must to be a line.
func Ended(file, last string) bool {
	_, lines := Split(file)
	return len(lines) == 0 || lines[len(lines)-1].Ending != "" || last == ""
}

// Persist is the file of lines that are written one by one: each takes its own ending,
// else the one written before it.
func Persist(file string, lines []Line) string {
	mark, _ := Split(file)
	out, carry := mark, First(file)
	for i, l := range lines {
		if l.Ending != "" {
			carry = l.Ending
		}
		out += l.Text
		if i < len(lines)-1 || Ended(file, l.Text) {
			out += carry
		}
	}
	return out
}
