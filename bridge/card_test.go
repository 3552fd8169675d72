package bridge

import (
	"testing"

	"pgregory.net/rapid"

	"tenet/bridge/engine"
	"tenet/laws"
	"tenet/models/card"
)

// Every key at every moment of every desk, and every question on every screen.
func TestCardModel(t *testing.T) {
	defer report.Time("card")()
	r, err := cardArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := append(engine.Unapplied(laws.CardBook, r.Premises), engine.Unapplied(laws.CardShownBook, r.Premises)...); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	if r.States != 1997 || r.Steps != 78669 || r.Depth != 12 {
		t.Errorf("the models are not those that were pinned: %d states, %d steps, depth %d", r.States, r.Steps, r.Depth)
	}
}

// Real brokers, document tools and the shell, and the cards that their clients get.
func TestCardQuick(t *testing.T) {
	defer report.Time("card")()
	if err := cardQuick(); err != nil {
		t.Fatal(err)
	}
}

// Any text in any place of a card, on any screen.
func TestCardRapid(t *testing.T) {
	defer report.Time("card")()
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"rm -rf /", "  ", "\n", "\t", "⟨", "x1b⟩", "u202e⟩", "⟩", "⇥   ", "⏎", "\\ ", "? ", "= ", ": ", "  in       /", "┊ +", "\u202e", "\x1b[2J", "\r", "\u200d", "\U0001f1fa\U0001f1f8", "日本", "\u0301", "\xf0\x9f"}),
		rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 6), func(b []byte) string { return string(b) }),
	)
	text := rapid.Custom(func(rt *rapid.T) string {
		s := ""
		for _, p := range rapid.SliceOfN(piece, 0, 12).Draw(rt, "pieces") {
			s += p
		}
		return s
	})
	rapid.Check(t, func(rt *rapid.T) {
		in := card.Shown{
			Texts: rapid.SliceOfN(text, 1, 4).Draw(rt, "texts"), Asks: rapid.Uint8().Draw(rt, "asks"), Dir: text.Draw(rt, "dir"), Word: text.Draw(rt, "word"),
			Diff: text.Draw(rt, "diff") + "\n", Cut: rapid.Bool().Draw(rt, "cut"), Width: rapid.IntRange(5, 120).Draw(rt, "width"), Details: rapid.Bool().Draw(rt, "details"),
		}
		for range in.Texts {
			in.Dirs = append(in.Dirs, text.Draw(rt, "dir of a step"))
		}
		_, out := card.Draw(struct{}{}, in)
		for _, l := range laws.CardShownBook {
			if v := l.Func(in, out); v.Err != nil {
				rt.Fatalf("law %s: %v", l.ID, v.Err)
			}
		}
	})
}

// Long histories of a desk.
func TestCardKeysRapid(t *testing.T) {
	defer report.Time("card")()
	rapid.Check(t, func(rt *rapid.T) {
		s := card.Init
		for range rapid.IntRange(0, 200).Draw(rt, "steps") {
			var ops []card.Op
			for op := range card.Ops(s) {
				ops = append(ops, op)
			}
			op := rapid.SampledFrom(ops).Draw(rt, "op")
			next, out := card.Step(s, op)
			for _, l := range laws.CardBook {
				if v := l.Step(s, op, out, next); v.Err != nil {
					rt.Fatalf("law %s: %v", l.ID, v.Err)
				}
			}
			s = next
		}
	})
}
