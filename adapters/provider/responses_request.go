package provider

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"tenet/core/event"
	"tenet/core/surface"
)

// The request as Responses spells it. Members stand in a fixed order, so that the same
// context is the same bytes and the server's prompt cache stays valid.
type responsesRequest struct {
	Model        string              `json:"model"`
	Instructions string              `json:"instructions,omitempty"`
	Input        []any               `json:"input"`
	Tools        []responsesTool     `json:"tools,omitempty"`
	Reasoning    *responsesReasoning `json:"reasoning,omitempty"`
	Include      []string            `json:"include,omitempty"`
	MaxOutput    int                 `json:"max_output_tokens,omitempty"`
	// Store is false but for a job, which the server must keep until it is asked for.
	Store      bool `json:"store"`
	Background bool `json:"background,omitempty"`
	Stream     bool `json:"stream"`
}

type responsesReasoning struct {
	Effort  string `json:"effort,omitempty"`
	Summary string `json:"summary,omitempty"`
}

type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict"` // some servers take a missing one for true
}

type responsesMessage struct {
	Type    string          `json:"type"`
	Role    Role            `json:"role"`
	Content []responsesPart `json:"content"`
}

type responsesPart struct {
	Type  string `json:"type"`
	Text  string `json:"text,omitempty"`
	Image string `json:"image_url,omitempty"`
}

type responsesCall struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type responsesOutput struct {
	Type   string `json:"type"`
	CallID string `json:"call_id"`
	Output any    `json:"output"` // a text, or parts where there are pictures
}

// encryptedReasoning asks for reasoning that can be returned although nothing is stored.
const encryptedReasoning = "reasoning.encrypted_content"

func (f responsesFormat) encode(r Request) ([]byte, error) {
	w := responsesRequest{Model: f.model, MaxOutput: f.maxOutput, Store: f.background, Background: f.background, Stream: !f.background}
	if !f.plain {
		w.Include = []string{encryptedReasoning}
	}
	if !f.plain && f.effort != "" {
		w.Reasoning = &responsesReasoning{Effort: f.effort, Summary: "auto"}
	}
	for _, t := range r.Tools {
		w.Tools = append(w.Tools, responsesTool{Type: "function", Name: t.Name, Description: t.Description, Parameters: surface.Schema(t)})
	}
	n := 0
	var system []string
	for ; n < len(r.Messages) && r.Messages[n].Role == System; n++ {
		system = append(system, r.Messages[n].Text)
	}
	w.Instructions = strings.Join(system, "\n\n")
	h := responsesHistory{model: f.model, ids: newWireIDs(anthropicID), out: []any{}}
	for _, e := range entries(r.Messages[n:]) {
		h.entry(e)
	}
	w.Input = h.out
	return encodeJSON(w)
}

// responsesHistory writes items, one for each thought, text, call and result.
type responsesHistory struct {
	model string
	ids   *wireIDs
	out   []any
}

func (h *responsesHistory) entry(e entry) {
	switch e.Role {
	case Assistant:
		h.assistant(e)
	case System, User:
		if content := inputs(e.Message); len(content) > 0 {
			h.out = append(h.out, responsesMessage{Type: "message", Role: e.Role, Content: content})
		}
	case Tool: // entries leaves none
	}
}

// assistant writes a reply with its thoughts in place. A reply of only thinking is left
// out: reasoning without the item that it led to is refused.
func (h *responsesHistory) assistant(e entry) {
	if strings.TrimSpace(e.Text) == "" && len(e.Calls) == 0 {
		return
	}
	parts(e.Message, returned(e.Message, WireResponses, h.model, wholeReasoning), func(s string) {
		if strings.TrimSpace(s) != "" {
			h.out = append(h.out, responsesMessage{Type: "message", Role: Assistant, Content: []responsesPart{{Type: "output_text", Text: s}}})
		}
	}, func(c event.ToolCall) {
		h.out = append(h.out, responsesCall{Type: "function_call", CallID: h.ids.open(c), Name: toolName(c.Tool), Arguments: safeArgs(c.Args)})
	}, func(b json.RawMessage) { h.out = append(h.out, b) })
	for _, r := range e.results {
		h.out = append(h.out, responsesOutput{Type: "function_call_output", CallID: h.ids.result(r.Call), Output: output(r)})
	}
}

// output is the text of a result. An error is told apart by words alone: the format has
// no field for it.
func output(m Message) any {
	if len(m.Images) > 0 {
		return inputs(m)
	}
	return m.Text
}

func inputs(m Message) []responsesPart {
	var out []responsesPart
	if strings.TrimSpace(m.Text) != "" {
		out = append(out, responsesPart{Type: "input_text", Text: m.Text})
	}
	for _, i := range m.Images {
		if !media[i.Media] || len(i.Data) == 0 {
			out = append(out, responsesPart{Type: "input_text", Text: unsendable(i)})
			continue
		}
		out = append(out, responsesPart{Type: "input_image", Image: dataURL(i)})
	}
	return out
}

func dataURL(i event.Image) string {
	return "data:" + i.Media + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
}

// wholeReasoning reports whether an item can go back: without its encrypted content a
// server that stores nothing does not know it.
func wholeReasoning(b json.RawMessage) bool {
	var t struct {
		Type      string
		Encrypted string `json:"encrypted_content"`
	}
	return json.Unmarshal(b, &t) == nil && t.Type == "reasoning" && t.Encrypted != ""
}
