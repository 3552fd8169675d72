package recovery

import (
	"strings"
	"unicode/utf8"
)

// reader reads one section of markup: its calls, or why it cannot be read.
type reader func(*cursor) ([]found, string)

// harmonyTo is how a call's addressee is written in Harmony's channels.
const harmonyTo = "assistant to=functions."

// DeepSeek's bar, and the blank of its tokens.
const (
	bar   = "｜"
	under = "▁"
)

// opener is who reads the markup that the text begins with; nil when it begins with none.
// A tag that people also speak of, such as <tool_call> in a sentence, is markup only when
// what follows could be a call's.
func opener(text string) (reader, Markup) {
	if strings.HasPrefix(text, harmonyTo) {
		return unread("the call is addressed in the text"), Harmony
	}
	switch {
	case strings.HasPrefix(text, "<tool_call>"):
		return toolCall(text[len("<tool_call>"):])
	case strings.HasPrefix(text, "<tool_calls>"):
		return toolCalls(text[len("<tool_calls>"):])
	case strings.HasPrefix(text, "<function=") && named(text[len("<function="):]):
		return qwen3, Qwen3
	case strings.HasPrefix(text, "<|") || strings.HasPrefix(text, "<"+bar):
		return token(text)
	}
	return invoked(text)
}

// toolCall is who reads what follows <tool_call>.
func toolCall(rest string) (reader, Markup) {
	switch body := strings.TrimLeft(rest, blanks); {
	case body == "", body[0] == '{', body[0] == '[':
		return hermes, Hermes
	case strings.HasPrefix(body, "<function="):
		return qwen3, Qwen3
	case strings.HasPrefix(body, "<arg_key>"), glmNamed(rest):
		return glm, GLM
	case body[0] == '<' && !strings.HasPrefix(body, "</"):
		return unread("it holds neither a JSON object nor a function"), Hermes
	}
	return nil, NoMarkup
}

// glmNamed: a name right behind the tag, then the first key or the end.
func glmNamed(body string) bool {
	body = strings.TrimPrefix(body, "\n")
	name := nameOf(body)
	rest := strings.TrimLeft(body[len(name):], blanks)
	return name != "" && (strings.HasPrefix(rest, "<arg_key>") || strings.HasPrefix(rest, "</tool_call>"))
}

// toolCalls is who reads what follows <tool_calls>.
func toolCalls(rest string) (reader, Markup) {
	switch body := strings.TrimLeft(rest, blanks); {
	case strings.HasPrefix(body, "<invoke "):
		return invoke("", "tool_calls"), Invoke
	case body == "", body[0] == '<' && !strings.HasPrefix(body, "</"):
		return qwenXML, QwenXML
	case body[0] == '{', body[0] == '[':
		return unread("it holds JSON instead of one element for each call"), QwenXML
	}
	return nil, NoMarkup
}

// token is who reads markup between bars.
func token(text string) (reader, Markup) {
	switch {
	case strings.HasPrefix(text, kimiSection):
		return kimi, Kimi
	case strings.HasPrefix(text, kimiCall):
		return kimiBare, Kimi
	case strings.HasPrefix(text, "<|tool_call>"):
		return lmStudio, LMStudio
	case strings.HasPrefix(text, "<|open|>tool"), strings.HasPrefix(text, "<|tool_call"):
		return unread("its markers are of no family that is known"), Unknown
	case strings.HasPrefix(text, "<|channel|>commentary to=functions."), strings.HasPrefix(text, "<|start|>"+harmonyTo):
		return unread("the call is addressed in the text"), Harmony
	}
	if t := plainToken(text); strings.HasPrefix(text, "<"+bar) && strings.HasPrefix(t, "<|tool_call") {
		return deepSeek(t)
	}
	return invoked(text)
}

func deepSeek(plain string) (reader, Markup) {
	switch {
	case strings.HasPrefix(plain, "<|tool_calls_begin|>"):
		return dsmlCalls, DSML
	case strings.HasPrefix(plain, "<|tool_call_begin|>"):
		return dsmlOne, DSML
	}
	return nil, NoMarkup
}

// plainToken is the start of the text with DeepSeek's signs as ASCII: long enough for
// every token.
func plainToken(text string) string {
	const longest = 96
	head := text[:min(len(text), longest)]
	for len(head) > 0 && len(head) < len(text) && !utf8.RuneStart(text[len(head)]) {
		head = head[:len(head)-1]
	}
	return strings.NewReplacer(bar, "|", under, "_").Replace(head)
}

// invoked is who reads <invoke name= and the tags around it, under any namespace.
func invoked(text string) (reader, Markup) {
	prefix, tag, ok := tagOf(text)
	if !ok {
		return nil, NoMarkup
	}
	m := Invoke
	if strings.Contains(prefix, "DSML") {
		m = DSML
	}
	switch after := text[1+len(prefix)+len(tag):]; tag {
	case "invoke":
		if strings.HasPrefix(strings.TrimLeft(after, blanks), "name=") && after[0] != 'n' {
			return invoke(prefix, ""), m
		}
	case "function_calls", "tool_calls":
		if body, ok := strings.CutPrefix(after, ">"); ok && invokes(body, prefix) {
			return invoke(prefix, tag), m
		}
	}
	return nil, NoMarkup
}

func invokes(body, prefix string) bool {
	body = strings.TrimLeft(body, blanks)
	return body == "" || strings.HasPrefix(body, "<"+prefix+"invoke")
}

// tagOf splits the tag that the text begins with from its namespace: letters with a
// colon, or DeepSeek's between its bars.
func tagOf(text string) (prefix, tag string, ok bool) {
	for _, p := range []string{bar + "DSML" + bar, "|DSML|"} {
		if rest, has := strings.CutPrefix(text, "<"+p); has {
			return p, nameOf(rest), true
		}
	}
	if !strings.HasPrefix(text, "<") {
		return "", "", false
	}
	name := nameOf(text[1:])
	if name == "" {
		return "", "", false
	}
	if rest, has := strings.CutPrefix(text[1+len(name):], ":"); has {
		return name + ":", nameOf(rest), true
	}
	return "", name, true
}

// unread is a section that is never rebuilt.
func unread(reason string) reader {
	return func(*cursor) ([]found, string) { return nil, reason }
}

func named(text string) bool { return nameOf(text) != "" }

// nameOf is the name that the text begins with: what a tool or a parameter can be
// called, at most 128 bytes of it.
func nameOf(text string) string {
	n := 0
	for n < len(text) && n < 128 && nameByte(text[n]) {
		n++
	}
	return text[:n]
}

func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.'
}
