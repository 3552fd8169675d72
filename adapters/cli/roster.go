package cli

import (
	"context"
	"fmt"
	"time"

	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	"tenet/adapters/session"
	"tenet/adapters/shell"
	"tenet/core/call"
	"tenet/core/guard"
	"tenet/core/runner"
	"tenet/core/surface"
)

// roster is what a session registers, in this order.
func roster(d *docs.Docs, sh *shell.Shell) []session.Tool {
	return append(documentTools(d), bashTool(sh))
}

// Roster is the declarations of the tools that a session registers.
func Roster() []surface.Tool {
	var out []surface.Tool
	for _, t := range roster(docs.New(docs.Options{}), nil) {
		out = append(out, t.Tool)
	}
	return out
}

// bash is the script tool (S7.7). Its steps are what the gate judges.
var bash = surface.Tool{
	Name: "bash",
	Description: "Run a shell script in the workspace. A script is judged before anything of it runs: simple commands joined by ; newline && || | each by what they do, " +
		"a script with other syntax (loops, functions, subshells, $(...), here-documents) as one program. A call that is refused runs nothing. " +
		"Output is bounded to 50 KiB and 2,000 lines. There is no terminal and no input. cd and export last for one call.",
	Params: []surface.Param{
		{Name: "command", Type: surface.String, Description: "The script.", Required: true},
		{Name: guard.TimeoutKey, Type: surface.Integer, Description: "How long it may run, in seconds: 1 to 600, 120 without it."},
	},
	Runner: &runner.Runner{Caps: call.All, Gate: runner.EachStep},
}

// maxTimeout is the longest that one bash call may run, in seconds (seed 5).
const maxTimeout = 600

// bashTool is the script tool over a shell.
func bashTool(sh *shell.Shell) session.Tool {
	return session.Tool{Tool: bash, Run: func(ctx context.Context, g *approvals.Gate, args surface.Args) (session.Output, error) {
		if s := args.Int(guard.TimeoutKey, 1); s < 1 || s > maxTimeout {
			return session.Output{}, fmt.Errorf("bash was not run: timeout is %d; it counts seconds, 1 to %d", s, maxTimeout)
		}
		r := sh.RunFor(ctx, g, args.Str("command", ""), func() time.Duration {
			patched := surface.Args(guard.Patch(true, args)) // the last thing that happens to the input
			return time.Duration(patched.Int(guard.TimeoutKey, guard.DefaultTimeout)) * time.Second
		})
		failed := r.End.Kind == shell.Refused || r.End.Kind == shell.Cancelled || r.End.Kind == shell.Failed
		return session.Output{Text: r.Text(), Dropped: r.Bounded.Dropped, Failed: failed}, nil
	}}
}

// namedTools are the tools that rules of the guard know by name. A roster without one of
// them would leave its rule without a call to judge, in silence.
var namedTools = []string{"bash", "write", "edit", "search_replace"}

// rosterNames are the names of the roster's tools.
func rosterNames() []string {
	var out []string
	for _, t := range Roster() {
		out = append(out, t.Name)
	}
	return out
}

// documentTools are the tools over the files.
func documentTools(d *docs.Docs) []session.Tool {
	var out []session.Tool
	for _, t := range docs.Tools() {
		out = append(out, session.Tool{Tool: t, Run: func(ctx context.Context, g *approvals.Gate, args surface.Args) (session.Output, error) {
			text, err := d.Run(ctx, g, t.Name, args)
			return session.Output{Text: text}, err
		}})
	}
	return out
}
