package agenthook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// An agent's settings file belongs to its user: it is edited as text, so that every
// byte that is not the guard's own stays, comments and layout too.

// insertion is text that an edit puts into a file, at an offset of the new text.
type insertion struct {
	At   int    `json:"at"`
	Text string `json:"text"`
}

// container is an object or a list in the text of a file.
type container struct {
	text []byte
	// open and shut are the offsets of its brackets.
	open, shut int
	// kids are the offsets of its members or elements, a member's from its name on.
	kids [][2]int
}

// tree is a settings file that was read.
type tree struct {
	text []byte
	root hujson.Value
}

// readTree reads an agent's settings file. An object that has a key twice is refused:
// the agent's reader may take the one that the edit does not.
func readTree(name string, text []byte) (tree, error) {
	v, err := hujson.Parse(text)
	if err != nil {
		return tree{}, fmt.Errorf("%s is no JSON that can be read: %w; mend it first, nothing was changed", name, err)
	}
	if _, ok := v.Value.(*hujson.Object); !ok {
		return tree{}, fmt.Errorf("%s holds no JSON object; nothing was changed", name)
	}
	if key, ok := twice(v); ok {
		return tree{}, fmt.Errorf("%s has the key %q twice in one object; remove one, nothing was changed", name, key)
	}
	return tree{text, v}, nil
}

func twice(v hujson.Value) (string, bool) {
	seen := map[string]bool{}
	switch x := v.Value.(type) {
	case *hujson.Object:
		for i, m := range x.Members {
			name := m.Name.Value.(hujson.Literal).String()
			if seen[name] {
				return name, true
			}
			seen[name] = true
			if key, ok := twice(x.Members[i].Value); ok {
				return key, true
			}
		}
	case *hujson.Array:
		for i := range x.Elements {
			if key, ok := twice(x.Elements[i]); ok {
				return key, true
			}
		}
	}
	return "", false
}

// member finds a key of an object.
func member(v hujson.Value, key string) (hujson.Value, bool) {
	if o, ok := v.Value.(*hujson.Object); ok {
		for _, m := range o.Members {
			if m.Name.Value.(hujson.Literal).String() == key {
				return m.Value, true
			}
		}
	}
	return hujson.Value{}, false
}

// at is the container that a value is.
func (t tree) at(v hujson.Value) container {
	c := container{text: t.text, open: v.StartOffset, shut: v.EndOffset - 1}
	switch x := v.Value.(type) {
	case *hujson.Object:
		for _, m := range x.Members {
			c.kids = append(c.kids, [2]int{m.Name.StartOffset, m.Value.EndOffset})
		}
	case *hujson.Array:
		for _, e := range x.Elements {
			c.kids = append(c.kids, [2]int{e.StartOffset, e.EndOffset})
		}
	}
	return c
}

// unit is one step of the file's indentation.
func (t tree) unit() string {
	if c := t.at(t.root); len(c.kids) > 0 {
		if in := c.indent(c.kids[0][0]); in != "" {
			return in
		}
	}
	return "  "
}

// indent is the white space in front of an offset, when nothing else is in its line.
func (c container) indent(at int) string {
	start := bytes.LastIndexByte(c.text[:at], '\n') + 1
	if s := string(c.text[start:at]); strings.Trim(s, " \t") == "" {
		return s
	}
	return ""
}

// lineIndent is the white space that the line of an offset begins with.
func (c container) lineIndent(at int) string {
	line := c.text[bytes.LastIndexByte(c.text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func (c container) newline() string {
	if bytes.Contains(c.text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// add is what makes body the last kid. The comma and the line go to two places where a
// comment stands behind the kid that was the last.
func (c container) add(body string, unit string) []insertion {
	nl := c.newline()
	if len(c.kids) == 0 {
		outer := c.lineIndent(c.open)
		text := nl + indented(body, outer+unit, nl)
		if !bytes.ContainsRune(c.text[c.open:c.shut], '\n') {
			text += nl + outer
		}
		return []insertion{{c.open + 1, text}}
	}
	last := c.kids[len(c.kids)-1]
	in := c.indent(last[0])
	if in == "" && !bytes.ContainsRune(c.text[c.open:last[0]], '\n') { // all in one line
		return []insertion{{last[1], ", " + compact(body)}}
	}
	line := nl + indented(body, in, nl)
	if comma := c.comma(last[1]); comma >= 0 {
		return []insertion{{c.lineEnd(comma + 1), line + ","}}
	}
	if tail := c.lineEnd(last[1]); tail > last[1] {
		return []insertion{{last[1], ","}, {tail, line}}
	}
	return []insertion{{last[1], "," + line}}
}

// extra is the end of the white space and comments from an offset on; a line comment
// ends before its line does.
func (c container) extra(at int, blanks string) int {
	for at < c.shut {
		rest := c.text[at:c.shut]
		switch {
		case strings.IndexByte(blanks, rest[0]) >= 0:
			at++
		case bytes.HasPrefix(rest, []byte("//")):
			at += len(bytes.TrimRight(rest[:bytes.IndexByte(rest, '\n')], "\r"))
		case bytes.HasPrefix(rest, []byte("/*")):
			at += bytes.Index(rest, []byte("*/")) + 2
		default:
			return at
		}
	}
	return at
}

// comma is the offset of the comma behind the last kid, or -1.
func (c container) comma(at int) int {
	if at = c.extra(at, " \t\r\n"); at < c.shut && c.text[at] == ',' {
		return at
	}
	return -1
}

// lineEnd is behind the comments that follow an offset in its line, or the offset
// itself when none does.
func (c container) lineEnd(at int) int {
	end := c.extra(at, " \t")
	if len(bytes.TrimSpace(c.text[at:end])) == 0 {
		return at
	}
	return at + len(bytes.TrimRight(c.text[at:end], " \t"))
}

// indented puts every line of a body behind an indentation.
func indented(body, in, nl string) string {
	return in + strings.ReplaceAll(body, "\n", nl+in)
}

// compact is a body in one line.
func compact(body string) string {
	var b strings.Builder
	for l := range strings.Lines(body) {
		t := strings.TrimSpace(l)
		if strings.HasSuffix(t, ",") || strings.HasSuffix(t, ":") {
			t += " "
		}
		b.WriteString(t)
	}
	return b.String()
}

// insert puts insertions into a text, and says where they stand in the new one.
func insert(text []byte, ins []insertion) ([]byte, []insertion) {
	out, done, from := []byte(nil), []insertion(nil), 0
	for _, i := range ins {
		out = append(out, text[from:i.At]...)
		done = append(done, insertion{len(out), i.Text})
		out = append(out, i.Text...)
		from = i.At
	}
	return append(out, text[from:]...), done
}

// takeOut removes insertions from the very text that they were put into.
func takeOut(text []byte, ins []insertion) ([]byte, bool) {
	out := bytes.Clone(text)
	for _, i := range slices.Backward(ins) {
		end := i.At + len(i.Text)
		if i.At < 0 || end > len(out) || string(out[i.At:end]) != i.Text {
			return nil, false
		}
		out = slices.Delete(out, i.At, end)
	}
	return out, true
}

// cut removes kid i with its comma; the last kid of a list without a comma at its end
// takes the one before it instead. Comments stay.
func (c container) cut(i int) []byte {
	from, to := c.blanksBefore(i), c.kids[i][1]
	if comma := c.comma(to); comma >= 0 {
		out := append(bytes.Clone(c.text[:from]), c.text[to:comma]...)
		return append(out, c.text[comma+1:]...)
	}
	out := bytes.Clone(c.text[:from])
	if i > 0 {
		comma := c.comma(c.kids[i-1][1])
		out = append(bytes.Clone(c.text[:comma]), c.text[comma+1:from]...)
	}
	return append(out, c.text[to:]...)
}

// blanksBefore is where the white space in front of a kid begins. A line end stays when
// something would stand behind a line comment without it.
func (c container) blanksBefore(i int) int {
	at := len(bytes.TrimRight(c.text[:c.kids[i][0]], " \t"))
	rest := bytes.TrimLeft(c.text[c.kids[i][1]:], " \t,")
	if len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r') {
		at = len(bytes.TrimRight(c.text[:at], " \t\r\n"))
	}
	return at
}

// plain is what a text means, without comments and layout.
func plain(text []byte) (any, error) {
	b, err := hujson.Standardize(bytes.Clone(text))
	if err != nil {
		return nil, err
	}
	var v any
	err = json.Unmarshal(b, &v)
	return v, err
}

// same reports whether two texts mean the same.
func same(a, b []byte) bool {
	x, err := plain(a)
	y, err2 := plain(b)
	return err == nil && err2 == nil && reflect.DeepEqual(x, y)
}

// indentTail indents every line of a body but the first.
func indentTail(body, in string) string { return strings.ReplaceAll(body, "\n", "\n"+in) }

// reindented replaces the two blanks of each step by the file's own unit.
func reindented(body, unit string) string {
	var b strings.Builder
	for l := range strings.Lines(body) {
		rest := strings.TrimLeft(l, " ")
		b.WriteString(strings.Repeat(unit, (len(l)-len(rest))/2) + rest)
	}
	return b.String()
}
