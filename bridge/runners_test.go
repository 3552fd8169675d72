package bridge

import (
	"strings"
	"testing"

	"tenet/adapters/cli"
	"tenet/bridge/engine"
	"tenet/core/call"
	"tenet/core/runner"
	"tenet/core/surface"
	"tenet/laws"
)

// Every tool of the roster and every call: each law holds, and each law's premise held
// somewhere.
func TestRunnersModel(t *testing.T) {
	defer report.Time("runners")()
	r, err := runnersArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.RunnersBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// The tools that a session registers are the model's, and so is the gate of a call.
func TestRunnersQuick(t *testing.T) {
	defer report.Time("runners")()
	if err := runnersQuick(); err != nil {
		t.Fatal(err)
	}
}

// The comparison sees a runner that is not declared, one that is declared as another,
// one that is declared where nothing runs, and a tool that nobody knows.
func TestRunnersRegistryIsCompared(t *testing.T) {
	change := func(name string, to *runner.Runner) []surface.Tool {
		tools := cli.Roster()
		for i := range tools {
			if tools[i].Name == name {
				tools[i].Runner = to
			}
		}
		return tools
	}
	for want, tools := range map[string][]surface.Tool{
		"registers {Name:bash Caps:none Gate:none}": change("bash", nil),
		"Gate:each call}, the model":                change("bash", &runner.Runner{Caps: call.All, Gate: runner.EachCall}),
		"registers {Name:read":                      change("read", &runner.Runner{Caps: call.All}),
		"no tool of the roster":                     append(cli.Roster(), surface.Tool{Name: "compile"}),
		"registered twice":                          append(cli.Roster(), surface.Tool{Name: "read"}),
		"bash is not registered":                    cli.Roster()[:1],
	} {
		if err := registered(tools); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if undeclared := (runner.Runner{}); undeclared.Gate != runner.EachStep {
		t.Errorf("a runner that says nothing of its gate has %v", undeclared.Gate)
	}
}
