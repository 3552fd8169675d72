package bridge

import (
	"testing"

	"tenet/bridge/engine"
	"tenet/core/doc"
	"tenet/laws"
	"tenet/models/doctags"
)

// A file that changes at every point while a tool takes it.
func TestDocTagsModel(t *testing.T) {
	defer report.Time("doctags")()
	r, err := docTagsArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.DocTagsBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// The model has two texts with one tag, or it would not tell a look-up that takes the
// wrong one.
func TestDocTagsCollide(t *testing.T) {
	one, two := doctags.Content{1, 1}.Bytes(), doctags.Content{2, 2}.Bytes()
	if doc.Tag(doc.Digest(one)) != doc.Tag(doc.Digest(two)) {
		t.Error("no two texts of the model have the same tag")
	}
}

// Read and grep on a real file that another program changes before it is named.
func TestDocTagsQuick(t *testing.T) {
	defer report.Time("doctags")()
	if err := docTagsQuick(); err != nil {
		t.Fatal(err)
	}
}
