package gate

import (
	"cmp"
	"fmt"
	"strings"

	"tenet/core/call"
)

// Refusal is the one text for whatever was refused: what failed, then the next step
// (S7.8, seed 4 §5.4). A denial is steering, not a dead end. reason is the person's own
// words, empty for none.
func Refusal(r Ruling, a Answer, reason string) string {
	what := subject(r)
	switch {
	case r.Verdict == Deny:
		return fmt.Sprintf("Permission denied by policy: %s did not run: %s (rule: %s, source: %s). "+
			"Do not retry it or attempt an equivalent workaround. %s", what, r.Why, r.Rule.Name, r.Rule.Source, cmp.Or(r.Next, "Choose a different approach, or ask the user to adjust permissions (tenet rules list)."))
	case a.Yes():
		return ""
	case a == Denied && reason != "":
		return fmt.Sprintf("The user declined to allow: %s — reason: %q. It did not run. Do not try it again unless the user asks for it; adapt your approach accordingly.", what, reason)
	case a == Denied:
		return fmt.Sprintf("The user declined to allow: %s. It did not run. Do not try it again unless the user asks for it; continue without it, or propose an alternative.", what)
	case a == GatewayRefused:
		return fmt.Sprintf("%s did not run (%s): it is never run without an interactive client%s. Ask the user to run it from an interactive tenet session.", what, r.Over, bracketed(reason))
	default:
		return fmt.Sprintf("%s did not run (%s): it needs the user's approval, and nobody can answer (%s). %s", what, r.Over, r.Why, unansweredStep(r))
	}
}

// Changed is the text for a step that is no longer what was judged when its turn came.
func Changed(s call.Step, d Decision) string {
	what := fmt.Sprintf("step %d (%s)", s.N, brief(s.Text))
	if d.Verdict == Deny {
		return fmt.Sprintf("%s did not run: by the time its turn came it was one that policy denies: %s (rule: %s). Do not retry it or attempt an equivalent workaround. %s", what, d.Why, d.Rule.Name, d.Next)
	}
	return fmt.Sprintf("%s did not run: by the time its turn came it was no longer what was judged, and it needs approval (%s). Earlier steps ran. Call it again by itself, so that it is judged as it is now.", what, d.Why)
}

// subject names what was refused: the steps that the verdict is about, as a person
// reads them.
func subject(r Ruling) string {
	var of []StepRuling
	for _, s := range r.Steps {
		if s.Verdict == r.Verdict {
			of = append(of, s)
		}
	}
	switch {
	case len(of) == 0:
		return r.Tool
	case len(r.Steps) == 1:
		return fmt.Sprintf("%s (%s)", r.Tool, brief(of[0].Step.Text))
	}
	names := make([]string, 0, len(of))
	for _, s := range of {
		names = append(names, fmt.Sprintf("step %d (%s)", s.Step.N, brief(s.Step.Text)))
	}
	return strings.Join(names, ", ") + "; the call is judged whole, so none of its steps ran"
}

// maxShown is how much of a step's text a refusal repeats to the model, which wrote
// it: the question and the record hold all of it.
const maxShown = 2000

func brief(text string) string { return call.OneLine(text, maxShown) }

func bracketed(reason string) string {
	if reason == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", reason)
}

func unansweredStep(r Ruling) string {
	if r.Effects.Has(call.Secret) {
		return "Ask the user to attach a client; a secret is never allowed in advance. Or go on without it."
	}
	return fmt.Sprintf("Ask the user to attach a client, or to allow %s in shell.autoEffects (--auto) or by a rule (tenet rules add); or use read-only steps.", r.Over)
}
