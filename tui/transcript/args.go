package transcript

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"tenet/tui/diffview"
)

// field is an argument of a call.
type field struct {
	name  string
	value clipped
}

// verbs are what people call what the tools do.
var verbs = map[string]string{
	"read": "Read", "write": "Write", "edit": "Edit", "search_replace": "Edit", "grep": "Search", "glob": "Find", "list_dir": "List", "bash": "Run", "shell": "Run", "run": "Run",
	"ipython": "Python", "job": "Job", "ask": "Ask", "finish": "Finish", "use_skill": "Skill",
}

// looks reports whether a tool only looks: such calls share a row.
func looks(name string) bool {
	return name == "read" || name == "grep" || name == "glob" || name == "list_dir"
}

// newTool reads a call's arguments, which may be no JSON.
func newTool(id, name, args, workspace string) *tool {
	c := &tool{call: strings.Clone(id), name: row(name), verb: verbs[name]}
	if c.verb == "" {
		c.verb = oneLine(c.name)
	}
	values, ok := arguments(args)
	if !ok {
		c.title = oneLine(args)
		c.fields = []field{{"", clip(args, maxArg)}}
		return c
	}
	for _, v := range values {
		if v.name == "i" {
			c.intent = oneLine(v.text)
			continue
		}
		c.fields = append(c.fields, field{row(v.name), clip(v.text, maxArg)})
	}
	c.title = title(name, values, workspace)
	c.proposed(name, values)
	return c
}

// argument is one member of a call's arguments, as text.
type argument struct{ name, text string }

// arguments are the members in their order. A value that is no text is its JSON.
func arguments(s string) (out []argument, ok bool) {
	if strings.TrimSpace(s) == "" {
		return nil, true
	}
	d := json.NewDecoder(strings.NewReader(s))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, false
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return nil, false
		}
		out = append(out, argument{fmt.Sprint(name), plainValue(raw)})
	}
	return out, true
}

func plainValue(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil && list != nil {
		return strings.Join(list, " ")
	}
	return string(raw)
}

func argumentOf(values []argument, name string) string {
	for _, v := range values {
		if v.name == name {
			return v.text
		}
	}
	return ""
}

// title is what a call is about: the command, the file, the pattern and where.
func title(name string, values []argument, workspace string) string {
	get := func(n string) string { return argumentOf(values, n) }
	path := get("path")
	if path != "" {
		path = within(path, workspace)
	}
	switch name {
	case "grep", "glob":
		return oneLine(join(" in ", get("pattern"), join(" ", path, get("paths"))))
	case "read":
		if line := get("line"); line != "" {
			path += ":" + line
		}
		return oneLine(path)
	case "edit":
		return oneLine(strings.Join(patched(get("patch")), ", "))
	case "finish":
		return "" // the turn's end has what it says
	case "job":
		return oneLine(join(" ", get("verb"), get("id")))
	}
	for _, v := range []string{get("command"), get("argv"), path, get("pattern"), get("verb"), get("name"), get("question"), get("result")} {
		if v != "" {
			return oneLine(v)
		}
	}
	if len(values) > 0 && values[0].name != "i" {
		return oneLine(values[0].text)
	}
	return ""
}

// patched are the files that the sections of a patch name.
func patched(patch string) (files []string) {
	for line := range strings.Lines(patch) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "[")
		if !ok || len(files) == 8 {
			continue
		}
		name, _, _ = strings.Cut(name, "]")
		name, _, _ = strings.Cut(name, "#")
		if name != "" {
			files = append(files, name)
		}
	}
	return files
}

// within is a path from the workspace, where it is below that.
func within(path, workspace string) string {
	if workspace == "" || !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(workspace, path); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return path
}

// proposed is what a call says that it changes, until a question shows the diff itself.
func (c *tool) proposed(name string, values []argument) {
	switch name {
	case "search_replace":
		c.diffs = []string{firstBytes(replacement(argumentOf(values, "old"), argumentOf(values, "new")), maxDiff)}
		c.plus, c.minus = diff.Count(c.diffs[0])
	case "write":
		c.diffs = []string{firstBytes(replacement("", argumentOf(values, "content")), maxDiff)}
		c.plus = lines(argumentOf(values, "content"))
	case "edit":
		for line := range strings.Lines(argumentOf(values, "patch")) {
			if strings.HasPrefix(line, "+") {
				c.plus++
			}
		}
	}
}

// replacement is a text and what comes in its place as a diff. It is part of a file: its
// first line has no number that anybody knows.
func replacement(old, next string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "@@ -0,%d +0,%d @@\n", lines(old), lines(next))
	for _, part := range []struct{ sign, text string }{{"-", old}, {"+", next}} {
		for line := range strings.Lines(part.text) {
			b.WriteString(part.sign + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	return b.String()
}

func lines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// change takes the diffs of a question: what is shown there is what happens.
func (c *tool) change(diffs []string) {
	if len(diffs) == 0 {
		return
	}
	c.diffs, c.plus, c.minus = nil, 0, 0
	for _, d := range diffs {
		plus, minus := diff.Count(d)
		c.plus, c.minus = c.plus+plus, c.minus+minus
		c.diffs = append(c.diffs, firstBytes(d, maxDiff/len(diffs)))
	}
}
