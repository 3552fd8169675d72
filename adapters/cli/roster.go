package cli

import (
	"context"

	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	"tenet/adapters/jobs"
	"tenet/adapters/session"
	"tenet/adapters/shell"
	"tenet/core/surface"
)

// roster is what a session registers, in this order.
func roster(d *docs.Docs, sh *shell.Shell, table *jobs.Table, id string) []session.Tool {
	return append(documentTools(d), jobTools(sh, table, id)...)
}

// Roster is the declarations of the tools that a session registers.
func Roster() []surface.Tool {
	var out []surface.Tool
	for _, t := range roster(docs.New(docs.Options{}), nil, nil, "") {
		out = append(out, t.Tool)
	}
	return out
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
