package approvals

import (
	core "tenet/core/approvals"
	shown "tenet/core/card"
)

// Content is what a card shows of the question. An answer whose key is unknown is left
// out: nobody could say what it would do.
func (a Approval) Content() shown.Content {
	c := shown.Content{
		ID: a.ID, Digest: a.Digest, Session: a.Session, Agent: a.Agent, Call: a.Call, Tool: a.Tool, Dir: a.Dir,
		Notes: a.Notes, Diff: a.Diff, Cut: a.Cut,
	}
	for _, s := range a.Steps {
		c.Steps = append(c.Steps, shown.Step{Text: s.Text, Dir: s.Dir, Effects: s.Effects, Notes: s.Notes, Class: s.Class, Asks: s.Asks, Places: s.Places})
	}
	for _, r := range a.Requests {
		c.Requests = append(c.Requests, shown.Request{
			Capability: r.Capability, Subject: r.Subject, Notes: r.Notes, Verdict: r.Verdict, Rule: r.Rule, Source: r.Source, Position: r.Position,
		})
	}
	for _, x := range a.Answers {
		if choice, ok := core.ParseChoice(x.Key); ok {
			c.Answers = append(c.Answers, shown.Answer{Choice: choice, Pattern: x.Pattern, Means: x.Means})
		}
	}
	return c
}

// AnswerOf is an answer as a client sends it.
func AnswerOf(a shown.Act) AnswerApproval {
	return AnswerApproval{ID: a.ID, Answer: a.Choice.String(), Pattern: a.Pattern, Reason: a.Reason, Digest: a.Digest}
}
