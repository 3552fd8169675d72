package recovery

import (
	"slices"
	"strings"

	"tenet/core/event"
)

// Rounds is how many rounds in a row end the context and had these calls, in any
// order, with the same results each: what Decide calls same (H4.8.4). It is computed
// from the context alone, so that a restart keeps it and a failed reply, which is not
// in the context, never adds to it. A person's message ends the row, and so does an
// answer; what the harness itself says does not. Results are the same when their content
// and their error flag are, so a job whose answer moves on starts a new row, and
// success hides no loop.
func Rounds(context []event.Message, calls []event.ToolCall) int {
	rest, r, ok := lastRound(context)
	if len(calls) == 0 || !ok {
		return 0
	}
	want, same := callsKey(calls), 0
	var first string
	for ; ok; rest, r, ok = lastRound(rest) {
		if callsKey(r.calls) != want {
			break
		}
		key := r.key()
		if same == 0 {
			first = key
		} else if key != first {
			break
		}
		same++
	}
	return same
}

// round is an assistant's calls and the results that follow them.
type round struct {
	calls   []event.ToolCall
	results []event.Message
}

// lastRound splits the last round off. ok is false when the context does not end with
// one, but for the harness's own messages.
func lastRound(context []event.Message) (rest []event.Message, r round, ok bool) {
	for i, m := range slices.Backward(context) {
		switch {
		case m.Role == event.Tool:
			r.results = append(r.results, m)
		case m.Role == event.Assistant && len(m.Calls) > 0:
			r.calls = m.Calls
			return context[:i], r, true
		case m.Harness:
		default:
			return nil, r, false
		}
	}
	return nil, r, false
}

// key is the calls with their results, whatever the order they were made in.
func (r round) key() string {
	parts := make([]string, len(r.calls))
	for i, c := range r.calls {
		parts[i] = callKey(c) + "\x00" + r.result(c.ID)
	}
	slices.Sort(parts)
	return strings.Join(parts, "\x01")
}

func (r round) result(id string) string {
	for _, m := range r.results {
		if m.Call.ID == id {
			return resultKey(m)
		}
	}
	return "without a result"
}

func resultKey(m event.Message) string {
	parts := []string{"answered", m.Text}
	if m.Error {
		parts[0] = "failed"
	}
	for _, p := range m.Images {
		parts = append(parts, p.Media, string(p.Data))
	}
	return strings.Join(parts, "\x00")
}

func callsKey(calls []event.ToolCall) string {
	parts := make([]string, len(calls))
	for i, c := range calls {
		parts[i] = callKey(c)
	}
	slices.Sort(parts)
	return strings.Join(parts, "\x01")
}

// callKey: canonical JSON has no NUL, so a name cannot run into the arguments.
func callKey(c event.ToolCall) string { return c.Tool + "\x00" + Canonical(c.Args) }
