package bridge

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/laws"
	"tenet/models/recovery"
)

// TestRecoveryQuick plays stuck models on real sessions.
func TestRecoveryQuick(t *testing.T) {
	defer report.Time("recovery")()
	if err := recoveryQuick(); err != nil {
		t.Fatal(err)
	}
}

// TestRecoveryTexts reads texts beyond the bound, of many pieces and with words between.
func TestRecoveryTexts(t *testing.T) {
	defer report.Time("recovery")()
	piece := rapid.SampledFrom(slices.Concat([]string{"words ", "x\n", "\t", "`````\n", "~~~~ go\n", "```\n"}, recovery.Told, recovery.Pieces()))
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 1, 14).Draw(rt, "pieces"), "")
		op := recovery.Op{Kind: recovery.Scan, Text: text}
		s, out := recovery.Step(recovery.State{}, op)
		for _, l := range laws.RecoveryBook {
			if l.Step == nil {
				continue
			}
			if v := l.Step(recovery.State{}, op, out, s); v.Err != nil {
				rt.Fatalf("law %s: %v", l.ID, v.Err)
			}
		}
	})
}
