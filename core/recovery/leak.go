package recovery

import (
	"strings"

	"tenet/core/event"
	"tenet/core/surface"
)

// Markup is a family of markup in which models write tool calls when their server's
// parser does not take them out of the text.
type Markup string

// The families. All but the last two can be rebuilt.
const (
	NoMarkup Markup = ""
	Hermes   Markup = "hermes"    // <tool_call>{"name":"x","arguments":{}}</tool_call>
	Qwen3    Markup = "qwen3"     // <function=x><parameter=k>v</parameter></function>, often within <tool_call>
	QwenXML  Markup = "qwen-xml"  // <tool_calls><x k="v"/></tool_calls>
	Kimi     Markup = "kimi"      // <|tool_call_begin|>functions.x:0<|tool_call_argument_begin|>{}<|tool_call_end|>
	DSML     Markup = "dsml"      // DeepSeek's, between full-width bars
	GLM      Markup = "glm"       // <tool_call>x<arg_key>k</arg_key><arg_value>v</arg_value></tool_call>
	Invoke   Markup = "invoke"    // <invoke name="x"><parameter name="k">v</parameter></invoke>, with or without a namespace
	LMStudio Markup = "lm-studio" // <|tool_call>call:x{}
	Harmony  Markup = "harmony"   // assistant to=functions.x
	Unknown  Markup = "unknown"   // <|open|>toolscall tool="x"<|sep|>, and other tokens of the kind
)

// Leak is what a text holds of tool calls that were written into it. The zero value is a
// text without any.
type Leak struct {
	// Markup is the family of the first one.
	Markup Markup
	// Calls are all of them when each could be read and names an offered tool; they have
	// no ids yet. Empty otherwise.
	Calls []event.ToolCall
	// Text is the text without their markup, when there are Calls.
	Text string
	// Reason says why they could not be read, when there are none.
	Reason string
}

// Scan looks for tool calls in the text of a reply that made none (H4.8.3). Markup in
// quoted code, a fence or a span or an indented block, and markup that the text only tells
// of, in a quotation, a thought or a comment, is text (law leak_quoted_is_text): a model
// that explains markup runs nothing. A call is rebuilt only
// from markup that is whole, and only when all of them are: half of what a model meant
// is not what it meant. Nothing is guessed: a value ends at the first end of its own
// markup. The work is linear in the text.
func Scan(text string, offered []surface.Tool) Leak {
	if !strings.Contains(text, "<") && !strings.Contains(text, harmonyTo) {
		return Leak{}
	}
	s := &scan{text: text, offered: offered, enclosed: enclosed(text)}
	s.blocks()
	if s.leak.Reason != "" || len(s.leak.Calls) == 0 {
		return Leak{Markup: s.leak.Markup, Reason: s.leak.Reason}
	}
	s.rest.WriteString(text[s.from:])
	s.leak.Text = left(s.rest.String(), s.leak.Markup)
	return s.leak
}

// scan is one look at a text.
type scan struct {
	text    string
	offered []surface.Tool
	leak    Leak
	rest    strings.Builder
	from    int // where the text that is not in rest yet begins
	// enclosed are the parts that show markup and mean none, from where the look is on.
	enclosed []span
	// looked is how far lines were looked for, line where the last one begins; quotation is
	// true when it is one of a quotation.
	looked, line int
	quotation    bool
}

// section reads the markup at p, in a paragraph that ends there, and reports where it ends. ok is false when there is
// none at p; stop is true when it cannot be read, which ends the look: nothing will be
// rebuilt.
func (s *scan) section(p, paragraph int) (end int, ok, stop bool) {
	read, markup := opener(s.text[p:])
	if read == nil {
		return p, false, false
	}
	if end, ok := s.told(p, paragraph, read); ok {
		return end, true, false
	}
	if s.leak.Markup == NoMarkup {
		s.leak.Markup = markup
	}
	c := &cursor{text: s.text, at: p}
	calls, reason := read(c)
	if reason == "" {
		calls, reason = s.offer(calls)
	}
	if reason != "" {
		s.leak.Markup, s.leak.Reason = markup, reason
		return p, true, true
	}
	for _, f := range calls {
		s.leak.Calls = append(s.leak.Calls, event.ToolCall{Tool: f.tool, Args: f.args})
	}
	s.rest.WriteString(s.text[s.from:p])
	s.from = c.at
	return c.at, true, false
}

// left is the text that remains. A lone junk word is what some models write before
// their markup; it is not for people.
func left(text string, m Markup) string {
	text = strings.TrimSpace(text)
	if m == Invoke && len(text) <= 16 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") == "" {
		return ""
	}
	return text
}

// found is a call as its markup has it: args is JSON, or params are still to be made
// into it, since the tool's declaration says which of them are no strings.
type found struct {
	tool   string
	args   string
	params []pair
}

// pair is a parameter in markup. typed is true when the markup itself says that the value
// is JSON, text when it says that it is a string.
type pair struct {
	name, value string
	typed, text bool
}
