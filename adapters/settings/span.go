package settings

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// An edit of a settings file is made on its text, at the offsets that the syntax tree
// gives: what is not edited keeps every byte. The library's own patch would lose the
// comments in some places and the line breaks in all.

// container is an object or a list as it stands in the text.
type container struct {
	d *document
	// open and shut are the offsets of the brackets.
	open, shut int
	kids       []kid
}

// kid is a member or an element of a container.
type kid struct {
	// start is where the key or the value begins, end the offset behind the value.
	start, end int
	// comma is the offset of the comma behind it, or -1.
	comma int
	// name is the key of an object's member.
	name  string
	value hujson.Value
}

// container is the object or list in a value; nil when it is neither.
func (d *document) container(v hujson.Value) *container {
	c := &container{d: d, open: v.StartOffset, shut: v.EndOffset - 1}
	switch x := v.Value.(type) {
	case *hujson.Object:
		for _, m := range x.Members {
			c.add(kid{start: m.Name.StartOffset, name: text(m.Name), value: m.Value})
		}
	case *hujson.Array:
		for _, e := range x.Elements {
			c.add(kid{start: e.StartOffset, value: e})
		}
	default:
		return nil
	}
	if n := len(c.kids); n > 0 && c.kids[n-1].value.AfterExtra == nil {
		c.kids[n-1].comma = -1
	}
	return c
}

func (c *container) add(k kid) {
	k.end = k.value.EndOffset
	k.comma = k.end + len(k.value.AfterExtra)
	c.kids = append(c.kids, k)
}

// find is the member with a name, nil for none.
func (c *container) find(name string) *kid {
	for i := range c.kids {
		if c.kids[i].name == name {
			return &c.kids[i]
		}
	}
	return nil
}

// behind is the offset behind a kid and its comma.
func (k kid) behind() int {
	if k.comma >= 0 {
		return k.comma + 1
	}
	return k.end
}

// begins is the offset where the line of an offset begins.
func (d *document) begins(offset int) int { return bytes.LastIndexByte(d.text[:offset], '\n') + 1 }

// indent is the white space that the line of an offset begins with.
func (d *document) indent(offset int) string {
	line := d.text[d.begins(offset):offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// first reports whether only white space stands before an offset in its line.
func (d *document) first(offset int) bool {
	return len(bytes.TrimLeft(d.text[d.begins(offset):offset], " \t")) == 0
}

// tail is the offset behind what belongs to kid i in its own line: its comma and a
// comment. alone is true when nothing else follows in that line.
func (c *container) tail(i int) (end int, alone bool) {
	text, at := c.d.text, c.kids[i].behind()
	for end = at; end < len(text); {
		switch {
		case text[end] == '\n':
			return end, true
		case text[end] == ' ' || text[end] == '\t' || text[end] == '\r':
			end++
		case text[end] == '/' && text[end+1] == '/':
			return end + bytes.IndexByte(text[end:], '\n'), true
		case text[end] == '/':
			behind := behindComment(text, end) + 1
			if bytes.Contains(text[end:behind], []byte("\n")) {
				return at, false
			}
			end = behind
		default:
			return at, false
		}
	}
	return end, true
}

// block reports whether a kid has its lines to itself.
func (c *container) block(i int) bool {
	_, alone := c.tail(i)
	return alone && c.d.first(c.kids[i].start)
}

// lead is the offset where the comments begin that stand right above a kid, without
// an empty line between; they speak about it. Without any it is the kid's own line.
func (c *container) lead(i int) int {
	d, from := c.d, c.open+1
	if i > 0 {
		from, _ = c.tail(i - 1)
	}
	lead := c.kids[i].start
	comments := commentsIn(d.text, from, lead)
	for n := len(comments) - 1; n >= 0; n-- {
		at := comments[n]
		between := d.text[behindComment(d.text, at):lead]
		if !d.first(at) || bytes.Count(between, []byte("\n")) > 1 {
			break
		}
		lead = at
	}
	return d.begins(lead)
}

// commentsIn lists where the comments between two offsets begin; only white space and
// comments stand there, and perhaps a comma.
func commentsIn(text []byte, from, to int) (out []int) {
	for i := from; i < to; i++ {
		if text[i] == '/' {
			out = append(out, i)
			i = behindComment(text, i)
		}
	}
	return out
}

// unit is one step of the file's indentation.
func (d *document) unit() string {
	if c := d.container(d.root); c != nil {
		for _, k := range c.kids {
			if in := d.indent(k.start); d.first(k.start) && in != "" {
				return in
			}
		}
	}
	return "  "
}

// newline is how the file ends its lines.
func (d *document) newline() string {
	if bytes.Contains(d.text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// splice puts text in the place of a range and reads the file again.
func (d *document) splice(from, to int, text string) error {
	var b strings.Builder
	b.Write(d.mark)
	b.Write(d.text[:from])
	b.WriteString(text)
	b.Write(d.text[to:])
	n, err := parse([]byte(b.String()))
	if err != nil {
		return err
	}
	*d = *n
	return nil
}
