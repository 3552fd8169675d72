package doc

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWeave(t *testing.T) {
	keep := func(from, to int64) Piece { return Piece{Keep: Span{from, to}} }
	lines := func(texts ...string) Piece { return Piece{New: texts} }
	for _, tt := range []struct {
		about, file, want string
		pieces            []Piece
	}{
		{"all of it is the file", BOM + "a\r\nb\n\rc", BOM + "a\r\nb\n\rc", []Piece{keep(1, 0)}},
		{"so is line for line", "a\r\nb\nc", "a\r\nb\nc", []Piece{keep(1, 1), keep(2, 2), keep(3, 9)}},
		{"a new line takes the ending before it", "a\r\nb\n", "a\r\nx\r\nb\ny\n", []Piece{keep(1, 1), lines("x"), keep(2, 2), lines("y")}},
		{"at the top the first ending", BOM + "a\r\nb\n", BOM + "x\r\nb\n", []Piece{lines("x"), keep(2, 2)}},
		{"after the mark of a file without lines", BOM, BOM + "x\n", []Piece{lines("x")}},
		{"an empty file gets an ending", "", "x\ny\n", []Piece{lines("x", "y")}},
		{"no ending stays none", "a\r\nb", "a\r\nb\r\nx", []Piece{keep(1, 2), lines("x")}},
		{"also when the last line goes", "a\r\nb", "a", []Piece{keep(1, 1)}},
		{"but an empty line needs one", "a\r\nb", "a\r\n\r\n", []Piece{keep(1, 1), lines("")}},
		{"the last line moved up takes one", "a\nb", "b\na", []Piece{keep(2, 2), keep(1, 1)}},
		{"a line may be kept twice", "a\nb", "b\nb\na", []Piece{keep(2, 2), keep(2, 2), keep(1, 1)}},
		{"nothing kept leaves the mark", BOM + "a", BOM, nil},
		{"past the end is nothing", "a\n", "a\n", []Piece{keep(1, math.MaxInt64), keep(2, 0), keep(7, 9), keep(1, 0).upTo(-1)}},
	} {
		if got := string(Weave([]byte(tt.file), tt.pieces)); got != tt.want {
			t.Errorf("%s: %q with %v is %q, want %q", tt.about, tt.file, tt.pieces, got, tt.want)
		}
	}
}

func (p Piece) upTo(n int64) Piece { p.Keep.To = n; return p }

// What is kept in order and whole is the file, whatever the file.
func TestWeaveKeepsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := anyBytes.Draw(t, "file")
		var pieces []Piece
		for at := int64(1); at <= int64(CountLines(file)); {
			to := at + rapid.Int64Range(0, 4).Draw(t, "run")
			pieces = append(pieces, Piece{Keep: Span{at, to}})
			at = to + 1
		}
		if got := Weave(file, pieces); !bytes.Equal(got, file) {
			t.Fatalf("%q in %v is %q", file, pieces, got)
		}
	})
}

// What a new file takes is one allocation, and one for the places of the pieces:
// nothing for a line.
func TestWeaveAllocatesNothingForALine(t *testing.T) {
	file := []byte(strings.Repeat("a line of some text\r\n", 100_000))
	pieces := []Piece{{Keep: Span{1, 50_000}}, {New: []string{"x"}}, {Keep: Span{50_002, 0}}}
	if n := testing.AllocsPerRun(5, func() { Weave(file, pieces) }); n > 8 {
		t.Errorf("%v allocations", n)
	}
}

// One line of a file of each size.
func BenchmarkWeave(b *testing.B) {
	for _, size := range []int{4 << 10, 4 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			file := []byte(strings.Repeat("forty bytes of a line that is in a file\n", size/40))
			mid := int64(CountLines(file) / 2)
			pieces := []Piece{{Keep: Span{1, mid}}, {New: []string{"x"}}, {Keep: Span{mid + 2, 0}}}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				Weave(file, pieces)
			}
		})
	}
}
