package surface

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Schema is the JSON schema of a built tool's arguments. Its members keep the order
// of the declaration, so that every request carries the same bytes and a provider's
// prompt cache stays valid. The version is the annotation title, which every wire
// format keeps (S7.3).
func Schema(t Tool) json.RawMessage {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"type":"object","title":"v%d",`, t.Version)
	writeFields(&b, t.Params)
	b.WriteByte('}')
	return b.Bytes()
}

// writeFields writes what an object with these fields is.
func writeFields(b *bytes.Buffer, fields []Param) {
	var required []string
	b.WriteString(`"properties":{`)
	for i, p := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `%s:`, quote(p.Name))
		writeParam(b, p)
		if p.Required {
			required = append(required, quote(p.Name))
		}
	}
	fmt.Fprintf(b, `},"required":[%s],"additionalProperties":false`, strings.Join(required, ","))
}

// writeParam writes the schema of one value; the description stands last, where a
// person finds it.
func writeParam(b *bytes.Buffer, p Param) {
	fmt.Fprintf(b, `{"type":%q,`, p.Type)
	writeShape(b, p)
	fmt.Fprintf(b, `"description":%s}`, quote(p.Description))
}

func writeShape(b *bytes.Buffer, p Param) {
	s := p.shape()
	switch p.Type {
	case String:
		if len(s.Enum) > 0 {
			fmt.Fprintf(b, `"enum":%s,`, quoted(s.Enum))
		}
	case Integer, Number:
		writeBound(b, "minimum", s.Min)
		writeBound(b, "maximum", s.Max)
	case Strings:
		b.WriteString(`"items":{"type":"string"},`)
	case List:
		b.WriteString(`"items":`)
		writeParam(b, item(s))
		b.WriteByte(',')
	case Object:
		if len(s.Fields) > 0 {
			writeFields(b, s.Fields)
			b.WriteByte(',')
		}
	case Boolean:
	}
}

func writeBound(b *bytes.Buffer, name string, at *float64) {
	if at != nil {
		fmt.Fprintf(b, `%q:%s,`, name, strconv.FormatFloat(*at, 'f', -1, 64))
	}
}

// item is what a list's members are; one that is not said is a string.
func item(s Shape) Param {
	if s.Item == nil {
		return Param{}
	}
	return *s.Item
}

func quoted(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quote(s)
	}
	return "[" + strings.Join(out, ",") + "]"
}

func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
