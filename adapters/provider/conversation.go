package provider

import "tenet/core/event"

// A history can hold what no strict server takes: a call whose result was never
// recorded, two results of one call, a result whose call a summary replaced. Each would
// fail every later request of the session. So a strict format is written from entries,
// in which every call has exactly one result and every result its call.

// entry is one message, and for an assistant's the one result of each of its calls.
type entry struct {
	Message
	results []Message
}

// lostResult is what a model reads of a call whose result is nowhere.
const lostResult = "No result of this call was recorded. It may or may not have run: look before you make it again."

// entries pairs calls with results. What is left over stays as a user's message, so
// that nothing that was learned is lost.
func entries(ms []Message) []entry {
	var out []entry
	taken := make([]bool, len(ms))
	for i, m := range ms {
		switch m.Role {
		case System, User:
			out = append(out, entry{Message: m})
		case Assistant:
			out = append(out, entry{Message: m, results: results(ms[i+1:], taken[i+1:], m.Calls)})
		case Tool:
			if !taken[i] {
				m.Text = "[the result of a call of " + m.Call.Tool + " that is not shown]\n" + m.Text
				out = append(out, entry{Message: Message{Role: User, Text: m.Text, Images: m.Images}})
			}
		}
	}
	return out
}

// results takes the first result of each call from what follows its message.
func results(after []Message, taken []bool, calls []event.ToolCall) []Message {
	var out []Message
	for _, c := range calls {
		found := Message{Role: Tool, Call: c, Text: lostResult, Error: true}
		for i, m := range after {
			if m.Role == Tool && !taken[i] && sameCall(m.Call, c) {
				taken[i] = true
				found = m
				found.Call = c
				break
			}
		}
		out = append(out, found)
	}
	return out
}

// sameCall compares by our id; a call without one is known by what it says.
func sameCall(a, b event.ToolCall) bool {
	if a.ID != "" || b.ID != "" {
		return a.ID == b.ID
	}
	return a.Provider == b.Provider && a.Tool == b.Tool
}
