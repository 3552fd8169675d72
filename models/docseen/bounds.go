package docseen

import (
	"iter"
	"strings"
	"unicode/utf8"

	"tenet/core/doc/snapshot"
)

// Edge is a file around the bounds of what a rejection shows, none of it seen.
type Edge struct {
	// Anchors is how many lines the edit names, from the first on.
	Anchors int
	// Chars is the characters of each line.
	Chars int
	// Lines is how many lines the file has.
	Lines int
}

// Revealed is what a rejection shows of it.
type Revealed struct {
	// Named is how many anchors it names.
	Named int
	// Rows is how many characters each row shows.
	Rows []int
	// Whole is what it says of them.
	Whole bool
}

// Edges lists the files around the bounds: up to 42 anchors in files of one line less,
// as many or one more, with lines of 1 and of 511 to
// 513 characters.
func Edges(struct{}) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for n := range 43 {
			for _, chars := range []int{1, 511, 512, 513} {
				for lines := max(0, n-1); lines <= n+1; lines++ {
					if !yield(Edge{n, chars, lines}) {
						return
					}
				}
			}
		}
	}
}

// StepReveal is core's answer.
func StepReveal(_ struct{}, e Edge) (struct{}, Revealed) {
	anchors := make([]int64, e.Anchors)
	for i := range anchors {
		anchors[i] = int64(i + 1)
	}
	r := snapshot.Guard(anchors, snapshot.LineSet{}, []byte(strings.Repeat(strings.Repeat("é", e.Chars)+"\n", e.Lines)))
	out := Revealed{Named: len(r.Unseen), Whole: r.Whole}
	for _, row := range r.Shown {
		out.Rows = append(out.Rows, utf8.RuneCountInString(row.Text))
	}
	return struct{}{}, out
}
