// Package schema checks values against JSON schemas that others wrote: those of tools
// that join a session late, and the one that a run's answer must fit. What such a
// schema may cost is bounded before it is asked: it may come from a server that nobody
// here knows.
package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"tenet/core/call"
	"tenet/core/surface"
)

// MaxSchema is the most bytes that a schema may have.
const MaxSchema = 256 << 10

// Schema is a compiled JSON schema, of draft 2020-12 or 7. It may be used from several
// goroutines.
type Schema struct {
	text     string
	root     any
	resolved *jsonschema.Resolved
}

// Compile reads a schema. A reference leads to a place in the same document: nothing is
// fetched, and one that leads elsewhere is an error.
func Compile(text json.RawMessage) (*Schema, error) {
	if len(text) > MaxSchema {
		return nil, fmt.Errorf("the schema has %d bytes; at most %d are taken", len(text), MaxSchema)
	}
	if why := surface.Sound(string(text)); why != "" {
		return nil, fmt.Errorf("the schema cannot be read: %s", why)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("the schema is none: %w", err)
	}
	if err := known(&s); err != nil {
		return nil, err
	}
	out := &Schema{text: string(text)}
	if err := json.Unmarshal(text, &out.root); err != nil {
		return nil, fmt.Errorf("the schema cannot be read: %w", err)
	}
	if err := onlyLocal(out.root, true); err != nil {
		return nil, err
	}
	r, err := s.Resolve(&jsonschema.ResolveOptions{})
	if err != nil {
		return nil, fmt.Errorf("the schema cannot be used: %s", call.OneLine(err.Error(), maxMessage))
	}
	out.resolved = r
	return out, nil
}

// drafts are the versions of the language that the library knows.
var drafts = []string{"", "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft-07/schema#"}

// known refuses a version of the language that the library would refuse with each value.
func known(s *jsonschema.Schema) error {
	if slices.Contains(drafts, s.Schema) {
		return nil
	}
	return fmt.Errorf("the schema is written in the version %s, which is not known here; draft 2020-12 and draft 7 are", call.OneLine(s.Schema, maxMessage))
}

// validate asks the library; a panic of it is an error of the schema, not the end of
// the session.
func (s *Schema) validate(v any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the schema cannot be used: %v", p)
		}
	}()
	return s.resolved.Validate(v)
}

// String is the schema as it was written.
func (s *Schema) String() string { return s.text }

// Error is a value that does not fit. Path names the field, as edits[].old does; it is
// empty for the value as a whole.
type Error struct{ Path, Why string }

// Error says which field does not fit, and how.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Why
	}
	return fmt.Sprintf("field %q: %s", e.Path, e.Why)
}

// maxMessage bounds what is told of a fault: the library's messages hold the value.
const maxMessage = 300

// Validate is nil for a value that fits. The error is an *Error. A value is read
// strictly: a name that stands twice, or a text that is no JSON, does not fit.
func (s *Schema) Validate(text json.RawMessage) error {
	if why := surface.Sound(string(text)); why != "" {
		return &Error{Why: "the value cannot be read: " + why}
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return &Error{Why: "the value cannot be read: " + call.OneLine(err.Error(), maxMessage)}
	}
	if err := s.affordable(v); err != nil {
		return &Error{Why: err.Error()}
	}
	if err := s.validate(v); err != nil {
		path, cause := located(err)
		return &Error{Path: path, Why: call.OneLine(cause.Error(), maxMessage)}
	}
	return nil
}

// Fit validates arguments, and reads a string that holds the right JSON as it where the
// schema of a member says another type (S7.3). It returns the arguments to run with:
// those that came when they fit.
func (s *Schema) Fit(args json.RawMessage) (json.RawMessage, error) {
	err := s.Validate(args)
	if err == nil {
		return args, nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(args, &fields) != nil {
		return nil, err
	}
	changed := false
	for name, raw := range fields {
		if inner, ok := s.inString(name, raw); ok {
			fields[name], changed = inner, true
		}
	}
	if !changed {
		return nil, err
	}
	again, _ := json.Marshal(fields) // raw members of a sound text always encode
	if err := s.Validate(again); err != nil {
		return nil, err
	}
	return again, nil
}

// inString is the JSON that a member's string holds, when the schema takes no string
// there.
func (s *Schema) inString(name string, raw json.RawMessage) (json.RawMessage, bool) {
	var text string
	if json.Unmarshal(raw, &text) != nil || surface.Sound(text) != "" || takesString(s.property(name)) {
		return nil, false
	}
	return json.RawMessage(strings.TrimSpace(text)), true
}

func (s *Schema) property(name string) map[string]any {
	root, _ := s.root.(map[string]any)
	props, _ := root["properties"].(map[string]any)
	p, _ := props[name].(map[string]any)
	return p
}

// takesString: a schema that does not say its type may take one.
func takesString(s map[string]any) bool {
	switch t := s["type"].(type) {
	case string:
		return t == "string"
	case []any:
		return slices.Contains(t, any("string"))
	}
	return true
}

// located takes the library's chain of "validating PLACE" apart: the field that the
// last place is about, and what was wrong there.
func located(err error) (path string, cause error) {
	before := ""
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return strings.TrimPrefix(path, "."), err
		}
		place, ok := strings.CutPrefix(strings.TrimSuffix(err.Error(), ": "+inner.Error()), "validating ")
		if !ok {
			return strings.TrimPrefix(path, "."), err
		}
		if !strings.HasPrefix(place, "/") { // the root, or what it calls itself
			place = ""
		}
		if rest, below := strings.CutPrefix(place, before); below {
			path += steps(strings.Split(rest, "/"))
		}
		before, err = place, inner
	}
}

// steps are the steps into the value that the steps into its schema mean.
func steps(parts []string) string {
	var b strings.Builder
	for i := 0; i < len(parts); i++ {
		next := ""
		if i+1 < len(parts) {
			next = unescape.Replace(parts[i+1])
		}
		switch parts[i] {
		case "properties":
			b.WriteString("." + next)
			i++
		case "additionalProperties", "unevaluatedProperties":
			b.WriteString(".*")
		case "patternProperties":
			b.WriteString(".*")
			i++
		case "prefixItems":
			b.WriteString("[" + next + "]")
			i++
		case "items", "additionalItems", "contains", "unevaluatedItems":
			b.WriteString("[]")
		case "$defs", "definitions", "allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies":
			i++
		}
	}
	return b.String()
}
