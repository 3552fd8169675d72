package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tenet/adapters/schema"
)

func compiled(t testing.TB, text string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const edits = `{"type":"object","properties":{
	"path":{"type":"string"},
	"edits":{"type":"array","items":{"$ref":"#/$defs/edit"}},
	"limit":{"type":"integer","minimum":1}},
	"required":["path"],"additionalProperties":false,
	"$defs":{"edit":{"type":"object","properties":{"old":{"type":"string"}},"required":["old"]}}}`

func TestAFaultNamesItsField(t *testing.T) {
	s := compiled(t, edits)
	for _, c := range []struct{ value, path, says string }{
		{`{"path":"a","limit":3,"edits":[{"old":"x"}]}`, "", ""},
		{`{"path":1}`, "path", "string"},
		{`{"path":"a","limit":0}`, "limit", "minimum"},
		{`{"path":"a","edits":[{"old":"x"},{"old":2}]}`, "edits[].old", "string"},
		{`{"path":"a","edits":[{}]}`, "edits[]", "old"},
		{`{"path":"a","pth":"b"}`, "", "pth"},
		{`{}`, "", "path"},
		{`{"path":"a","path":"b"}`, "", "stands twice"},
		{`{"path":`, "", "cut"},
	} {
		err := s.Validate(json.RawMessage(c.value))
		if c.says == "" {
			if err != nil {
				t.Errorf("%s: %v", c.value, err)
			}
			continue
		}
		fault, ok := err.(*schema.Error)
		if !ok || fault.Path != c.path || !strings.Contains(fault.Why, c.says) {
			t.Errorf("%s: %#v; want a fault at %q that says %q", c.value, err, c.path, c.says)
		}
		if len(err.Error()) > 600 {
			t.Errorf("%s: the fault is %d bytes long", c.value, len(err.Error()))
		}
	}
}

// A string that holds the right JSON is read as it where the schema takes no string
// (case prov-036), once.
func TestFitReadsAStringThatHoldsTheRightJSON(t *testing.T) {
	s := compiled(t, edits)
	got, err := s.Fit(json.RawMessage(`{"path":"[1]","edits":"[{\"old\":\"C:\\\\Users\\\\unicorn\"}]","limit":"7"}`))
	if want := `{"edits":[{"old":"C:\\Users\\unicorn"}],"limit":7,"path":"[1]"}`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	for _, bad := range []string{`{"path":"a","edits":"[{\"old\":\"x\""}`, `{"path":"a","limit":"seven"}`, `{"path":"a","limit":"\"7\""}`, `[1]`} {
		if got, err := s.Fit(json.RawMessage(bad)); err == nil {
			t.Errorf("%s was read as %s", bad, got)
		}
	}
	whole := json.RawMessage(`{ "path" : "a" }`)
	if got, err := s.Fit(whole); err != nil || string(got) != string(whole) {
		t.Errorf("arguments that fit were changed: %s, %v", got, err)
	}
}

// A schema of a server nobody knows can neither reach out nor end the process.
func TestHostileSchemas(t *testing.T) {
	for name, text := range map[string]string{
		"a file":             `{"$ref":"file:///etc/passwd"}`,
		"an address":         `{"properties":{"a":{"$ref":"https://example.com/s"}}}`,
		"an address as base": `{"properties":{"a":{"$id":"https://example.com/s","$ref":"#/x"}}}`,
		"a dynamic place":    `{"$dynamicRef":"#x"}`,
		"nowhere":            `{"$ref":"#/$defs/x"}`,
		"no JSON":            `{"type":`,
		"a bad pattern":      `{"pattern":"("}`,
		"a bad type":         `{"type":7}`,
		"another version":    `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`,
		"too long":           `{"description":"` + strings.Repeat("x", schema.MaxSchema) + `"}`,
		"too deep":           strings.Repeat(`{"not":`, 100) + `{}` + strings.Repeat(`}`, 100),
	} {
		if s, err := schema.Compile(json.RawMessage(text)); err == nil {
			t.Errorf("%s was taken: %.80s", name, s)
		}
	}
	deep := strings.Repeat(`{"a":`, 40) + `1` + strings.Repeat(`}`, 40)
	for name, c := range map[string]struct{ schema, value string }{
		"itself":             {`{"$ref":"#"}`, `1`},
		"itself in a round":  {`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}}`, `1`},
		"by an anchor":       {`{"$ref":"#x","$defs":{"a":{"$anchor":"x","allOf":[{"$ref":"#x"}]}}}`, `1`},
		"two in each part":   {`{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}`, deep},
		"two in each schema": {`{"$ref":"#/$defs/a0","$defs":{` + doubling(40) + `}}`, `1`},
	} {
		s, err := schema.Compile(json.RawMessage(c.schema))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := s.Validate(json.RawMessage(c.value)); err == nil || !strings.Contains(err.Error(), "the schema") {
			t.Errorf("%s: %v", name, err)
		}
	}
	tree := compiled(t, `{"type":"object","properties":{"left":{"$ref":"#"},"right":{"$ref":"#"}}}`)
	if err := tree.Validate(json.RawMessage(strings.NewReplacer(`"a"`, `"left"`, "1", "{}").Replace(deep))); err != nil {
		t.Errorf("a tree that refers to itself as it goes deeper: %v", err)
	}
}

// doubling are schemas each of which asks the next one twice.
func doubling(n int) string {
	var out []string
	for i := range n {
		a, b := i, i+1
		out = append(out, strings.NewReplacer("A", "a"+string(rune('0'+a/10))+string(rune('0'+a%10)), "B", "a"+string(rune('0'+b/10))+string(rune('0'+b%10))).Replace(`"A":{"allOf":[{"$ref":"#/$defs/B"},{"$ref":"#/$defs/B"}]}`))
	}
	last := "a" + string(rune('0'+n/10)) + string(rune('0'+n%10))
	return strings.Join(out, ",") + `,"` + last + `":{},"a0":{"$ref":"#/$defs/a00"}`
}

// FuzzSchema: no schema and no value end the process or run away.
func FuzzSchema(f *testing.F) {
	f.Add(edits, `{"path":"a","edits":[{"old":"x"}]}`)
	f.Add(`{"$ref":"#"}`, `1`)
	f.Add(`{"items":[{"type":"string"}],"additionalItems":{"$ref":"#"}}`, `[[],["a"]]`)
	f.Fuzz(func(t *testing.T, text, value string) {
		s, err := schema.Compile(json.RawMessage(text))
		if err != nil {
			return
		}
		if s.Validate(json.RawMessage(value)) == nil && !json.Valid([]byte(value)) {
			t.Errorf("%q fits %s", value, text)
		}
		if got, err := s.Fit(json.RawMessage(value)); err == nil && s.Validate(got) != nil {
			t.Errorf("%s was made %s, which does not fit", value, got)
		}
	})
}
