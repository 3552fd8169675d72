package cli

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"tenet/adapters/approvals"
	core "tenet/core/approvals"
	"tenet/core/call"
	rows "tenet/core/card"
)

// keys are what a person types for each answer: y once, s for the session, A for the
// first standing pattern, A2 for the next. A denial has no key of its own.
func keys(q approvals.Approval) []string {
	out := make([]string, len(q.Answers))
	always := 0
	for i, a := range q.Answers {
		switch {
		case a.Key == core.AllowOnce.String():
			out[i] = "y"
		case a.Key == core.AllowSession.String():
			out[i] = "s"
		case a.Key == core.AllowAlways.String() && !q.Cut: // nobody means what was not shown
			out[i] = "A"
			if always++; always > 1 {
				out[i] = fmt.Sprintf("A%d", always)
			}
		}
	}
	return out
}

// card is a question as a terminal shows it: every row that a card has (core/card), each
// in one line however long it is, and what each answer means. The first character behind
// the border says what a line is, so that no text of a call can begin one of ours or close
// the card early. waiting counts the questions behind it.
func card(q approvals.Approval, waiting int) string {
	var b strings.Builder
	who := call.OneLine(q.Tool, 60)
	if q.Agent != "" {
		who = "subagent " + call.OneLine(q.Agent, 60) + ", " + who
	}
	fmt.Fprintf(&b, "\n┌ tenet asks: may %s run this?%s\n", who, behind(waiting))
	long := slices.ContainsFunc(q.Answers, func(a approvals.ApprovalAnswer) bool {
		return a.Key == core.AllowAlways.String() && !strings.Contains(a.Means, a.Pattern)
	})
	for _, l := range rows.Lines(rows.Rows(q.Content(), rows.Show{Patterns: long}), math.MaxInt, utf8.RuneCountInString) {
		fmt.Fprintf(&b, "│%s\n", l)
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
