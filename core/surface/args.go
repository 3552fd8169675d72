package surface

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Args are the checked arguments of one call.
type Args map[string]any

// Parse checks a call's argument text against the tool's declaration. An empty
// text is an empty object. Cut text is never repaired: the error names the field and what
// was expected, for the model to send the call again (S7.3).
func Parse(t Tool, text string) (Args, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, fmt.Errorf("the arguments of %s are not one JSON object: %w; send them again as one object", t.Name, err)
	}
	if raw == nil {
		return nil, fmt.Errorf("the arguments of %s are null; send them again as one JSON object", t.Name)
	}
	args := Args{}
	for _, p := range t.Params {
		v, ok := raw[p.Name]
		delete(raw, p.Name)
		if !ok || string(v) == "null" {
			if p.Required {
				return nil, fmt.Errorf("%s needs the argument %q (%s): %s", t.Name, p.Name, p.Type, p.Description)
			}
			continue
		}
		val, err := value(p, v)
		if err != nil {
			return nil, fmt.Errorf("argument %q of %s: %w", p.Name, t.Name, err)
		}
		args[p.Name] = val
	}
	for name := range raw {
		return nil, fmt.Errorf("%s has no argument %q; it takes %s", t.Name, name, names(t.Params))
	}
	return args, nil
}

// value reads one argument as its declared type. Where the type is no string, a
// string that holds the right JSON is read as it: models send such. Nothing else is
// repaired.
func value(p Param, raw json.RawMessage) (any, error) {
	if v, ok := typed(p.Type, raw); ok {
		return v, nil
	}
	var text string
	if p.Type != String && json.Unmarshal(raw, &text) == nil {
		if v, ok := typed(p.Type, json.RawMessage(text)); ok {
			return v, nil
		}
	}
	return nil, fmt.Errorf("expected %s, got %.60s", p.Type, raw)
}

func typed(t Type, raw json.RawMessage) (any, bool) {
	switch t {
	case String:
		return read[string](raw)
	case Integer:
		return read[int64](raw)
	case Boolean:
		return read[bool](raw)
	case Strings:
		return read[[]string](raw)
	}
	return nil, false
}

func read[T any](raw json.RawMessage) (any, bool) {
	var v T
	if string(raw) == "null" || json.Unmarshal(raw, &v) != nil {
		return nil, false
	}
	return v, true
}

func names(ps []Param) string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.Name
	}
	return strings.Join(out, ", ")
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

// Bool is the boolean argument; false when the call left it out.
func (a Args) Bool(name string) bool {
	b, _ := a[name].(bool)
	return b
}

// List is the list argument; nil when the call left it out.
func (a Args) List(name string) []string {
	l, _ := a[name].([]string)
	return l
}
