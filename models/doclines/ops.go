package doclines

import (
	"iter"

	"tenet/core/doc"
)

// The bounds of the search, in characters of a file.
const (
	weaveLength = 5
	writeLength = 3
)

// Alphabet is the characters of the files: what the line model tells apart, a character
// of two bytes, and a NUL.
var Alphabet = []string{"\r", "\n", "a", doc.BOM, "é", "\x00"}

// Files is every text of up to n characters of an alphabet.
func Files(alphabet []string, n int) iter.Seq[string] {
	return func(yield func(string) bool) { files(alphabet, "", n, yield) }
}

func files(alphabet []string, head string, n int, yield func(string) bool) bool {
	if !yield(head) {
		return false
	}
	for _, c := range alphabet {
		if n > 0 && !files(alphabet, head+c, n-1, yield) {
			return false
		}
	}
	return true
}

// Ops is every file of the bound: looked at, woven with every small edit, and written
// over by every small content.
func Ops(struct{}) iter.Seq[In] {
	return func(yield func(In) bool) {
		for file := range Files(Alphabet, weaveLength) {
			if !yield(In{Kind: Look, File: file}) {
				return
			}
			for _, pieces := range edits(file) {
				if !yield(In{Kind: Weave, File: file, Pieces: pieces}) {
					return
				}
			}
		}
		for old := range Files(Alphabet, writeLength) {
			for content := range Files(Alphabet, writeLength) {
				if !yield(In{Kind: Write, File: old, Content: content}) {
					return
				}
			}
		}
	}
}

// edits is every replacement of a run of the file's lines, which may be empty, by one of
// a few texts, and the file's lines in other orders.
func edits(file string) (out [][]doc.Piece) {
	_, lines := Split(file)
	n := int64(len(lines))
	for _, fresh := range [][]string{nil, {"x"}, {""}, {"x", "y\r"}} {
		for from := int64(1); from <= n+1; from++ {
			for to := from - 1; to <= n; to++ {
				out = append(out, []doc.Piece{head(from - 1), {New: fresh}, keep(to+1, 0)})
			}
		}
	}
	var backwards, twice []doc.Piece
	for i := n; i > 0; i-- {
		backwards = append(backwards, keep(i, i))
		twice = append(twice, keep(i, 0))
	}
	return append(out, backwards, twice)
}

// head keeps the first n lines.
func head(n int64) doc.Piece {
	if n == 0 {
		return doc.Piece{}
	}
	return keep(1, n)
}

func keep(from, to int64) doc.Piece { return doc.Piece{Keep: doc.Span{From: from, To: to}} }
