package cli

import (
	"fmt"
	"strings"

	"tenet/adapters/approvals"
	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/rules"
)

// keys are what a person types for each of the offers: s for the session, A for the
// first standing pattern, A2 for the next.
func keys(q approvals.Question) []string {
	out := make([]string, len(q.Offers))
	always := 0
	for i, o := range q.Offers {
		if o.Answer == gate.AllowSession {
			out[i] = "s"
			continue
		}
		always++
		out[i] = "A"
		if always > 1 {
			out[i] = fmt.Sprintf("A%d", always)
		}
	}
	return out
}

// card is a question as a terminal shows it: everything that would run, exactly, what
// it may do, why that is asked about, and what each answer means. No text of a call
// can begin a line of it or close it early.
func card(q approvals.Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n┌ tenet asks: may %s run this?\n", call.OneLine(q.Tool, 60))
	if q.Again != "" {
		fmt.Fprintf(&b, "│ again    %s\n", q.Again)
	}
	for _, s := range q.Ruling.Steps {
		stepRows(&b, s, len(q.Ruling.Steps) > 1)
	}
	fmt.Fprintf(&b, "│ in       %s\n", call.OneLine(q.Dir, 400))
	fmt.Fprintf(&b, "│ effects  %s\n", q.Ruling.Effects)
	for _, r := range asking(q.Ruling) {
		fmt.Fprintf(&b, "│ wants    %s  %s\n", r.Request.Capability, call.OneLine(r.Request.Subject, 300))
	}
	fmt.Fprintf(&b, "│ because  %s (rule %s)\n", q.Ruling.Why, q.Ruling.Rule.Name)
	answers(&b, q)
	return b.String()
}

// stepRows shows one step: in a call of several, a ? marks those that need the yes.
func stepRows(b *strings.Builder, s gate.StepRuling, several bool) {
	mark := " "
	if several && s.Verdict == gate.Ask {
		mark = "?"
	}
	for line := range strings.Lines(s.Step.Text) {
		fmt.Fprintf(b, "│ %s %s\n", mark, strings.TrimRight(line, "\n"))
		mark = " "
	}
	if s.Step.Dir != "" {
		fmt.Fprintf(b, "│     in %s\n", call.OneLine(s.Step.Dir, 400))
	}
	for line := range strings.Lines(s.Step.Diff) {
		fmt.Fprintf(b, "│   │ %s\n", strings.TrimRight(line, "\n"))
	}
	for _, n := range s.Step.Notes {
		fmt.Fprintf(b, "│     note: %s\n", n)
	}
}

// asking are the requests that nothing allows yet.
func asking(r gate.Ruling) []rules.Ruled {
	var out []rules.Ruled
	for _, s := range r.Steps {
		for _, q := range s.Requests {
			if s.Verdict == gate.Ask && q.Decision.Action != rules.Allow {
				out = append(out, q)
			}
		}
	}
	return out
}

func answers(b *strings.Builder, q approvals.Question) {
	fmt.Fprint(b, "│ y        yes, this once\n")
	for i, k := range keys(q) {
		o := q.Offers[i]
		means := "yes, and the same again for this session: "
		if o.Answer == gate.AllowAlways {
			means = "yes, and always in this project: "
		}
		fmt.Fprintf(b, "│ %-8s %s%s\n", k, means, call.OneLine(o.Pattern, 300))
	}
	fmt.Fprint(b, "└ Enter or n = no, any other words = no, with that reason: ")
}
