package settings

import (
	"bytes"
	"strings"
)

// piece is a member or an element with the comments that speak about it, taken from
// the text or to be put into it.
type piece struct {
	// lead are the comments above it, each without its indentation and line end.
	lead []string
	// body is the value, with its key in an object.
	body string
	// tail is the comments behind it in its line, or "".
	tail string
	// ends is true when the last of those ends its line.
	ends bool
}

// spread reports whether the piece needs lines of its own.
func (p piece) spread() bool { return len(p.lead) > 0 || p.ends }

// piece is kid i as it stands. A comment between its value and its comma goes above it.
func (c *container) piece(i int) piece {
	d, k := c.d, c.kids[i]
	p := piece{body: string(d.text[k.start:k.end])}
	end, _ := c.tail(i)
	tail := d.comments(k.behind(), end)
	p.tail = strings.Join(tail, " ")
	p.ends = len(tail) > 0 && strings.HasPrefix(tail[len(tail)-1], "//")
	if c.block(i) {
		p.lead = d.comments(c.lead(i), k.start)
	}
	p.lead = append(p.lead, d.comments(k.end, k.behind())...)
	return p
}

// comments are the comments that begin in a range, each without white space around.
func (d *document) comments(from, to int) (out []string) {
	for i := from; i < to; i++ {
		switch d.text[i] {
		case '"':
			i = behindString(d.text, i)
		case '/':
			end := behindComment(d.text, i)
			out = append(out, strings.TrimSpace(string(d.text[i:end+1])))
			i = end
		}
	}
	return out
}

// text is the piece in a line of its own, a comma behind it if comma is true.
func (p piece) text(indent, newline string, comma bool) string {
	var b strings.Builder
	for _, l := range p.lead {
		b.WriteString(indent + l + newline)
	}
	b.WriteString(indent + p.body)
	if comma {
		b.WriteByte(',')
	}
	if p.tail != "" {
		b.WriteString(" " + p.tail)
	}
	return b.String()
}

// cut takes kid i out of the text, with the comments that speak about it. The
// container is old afterwards.
func (c *container) cut(i int) error {
	d, k := c.d, c.kids[i]
	from := k.start
	to, _ := c.tail(i)
	switch {
	case c.block(i):
		from = c.lead(i)
		if to < len(d.text) && d.text[to] == '\n' {
			to++
		}
	case i+1 < len(c.kids) && !bytes.ContainsAny(d.text[to:c.kids[i+1].start], "\n/"):
		to = c.kids[i+1].start
	default:
		for from > c.open+1 && (d.text[from-1] == ' ' || d.text[from-1] == '\t') {
			from--
		}
	}
	kept := d.text[to:]
	if i > 0 && i == len(c.kids)-1 && k.comma < 0 {
		// The kid before is the last one now, and had the comma only because of this one.
		comma := c.kids[i-1].comma
		return d.splice(comma, len(d.text), string(d.text[comma+1:from])+string(kept))
	}
	return d.splice(from, len(d.text), string(kept))
}

// put makes a piece the kid number i; with the number of kids it becomes the last one.
// The container is old afterwards.
func (c *container) put(i int, p piece) error {
	switch {
	case len(c.kids) == 0:
		return c.fill(p)
	case i == len(c.kids):
		return c.append(p)
	case c.block(i) || p.spread():
		return c.before(i, p)
	}
	at := c.kids[i].start
	return c.d.splice(at, at, inline(p)+", ")
}

// inline is the piece in the middle of a line.
func inline(p piece) string {
	if p.tail == "" {
		return p.body
	}
	return p.body + " " + p.tail
}

// before puts a piece in lines of its own above kid i.
func (c *container) before(i int, p piece) error {
	d, nl := c.d, c.d.newline()
	if c.block(i) {
		at := c.lead(i)
		return d.splice(at, at, p.text(d.indent(c.kids[i].start), nl, true)+nl)
	}
	at, indent := c.kids[i].start, d.indent(c.open)+d.unit()
	return d.splice(at, at, nl+p.text(indent, nl, true)+nl+indent)
}

// fill puts the first piece into an empty container; a comment that stands in it
// stays above the piece.
func (c *container) fill(p piece) error {
	d, nl := c.d, c.d.newline()
	outer := d.indent(c.open)
	stands := strings.TrimRight(string(d.text[c.open+1:c.shut]), " \t\r\n")
	return d.splice(c.open+1, c.shut, stands+nl+p.text(outer+d.unit(), nl, false)+nl+outer)
}

// append puts a piece behind the last kid and behind every comment that follows it. A
// list that ends with a comma does so afterwards, and one without does not.
func (c *container) append(p piece) error {
	d, nl := c.d, c.d.newline()
	last := c.kids[len(c.kids)-1]
	comma := last.comma >= 0
	stands := strings.TrimRight(string(d.text[last.behind():c.shut]), " \t\r\n")
	rest := string(d.text[last.behind()+len(stands) : c.shut])
	if !comma {
		stands = "," + stands
	}
	spread := bytes.Contains(d.text[c.open:c.shut], []byte("\n"))
	switch {
	case spread && !strings.Contains(rest, "\n"): // the bracket stands behind the last kid
		rest = nl + d.indent(c.open)
	case !spread && !p.spread():
		return d.splice(last.behind(), c.shut, stands+" "+inline(p)+commaIf(comma)+rest)
	case !spread:
		rest = nl + d.indent(c.open)
	}
	return d.splice(last.behind(), c.shut, stands+nl+p.text(c.inner(), nl, comma)+rest)
}

// inner is the indentation of the kids of a container that is spread over lines.
func (c *container) inner() string {
	for i := len(c.kids) - 1; i >= 0; i-- {
		if c.d.first(c.kids[i].start) {
			return c.d.indent(c.kids[i].start)
		}
	}
	return c.d.indent(c.open) + c.d.unit()
}

func commaIf(yes bool) string {
	if yes {
		return ","
	}
	return ""
}
