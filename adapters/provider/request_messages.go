package provider

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tenet/core/event"
)

type wireMessage struct {
	Role Role `json:"role"`
	// Content is a string, a list of parts, or null in a message that only calls.
	Content any        `json:"content"`
	Name    string     `json:"name,omitempty"`
	Calls   []wireCall `json:"tool_calls,omitempty"`
	CallID  string     `json:"tool_call_id,omitempty"`
	// What the model thought, in the field that the server reads it from.
	ReasoningContent string          `json:"reasoning_content,omitempty"`
	Reasoning        string          `json:"reasoning,omitempty"`
	Details          json.RawMessage `json:"reasoning_details,omitempty"`
}

type wireCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type part struct {
	Type  string    `json:"type"`
	Text  string    `json:"text,omitempty"`
	Image *imageURL `json:"image_url,omitempty"`
	Cache *typed    `json:"cache_control,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

// developer is the role of the system prompt where a server knows no system; it is a word
// of the wire alone, and no Role of ours.
const developer = "developer"

// readOn stands between a tool's result and the user's next words where a server wants
// an assistant's message there.
const readOn = "I have read the results."

// messages is the history in the server's own way.
func (f chatFormat) messages(r Request) []wireMessage {
	out := []wireMessage{}
	ids := f.ids()
	asText := len(r.Tools) == 0 && f.switches.HistoryWithoutTools == "text"
	turn := f.thinkFrom(r.Messages)
	for i, m := range r.Messages {
		if f.switches.AssistantAfterResults && i > 0 && r.Messages[i-1].Role == Tool && (m.Role == User || m.Role == System) {
			out = append(out, wireMessage{Role: Assistant, Content: readOn})
		}
		if asText {
			m = spelled(m)
		}
		if i < turn {
			m.Thinking, m.Thoughts = "", nil
		}
		if w, ok := f.message(m, ids); ok {
			out = append(out, w)
		}
	}
	if f.switches.CacheMarks && !f.switches.PlainContent {
		mark(out)
	}
	return out
}

// thinkFrom is the first message that keeps its thinking.
func (f chatFormat) thinkFrom(ms []Message) int {
	if f.switches.ThinkingSince == "always" {
		return 0
	}
	for i := len(ms) - 1; i >= 0; i-- {
		if ms[i].Role == User {
			return i
		}
	}
	return 0
}

func (f chatFormat) message(m Message, ids *wireIDs) (wireMessage, bool) {
	switch m.Role {
	case System:
		if f.switches.DeveloperRole {
			return wireMessage{Role: developer, Content: m.Text}, true
		}
		return wireMessage{Role: System, Content: m.Text}, true
	case User:
		return wireMessage{Role: User, Content: content(m)}, true
	case Tool:
		w := wireMessage{Role: Tool, Content: m.Text, CallID: ids.result(m.Call)}
		if f.switches.NameOnResults {
			w.Name = m.Call.Tool
		}
		return w, true
	case Assistant:
		return f.assistant(m, ids)
	}
	return wireMessage{}, false
}

// content is a user's text, and its pictures behind it.
func content(m Message) any {
	if len(m.Images) == 0 {
		return m.Text
	}
	var out []part
	if m.Text != "" {
		out = append(out, part{Type: "text", Text: m.Text})
	}
	for _, i := range m.Images {
		out = append(out, part{Type: "image_url", Image: &imageURL{URL: "data:" + i.Media + ";base64," + base64.StdEncoding.EncodeToString(i.Data)}})
	}
	return out
}

// assistant leaves out a message without text and calls, as after a reply of only
// thinking: most servers refuse it, and then every request of the session.
func (f chatFormat) assistant(m Message, ids *wireIDs) (wireMessage, bool) {
	w := wireMessage{Role: Assistant}
	text := m.Text
	if f.switches.ThinkingHistory == "text" && m.Thinking != "" && (m.Text != "" || len(m.Calls) > 0) {
		text = "<think>\n" + m.Thinking + "\n</think>\n\n" + m.Text
	}
	if text != "" || f.switches.PlainContent || f.switches.KeepEmptyAssistant && len(m.Calls) == 0 {
		w.Content = text
	}
	for _, c := range m.Calls {
		wc := wireCall{ID: ids.open(c), Type: "function"}
		wc.Function.Name = c.Tool
		wc.Function.Arguments = safeArgs(c.Args)
		w.Calls = append(w.Calls, wc)
	}
	f.thought(m, &w)
	return w, text != "" || len(w.Calls) > 0 || f.switches.KeepEmptyAssistant
}

// thought gives a message back what it thought, in the field that the server reads.
func (f chatFormat) thought(m Message, w *wireMessage) {
	switch f.switches.ThinkingHistory {
	case "reasoning_content":
		w.ReasoningContent = m.Thinking
	case "reasoning":
		w.Reasoning = m.Thinking
	case "details":
		w.Details = details(m.Thoughts, f.model)
	}
}

// spelled is a message whose calls are text, for servers that refuse calls in the
// history of a request without tools.
func spelled(m Message) Message {
	switch m.Role {
	case Assistant:
		for _, c := range m.Calls {
			m.Text = strings.TrimPrefix(m.Text+"\n", "\n") + fmt.Sprintf("[called %s with %s]", c.Tool, safeArgs(c.Args))
		}
		m.Calls = nil
	case Tool:
		m = Message{Role: User, Text: fmt.Sprintf("[result of %s]\n%s", m.Call.Tool, m.Text)}
	case System, User:
	}
	return m
}

// maxMarks is how many of the newest messages carry a cache mark beside the system
// prompt: the one that is new, and the one whose prefix the last request cached.
const maxMarks = 2

// mark sets cache marks. The system prompt's covers the tools, which stand before it.
func mark(ms []wireMessage) {
	left := maxMarks
	for i := range slices.Backward(ms) {
		switch {
		case ms[i].Role == System || ms[i].Role == developer:
			ms[i].Content = marked(ms[i].Content)
		case left > 0 && (ms[i].Role == User || ms[i].Role == Tool):
			ms[i].Content = marked(ms[i].Content)
			left--
		}
	}
}

// marked is a content whose last part carries a mark; an empty text carries none.
func marked(content any) any {
	parts, ok := content.([]part)
	if text, isText := content.(string); isText && text != "" {
		parts, ok = []part{{Type: "text", Text: text}}, true
	}
	if !ok || len(parts) == 0 {
		return content
	}
	parts[len(parts)-1].Cache = &typed{Type: "ephemeral"}
	return parts
}

// ids gives calls the ids that the server takes.
func (f chatFormat) ids() *wireIDs {
	s := f.switches
	w := newWireIDs(func(id string) bool {
		return len(id) >= max(s.IDMin, 1) && len(id) <= s.IDMax && strings.IndexFunc(id, outside(s.IDAlphabet)) < 0
	})
	if s.IDAlphabet == "plain" && s.IDMin <= 1 && s.IDMax >= maxID {
		return w
	}
	w.number = func(n int) string {
		id := fmt.Sprintf("call%d", n)
		if pad := s.IDMin - len(id); pad > 0 {
			id = "call" + strings.Repeat("0", pad) + id[len("call"):]
		}
		return id[max(0, len(id)-s.IDMax):]
	}
	return w
}

// outside is which characters an alphabet of ids does not have.
func outside(alphabet string) func(rune) bool {
	return func(r rune) bool {
		switch alphabet {
		case "alnum":
			return odd(r) || strings.ContainsRune("_-.:", r)
		case "word":
			return odd(r) || strings.ContainsRune(".:", r)
		}
		return odd(r)
	}
}

// details are the router's own blocks of a message, when this model made them.
func details(thoughts []event.Thought, model string) json.RawMessage {
	for _, t := range thoughts {
		if t.Wire == WireChat && t.Model == model {
			return t.Raw
		}
	}
	return nil
}
