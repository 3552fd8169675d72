package bridge

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/bridge/engine"
	"tenet/core/doc"
	"tenet/laws"
	"tenet/models/doclines"
)

// Every file of the bound with every small edit.
func TestDocLinesModel(t *testing.T) {
	defer report.Time("doclines")()
	r, err := docLinesArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.DocLinesBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// The real read, grep and write on real files.
func TestDocLinesQuick(t *testing.T) {
	defer report.Time("doclines")()
	if err := docLinesQuick(); err != nil {
		t.Fatal(err)
	}
}

// Longer files with several edits, of any characters.
func TestDocLinesRapid(t *testing.T) {
	defer report.Time("doclines")()
	part := rapid.SampledFrom(lineParts)
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(part, 0, 60).Draw(t, "parts"), "") })
	line := rapid.SampledFrom([]string{"", "x", "é", "\r", "a\rb", doc.BOM})
	piece := rapid.Custom(func(t *rapid.T) doc.Piece {
		if rapid.Bool().Draw(t, "new") {
			return doc.Piece{New: rapid.SliceOfN(line, 0, 3).Draw(t, "lines")}
		}
		from := rapid.Int64Range(1, 12).Draw(t, "from")
		return doc.Piece{Keep: doc.Span{From: from, To: rapid.SampledFrom([]int64{0, from, from + 1, from + 5}).Draw(t, "to")}}
	})
	rapid.Check(t, func(t *rapid.T) {
		in := doclines.In{Kind: doclines.Kind(rapid.IntRange(0, 2).Draw(t, "kind")), File: text.Draw(t, "file"),
			Pieces: rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), Content: text.Draw(t, "content")}
		_, out := doclines.Step(struct{}{}, in)
		if err := judgeLines(in, out, engine.Premises{}); err != nil {
			t.Fatal(err)
		}
	})
}
