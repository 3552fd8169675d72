package provider

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"tenet/core/surface"
)

// The request as the wire spells it. Members stand in a fixed order, so that the
// same context is the same bytes and the server's prompt cache stays valid.
type wireRequest struct {
	Model         string         `json:"model"`
	Messages      []wireMessage  `json:"messages"`
	Tools         *[]wireTool    `json:"tools,omitempty"`
	ToolChoice    string         `json:"tool_choice,omitempty"`
	Stream        bool           `json:"stream"`
	StreamOptions *streamOptions `json:"stream_options,omitempty"`
	Store         *bool          `json:"store,omitempty"`
	MaxTokens     int            `json:"max_tokens,omitempty"`
	MaxCompletion int            `json:"max_completion_tokens,omitempty"`
	Effort        string         `json:"reasoning_effort,omitempty"`
	Reasoning     *reasoning     `json:"reasoning,omitempty"`
	Thinking      *typed         `json:"thinking,omitempty"`
	Enable        *bool          `json:"enable_thinking,omitempty"`
	Template      *templateFlags `json:"chat_template_kwargs,omitempty"`
}

// own are the members that a user's extra ones never replace.
var own = map[string]bool{"model": true, "messages": true, "tools": true, "tool_choice": true, "stream": true, "stream_options": true, "n": true, "functions": true}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type reasoning struct {
	Effort  string `json:"effort,omitempty"`
	Enabled *bool  `json:"enabled,omitempty"`
}

type typed struct {
	Type string `json:"type"`
}

type templateFlags struct {
	Enable bool `json:"enable_thinking"`
}

type wireTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      *bool           `json:"strict,omitempty"`
	} `json:"function"`
}

// encode is the request's body.
func (f chatFormat) encode(r Request) ([]byte, error) {
	w := wireRequest{Model: f.model, Messages: f.messages(r), Tools: f.tools(r), Stream: true}
	if w.Tools != nil && len(*w.Tools) > 0 && f.switches.ToolChoice == "auto" {
		w.ToolChoice = "auto"
	}
	if f.switches.UsageInStream {
		w.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if f.switches.Store {
		w.Store = new(bool)
	}
	f.limit(&w)
	f.think(&w)
	body, err := written(w)
	if err != nil {
		return nil, &Error{Class: Rejected, Message: "the request cannot be written as JSON: " + err.Error(), Err: err}
	}
	return f.extended(body), nil
}

// written is JSON that keeps < > & as they are: code is full of them, and each escape
// would cost a model six characters.
func written(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func (f chatFormat) limit(w *wireRequest) {
	switch f.switches.MaxTokensField {
	case "max_tokens":
		w.MaxTokens = max(f.maxOutput, 0)
	case "max_completion_tokens":
		w.MaxCompletion = max(f.maxOutput, 0)
	}
}

// Off is the effort that switches thinking off.
const Off = "off"

// think asks for the wanted effort in the server's own way; without one nothing is
// sent, and the server does as it does.
func (f chatFormat) think(w *wireRequest) {
	if f.effort == "" {
		return
	}
	on := f.effort != Off
	switch {
	case f.switches.EffortField == "reasoning" && on:
		w.Reasoning = &reasoning{Effort: f.effort}
	case f.switches.EffortField == "reasoning":
		w.Reasoning = &reasoning{Enabled: &on}
	case f.switches.EffortField == "reasoning_effort" && on:
		w.Effort = f.effort
	}
	switch f.switches.ThinkingFormat {
	case "zai":
		w.Thinking = &typed{Type: map[bool]string{true: "enabled", false: "disabled"}[on]}
	case "qwen":
		w.Enable = &on
	case "template":
		w.Template = &templateFlags{Enable: on}
	}
}

// extended adds the user's own members, by name; one that tenet wrote stays tenet's.
func (f chatFormat) extended(body []byte) []byte {
	var there map[string]json.RawMessage
	if len(f.switches.Extra) == 0 || json.Unmarshal(body, &there) != nil {
		return body
	}
	body = body[:len(body)-1]
	for _, name := range slices.Sorted(maps.Keys(f.switches.Extra)) {
		if _, taken := there[name]; taken || own[name] {
			continue
		}
		body = append(body, ',')
		body = append(body, compact(name)...)
		body = append(body, ':')
		body = append(body, compact(f.switches.Extra[name])...)
	}
	return append(body, '}')
}

// tools are the request's tools; nil leaves the member out, and an empty list is sent
// where a server wants one beside earlier calls.
func (f chatFormat) tools(r Request) *[]wireTool {
	if len(r.Tools) == 0 {
		if f.switches.HistoryWithoutTools == "empty" && slices.ContainsFunc(r.Messages, func(m Message) bool { return len(m.Calls) > 0 }) {
			return &[]wireTool{}
		}
		return nil
	}
	var out []wireTool
	for _, t := range r.Tools {
		w := wireTool{Type: "function"}
		w.Function.Name = t.Name
		w.Function.Description = t.Description
		w.Function.Parameters = surface.Schema(t)
		switch f.switches.StrictSchemas {
		case "false":
			w.Function.Strict = new(bool)
		case "true":
			schema, ok := strictSchema(w.Function.Parameters)
			w.Function.Strict, w.Function.Parameters = &ok, schema
		}
		out = append(out, w)
	}
	return &out
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
