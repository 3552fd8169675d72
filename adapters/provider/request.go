package provider

import (
	"bytes"
	"encoding/json"

	"tenet/core/surface"
)

// The request as the wire spells it. Members stand in a fixed order, so that the
// same context is the same bytes and the server's prompt cache stays valid.
type wireRequest struct {
	Model         string        `json:"model"`
	Messages      []wireMessage `json:"messages"`
	Tools         []wireTool    `json:"tools,omitempty"`
	Stream        bool          `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type wireMessage struct {
	Role Role `json:"role"`
	// Content is null in a message that only calls.
	Content *string    `json:"content"`
	Calls   []wireCall `json:"tool_calls,omitempty"`
	CallID  string     `json:"tool_call_id,omitempty"`
}

type wireCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type wireTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// encode is the request's body. It keeps < > & as they are: code is full of them,
// and each escape would cost a model six characters.
func encode(model string, r Request) ([]byte, error) {
	w := wireRequest{Model: model, Messages: wireMessages(r.Messages), Tools: wireTools(r.Tools), Stream: true}
	w.StreamOptions.IncludeUsage = true
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(w); err != nil {
		return nil, &Error{Class: Rejected, Message: "the request cannot be written as JSON: " + err.Error(), Err: err}
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func wireTools(tools []surface.Tool) []wireTool {
	var out []wireTool
	for _, t := range tools {
		w := wireTool{Type: "function"}
		w.Function.Name = t.Name
		w.Function.Description = t.Description
		w.Function.Parameters = surface.Schema(t)
		out = append(out, w)
	}
	return out
}

func wireMessages(ms []Message) []wireMessage {
	out := []wireMessage{}
	ids := newWireIDs(plainID)
	for _, m := range ms {
		switch m.Role {
		case System, User:
			out = append(out, wireMessage{Role: m.Role, Content: &m.Text})
		case Assistant:
			if w, ok := assistant(m, ids); ok {
				out = append(out, w)
			}
		case Tool:
			out = append(out, wireMessage{Role: Tool, Content: &m.Text, CallID: ids.result(m.Call)})
		}
	}
	return out
}

// assistant leaves out a message without text and calls, as after a reply of only
// thinking: servers refuse it, and then every request of the session.
func assistant(m Message, ids *wireIDs) (wireMessage, bool) {
	w := wireMessage{Role: Assistant}
	if m.Text != "" {
		w.Content = &m.Text
	}
	for _, c := range m.Calls {
		wc := wireCall{ID: ids.open(c), Type: "function"}
		wc.Function.Name = c.Tool
		wc.Function.Arguments = safeArgs(c.Args)
		w.Calls = append(w.Calls, wc)
	}
	return w, m.Text != "" || len(w.Calls) > 0
}

// safeArgs is the call's arguments, or {} when they are not one JSON object. A
// server that parses the history answers every later request with an error if one
// cut call stands in it. The call never ran, its result says so and why, and the
// log keeps the exact bytes.
func safeArgs(args string) string {
	if !isObject([]byte(args)) {
		return "{}"
	}
	return args
}

// isObject reports whether b is exactly one JSON object.
func isObject(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 1 && b[0] == '{' && b[len(b)-1] == '}' && json.Valid(b)
}
