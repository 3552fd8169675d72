// Package surface is the tools a model can call: their declarations, the schemas
// that a request carries, the check of a call's arguments, and the registry that fixes
// the roster when a session opens (S7.1 to S7.3).
package surface

import (
	"slices"

	"tenet/core/runner"
)

// Type is the type of a parameter. The set is closed: tools that need more say it
// in their description and check it themselves.
type Type uint8

// The parameter types.
const (
	String  Type = iota
	Integer      // a whole number, within 64 bits
	Boolean
	Strings // a list of strings
	Number  // a number, fractions too
	List    // a list of what Shape.Item says
	Object  // an object with the fields that Shape.Fields says, or any object without
)

var typeNames = [...]string{"string", "integer", "boolean", "array", "number", "array", "object"}

// String is the type as a schema spells it.
func (t Type) String() string { return typeNames[t] }

// Types lists every type.
func Types() []Type { return []Type{String, Integer, Boolean, Strings, Number, List, Object} }

// Shape narrows a type. It is shared, never changed, once a tool is declared.
type Shape struct {
	// Enum are the only strings that a String may be; any without.
	Enum []string
	// Min and Max bound an Integer or a Number, themselves included; nil for no bound.
	Min, Max *float64
	// Item is what each member of a List is; its Name says nothing. A List needs one.
	Item *Param
	// Fields are the declared fields of an Object. Without one the object is free: it is
	// handed to the tool as the bytes that came (Args.Raw).
	Fields []Param
}

// Param is one declared parameter of a tool, or one field of an object.
type Param struct {
	Name        string
	Type        Type
	Description string
	Required    bool
	// Shape says more than the type does; nil when the type says all.
	Shape *Shape
}

// shape is the parameter's shape, an empty one without.
func (p Param) shape() Shape {
	if p.Shape == nil {
		return Shape{}
	}
	return *p.Shape
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

// Clone is the declaration with nothing of it shared: an extension that writes over the
// lists it handed in changes no request of a session that is open (law
// roster_sent_fixed).
func Clone(t Tool) Tool {
	t.Params = cloneParams(t.Params)
	if t.Runner != nil {
		t.Runner = new(*t.Runner)
	}
	return t
}

func cloneParams(ps []Param) []Param {
	ps = slices.Clone(ps)
	for i := range ps {
		if ps[i].Shape != nil {
			ps[i].Shape = cloneShape(*ps[i].Shape)
		}
	}
	return ps
}

func cloneShape(s Shape) *Shape {
	s.Enum, s.Fields = slices.Clone(s.Enum), cloneParams(s.Fields)
	if s.Min != nil {
		s.Min = new(*s.Min)
	}
	if s.Max != nil {
		s.Max = new(*s.Max)
	}
	if s.Item != nil {
		s.Item = &cloneParams([]Param{*s.Item})[0]
	}
	return &s
}
