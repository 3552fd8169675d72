package surface

import (
	"encoding/json"
	"strings"
)

// Args are the checked arguments of one call, by name: a String is a string, an Integer
// an int64, a Number a float64, a Boolean a bool, Strings a []string, a List an []any of
// these, an Object with declared fields an Args, a free Object a json.RawMessage.
type Args map[string]any

// Parse checks a call's argument text against the tool's declaration. An empty
// text is an empty object. The text is read once, from the bytes that came; one that is
// cut, holds a name twice or is no JSON is refused, never repaired. A string that holds
// the right JSON is read as it where the declaration wants another type, since models
// send such; inside it no second one is (S7.3). The error is a *Mismatch, which names
// each field, what was expected and what came, for the model to send the call again.
func Parse(t Tool, text string) (Args, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	if why := Sound(text); why != "" {
		return nil, &Mismatch{Tool: t.Name, Whole: why}
	}
	text = strings.TrimSpace(text)
	if text[0] != '{' {
		return nil, &Mismatch{Tool: t.Name, Whole: "they are " + article(kindOf(text))}
	}
	c := checker{}
	args := c.object(t.Params, "", text, false)
	if c.faults != nil {
		return nil, &Mismatch{Tool: t.Name, Faults: c.faults, More: c.more}
	}
	return args, nil
}

// checker collects what does not fit, so that a model sees all of it at once.
type checker struct {
	faults []Fault
	more   int
}

// maxFaults bounds how many faults of a call are told.
const maxFaults = 5

func (c *checker) fault(f Fault) {
	if len(c.faults) == maxFaults {
		c.more++
		return
	}
	c.faults = append(c.faults, f)
}

// object checks the fields of an object. inString is true within a string that is read
// as what it holds: no string in it is read that way again.
func (c *checker) object(fields []Param, path, raw string, inString bool) Args {
	came := map[string]string{}
	var unknown []string
	for _, m := range members(raw) {
		came[m.name] = m.raw
		if !declares(fields, m.name) {
			unknown = append(unknown, m.name)
		}
	}
	args := Args{}
	for _, p := range fields {
		v, ok := came[p.Name]
		switch {
		case ok && v != "null":
			if val, fits := c.value(p, path+p.Name, v, inString); fits {
				args[p.Name] = val
			}
		case p.Required:
			c.fault(Fault{Kind: Missing, Path: path + p.Name, Param: p})
		}
	}
	for _, name := range unknown {
		c.fault(Fault{Kind: Undeclared, Path: path + name, Near: nearest(name, fields), Known: namesOf(fields)})
	}
	return args
}

func declares(fields []Param, name string) bool {
	for _, p := range fields {
		if p.Name == name {
			return true
		}
	}
	return false
}

// value reads one value as its declared type. fits is false when it was no such value,
// and then the fault is told.
func (c *checker) value(p Param, path, raw string, inString bool) (val any, fits bool) {
	kind := kindOf(raw)
	if kind == aString && p.Type != String && !inString {
		if inner := strings.TrimSpace(unquote(raw)); Sound(inner) == "" && takes(p.Type, kindOf(inner)) {
			return c.value(p, path, inner, true)
		}
	}
	if !takes(p.Type, kind) {
		c.fault(Fault{Kind: WrongType, Path: path, Param: p, Got: raw})
		return nil, false
	}
	before := len(c.faults) + c.more
	val = c.typed(p, path, raw, inString)
	return val, len(c.faults)+c.more == before
}

// typed reads a value whose kind of JSON the type takes.
func (c *checker) typed(p Param, path, raw string, inString bool) any {
	switch p.Type {
	case String:
		return c.str(p, path, raw)
	case Integer, Number:
		return c.number(p, path, raw)
	case Boolean:
		return raw == "true"
	case Strings:
		return c.strings(path, raw)
	case List:
		return c.list(p, path, raw, inString)
	case Object:
		if fields := p.shape().Fields; len(fields) > 0 {
			return c.object(fields, path+".", raw, inString)
		}
		return json.RawMessage(raw)
	}
	return nil
}

func (c *checker) str(p Param, path, raw string) string {
	s := unquote(raw)
	enum := p.shape().Enum
	for _, e := range enum {
		if e == s {
			return s
		}
	}
	if len(enum) > 0 {
		c.fault(Fault{Kind: NotOneOf, Path: path, Param: p, Got: raw, Near: nearestOf(s, enum)})
	}
	return s
}

func (c *checker) strings(path, raw string) []string {
	out := []string{}
	for i, m := range members(raw) {
		if kindOf(m.raw) != aString {
			c.fault(Fault{Kind: WrongType, Path: indexed(path, i), Param: Param{Type: String}, Got: m.raw})
			continue
		}
		out = append(out, unquote(m.raw))
	}
	return out
}

func (c *checker) list(p Param, path, raw string, inString bool) []any {
	of := item(p.shape())
	out := []any{}
	for i, m := range members(raw) {
		if v, fits := c.value(of, indexed(path, i), m.raw, inString); fits {
			out = append(out, v)
		}
	}
	return out
}

// Str is the string argument, or the fallback when the call left it out.
func (a Args) Str(name, fallback string) string {
	if s, ok := a[name].(string); ok {
		return s
	}
	return fallback
}

// Int is the integer argument, or the fallback.
func (a Args) Int(name string, fallback int64) int64 {
	if n, ok := a[name].(int64); ok {
		return n
	}
	return fallback
}

// Num is the number argument, or the fallback.
func (a Args) Num(name string, fallback float64) float64 {
	if n, ok := a[name].(float64); ok {
		return n
	}
	return fallback
}

// Bool is the boolean argument; false when the call left it out.
func (a Args) Bool(name string) bool {
	b, _ := a[name].(bool)
	return b
}

// List is the list of strings; nil when the call left it out.
func (a Args) List(name string) []string {
	l, _ := a[name].([]string)
	return l
}

// Object is the object argument with declared fields; nil when the call left it out.
func (a Args) Object(name string) Args {
	o, _ := a[name].(Args)
	return o
}

// Objects is the list of objects with declared fields; nil when the call left it out.
func (a Args) Objects(name string) []Args {
	list, _ := a[name].([]any)
	var out []Args
	for _, v := range list {
		if o, ok := v.(Args); ok {
			out = append(out, o)
		}
	}
	return out
}

// Raw is the free object argument, the very bytes that came; nil when the call left it
// out.
func (a Args) Raw(name string) json.RawMessage {
	r, _ := a[name].(json.RawMessage)
	return r
}
