package docrows

import (
	"iter"

	"tenet/core/doc"
	"tenet/models/doclines"
)

// alphabet adds a byte that is no text to the characters of the line model.
var alphabet = append([]string{"\xff"}, doclines.Alphabet...)

// length bounds the files of any characters, rowsLength those of a character and \n that
// have every selection.
const (
	length     = 4
	rowsLength = 6
)

// Ops is every file of the bound, read whole and bare, and files of more lines with every
// selection of up to three ranges.
func Ops(struct{}) iter.Seq[In] {
	return func(yield func(In) bool) {
		for file := range doclines.Files(alphabet, length) {
			for _, spans := range [][]doc.Span{nil, {{From: 2, To: 2}}, {{From: 3}, {From: 1, To: 1}}} {
				if !yield(In{File: file, Spans: spans}) || !yield(In{File: file, Spans: spans, Raw: true}) {
					return
				}
			}
		}
		for file := range doclines.Files([]string{"a", "\n"}, rowsLength) {
			for spans := range selections {
				for _, most := range []int{0, 2, 3} {
					if !yield(In{File: file, Spans: spans, MaxRows: most}) || !yield(In{File: file, Spans: spans, Raw: true, MaxRows: most}) {
						return
					}
				}
			}
		}
	}
}

// spans are what a selection is made of.
var spans = []doc.Span{{From: 1, To: 1}, {From: 1, To: 3}, {From: 2, To: 2}, {From: 2}, {From: 2, To: 3}, {From: 3, To: 4}, {From: 4, To: 4}, {From: 5, To: 9}, {From: 6}}

// selections is every list of up to three of the spans, in any order, with repeats.
func selections(yield func([]doc.Span) bool) {
	for i, a := range spans {
		if !yield([]doc.Span{a}) {
			return
		}
		for j, b := range spans {
			if !yield([]doc.Span{a, b}) {
				return
			}
			for _, c := range spans[:min(i, j)] {
				if !yield([]doc.Span{a, b, c}) {
					return
				}
			}
		}
	}
}
