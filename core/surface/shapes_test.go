package surface_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"tenet/core/surface"
)

// rich declares one of everything.
var rich = surface.Build(surface.Tool{Name: "rich", Params: []surface.Param{
	{Name: "path", Type: surface.String, Required: true, Description: "a file"},
	{Name: "mode", Type: surface.String, Shape: &surface.Shape{Enum: []string{"read", "write"}}},
	{Name: "limit", Type: surface.Integer, Shape: &surface.Shape{Min: new(1.0), Max: new(100.0)}},
	{Name: "ratio", Type: surface.Number, Shape: &surface.Shape{Max: new(1.0)}},
	{Name: "literal", Type: surface.Boolean},
	{Name: "names", Type: surface.Strings},
	{Name: "edits", Type: surface.List, Shape: &surface.Shape{Item: &surface.Param{Type: surface.Object, Shape: &surface.Shape{Fields: []surface.Param{
		{Name: "old", Type: surface.String, Required: true, Description: "what stands there"},
		{Name: "new", Type: surface.String},
		{Name: "at", Type: surface.Object, Shape: &surface.Shape{Fields: []surface.Param{{Name: "line", Type: surface.Integer, Required: true}}}},
	}}}}},
	{Name: "numbers", Type: surface.List, Shape: &surface.Shape{Item: &surface.Param{Type: surface.Number}}},
	{Name: "arguments", Type: surface.Object},
}})

// Each fault names its field, what was expected and what came, and the name that was
// probably meant.
func TestAFaultNamesItsField(t *testing.T) {
	for args, says := range map[string]string{
		`{"path":"a","mode":"wriet"}`:                             `argument "mode" of rich: expected one of read, write, got "wriet" (did you mean "write"?)`,
		`{"path":"a","mode":1}`:                                   `argument "mode" of rich: expected string, one of read, write, got 1`,
		`{"path":"a","limit":0}`:                                  `argument "limit" of rich: expected integer from 1 to 100, got 0`,
		`{"path":"a","limit":101}`:                                `got 101`,
		`{"path":"a","limit":2.5}`:                                `expected integer from 1 to 100, got 2.5`,
		`{"path":"a","limit":99999999999999999999}`:               `got 99999999999999999999`,
		`{"path":"a","limit":1e300}`:                              `got 1e300`,
		`{"path":"a","ratio":2}`:                                  `expected number of at most 1, got 2`,
		`{"path":"a","ratio":1e999}`:                              `got 1e999`,
		`{"path":"a","names":["x",2]}`:                            `argument "names[1]" of rich: expected string, got 2`,
		`{"path":"a","edits":{}}`:                                 `argument "edits" of rich: expected array of objects, got {}`,
		`{"path":"a","edits":[{"old":"x"},{"new":"y"}]}`:          `rich needs the argument "edits[1].old" (string): what stands there`,
		`{"path":"a","edits":[{"old":"x","at":{"line":"a"}}]}`:    `argument "edits[0].at.line" of rich: expected integer, got "a"`,
		`{"path":"a","edits":[{"old":"x","newText":"y"}]}`:        `rich has no argument "edits[0].newText"; it takes old, new, at (did you mean "new"?)`,
		`{"path":"a","edits":[7]}`:                                `argument "edits[0]" of rich: expected object with the fields old, new, at, got 7`,
		`{"path":"a","numbers":[1,null]}`:                         `argument "numbers[1]" of rich: expected number, got null`,
		`{"path":"a","arguments":[]}`:                             `argument "arguments" of rich: expected object, got []`,
		`{"file_path":"a"}`:                                       `rich has no argument "file_path"; it takes i, path, mode, limit, ratio, literal, names, edits, numbers, arguments (did you mean "path"?)`,
		`{"Path":"a"}`:                                            `did you mean "path"?`,
		`{"path":"a","path":"b"}`:                                 `the name "path" stands twice in one object`,
		`{"path":"a","p\u0061th":"b"}`:                            `the name "path" stands twice in one object`,
		`{"path":"a","arguments":{"x":[{"y":1,"y":2}]}}`:          `at arguments.x[0]: the name "y" stands twice`,
		`{"path":"a\ud800"}`:                                      `at path: the escape \ud800 is half of a character`,
		`{"path":"\udc00\ud800"}`:                                 `half of a character`,
		"{\"path\":\"a\xff\"}":                                    `no UTF-8`,
		`{"path":"a"`:                                             `cut or no JSON`,
		`{"path":"a"} {}`:                                         `cut or no JSON`,
		`"{}"`:                                                    `they are a string`,
		`{"path":"a","arguments":` + deep(surface.MaxDepth) + `}`: `deep in each other`,
	} {
		_, err := surface.Parse(rich, args)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.80s: %v; want %q", args, err, says)
		}
	}
}

func deep(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }

// A model sees all that is wrong at once, within bounds, and what it sent only in part.
func TestFaultsAreBounded(t *testing.T) {
	many := `{"path":"` + strings.Repeat("x", 1000) + `"`
	for _, c := range "abcdefgh" {
		many += `,"unknown` + string(c) + `":"` + strings.Repeat("y", 1000) + `"`
	}
	_, err := surface.Parse(rich, many+`,"limit":"`+strings.Repeat("z", 1000)+`"}`)
	if err == nil || len(err.Error()) > 2000 || !strings.Contains(err.Error(), "and 4 more do not fit") {
		t.Errorf("%v", err)
	}
	if _, err := surface.Parse(rich, `{"path":"`+strings.Repeat("x", surface.MaxArguments)+`"}`); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("arguments that are too long: %.200v", err)
	}
}

func TestRichArgumentsReadBack(t *testing.T) {
	args, err := surface.Parse(rich, `{"path":"a","mode":"read","limit":1e1,"ratio":-0.5,"names":[],"numbers":[1,2.5],"literal":null,
		"edits":[{"old":"x","at":{"line":3}}],"arguments": {"n" : 12345678901234567890, "a":[ 1]} }`)
	if err != nil {
		t.Fatal(err)
	}
	want := surface.Args{"path": "a", "mode": "read", "limit": int64(10), "ratio": -0.5, "names": []string{}, "numbers": []any{1.0, 2.5},
		"edits": []any{surface.Args{"old": "x", "at": surface.Args{"line": int64(3)}}}, "arguments": json.RawMessage(`{"n" : 12345678901234567890, "a":[ 1]}`)}
	if !reflect.DeepEqual(args, want) {
		t.Errorf("read %#v, want %#v", args, want)
	}
	if args.Num("ratio", 0) != -0.5 || len(args.Objects("edits")) != 1 || args.Objects("edits")[0].Object("at").Int("line", 0) != 3 || string(args.Raw("arguments")) != `{"n" : 12345678901234567890, "a":[ 1]}` {
		t.Errorf("the accessors read %v otherwise", args)
	}
}

// A string that holds the right JSON is read as it (case prov-036), once: within it
// nothing is read that way again, and what it holds is unescaped once more and no more
// (case prov-037).
func TestAStringIsReadAsWhatItHoldsOnce(t *testing.T) {
	for args, want := range map[string]surface.Args{
		`{"path":"a","edits":"[{\"old\":\"C:\\\\Users\\\\unicorn\"}]"}`: {"path": "a", "edits": []any{surface.Args{"old": `C:\Users\unicorn`}}},
		`{"path":"C:\\Users\\unicorn"}`:                                 {"path": `C:\Users\unicorn`},
		`{"path":"C:\\\\Users\\\\unicorn"}`:                             {"path": `C:\\Users\\unicorn`},
		`{"path":"[1]","limit":" 7 "}`:                                  {"path": "[1]", "limit": int64(7)},
		`{"path":"{}","arguments":"{\"b\":\"\\u00e9\"}"}`:               {"path": "{}", "arguments": json.RawMessage(`{"b":"\u00e9"}`)},
		`{"path":"a","numbers":["1","2.5"]}`:                            {"path": "a", "numbers": []any{1.0, 2.5}},
	} {
		got, err := surface.Parse(rich, args)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v, %v; want %#v", args, got, err, want)
		}
	}
	for args, says := range map[string]string{
		`{"path":"a","edits":"[{\"old\":1}]"}`:                   `"edits[0].old" of rich: expected string, got 1`,
		`{"path":"a","edits":"[{\"old\":\"x\",\"at\":\"{}\"}]"}`: `"edits[0].at" of rich: expected object`,
		`{"path":"a","limit":"\"7\""}`:                           `expected integer from 1 to 100, got "\"7\""`,
		`{"path":"a","edits":"[{\"old\":\"x\""}`:                 `expected array of objects, got "[{\"old\"`,
		`{"path":"a","arguments":"{\"a\":1,\"a\":2}"}`:           `expected object`,
		`{"path":"a","limit":""}`:                                `expected integer`,
		`{"path":"a","literal":"null"}`:                          `expected boolean`,
	} {
		if got, err := surface.Parse(rich, args); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %#v, %v; want %q", args, got, err, says)
		}
	}
}

func TestSchemaOfEveryShape(t *testing.T) {
	want := `{"type":"object","title":"v1","properties":{"i":{"type":"string","description":"What you are about to do, in a few words, for the person watching."},` +
		`"path":{"type":"string","description":"a file"},"mode":{"type":"string","enum":["read","write"],"description":""},` +
		`"limit":{"type":"integer","minimum":1,"maximum":100,"description":""},"ratio":{"type":"number","maximum":1,"description":""},` +
		`"literal":{"type":"boolean","description":""},"names":{"type":"array","items":{"type":"string"},"description":""},` +
		`"edits":{"type":"array","items":{"type":"object","properties":{"old":{"type":"string","description":"what stands there"},"new":{"type":"string","description":""},` +
		`"at":{"type":"object","properties":{"line":{"type":"integer","description":""}},"required":["line"],"additionalProperties":false,"description":""}},"required":["old"],"additionalProperties":false,"description":""},"description":""},` +
		`"numbers":{"type":"array","items":{"type":"number","description":""},"description":""},"arguments":{"type":"object","description":""}},"required":["path"],"additionalProperties":false}`
	if got := string(surface.Schema(rich)); got != want {
		t.Errorf("the schema is\n%s\nwant\n%s", got, want)
	}
}

// A declaration that could not be sent, or that no call could fit, is refused when it
// comes.
func TestDeclarationsAreChecked(t *testing.T) {
	list := surface.Param{Name: "l", Type: surface.List}
	nested := surface.Param{Name: "n", Type: surface.String}
	for range 12 {
		nested = surface.Param{Name: "n", Type: surface.Object, Shape: &surface.Shape{Fields: []surface.Param{nested}}}
	}
	for why, tool := range map[string]surface.Tool{
		"a tool's name is":          {Name: "a b"},
		"longer than":               {Name: "a", Description: strings.Repeat("x", 20000)},
		"version":                   {Name: "a", Version: -1},
		"declared twice":            {Name: "a", Params: []surface.Param{{Name: "p"}, {Name: "p"}}},
		"no type that there is":     {Name: "a", Params: []surface.Param{{Name: "p", Type: 99}}},
		"no number fits":            {Name: "a", Params: []surface.Param{{Name: "p", Type: surface.Number, Shape: &surface.Shape{Min: new(2.0), Max: new(1.0)}}}},
		"what its members are":      {Name: "a", Params: []surface.Param{list}},
		"nests them deeper":         {Name: "a", Params: []surface.Param{nested}},
		`parameter name "" is`:      {Name: "a", Params: []surface.Param{{Name: ""}}},
		`the parameter name "x" is`: {Name: "a", Params: []surface.Param{{Name: "o", Type: surface.Object, Shape: &surface.Shape{Fields: []surface.Param{{Name: "x"}, {Name: "x"}}}}}},
	} {
		_, refused := surface.Registry{}.Step(surface.Change{Kind: surface.Join, Tools: []surface.Tool{tool}})
		if refused.Reason != surface.Misdeclared || !strings.Contains(refused.Err().Error(), why) {
			t.Errorf("%q: %v", why, refused.Err())
		}
	}
}

// Every refusal says what was refused and what to do.
func TestRefusalsSayWhatToDo(t *testing.T) {
	open, _ := surface.Registry{}.Step(surface.Change{Kind: surface.Install, Owner: "x", Tools: []surface.Tool{{Name: "a"}}})
	for _, c := range []struct {
		r      surface.Registry
		change surface.Change
		says   string
	}{
		{open.Opened(), surface.Change{Kind: surface.AddTools, Tools: []surface.Tool{{Name: "b"}}}, "RosterFixed: add_tools of b was refused"},
		{open.Opened(), surface.Change{Kind: surface.Configure, Names: []string{"a"}}, "RosterFixed: configure of a"},
		{open.Opened(), surface.Change{Kind: surface.Uninstall, Owner: "x"}, "RosterFixed: uninstall was refused"},
		{open, surface.Change{Kind: surface.Configure, Names: []string{"c"}}, `configure names the tool "c", which is not there; there are a`},
		{open, surface.Change{Kind: surface.Join, Tools: []surface.Tool{{Name: "a"}}}, "a tool of that name is there already"},
		{open, surface.Change{Kind: surface.Join, Tools: []surface.Tool{{Name: "bash"}}}, "a tool of that name is there already"},
		{open, surface.Change{Kind: surface.Quit, Names: []string{"d"}}, "there is none"},
	} {
		after, refused := c.r.Step(c.change)
		if err := refused.Err(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v of %v: %v, want %q", c.change.Kind, c.change.Names, err, c.says)
		}
		if !reflect.DeepEqual(after, c.r) {
			t.Errorf("%v was refused and changed the registry", c.change.Kind)
		}
	}
}

// FuzzParse: nothing panics, what is read is read the same when it is written again, and
// nothing is read from a text that a strict reader refuses.
func FuzzParse(f *testing.F) {
	f.Add(`{"path":"a","edits":[{"old":"x","at":{"line":3}}],"arguments":{"a":[1]},"limit":"7"}`)
	f.Add(`{"path":"\ud83d\ude00","names":"[\"x\"]","numbers":[1e3,-0]}`)
	f.Add(`{"path":"a","path":"b"`)
	f.Add(deep(70))
	f.Fuzz(func(t *testing.T, text string) {
		args, err := surface.Parse(rich, text)
		if err != nil {
			if len(err.Error()) > 4000 {
				t.Errorf("the fault is %d bytes long", len(err.Error()))
			}
			return
		}
		if strings.TrimSpace(text) != "" && !json.Valid([]byte(text)) {
			t.Errorf("%q was read as %v", text, args)
		}
		written, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		again, err := surface.Parse(rich, string(written))
		if err != nil {
			t.Fatalf("%s was read, and %s is not: %v", text, written, err)
		}
		if once, _ := json.Marshal(again); string(once) != string(written) {
			t.Errorf("%s is %s once and %s twice", text, written, once)
		}
	})
}
