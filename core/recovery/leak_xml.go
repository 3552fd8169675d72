package recovery

import (
	"html"
	"strings"
)

// qwen3 reads <function=x><parameter=k>v</parameter></function>. The tag around it
// belongs to it when it is there; models leave either half of it out.
func qwen3(c *cursor) (out []found, reason string) {
	wrapped := c.take("<tool_call>")
	for c.next("<function=") {
		one, reason := qwen3One(c)
		if reason != "" {
			return nil, reason
		}
		out = append(out, one)
		if !wrapped {
			break
		}
	}
	if !c.next("</tool_call>") && wrapped {
		return nil, noEnd
	}
	return out, ""
}

func qwen3One(c *cursor) (found, string) {
	f := found{tool: c.name()}
	if !c.take(">") {
		return f, noName
	}
	for c.next("<parameter=") {
		name := c.name()
		if name == "" || !c.take(">") {
			return f, "a parameter has no name"
		}
		value, ok := c.until("</parameter>")
		if !ok {
			return f, noEnd
		}
		f.params = append(f.params, pair{name: name, value: unwrapped(value)})
	}
	if !c.next("</function>") {
		return f, noEnd
	}
	return f, ""
}

// unwrapped is a value without the line breaks that set it apart from its tags.
func unwrapped(value string) string {
	return strings.TrimSuffix(strings.TrimPrefix(value, "\n"), "\n")
}

// qwenXML reads <tool_calls><x k="v"/></tool_calls>.
func qwenXML(c *cursor) (out []found, reason string) {
	c.take("<tool_calls>")
	for !c.next("</tool_calls>") {
		if !c.next("<") {
			return nil, noEnd
		}
		f := found{tool: c.name()}
		for name, value, ok := c.attribute(); ok; name, value, ok = c.attribute() {
			f.params = append(f.params, pair{name: name, value: html.UnescapeString(value)})
		}
		if !c.next("/>") && !(c.next(">") && c.next("</"+f.tool+">")) {
			return nil, "an element does not end, or holds more than attributes"
		}
		out = append(out, f)
	}
	if len(out) == 0 {
		return nil, "it holds no call"
	}
	return out, ""
}

// invoke reads <invoke name="x"><parameter name="k">v</parameter></invoke>, each tag with
// the prefix of its namespace, within the tag `around` when that is not empty.
func invoke(prefix, around string) reader {
	return func(c *cursor) (out []found, reason string) {
		if around != "" {
			c.take("<" + prefix + around + ">")
		}
		for c.next("<" + prefix + "invoke") {
			one, reason := invokeOne(c, prefix)
			if reason != "" {
				return nil, reason
			}
			out = append(out, one)
			if around == "" {
				break
			}
		}
		switch {
		case around != "" && !c.next("</"+prefix+around+">"):
			return nil, noEnd
		case len(out) == 0:
			return nil, "it holds no call"
		case around == "":
			c.next("</" + prefix + "function_calls>") // models leave the first half of it out
		}
		return out, ""
	}
}

func invokeOne(c *cursor, prefix string) (found, string) {
	name, tool, ok := c.attribute()
	if !ok || name != "name" || !c.next(">") {
		return found{}, noName
	}
	f := found{tool: tool}
	for c.next("<" + prefix + "parameter") {
		p, reason := parameter(c, prefix)
		if reason != "" {
			return f, reason
		}
		f.params = append(f.params, p)
	}
	if !c.next("</" + prefix + "invoke>") {
		return f, noEnd
	}
	return f, ""
}

// parameter reads the attributes, of which string says whether the value is one, and the
// value.
func parameter(c *cursor, prefix string) (p pair, reason string) {
	for name, value, ok := c.attribute(); ok; name, value, ok = c.attribute() {
		switch name {
		case "name":
			p.name = value
		case "string":
			p.text, p.typed = value == "true", value == "false"
		}
	}
	if p.name == "" || !c.next(">") {
		return p, "a parameter has no name"
	}
	value, ok := c.until("</" + prefix + "parameter>")
	if !ok {
		return p, noEnd
	}
	p.value = unwrapped(value)
	return p, ""
}

// glm reads <tool_call>x<arg_key>k</arg_key><arg_value>v</arg_value></tool_call>.
func glm(c *cursor) ([]found, string) {
	c.take("<tool_call>")
	c.skip()
	f := found{tool: c.name()}
	for c.next("<arg_key>") {
		name, ok := c.until("</arg_key>")
		if !ok || !c.next("<arg_value>") {
			return nil, "a key has no value"
		}
		value, ok := c.until("</arg_value>")
		if !ok {
			return nil, noEnd
		}
		f.params = append(f.params, pair{name: strings.TrimSpace(name), value: unwrapped(value)})
	}
	if !c.next("</tool_call>") {
		return nil, noEnd
	}
	return []found{f}, ""
}
