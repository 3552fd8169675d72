package cli

import (
	"fmt"
	"strings"

	"tenet/adapters/approvals"
	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/core/rules"
)

// keys are what a person types for each answer: y once, s for the session, A for the
// first standing pattern, A2 for the next. A denial has no key of its own.
func keys(q approvals.Approval) []string {
	out := make([]string, len(q.Answers))
	always := 0
	for i, a := range q.Answers {
		switch a.Key {
		case core.AllowOnce.String():
			out[i] = "y"
		case core.AllowSession.String():
			out[i] = "s"
		case core.AllowAlways.String():
			out[i] = "A"
			if always++; always > 1 {
				out[i] = fmt.Sprintf("A%d", always)
			}
		}
	}
	return out
}

// card is a question as a terminal shows it: everything that would run, exactly, what
// it may do, why that is asked about, and what each answer means. No text of a call
// can begin a line of it or close it early. waiting counts the questions behind it.
func card(q approvals.Approval, waiting int) string {
	var b strings.Builder
	who := call.OneLine(q.Tool, 60)
	if q.Agent != "" {
		who = "subagent " + call.OneLine(q.Agent, 60) + ", " + who
	}
	fmt.Fprintf(&b, "\n┌ tenet asks: may %s run this?%s\n", who, behind(waiting))
	var effects []string
	for _, s := range q.Steps {
		stepRows(&b, s, len(q.Steps) > 1)
		effects = append(effects, s.Effects...)
	}
	for line := range strings.Lines(q.Diff) {
		fmt.Fprintf(&b, "│   │ %s\n", strings.TrimRight(line, "\n"))
	}
	fmt.Fprintf(&b, "│ in       %s\n", call.OneLine(q.Dir, 400))
	fmt.Fprintf(&b, "│ effects  %s\n", union(effects))
	for _, r := range q.Requests {
		if r.Verdict != rules.Allow.String() {
			fmt.Fprintf(&b, "│ wants    %s  %s\n", r.Capability, call.OneLine(r.Subject, 300))
		}
	}
	for _, n := range q.Notes {
		fmt.Fprintf(&b, "│ because  %s\n", call.OneLine(n, 1000))
	}
	for i, k := range keys(q) {
		if k != "" {
			fmt.Fprintf(&b, "│ %-8s %s\n", k, q.Answers[i].Means)
		}
	}
	fmt.Fprint(&b, "└ Enter or n = no, any other words = no, with that reason: ")
	return b.String()
}

func behind(waiting int) string {
	if waiting == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d more wait)", waiting)
}

// union is effect names, each once, in the order of the enum.
func union(names []string) string {
	var all call.Effects
	for _, e := range call.All.List() {
		for _, n := range names {
			if n == e.String() {
				all = all.With(call.Of(e))
			}
		}
	}
	return all.String()
}

// stepRows shows one step: in a call of several, a ? marks those that need the yes.
func stepRows(b *strings.Builder, s approvals.ApprovalStep, several bool) {
	mark := " "
	if several && s.Asks {
		mark = "?"
	}
	for line := range strings.Lines(s.Text) {
		fmt.Fprintf(b, "│ %s %s\n", mark, strings.TrimRight(line, "\n"))
		mark = " "
	}
	if s.Dir != "" {
		fmt.Fprintf(b, "│     in %s\n", call.OneLine(s.Dir, 400))
	}
	for _, n := range s.Notes {
		fmt.Fprintf(b, "│     note: %s\n", n)
	}
}
