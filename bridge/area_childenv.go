package bridge

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"tenet/adapters/shell"
	"tenet/bridge/engine"
	"tenet/core/call"
	core "tenet/core/childenv"
	"tenet/core/effect"
	"tenet/core/gate"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/childenv"
)

var childenvMachine = engine.Machine[struct{}, childenv.In, []string]{Step: childenv.Step, Ops: childenv.Ops}

func childenvArea() Area {
	return Area{
		Name:       "childenv",
		Relation:   Same,
		Bound:      "every pair of 62 entries with a third of the first one's name, both children, three sessions",
		Laws:       law.Infos(laws.ChildenvBook),
		Production: []any{core.Build, core.Of, shell.New, (*shell.Shell).Run},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(childenvMachine, Pick(laws.ChildenvBook, names))
		},
		Quick: childenvQuick,
	}
}

// childenvQuick starts real processes under environments of many entries and judges
// what they print of their own.
func childenvQuick() error {
	const each = 20
	var env []string
	for in := range childenv.Ops(struct{}{}) {
		if kv := in.Env[0]; len(env) == 0 || env[len(env)-1] != kv {
			env = append(env, kv)
		}
	}
	for at := 0; at < len(env); at += each {
		part := append([]string{"PATH=" + os.Getenv("PATH")}, env[at:min(at+each, len(env))]...)
		if err := childSees(part); err != nil {
			return err
		}
	}
	return nil
}

// ownNames are what the shell itself says to a child, beside the session's values.
var ownNames = []string{"PWD=", "TENET_CALL="}

// childSees judges the environment that one external process prints, and that its
// script can expand.
func childSees(env []string) error {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	sh := shell.New(shell.Config{Dir: os.TempDir(), Env: env, Session: "s1", Judge: anything{}})
	r := sh.Run(ctx, anything{}, "env; echo $OPENAI_API_KEY$my_token")
	if r.End.Kind != shell.Finished || r.Status != 0 {
		return fmt.Errorf("a process did not print its environment: %s", r.Text())
	}
	lines := strings.Split(strings.TrimSuffix(r.Output, "\n"), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return fmt.Errorf("law env_never_a_secret_name: a script could expand %q", last)
	}
	got := slices.DeleteFunc(lines[:len(lines)-1], func(kv string) bool {
		return slices.ContainsFunc(ownNames, func(own string) bool { return strings.HasPrefix(kv, own) })
	})
	in := childenv.In{Child: core.Process, Env: env, Session: core.Session{
		Set: []string{"TENET_SESSION=s1"}, Default: []string{"NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0"},
	}}
	for _, l := range laws.ChildenvBook {
		if v := l.Func(in, got); v.Err != nil {
			return fmt.Errorf("law %s: a real process: %w", l.ID, v.Err)
		}
	}
	return nil
}

// anything is a gate and a judge for scripts of the bridge itself.
type anything struct{}

// Permit lets every call run.
func (anything) Permit(context.Context, func() []call.Step) gate.Outcome {
	return gate.Outcome{Runs: true}
}

// Confirm lets every step run.
func (anything) Confirm(call.Step, string) gate.Outcome { return gate.Outcome{Runs: true} }

// Skip does nothing.
func (anything) Skip() {}

// Start records nothing.
func (anything) Start(context.Context) error { return nil }

// Command calls every command exec.
func (anything) Command(string, effect.Command) effect.Finding {
	return effect.Finding{Effects: call.Of(call.Exec)}
}

// Whole calls every script exec.
func (anything) Whole(string, *syntax.File) effect.Finding {
	return effect.Finding{Effects: call.Of(call.Exec)}
}

// Changed remembers nothing.
func (anything) Changed() {}
