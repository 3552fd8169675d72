package bridge

import (
	"errors"
	"strings"
	"testing"

	"tenet/bridge/engine"
	"tenet/core/gate"
	"tenet/laws/law"
)

// TestTry: what catches a mutant, and what does not count as catching it.
func TestTry(t *testing.T) {
	broken := func(id string) func(...string) (engine.Report, error) {
		return func(...string) (engine.Report, error) {
			return engine.Report{}, &engine.Failure{Law: id, Err: errors.New("seen")}
		}
	}
	fine := func(...string) (engine.Report, error) { return engine.Report{}, nil }
	for _, c := range []struct {
		name     string
		relation Relation
		exhaust  func(...string) (engine.Report, error)
		quick    func() error
		law      string
		file     string
		want     Bite
		saw      string
	}{
		{"its law breaks", Same, broken("dial_turns"), nil, "dial_turns", "core/dial/dial.go", ByLaw, "seen"},
		{"another law breaks", Same, broken("dial_other"), nil, "dial_turns", "core/dial/dial.go", "", "not by this law"},
		{"nothing breaks", Same, fine, nil, "dial_turns", "core/dial/dial.go", "", "holds on every state"},
		{"a truncated search", Same, func(...string) (engine.Report, error) { return engine.Report{}, engine.ErrTruncated }, nil, "dial_turns", "core/dial/dial.go", "", "more states"},
		{"no such law", Same, fine, nil, "dial_sings", "core/dial/dial.go", "", "has no law dial_sings"},
		{"the step panics", Same, func(...string) (engine.Report, error) { _ = gate.Verdict(99).String(); return engine.Report{}, nil }, nil, "dial_turns", "core/dial/dial.go", ByPanic, "index out of range"},
		{"a law panics", Same, func(...string) (engine.Report, error) { _ = law.Kind(99).String(); return engine.Report{}, nil }, nil, "dial_turns", "core/dial/dial.go", "", "panic in a law"},
		{"an adapter differs", Reference, fine, func() error { return errors.New("it differs") }, "dial_turns", "adapters/dial/dial.go", ByProduction, "it differs"},
		{"an adapter panics", Reference, fine, func() error { panic("out") }, "dial_turns", "adapters/dial/dial.go", ByProduction, "panic: out"},
		{"an adapter behaves", Reference, fine, func() error { return nil }, "dial_turns", "adapters/dial/dial.go", "", "behaves as the model"},
		{"an adapter's law on the model does not count", Reference, broken("dial_turns"), func() error { return nil }, "dial_turns", "adapters/dial/dial.go", "", "behaves as the model"},
		{"an adapter without a check", Same, fine, nil, "dial_turns", "adapters/dial/dial.go", "", "no check of production"},
		{"core beside a reference model", Reference, fine, func() error { return errors.New("it differs") }, "dial_turns", "core/dial/dial.go", ByProduction, "it differs"},
		{"core under the model itself", Same, fine, func() error { return errors.New("it differs") }, "dial_turns", "core/dial/dial.go", "", "holds on every state"},
	} {
		a, _ := dial()
		a.Relation, a.Exhaust, a.Quick = c.relation, c.exhaust, c.quick
		by, saw := a.try(c.law, c.file)
		if by != c.want || !strings.Contains(saw, c.saw) {
			t.Errorf("%s: caught by %q, saw %q; want %q and %q", c.name, by, saw, c.want, c.saw)
		}
	}
	if by, saw := Try("no-such-area", "l", "f"); by != "" || !strings.Contains(saw, "no area") {
		t.Errorf("an unknown area: %q, %q", by, saw)
	}
}
