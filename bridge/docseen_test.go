package bridge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenet/bridge/engine"
	"tenet/core/surface"
	"tenet/laws"
)

// Every order of rows shown, edits, retries and changes by others.
func TestDocSeenModel(t *testing.T) {
	defer report.Time("docseen")()
	r, err := docSeenArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := append(engine.Unapplied(laws.DocSeenBook, r.Premises), engine.Unapplied(laws.DocRevealBook, r.Premises)...); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// Read and edit on a real file, beside the model.
func TestDocSeenQuick(t *testing.T) {
	defer report.Time("docseen")()
	if err := docSeenQuick(); err != nil {
		t.Fatal(err)
	}
}

// Longer histories of the same.
func TestDocSeenHistories(t *testing.T) {
	defer report.Time("docseen")()
	for seed := range uint64(8) {
		if err := driveSeen(engine.NewRandom(1000+seed, 200), engine.Premises{}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// A rejection shows 40 lines of 512 characters in any script, and they come through
// whole: its straight retry applies. With one line or one character more it does not.
func TestDocSeenWidestReveal(t *testing.T) {
	defer report.Time("docseen")()
	for _, c := range []struct {
		anchors, chars int
		applies        bool
	}{{40, 512, true}, {41, 512, false}, {40, 513, false}} {
		root, err := filepath.EvalSymlinks(t.TempDir())
		must(err)
		d := newSeenDir(root)
		line := strings.Repeat("𝔸", c.chars) + "\n"
		must(os.WriteFile(d.file(), []byte(strings.Repeat(line, c.anchors)+"end\n"), 0o644))
		d.read(int64(c.anchors) + 1)
		patch := fmt.Sprintf("[f#%s]\nPUT 1.=%d:\n+new\n", d.tag, c.anchors)
		args := surface.Args{"patch": patch}
		if _, err := d.tools.Run(t.Context(), openGate{}, "edit", args); err == nil {
			t.Fatalf("%+v: nothing was seen, and the edit applies", c)
		}
		if _, err := d.tools.Run(t.Context(), openGate{}, "edit", args); (err == nil) != c.applies {
			t.Errorf("%+v: the straight retry ends with %.200v", c, err)
		}
	}
}
