package bridge

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tenet/bridge/engine"
	"tenet/laws"
	model "tenet/models/prompts"
)

// Every template of the bound: each law holds, and said something.
func TestPromptsModel(t *testing.T) {
	defer report.Time("prompts")()
	r, err := promptsArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.PromptsBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	if r.States != 1 || r.Steps != 32396 || r.Depth != 0 {
		t.Errorf("the model is not the one that was pinned: %+v", r)
	}
}

// Prompts in files.
func TestPromptsQuick(t *testing.T) {
	defer report.Time("prompts")()
	if err := promptsQuick(); err != nil {
		t.Fatal(err)
	}
}

// Templates beyond the bound: any pieces, and arguments of any of them.
func TestPromptsRapid(t *testing.T) {
	defer report.Time("prompts")()
	piece := rapid.SampledFrom([]string{"$", "{", "@", ":", "}", "1", "9", "0", "ARGUMENTS", "a", " ", "\\", `"`, "'", "é", "\xff", "\n", "${@:"})
	text := rapid.Custom(func(rt *rapid.T) (s string) {
		for _, p := range rapid.SliceOfN(piece, 0, 12).Draw(rt, "pieces") {
			s += p
		}
		return s
	})
	rapid.Check(t, func(rt *rapid.T) {
		in := model.In{Body: text.Draw(rt, "body"), Args: rapid.SliceOfN(text.Filter(utf8.ValidString), 0, 5).Draw(rt, "args")}
		_, out := model.Step(struct{}{}, in)
		for _, l := range laws.PromptsBook {
			if v := l.Func(in, out); v.Err != nil {
				rt.Fatalf("law %s: %v", l.ID, v.Err)
			}
		}
	})
}
