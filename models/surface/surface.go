// Package surface closes core/surface with every small declaration a tool could make
// (S7.3): any version, any order of parameters, an intent of its own among them.
package surface

import (
	"iter"

	"tenet/core/surface"
)

// Built is what came of a declaration: built once, built again, and its schema.
type Built struct {
	Once, Twice surface.Tool
	Schema      string
}

// Step builds a declaration. There is one state: building remembers nothing.
func Step(s struct{}, t surface.Tool) (struct{}, Built) {
	once := surface.Build(t)
	return s, Built{Once: once, Twice: surface.Build(once), Schema: string(surface.Schema(once))}
}

// params are what a declaration may hold; the last is an intent of the tool's own.
var params = []surface.Param{
	{Name: "path", Type: surface.String, Required: true, Description: `a "quoted" <path>`},
	{Name: "limit", Type: surface.Integer, Shape: &surface.Shape{Min: new(1.0)}},
	{Name: "edits", Type: surface.List, Shape: &surface.Shape{Item: &surface.Param{Type: surface.Object, Shape: &surface.Shape{Fields: []surface.Param{
		{Name: "old", Type: surface.String, Required: true}, {Name: "how", Type: surface.String, Shape: &surface.Shape{Enum: []string{"a", "b"}}}}}}}},
	{Name: "paths", Type: surface.Strings, Required: true},
	{Name: surface.Intent.Name, Type: surface.String, Description: "declared by the tool"},
}

// Ops is every declaration of up to three different parameters in every order, with
// every version from -1 to 2.
func Ops(struct{}) iter.Seq[surface.Tool] {
	return func(yield func(surface.Tool) bool) {
		for version := -1; version <= 2; version++ {
			if !declare(nil, version, yield) {
				return
			}
		}
	}
}

func declare(chosen []surface.Param, version int, yield func(surface.Tool) bool) bool {
	if !yield(surface.Tool{Name: "tool", Version: version, Params: chosen}) {
		return false
	}
	if len(chosen) == 3 {
		return true
	}
	for _, p := range params {
		if holds(chosen, p) {
			continue
		}
		if !declare(append(chosen[:len(chosen):len(chosen)], p), version, yield) {
			return false
		}
	}
	return true
}

func holds(ps []surface.Param, p surface.Param) bool {
	for _, q := range ps {
		if q.Name == p.Name {
			return true
		}
	}
	return false
}
