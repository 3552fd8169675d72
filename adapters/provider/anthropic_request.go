package provider

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"tenet/core/event"
	"tenet/core/surface"
)

// The request as Anthropic spells it. Members stand in a fixed order, and the parts
// that the cache reads first (tools, then system) are the same in every request of a
// session.
type anthropicRequest struct {
	Model     string             `json:"model"`
	MaxTokens int                `json:"max_tokens"`
	Thinking  *anthropicThinking `json:"thinking,omitempty"`
	Config    *anthropicConfig   `json:"output_config,omitempty"`
	Tools     []anthropicTool    `json:"tools,omitempty"`
	System    []*anthropicBlock  `json:"system,omitempty"`
	Messages  []anthropicTurn    `json:"messages"`
	Stream    bool               `json:"stream"`
}

type anthropicThinking struct {
	Type   string `json:"type"`
	Budget int    `json:"budget_tokens,omitempty"`
	// Display asks for the text of adaptive thinking: a block without it cannot be shown.
	Display string `json:"display,omitempty"`
}

type anthropicConfig struct {
	Effort string `json:"effort"`
}

type anthropicTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"input_schema"`
	Cache       *cacheMark      `json:"cache_control,omitempty"`
}

type anthropicTurn struct {
	Role    Role  `json:"role"`
	Content []any `json:"content"` // *anthropicBlock, or json.RawMessage for a block that is not ours
}

type anthropicBlock struct {
	Type    string           `json:"type"`
	Text    string           `json:"text,omitempty"`
	Source  *anthropicSource `json:"source,omitempty"`
	ID      string           `json:"id,omitempty"`
	Name    string           `json:"name,omitempty"`
	Input   json.RawMessage  `json:"input,omitempty"`
	Result  string           `json:"tool_use_id,omitempty"`
	Content []any            `json:"content,omitempty"`
	IsError bool             `json:"is_error,omitempty"`
	Cache   *cacheMark       `json:"cache_control,omitempty"`
}

type anthropicSource struct {
	Type  string `json:"type"`
	Media string `json:"media_type"`
	Data  []byte `json:"data"` // which JSON spells in base64
}

// cacheMark asks the server to keep the prefix up to here. It takes at most four.
type cacheMark struct {
	Type string `json:"type"`
}

var ephemeral = &cacheMark{"ephemeral"}

func (f anthropicFormat) encode(r Request) ([]byte, error) {
	w := anthropicRequest{Model: f.model, MaxTokens: f.maxOutput, Stream: true}
	w.Tools = anthropicTools(r.Tools)
	var rest []Message
	w.System, rest = anthropicSystem(r.Messages)
	h := anthropicHistory{format: f, ids: newWireIDs(anthropicID)}
	w.Messages = h.turns(entries(rest))
	w.mark()
	f.think(&w, h.bare)
	return encodeJSON(w)
}

// encodeJSON is a request's body. It keeps < > & as they are: code is full of them,
// and each escape would cost a model six characters.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, &Error{Class: Rejected, Message: "the request cannot be written as JSON: " + err.Error(), Err: err}
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// think sets the fields of thinking. A running round of calls that began without a
// thinking block that can go back must go on without: a budget there is an error.
func (f anthropicFormat) think(w *anthropicRequest, bare bool) {
	switch {
	case f.thinking > 0 && !bare:
		w.Thinking = &anthropicThinking{Type: "enabled", Budget: f.thinking}
	case f.thinking <= 0 && f.effort != "":
		w.Thinking = &anthropicThinking{Type: "adaptive", Display: "summarized"}
	}
	if f.effort != "" {
		w.Config = &anthropicConfig{f.effort}
	}
}

// mark sets the four cache marks: behind the tools, behind the system prompt, behind
// the last user message and behind the one before it, where the last request ended.
func (w *anthropicRequest) mark() {
	if n := len(w.Tools); n > 0 {
		w.Tools[n-1].Cache = ephemeral
	}
	if n := len(w.System); n > 0 {
		w.System[n-1].Cache = ephemeral
	}
	left := 2
	for i := len(w.Messages) - 1; i >= 0 && left > 0; i-- {
		m := w.Messages[i]
		if m.Role != User {
			continue
		}
		if b, ok := m.Content[len(m.Content)-1].(*anthropicBlock); ok {
			b.Cache = ephemeral
			left--
		}
	}
}

func anthropicTools(tools []surface.Tool) []anthropicTool {
	var out []anthropicTool
	for _, t := range tools {
		out = append(out, anthropicTool{Name: t.Name, Description: t.Description, Schema: surface.Schema(t)})
	}
	return out
}

// anthropicSystem takes the system messages that stand first. A later one stays in its
// place as a user's: moved to the front it would change the whole cached prefix.
func anthropicSystem(ms []Message) (system []*anthropicBlock, rest []Message) {
	n := 0
	for ; n < len(ms) && ms[n].Role == System; n++ {
		if b := textOf(ms[n].Text); b != nil {
			system = append(system, b)
		}
	}
	return system, ms[n:]
}

// textOf is a text block, nil for a text that is blank: the format takes none.
func textOf(s string) *anthropicBlock {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return &anthropicBlock{Type: "text", Text: s}
}

// anthropicHistory writes messages: user and assistant in turn, never two of a kind.
type anthropicHistory struct {
	format anthropicFormat
	ids    *wireIDs
	out    []anthropicTurn
	// bare is true while the running round of calls began without thinking.
	bare bool
	// open is true from an assistant's first message behind a user's words on.
	open bool
}

func (h *anthropicHistory) turns(es []entry) []anthropicTurn {
	h.out = []anthropicTurn{}
	for _, e := range es {
		switch e.Role {
		case Assistant:
			h.assistant(e)
		case System, User:
			h.user(e.Message)
		case Tool: // entries leaves none
		}
	}
	return h.out
}

// add appends blocks to the last message of the role, or begins one. A conversation
// begins with a user.
func (h *anthropicHistory) add(role Role, blocks ...any) {
	if len(blocks) == 0 {
		return
	}
	if len(h.out) == 0 && role == Assistant {
		h.out = append(h.out, anthropicTurn{User, []any{textOf("[what came before is not shown]")}})
	}
	if n := len(h.out); n > 0 && h.out[n-1].Role == role {
		h.out[n-1].Content = append(h.out[n-1].Content, blocks...)
		return
	}
	h.out = append(h.out, anthropicTurn{role, blocks})
}

func (h *anthropicHistory) user(m Message) {
	var blocks []any
	if b := textOf(m.Text); b != nil {
		blocks = append(blocks, b)
	}
	if blocks = append(blocks, pictures(m.Images)...); len(blocks) == 0 {
		return
	}
	if n := len(h.out); n == 0 || h.out[n-1].Role == Assistant {
		h.open, h.bare = false, false // words beside results go on with the round
	}
	h.add(User, blocks...)
}

// assistant writes a reply with its thoughts in place, then the results of its calls,
// which must come first in the next user message. A reply of only thinking is left out.
func (h *anthropicHistory) assistant(e entry) {
	if strings.TrimSpace(e.Text) == "" && len(e.Calls) == 0 {
		return
	}
	e.Text = strings.TrimRight(e.Text, " \t\r\n\v\f") // a last message that ends in space is refused
	thoughts := returned(e.Message, WireAnthropic, h.format.model, wholeThought)
	var blocks []any
	parts(e.Message, thoughts, func(s string) {
		if b := textOf(s); b != nil {
			blocks = append(blocks, b)
		}
	}, func(c event.ToolCall) {
		blocks = append(blocks, &anthropicBlock{Type: "tool_use", ID: h.ids.open(c), Name: toolName(c.Tool), Input: json.RawMessage(wellFormed(safeArgs(c.Args)))})
	}, func(b json.RawMessage) { blocks = append(blocks, b) })
	if !h.open {
		h.open, h.bare = true, len(e.Calls) > 0 && (len(thoughts) == 0 || thoughts[0].Text+thoughts[0].Calls > 0)
	}
	h.add(Assistant, blocks...)
	for _, r := range e.results {
		h.add(User, h.result(r))
	}
}

func (h *anthropicHistory) result(m Message) *anthropicBlock {
	b := &anthropicBlock{Type: "tool_result", Result: h.ids.result(m.Call), IsError: m.Error}
	if t := textOf(m.Text); t != nil {
		b.Content = append(b.Content, t)
	}
	b.Content = append(b.Content, pictures(m.Images)...)
	return b
}

// media are the pictures that the format takes.
var media = map[string]bool{"image/jpeg": true, "image/png": true, "image/gif": true, "image/webp": true}

// pictures are blocks; of a picture that cannot be sent the model reads that it was
// there.
func pictures(images []event.Image) []any {
	var out []any
	for _, i := range images {
		if !media[i.Media] || len(i.Data) == 0 {
			out = append(out, &anthropicBlock{Type: "text", Text: unsendable(i)})
			continue
		}
		out = append(out, &anthropicBlock{Type: "image", Source: &anthropicSource{Type: "base64", Media: i.Media, Data: i.Data}})
	}
	return out
}

// wholeThought reports whether a block can go back: its signature is over its text.
func wholeThought(b json.RawMessage) bool {
	var t struct{ Type, Thinking, Signature, Data string }
	if json.Unmarshal(b, &t) != nil {
		return false
	}
	return (t.Type == "thinking" && t.Thinking != "" && t.Signature != "") || (t.Type == "redacted_thinking" && t.Data != "")
}

func unsendable(i event.Image) string {
	return "[a picture of the type " + i.Media + ", which cannot be sent to this model]"
}

var anthropicIDs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

func anthropicID(id string) bool { return anthropicIDs().MatchString(id) }

var oddName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^A-Za-z0-9_-]`) })

// toolName is a name that the wire takes. A model can call a tool by any name; the call
// was refused, and its odd name must not fail every later request.
func toolName(name string) string {
	if name == "" {
		return "unnamed"
	}
	name = oddName().ReplaceAllString(name, "_")
	return name[:min(len(name), 64)]
}
