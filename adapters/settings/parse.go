package settings

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"tenet/core/call"
	"tenet/core/settings"
)

// maxDepth bounds how deep the values of a settings file nest: the parser recurses.
// No key that is known nests deeper than five.
const maxDepth = 64

// maxTold bounds what a person is told of a mistake, in characters.
const maxTold = 300

// byteOrderMark is what some editors put before a text; it is kept and not read.
var byteOrderMark = []byte("\xef\xbb\xbf")

// document is a settings file that was read: its bytes and their syntax tree, whose
// offsets count from behind a byte order mark.
type document struct {
	mark []byte
	text []byte
	root hujson.Value
}

// parse reads JSON with comments. The error names line and column.
func parse(b []byte) (*document, error) {
	d := &document{text: b}
	if rest, ok := bytes.CutPrefix(b, byteOrderMark); ok {
		d.mark, d.text = byteOrderMark, rest
	}
	if at := invalid(d.text); at >= 0 {
		return nil, d.errorAt(at, "a byte that is no UTF-8")
	}
	if at := tooDeep(d.text); at >= 0 {
		return nil, d.errorAt(at, fmt.Sprintf("nested deeper than %d", maxDepth))
	}
	if len(d.text) > 0 && d.text[len(d.text)-1] != '\n' {
		d.text = append(d.text[:len(d.text):len(d.text)], '\n') // a comment may be the last line
	}
	v, err := hujson.Parse(d.text)
	if err != nil {
		// The text of the error holds text of the file, which has any author.
		return nil, errors.New(call.OneLine(strings.TrimPrefix(err.Error(), "hujson: "), maxTold))
	}
	d.root = v
	return d, nil
}

// bytes is the file as it is.
func (d *document) bytes() []byte { return append(bytes.Clone(d.mark), d.text...) }

func (d *document) errorAt(offset int, what string) error {
	line, column := d.line(offset), offset-bytes.LastIndexByte(d.text[:offset], '\n')
	return fmt.Errorf("line %d, column %d: %s", line, column, what)
}

func (d *document) line(offset int) int { return 1 + bytes.Count(d.text[:offset], []byte("\n")) }

// invalid is the offset of the first byte that is no UTF-8, or -1.
func invalid(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// tooDeep is the offset of the first bracket that opens too deep, or -1. It is asked
// before the parser: a megabyte of brackets would take its stack.
func tooDeep(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			i = behindString(b, i)
		case '/':
			i = behindComment(b, i)
		case '[', '{':
			if depth++; depth > maxDepth {
				return i
			}
		case ']', '}':
			depth--
		}
	}
	return -1
}

// behindString is the offset of the quote that ends the string at i, or of the end.
func behindString(b []byte, i int) int {
	for i++; i < len(b) && b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i
}

// behindComment is the offset of the last byte of the comment at i; i for none.
func behindComment(b []byte, i int) int {
	end := ""
	switch {
	case bytes.HasPrefix(b[i:], []byte("//")):
		end = "\n"
	case bytes.HasPrefix(b[i:], []byte("/*")):
		end = "*/"
	default:
		return i
	}
	n := bytes.Index(b[i+2:], []byte(end))
	if n < 0 {
		return len(b)
	}
	return i + 2 + n + len(end) - 1
}

// tree is the document as core reads it.
func (d *document) tree() settings.Node {
	c := &counter{text: d.text, line: 1}
	return c.node(d.root)
}

// counter counts lines on a walk that never goes back: a file of many values must
// not be counted from its beginning for each.
type counter struct {
	text     []byte
	at, line int
}

func (c *counter) to(offset int) int {
	c.line += bytes.Count(c.text[c.at:offset], []byte("\n"))
	c.at = offset
	return c.line
}

func (c *counter) node(v hujson.Value) settings.Node {
	n := settings.Node{Line: c.to(v.StartOffset)}
	switch x := v.Value.(type) {
	case *hujson.Object:
		n.Kind = settings.Object
		for _, m := range x.Members {
			line := c.to(m.Name.StartOffset)
			n.Members = append(n.Members, settings.Member{Name: text(m.Name), Value: c.node(m.Value), Line: line})
		}
	case *hujson.Array:
		n.Kind = settings.List
		for _, e := range x.Elements {
			n.Elements = append(n.Elements, c.node(e))
		}
	case hujson.Literal:
		n.Kind, n.Text = literalKind(x), x.String()
	}
	return n
}

func literalKind(l hujson.Literal) settings.Kind {
	switch l.Kind() {
	case '"':
		return settings.String
	case 't', 'f':
		return settings.Bool
	case '0':
		return settings.Number
	}
	return settings.Null
}

// text is the characters of a string.
func text(v hujson.Value) string {
	if l, ok := v.Value.(hujson.Literal); ok {
		return l.String()
	}
	return ""
}
