package surface_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tenet/core/surface"
)

var tool = surface.Build(surface.Tool{Name: "grep", Params: []surface.Param{
	{Name: "pattern", Type: surface.String, Required: true, Description: "what to look for"},
	{Name: "paths", Type: surface.Strings},
	{Name: "skip", Type: surface.Integer},
	{Name: "literal", Type: surface.Boolean},
}})

func TestArgumentsAreCheckedAndNeverRepaired(t *testing.T) {
	for _, c := range []struct{ name, args, says string }{
		{"not JSON", `{"pattern": "a`, "not one JSON object"},
		{"a list", `["a"]`, "not one JSON object"},
		{"null", `null`, "are null"},
		{"missing", `{}`, `needs the argument "pattern" (string): what to look for`},
		{"null for a required one", `{"pattern":null}`, `needs the argument "pattern"`},
		{"a number for a string", `{"pattern":1}`, `argument "pattern" of grep: expected string, got 1`},
		{"a fraction for a whole number", `{"pattern":"a","skip":1.5}`, "expected integer, got 1.5"},
		{"a string for a list", `{"pattern":"a","paths":"x"}`, "expected array"},
		{"unknown", `{"pattern":"a","patern":"b"}`, `no argument "patern"; it takes i, pattern, paths, skip, literal`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if args, err := surface.Parse(tool, c.args); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, %v; want an error that says %q", args, err, c.says)
			}
		})
	}
}

func TestArgumentsReadBack(t *testing.T) {
	args, err := surface.Parse(tool, `{"i":"look","pattern":"a\u0062","paths":["x","y"],"skip":7,"literal":true}`)
	if err != nil {
		t.Fatal(err)
	}
	if args.Str("pattern", "") != "ab" || args.Int("skip", 0) != 7 || !args.Bool("literal") || len(args.List("paths")) != 2 {
		t.Errorf("read %v", args)
	}
	if args.Str("nothing", "fallback") != "fallback" || args.Int("nothing", 3) != 3 || args.Bool("nothing") || args.List("nothing") != nil {
		t.Error("an argument that was left out is not its fallback")
	}
}

// A model may send a list as a string that holds it (case prov-036).
func TestAStringThatHoldsTheRightJSONIsReadAsIt(t *testing.T) {
	args, err := surface.Parse(tool, `{"pattern":"[1]","paths":"[\"x\", \"y\"]","skip":"7","literal":"true"}`)
	if err != nil {
		t.Fatal(err)
	}
	if args.Str("pattern", "") != "[1]" || len(args.List("paths")) != 2 || args.Int("skip", 0) != 7 || !args.Bool("literal") {
		t.Errorf("read %v", args)
	}
	for _, bad := range []string{`"x"`, `"[\"x\""`, `"7"`, `"null"`, `""`} {
		if args, err := surface.Parse(tool, `{"pattern":"a","paths":`+bad+`}`); err == nil {
			t.Errorf("paths %s was read as %v", bad, args)
		}
	}
}

func TestTheSchemaIsJSON(t *testing.T) {
	var v map[string]any
	if err := json.Unmarshal(surface.Schema(tool), &v); err != nil || v["title"] != "v1" {
		t.Errorf("%v: %s", err, surface.Schema(tool))
	}
}
