package cli

import (
	"context"
	"slices"

	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	"tenet/adapters/jobs"
	"tenet/adapters/session"
	"tenet/adapters/shell"
	"tenet/adapters/skills"
	"tenet/adapters/surface"
	"tenet/core/event"
	core "tenet/core/surface"
)

// roster is what a session registers, in this order.
func roster(d *docs.Docs, sh *shell.Shell, table *jobs.Table, id string, around surroundings) []session.Tool {
	return slices.Concat(documentTools(d), jobTools(sh, table, id), turnTools(), around.surfaceTools())
}

// Roster is the declarations of the tools that a session registers.
func Roster() []core.Tool {
	var out []core.Tool
	nowhere := surroundings{tools: surface.New(), skills: skills.Load(skills.Options{})}
	for _, t := range roster(docs.New(docs.Options{}), nil, nil, "", nowhere) {
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
		out = append(out, session.Tool{Tool: t, Run: func(ctx context.Context, g *approvals.Gate, args core.Args) (session.Output, error) {
			text, err := d.Run(ctx, Witness{g}, t.Name, args)
			return session.Output{Text: text}, err
		}})
	}
	return out
}

// Witness is a call's gate that writes into the log what the call changed.
type Witness struct{ *approvals.Gate }

// Changed records a change of a file that landed.
func (w Witness) Changed(c event.Change) error {
	c.Call = w.Call
	return w.Log.Record(c)
}
