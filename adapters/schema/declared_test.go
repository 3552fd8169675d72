package schema_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"tenet/adapters/schema"
	"tenet/core/surface"
)

// Whatever the check of arguments lets through is a value of the schema that was sent,
// and each value of the schema is let through: two readers of one declaration that share
// no code.
func TestArgumentsAreValuesOfTheSchema(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tool := surface.Build(surface.Tool{Name: "t", Params: params(rt, 2)})
		s, err := schema.Compile(surface.Schema(tool))
		if err != nil {
			rt.Fatalf("the schema that is sent is none: %v\n%s", err, surface.Schema(tool))
		}
		raw, err := json.Marshal(object(rt, tool.Params))
		if err != nil {
			rt.Fatal(err)
		}
		fits := s.Validate(raw) == nil
		args, err := surface.Parse(tool, string(raw))
		switch {
		case fits && err != nil:
			rt.Fatalf("%s fits %s and was refused: %v", raw, s, err)
		case err == nil:
			read, err := json.Marshal(args)
			if err != nil {
				rt.Fatal(err)
			}
			if err := s.Validate(read); err != nil {
				rt.Fatalf("%s was read as %s, which does not fit %s: %v", raw, read, s, err)
			}
		}
	})
}

func params(rt *rapid.T, depth int) []surface.Param {
	var out []surface.Param
	for i := range rapid.IntRange(0, 3).Draw(rt, "params") {
		p := param(rt, depth)
		p.Name = fmt.Sprintf("p%d", i)
		p.Required = rapid.Bool().Draw(rt, "required")
		out = append(out, p)
	}
	return out
}

func param(rt *rapid.T, depth int) surface.Param {
	p := surface.Param{Type: rapid.SampledFrom(surface.Types()).Draw(rt, "type")}
	s := &surface.Shape{}
	switch p.Type {
	case surface.String:
		s.Enum = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "1"}), 0, 2).Draw(rt, "enum")
		if len(s.Enum) == 2 && s.Enum[0] == s.Enum[1] {
			s.Enum = s.Enum[:1]
		}
	case surface.Integer, surface.Number:
		if rapid.Bool().Draw(rt, "bounded") {
			s.Min, s.Max = new(float64(rapid.IntRange(-2, 1).Draw(rt, "min"))), new(float64(rapid.IntRange(1, 3).Draw(rt, "max")))
		}
	case surface.List:
		of := surface.Param{Type: surface.Integer}
		if depth > 0 {
			of = param(rt, depth-1)
		}
		s.Item = &of
	case surface.Object:
		if depth > 0 {
			s.Fields = params(rt, depth-1)
		}
	case surface.Boolean, surface.Strings:
	}
	p.Shape = s
	return p
}

// object is an object that may fit: mostly what is declared, sometimes something else.
func object(rt *rapid.T, fields []surface.Param) map[string]any {
	out := map[string]any{}
	for _, p := range fields {
		if p.Required || rapid.Bool().Draw(rt, "there") {
			out[p.Name] = value(rt, p)
		}
	}
	if rapid.IntRange(0, 9).Draw(rt, "more") == 0 {
		out["other"] = 1
	}
	return out
}

func value(rt *rapid.T, p surface.Param) any {
	if rapid.IntRange(0, 19).Draw(rt, "odd") == 0 {
		return rapid.SampledFrom([]any{nil, true, 7, 1.5, "a", "7", "[1]", "{}", []any{1}, map[string]any{}}).Draw(rt, "anything")
	}
	if p.Shape == nil {
		return "what for"
	}
	switch p.Type {
	case surface.String:
		if len(p.Shape.Enum) > 0 {
			return rapid.SampledFrom(p.Shape.Enum).Draw(rt, "one of")
		}
		return rapid.SampledFrom([]string{"", "a", "é\u2028", `\"`}).Draw(rt, "text")
	case surface.Integer:
		return rapid.SampledFrom([]any{-3, 0, 1, 2, 1.0, json.Number("1e0"), json.Number("20e-1")}).Draw(rt, "whole")
	case surface.Number:
		return rapid.SampledFrom([]any{-3, 0, 1, 1.5, 2.25}).Draw(rt, "number")
	case surface.Boolean:
		return rapid.Bool().Draw(rt, "flag")
	case surface.Strings:
		return rapid.SliceOfN(rapid.SampledFrom([]any{"a", "b", "", 1}), 0, 2).Draw(rt, "texts")
	case surface.List:
		out := []any{}
		for range rapid.IntRange(0, 2).Draw(rt, "members") {
			out = append(out, value(rt, *p.Shape.Item))
		}
		return out
	case surface.Object:
		if len(p.Shape.Fields) == 0 {
			return map[string]any{"anything": []int{1}}
		}
		return object(rt, p.Shape.Fields)
	}
	return nil
}
