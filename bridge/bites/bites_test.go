package bites

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tenet/bridge"
	"tenet/bridge/engine/mutate"
	"tenet/laws/law"
)

func mutant(name, lawID, file string) mutate.Mutant {
	return mutate.Mutant{ID: 1, Area: "dial", Name: name, Law: lawID, File: file}
}

// TestJudge: a death is judged by where it rose, and no verdict is no kill.
func TestJudge(t *testing.T) {
	core, adapter := mutant("m", "dial_turns", "core/dial/dial.go"), mutant("m", "dial_turns", "adapters/dial/dial.go")
	overflow := "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\n"
	for _, c := range []struct {
		name string
		in   mutate.Result
		want bridge.Bite
		saw  string
	}{
		{"the program's verdict", mutate.Result{Mutant: core, Verdict: mutate.Verdict{By: "law", Saw: "x"}}, bridge.ByLaw, "x"},
		{"no verdict", mutate.Result{Mutant: core, Err: errors.New("does not compile")}, "", "does not compile"},
		{"never back", mutate.Result{Mutant: core, Late: true}, bridge.ByDeadline, "did not come back"},
		{"another system's file", mutate.Result{Mutant: adapter, Elsewhere: true}, bridge.ByProduction, "not run here"},
		{"an adapter's goroutine", mutate.Result{Mutant: adapter, Crash: "panic: closed twice\n\ngoroutine 7:\n"}, bridge.ByProduction, "panic: closed twice"},
		{"the step overflows", mutate.Result{Mutant: core, Crash: overflow + "tenet/core/dial.Step(...)\ntenet/bridge/engine.(*search).expand(...)\n"}, bridge.ByPanic, "runtime: goroutine stack"},
		{"a law overflows", mutate.Result{Mutant: core, Crash: overflow + "tenet/models/dial.Rank(...)\ntenet/laws.init.func1(...)\ntenet/bridge/engine.judgeState(...)\n"}, "", "runtime: goroutine stack"},
		{"the engine dies", mutate.Result{Mutant: core, Crash: overflow + "tenet/bridge/engine.Exhaust(...)\n"}, "", "runtime: goroutine stack"},
	} {
		if r := judge(c.in); r.By != c.want || !strings.Contains(r.Saw, c.saw) {
			t.Errorf("%s: caught by %q, saw %q; want %q and %q", c.name, r.By, r.Saw, c.want, c.saw)
		}
	}
}

// TestProblems: a gate without teeth is a problem, and so is a mutant that lives.
func TestProblems(t *testing.T) {
	area := bridge.Area{Name: "dial", Laws: []law.Info{{ID: "dial_turns"}, {ID: "dial_stops"}}, Quick: func() error { return nil }}
	row := func(name, lawID, file string, by bridge.Bite) Row {
		return Row{Result: mutate.Result{Mutant: mutant(name, lawID, file)}, By: by}
	}
	good := []Row{
		row("a", "dial_turns", "core/dial.go", bridge.ByLaw),
		row("b", "dial_stops", "models/dial.go", bridge.ByPanic),
		row("c", "dial_stops", "adapters/dial.go", bridge.ByProduction),
	}
	if p := Problems(good, []bridge.Area{area}); len(p) > 0 {
		t.Errorf("nothing is wrong, and yet: %q", p)
	}
	if n := Killed(good); n["dial_turns"] != 1 || n["dial_stops"] != 2 {
		t.Errorf("killed per law: %v", n)
	}
	for want, change := range map[string]func([]Row) []Row{
		"mutant dial/a (core/dial.go, law dial_turns) lives":           func(r []Row) []Row { r[0].By = ""; return r },
		"law dial_stops of area dial broke on its model for no mutant": func(r []Row) []Row { return slices.Delete(r, 1, 2) },
		"no mutant of an adapter is caught":                            func(r []Row) []Row { return r[:2] },
	} {
		p := Problems(change(slices.Clone(good)), []bridge.Area{area})
		if !slices.ContainsFunc(p, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("problems %q, want one that says %q", p, want)
		}
	}
}

// TestNotesNameWhatTheClockCaught: a deadline proves nothing about a law, so it is
// said aloud.
func TestNotesNameWhatTheClockCaught(t *testing.T) {
	rows := []Row{
		{Result: mutate.Result{Mutant: mutant("spins", "dial_turns", "core/dial.go")}, By: bridge.ByDeadline, Saw: "did not come back in 1m0s"},
		{Result: mutate.Result{Mutant: mutant("fine", "dial_turns", "core/dial.go")}, By: bridge.ByLaw},
	}
	if n := Notes(rows); len(n) != 1 || !strings.Contains(n[0], "dial/spins") {
		t.Errorf("notes %q", n)
	}
}
