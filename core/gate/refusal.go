package gate

import (
	"fmt"

	"tenet/core/call"
)

// Refusal is the one text for a step, a cell or a document access that was
// refused: what failed, then the next step (S7.8). what names the thing, such as
// "step 3 (rm -rf build)"; reason is the person's own words, empty for none.
func Refusal(what string, over call.Effects, a Answer, reason string) string {
	text := fmt.Sprintf("%s did not run: it needs the user's approval for %s", what, over)
	switch a {
	case Approved:
		return ""
	case Denied:
		return text + ", and the user declined" + quoted(reason) + ". Do not try it again unless the user asks for it."
	case Unanswered:
		return text + ", and nobody can answer. " + unansweredStep(over)
	case GatewayRefused:
		return text + ", and this run refuses that by itself" + quoted(reason) + ". Ask the user to run it from an interactive tenet session."
	}
	return text
}

func quoted(reason string) string {
	if reason == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", reason)
}

func unansweredStep(over call.Effects) string {
	if over.Has(call.Secret) {
		return "Ask the user to attach a terminal; a secret is never allowed in advance. Or go on without it."
	}
	return fmt.Sprintf("Ask the user to attach a terminal, or to allow %s with --auto; or use read-only steps.", over)
}
