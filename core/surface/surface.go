// Package surface is the tools a model can call: their declarations, the schemas
// that a request carries and the check of a call's arguments (S7.1, S7.3).
package surface

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tenet/core/runner"
)

// Type is the type of a parameter. The set is closed: tools that need more say it
// in their description and check it themselves.
type Type uint8

// The parameter types.
const (
	String  Type = iota
	Integer      // a whole number
	Boolean
	Strings // a list of strings
)

var typeNames = [...]string{"string", "integer", "boolean", "array"}

// String is the type as a schema spells it.
func (t Type) String() string { return typeNames[t] }

// Param is one declared parameter of a tool.
type Param struct {
	Name        string
	Type        Type
	Description string
	Required    bool
}

// Intent is the optional first parameter of every schema: what the model is about
// to do, in a few words, for the person who watches (S7.3).
var Intent = Param{Name: "i", Type: String, Description: "What you are about to do, in a few words, for the person watching."}

// Tool is a declaration: what a request tells the model about a tool.
type Tool struct {
	Name        string
	Description string
	// Version is 1 or more; a tool that declares none is version 1.
	Version int
	Params  []Param
	// Runner is declared by a tool that runs code, and says how it is gated (G4); it is
	// not sent. A tool without one runs no code of its own.
	Runner *runner.Runner
}

// Build is the tool as it is sent: with the intent parameter, first unless the tool
// declares one of its own, every declared parameter in its place, and a version of at
// least 1. Building a built tool changes nothing (law schema_build_idempotent).
func Build(t Tool) Tool {
	if !slices.ContainsFunc(t.Params, func(p Param) bool { return p.Name == Intent.Name }) {
		t.Params = append([]Param{Intent}, t.Params...)
	}
	t.Version = max(t.Version, 1)
	return t
}

// Schema is the JSON schema of a built tool's arguments. Its members keep the order
// of the declaration, so that every request carries the same bytes and a provider's
// prompt cache stays valid.
func Schema(t Tool) json.RawMessage {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"type":"object","title":"v%d","properties":{`, t.Version)
	var required []string
	for i, p := range t.Params {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `%s:{"type":%q,`, quote(p.Name), p.Type)
		if p.Type == Strings {
			b.WriteString(`"items":{"type":"string"},`)
		}
		fmt.Fprintf(&b, `"description":%s}`, quote(p.Description))
		if p.Required {
			required = append(required, quote(p.Name))
		}
	}
	fmt.Fprintf(&b, `},"required":[%s],"additionalProperties":false}`, strings.Join(required, ","))
	return b.Bytes()
}

func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
