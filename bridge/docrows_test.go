package bridge

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"tenet/bridge/engine"
	"tenet/core/doc"
	"tenet/laws"
	"tenet/models/docrows"
)

// Every file of the bound with every selection.
func TestDocRowsModel(t *testing.T) {
	defer report.Time("docrows")()
	r, err := docRowsArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.DocRowsBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// The real read on real files.
func TestDocRowsQuick(t *testing.T) {
	defer report.Time("docrows")()
	if err := docRowsQuick(); err != nil {
		t.Fatal(err)
	}
}

// Longer files of any characters, with selections and bounds of any size.
func TestDocRowsRapid(t *testing.T) {
	defer report.Time("docrows")()
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		in := docrows.In{File: randomFile(r) + randomFile(r), Spans: randomSpans(r), Raw: r.IntN(2) == 0, MaxRows: rapid.IntRange(2, 12).Draw(t, "rows")}
		_, out := docrows.Step(struct{}{}, in)
		if err := judgeRows(in, out, engine.Premises{}); err != nil {
			t.Fatal(err)
		}
	})
}

// The hash that the tags are judged by is the published one.
func TestDocRowsHash(t *testing.T) {
	text := ""
	for range 100 {
		if got, want := docrows.Tag(text), doc.Tag(doc.Digest([]byte(text))); got != want {
			t.Fatalf("%d bytes: %s, want %s", len(text), got, want)
		}
		text += string(rune('a' + len(text)%26))
	}
	if docrows.Tag("") != "E999" { // xxh64 of nothing is ef46db3751d8e999
		t.Error("the hash of nothing is another")
	}
}
