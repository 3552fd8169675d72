package keys

import (
	"fmt"
	"strings"
)

// Title is a key as people read it: "Ctrl+X L".
func Title(key string) string {
	parts := strings.Split(key, " ")
	for i, p := range parts {
		parts[i] = titleOne(p)
	}
	return strings.Join(parts, " ")
}

var titles = map[string]string{
	"esc": "Esc", "enter": "Enter", "tab": "Tab", "space": "Space", "backspace": "Backspace", "delete": "Del", "insert": "Ins",
	"up": "↑", "down": "↓", "left": "←", "right": "→", "home": "Home", "end": "End", "pgup": "PgUp", "pgdown": "PgDn",
}

func titleOne(key string) string {
	out := ""
	for {
		word, rest, ok := strings.Cut(key, "+")
		if !ok || rest == "" || word == "" {
			break
		}
		out += strings.ToUpper(word[:1]) + word[1:] + "+"
		key = rest
	}
	switch {
	case titles[key] != "":
		return out + titles[key]
	case strings.HasPrefix(out, "Ctrl+") || len(key) > 1 && key[0] == 'f':
		return out + strings.ToUpper(key)
	}
	return out + key
}

// Titles are the keys of an action as people read them.
func (m *Map) Titles(a Action) string {
	out := make([]string, len(m.of[a]))
	for i, k := range m.of[a] {
		out[i] = Title(k)
	}
	return strings.Join(out, ", ")
}

// Markdown is the map as tables, one for each context.
func (m *Map) Markdown() string {
	var b strings.Builder
	for c := Anywhere; c < contexts; c++ {
		fmt.Fprintf(&b, "\n## %s\n\n| keys | action | what it does |\n|---|---|---|\n", c)
		for _, a := range Actions() {
			if a.In() == c {
				fmt.Fprintf(&b, "| %s | `%s` | %s |\n", m.cells(a), a, strings.ReplaceAll(a.Says(), "|", `\|`))
			}
		}
	}
	return b.String()
}

// cells are the keys of an action in a cell of a table.
func (m *Map) cells(a Action) string {
	out := make([]string, len(m.of[a]))
	for i, k := range m.of[a] {
		out[i] = "`" + strings.ReplaceAll(Title(k), "|", `\|`) + "`"
	}
	return strings.Join(out, " ")
}
