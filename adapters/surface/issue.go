package surface

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"

	"tenet/adapters/approvals"
	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/event"
	core "tenet/core/surface"
)

// IssueType is the type of the row that report_issue stores.
const IssueType = "tenet.tool_issue"

// The bounds of reports: rows are for people to read.
const (
	maxIssues = 100
	maxIssue  = 4000 // characters
)

// reportIssue is the way for a model to tell people of a tool that failed or did not do
// what its description says. The row is shown to people; the model's context never holds
// it (S7.4).
func reportIssue() Late {
	var told atomic.Int32
	return Late{
		Tool: core.Tool{
			Name:        "report_issue",
			Description: "Tell the people who maintain the tools that one failed or did not do what its description says. It goes to them only; go on with your work.",
			Params: []core.Param{
				{Name: "tool", Type: core.String, Required: true, Description: "The tool's name."},
				{Name: "description", Type: core.String, Required: true, Description: "What you called it with, what you expected, what happened."},
			},
		},
		Gating: Harmless,
		Run: func(_ context.Context, g *approvals.Gate, args core.Args, _ json.RawMessage) (session.Output, error) {
			if n := told.Add(1); n > maxIssues {
				return session.Output{}, fmt.Errorf("%d issues were reported in this session, which is as many as people will read; go on without", maxIssues)
			}
			row := event.Notice{Type: IssueType, Key: call.OneLine(args.Str("tool", ""), 200), Text: issueText(args.Str("description", ""))}
			if err := g.Log.Record(row); err != nil {
				return session.Output{}, fmt.Errorf("the issue was not stored: %w", err)
			}
			return session.Output{Text: "The issue was stored for the people who maintain the tools."}, nil
		},
	}
}

func issueText(s string) string {
	if head := call.FirstChars(s, maxIssue); len(head) < len(s) {
		return call.Visible(head) + "…"
	}
	return call.Visible(s)
}
