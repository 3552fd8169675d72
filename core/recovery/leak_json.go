package recovery

import (
	"encoding/json"
	"strings"
)

// The reasons that more than one family gives.
const (
	noEnd    = "its markup does not end"
	noObject = "its arguments are not one JSON object"
	noName   = "it names no tool"
)

// hermes reads <tool_call>{"name": "x", "arguments": {…}}</tool_call>.
func hermes(c *cursor) ([]found, string) {
	c.take("<tool_call>")
	object, ok := c.object()
	if !ok {
		return nil, "it is not one JSON object"
	}
	if !c.next("</tool_call>") {
		return nil, noEnd
	}
	f, reason := hermesCall(object)
	return []found{f}, reason
}

// hermesCall reads the object. Members that are no part of a call may hold anything,
// so none is looked over.
func hermesCall(object string) (found, string) {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(object), &members) != nil {
		return found{}, noObject
	}
	f := found{}
	for name, raw := range members {
		switch name {
		case "name":
			if json.Unmarshal(raw, &f.tool) != nil {
				return found{}, noName
			}
		case "arguments", "parameters":
			if f.args != "" {
				return found{}, "it has arguments twice"
			}
			if f.args = objectOf(raw); f.args == "" {
				return found{}, noObject
			}
		case "id", "type":
		default:
			return found{}, "it is no call: it has more than a name and arguments"
		}
	}
	if f.tool == "" {
		return found{}, noName
	}
	return f, ""
}

// objectOf is an object, or a string that holds one; "" for anything else.
func objectOf(raw json.RawMessage) string {
	text := string(raw)
	if strings.HasPrefix(text, `"`) && json.Unmarshal(raw, &text) != nil {
		return ""
	}
	c := &cursor{text: text}
	object, ok := c.object()
	if c.skip(); !ok || c.rest() != "" {
		return ""
	}
	return object
}

const (
	kimiSection = "<|tool_calls_section_begin|>"
	kimiEnd     = "<|tool_calls_section_end|>"
	kimiCall    = "<|tool_call_begin|>"
)

// kimi reads a section of calls.
func kimi(c *cursor) (out []found, reason string) {
	c.take(kimiSection)
	for !c.next(kimiEnd) {
		if c.skip(); !strings.HasPrefix(c.rest(), kimiCall) {
			return nil, noEnd
		}
		one, reason := kimiOne(c)
		if reason != "" {
			return nil, reason
		}
		out = append(out, one...)
	}
	if len(out) == 0 {
		return nil, "it holds no call"
	}
	return out, ""
}

// kimiBare reads a call outside a section; models leave the first half of it out.
func kimiBare(c *cursor) ([]found, string) {
	out, reason := kimiOne(c)
	c.next(kimiEnd)
	return out, reason
}

// kimiOne reads functions.x:0 and the arguments behind it.
func kimiOne(c *cursor) ([]found, string) {
	c.take(kimiCall)
	id, ok := c.until("<|tool_call_argument_begin|>")
	if !ok {
		return nil, noEnd
	}
	tool := strings.TrimPrefix(strings.TrimSpace(id), "functions.")
	if i := strings.LastIndexByte(tool, ':'); i >= 0 && strings.Trim(tool[i+1:], "0123456789") == "" {
		tool = tool[:i]
	}
	args, ok := c.object()
	if !ok {
		return nil, noObject
	}
	if !c.next("<|tool_call_end|>") {
		return nil, noEnd
	}
	return []found{{tool: tool, args: args}}, ""
}

// lmStudio reads <|tool_call>call:x{…}, which ends by itself.
func lmStudio(c *cursor) ([]found, string) {
	c.take("<|tool_call>")
	c.skip()
	if !c.take("call:") {
		return nil, noName
	}
	tool := c.name()
	args, ok := c.object()
	if !ok {
		return nil, noObject
	}
	_ = c.next("<tool_call|>") || c.next("<|tool_call|>") || c.next("</tool_call>")
	return []found{{tool: tool, args: args}}, ""
}

// dsmlCalls reads DeepSeek's calls between full-width bars.
func dsmlCalls(c *cursor) (out []found, reason string) {
	c.token("tool_calls_begin")
	for !c.token("tool_calls_end") {
		one, reason := dsmlOne(c)
		if reason != "" {
			return nil, reason
		}
		out = append(out, one...)
	}
	if len(out) == 0 {
		return nil, "it holds no call"
	}
	return out, ""
}

// dsmlOne reads one of them: the name and the arguments, or, as older models write it,
// the kind, the name and the arguments in a fence.
func dsmlOne(c *cursor) ([]found, string) {
	if !c.token("tool_call_begin") {
		return nil, noEnd
	}
	tool := c.name()
	if !c.token("tool_sep") {
		return nil, noEnd
	}
	fenced := tool == "function" && !strings.HasPrefix(strings.TrimLeft(c.rest(), blanks), "{")
	if fenced {
		tool = c.name()
		if !c.next("```json") {
			return nil, noObject
		}
	}
	args, ok := c.object()
	if !ok {
		return nil, noObject
	}
	if fenced && !c.next("```") || !c.token("tool_call_end") {
		return nil, noEnd
	}
	return []found{{tool: tool, args: args}}, ""
}

// token reads a token of DeepSeek's, whichever blank it is written with.
func (c *cursor) token(name string) bool {
	return c.next("<"+bar+strings.ReplaceAll(name, "_", under)+bar+">") || c.next("<"+bar+name+bar+">")
}
