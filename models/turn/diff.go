package turn

import (
	"fmt"
	"iter"
	"strings"

	"tenet/core/doc"
)

// Dirt is something in a text that a terminal obeys or hides, and how a card spells it.
type Dirt struct{ Raw, Shown string }

// Dirts are the kinds of it; the first is none.
var Dirts = []Dirt{
	{}, {"\x1b[2J", "⟨x1b⟩[2J"}, {"\r", "⟨x0d⟩"}, {"\u202e", "⟨u202e⟩"}, {"\u200b", "⟨u200b⟩"}, {"\xff", "⟨xff⟩"}, {"\u2028", "⟨u2028⟩"}, {"⟨x41⟩", "⟨u27e8⟩x41⟩"},
}

// Spelled is a text as a card must spell it.
func Spelled(text string) string {
	for _, d := range Dirts[1:] {
		text = strings.ReplaceAll(text, d.Raw, d.Shown)
	}
	return text
}

// Drawn is a diff to be bounded, or two texts to be compared.
type Drawn struct {
	// Path is the name of the file.
	Path string
	// Whole is true for a diff that is bounded as it is: Size bytes in lines of Width,
	// the line ends included.
	Whole       bool
	Size, Width int
	// Dirt is an index into Dirts; it stands at the start of the line At.
	Dirt, At int
	// Existed is false when there was no file. Old and Next have Lines lines of Width
	// bytes; every Every-th line of Next is another one.
	Existed      bool
	Lines, Every int
	// Open is true when the last line of Next has no end.
	Open bool
}

// String is the input as a run shows it.
func (d Drawn) String() string {
	type plain Drawn
	return fmt.Sprintf("%+v", plain(d))
}

// Diff is the diff that is bounded as it is.
func (d Drawn) Diff() string {
	var b strings.Builder
	for n := 0; b.Len() < d.Size; n++ {
		line := "+"
		if n == d.At {
			line += Dirts[d.Dirt].Raw
		}
		left := d.Size - b.Len()
		line += strings.Repeat("x", max(0, min(d.Width, left)-len(line)-1)) + "\n"
		b.WriteString(line[max(0, len(line)-left):])
	}
	return b.String()
}

// Texts are the two texts that are compared.
func (d Drawn) Texts() (old, next string) {
	var o, n strings.Builder
	for i := range d.Lines {
		line := fmt.Sprintf("line %d ", i)
		line += strings.Repeat("x", max(0, d.Width-len(line)-1))
		o.WriteString(line + "\n")
		if i%d.Every == 0 {
			line = Dirts[d.Dirt].Raw + strings.ReplaceAll(line, "x", "y")
		}
		n.WriteString(line + "\n")
	}
	old, next = o.String(), n.String()
	if d.Open {
		next = strings.TrimSuffix(next, "\n")
	}
	if !d.Existed {
		old = ""
	}
	return old, next
}

// The sizes that Whole diffs are said to have had before and after.
const (
	SizeBefore = 1234
	SizeAfter  = 98765
)

// Card is what a card shows of it.
type Card struct{ Text string }

// StepDiff is core's answer.
func StepDiff(s struct{}, d Drawn) (struct{}, Card) {
	if d.Whole {
		return s, Card{doc.CardDiff(d.Path, []byte(d.Diff()), SizeBefore, SizeAfter)}
	}
	old, next := d.Texts()
	return s, Card{doc.Diff(d.Path, d.Existed, []byte(old), []byte(next))}
}

// Diffs are diffs around both bounds, clean and dirty, and comparisons of texts that
// differ here and there.
func Diffs(struct{}) iter.Seq[Drawn] {
	return func(yield func(Drawn) bool) {
		for _, size := range []int{0, 1, 99, 65535, 65536, 65537, 66000, 150000} {
			for _, width := range []int{2, 80, 163, 164, 165, 1000, 65536, 65537, 200000} {
				if !dirty(Drawn{Path: "a/b", Whole: true, Size: size, Width: width}, yield) {
					return
				}
			}
		}
		for _, lines := range []int{0, 1, 9, 401, 900} {
			for _, every := range []int{1, 8, 1000} {
				for _, how := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
					d := Drawn{Path: "a/b", Existed: how[0], Open: how[1], Lines: lines, Every: every, Width: 90}
					for d.Dirt = range Dirts {
						if !yield(d) {
							return
						}
					}
				}
			}
		}
	}
}

// dirty is a diff without and with each dirt, at its start, on both sides of the 400th
// line and far behind it, and of a file whose name hides something.
func dirty(d Drawn, yield func(Drawn) bool) bool {
	if !yield(d) {
		return false
	}
	for _, at := range []int{0, 399, 400, 800} {
		for d.Dirt = 1; d.Dirt < len(Dirts); d.Dirt++ {
			if d.At = at; d.Size > at*d.Width && !yield(d) {
				return false
			}
		}
	}
	d.Dirt, d.At, d.Path = 0, 0, "a\x1b[2Jb\u202ec"
	return yield(d)
}
