package bridge

import (
	"fmt"
	"testing"

	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	"tenet/laws"
	"tenet/models/effect"
)

// TestEffectBeyondTheTable wraps, quotes and adds to commands at random, several times
// over: the laws of the table hold for what comes out, and each kind of change was made.
func TestEffectBeyondTheTable(t *testing.T) {
	made := map[effect.Change]int{}
	n := trial.Check(t, 1, func(src engine.Source) error {
		p := effect.Random(src.Pick)
		made[p.Change]++
		return pairHolds(p)
	})
	if made[effect.Quote] == 0 || made[effect.Wrap] == 0 {
		t.Errorf("of %d scripts %v were changed", n, made)
	}
}

// pairHolds judges one pair by every law of the table.
func pairHolds(p effect.Pair) error {
	_, out := effect.None{}.StepPair(p)
	for _, l := range laws.EffectTableBook {
		if v := l.Func(p, out); v.Err != nil {
			return fmt.Errorf("%s: %v: %w", l.ID, p, v.Err)
		}
	}
	return nil
}
