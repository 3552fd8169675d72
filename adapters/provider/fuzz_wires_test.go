package provider_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"tenet/adapters/provider"
	"tenet/core/event"
)

// Any bytes as a stream of the format: the same reply or the same class of error however
// they are cut, a reply only with its terminal event in it, and never a panic.
func fuzzFormat(t *testing.T, f wireFormat, terminals []string, s string, n uint8) {
	t.Helper()
	whole, cut := show(assemble(f.new(), s, len(s)+1)), show(assemble(f.new(), s, int(n)+1))
	if whole != cut {
		t.Fatalf("whole %s\nin reads of %d %s", whole, int(n)+1, cut)
	}
	if strings.Contains(whole, "not a provider error") && !strings.Contains(whole, "larger than") {
		t.Fatalf("an error without a class: %s", whole)
	}
	if strings.HasPrefix(whole, "error") || strings.Contains(s, `\u`) {
		return
	}
	for _, terminal := range terminals {
		if strings.Contains(s, terminal) {
			return
		}
	}
	t.Fatalf("a reply without its terminal event: %s", whole)
}

func FuzzAnthropic(f *testing.F) {
	for _, c := range anthropicStreams {
		f.Add(c.stream, uint8(3))
	}
	f.Fuzz(func(t *testing.T, s string, n uint8) { fuzzFormat(t, anthropicWire, []string{"message_stop"}, s, n) })
}

func FuzzResponses(f *testing.F) {
	for _, c := range responsesStreams {
		f.Add(c.stream, uint8(3))
	}
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		fuzzFormat(t, responsesWire, []string{"response.completed", "response.incomplete"}, s, n)
	})
}

// wireStep is one event of a call in either format, spelled by a byte: what happens, at
// which index (the last is none), under which id, with which piece.
type wireStep struct {
	kind  byte // 0 start, 1 and 2 piece, 3 end
	index int  // -1 without one
	id    string
	piece string
}

func stepOf(b byte) wireStep {
	s := wireStep{kind: b & 3, index: int(b >> 2 & 3), id: []string{"", "c1", "c2", "c3"}[b>>4&3], piece: []string{"", "{}", `{"x":`, "1}"}[b>>6&3]}
	if s.index == 3 {
		s.index = -1
	}
	return s
}

func (s wireStep) at(name string) string {
	if s.index < 0 {
		return ""
	}
	return fmt.Sprintf(`%q:%d,`, name, s.index)
}

func (s wireStep) anthropic() string {
	switch s.kind {
	case 0:
		return aEvent(`{"type":"content_block_start",` + s.at("index") + `"content_block":{"type":"tool_use","id":` + quote(s.id) + `,"name":"f","input":{}}}`)
	case 3:
		return aEvent(`{"type":"content_block_stop",` + s.at("index") + `"x":0}`)
	}
	return aEvent(`{"type":"content_block_delta",` + s.at("index") + `"delta":{"type":"input_json_delta","partial_json":` + quote(s.piece) + `}}`)
}

// checkCalls holds what no order of events may break: every id that opened a call has
// one, and no byte of an argument comes from nowhere.
func checkCalls(t *testing.T, calls []event.ToolCall, opened map[string]bool, bytes int, s string) {
	t.Helper()
	have, total := map[string]bool{}, 0
	for _, c := range calls {
		have[c.Provider] = true
		total += len(c.Args)
	}
	for id := range opened {
		if !have[id] {
			t.Fatalf("the call %q became part of another, in %v from\n%s", id, calls, s)
		}
	}
	if total > bytes {
		t.Fatalf("%d bytes of arguments came of %d, from\n%s", total, bytes, s)
	}
}

// Calls however they are opened, numbered and cut into pieces.
func FuzzAnthropicCalls(f *testing.F) {
	f.Add([]byte{0x10, 0x51, 0x20, 0x91})
	f.Add([]byte{0x1c, 0x5d, 0x2c, 0x9d, 0x03})
	f.Fuzz(func(t *testing.T, b []byte) {
		var s strings.Builder
		opened, bytes := map[string]bool{}, 0
		for _, c := range b {
			step := stepOf(c)
			if step.kind == 0 && step.id != "" {
				opened[step.id] = true
			}
			if step.kind == 1 || step.kind == 2 {
				bytes += len(step.piece)
			}
			s.WriteString(step.anthropic())
		}
		r, err := assemble(&provider.AnthropicAccumulator{}, s.String()+aEnd("tool_use"), 512)
		if err != nil {
			if class(err) == provider.TooLarge && len(b) > 512 {
				return
			}
			t.Fatal(err)
		}
		checkCalls(t, r.Calls, opened, bytes, s.String())
	})
}

func (s wireStep) responses() string {
	item := `{"type":"function_call","call_id":` + quote(s.id) + `,"name":"f","arguments":` + quote(s.piece) + `}`
	switch s.kind {
	case 0:
		return rEvent(`{"type":"response.output_item.added",` + s.at("output_index") + `"item":` + strings.Replace(item, quote(s.piece), `""`, 1) + `}`)
	case 3:
		return rEvent(`{"type":"response.output_item.done",` + s.at("output_index") + `"item":` + item + `}`)
	}
	return rEvent(`{"type":"response.function_call_arguments.delta",` + s.at("output_index") + `"delta":` + quote(s.piece) + `}`)
}

func FuzzResponsesCalls(f *testing.F) {
	f.Add([]byte{0x10, 0x51, 0x20, 0x91})
	f.Add([]byte{0x1c, 0x5d, 0x2c, 0x9d, 0x53})
	f.Fuzz(func(t *testing.T, b []byte) {
		var s strings.Builder
		opened, bytes := map[string]bool{}, 0
		for _, c := range b {
			step := stepOf(c)
			if (step.kind == 0 || step.kind == 3) && step.id != "" {
				opened[step.id] = true
			}
			if step.kind != 0 {
				bytes += len(step.piece)
			}
			s.WriteString(step.responses())
		}
		r, err := assemble(&provider.ResponsesAccumulator{}, s.String()+rEnd("completed", ""), 512)
		if err != nil {
			if class(err) == provider.TooLarge && len(b) > 512 {
				return
			}
			t.Fatal(err)
		}
		checkCalls(t, r.Calls, opened, bytes, s.String())
	})
}

// Whatever the log gives back of a thought, of arguments, ids and names: the request is
// JSON, with every call once and its result once.
func FuzzRequest(f *testing.F) {
	f.Add(`{"text":1,"calls":0,"block":{"type":"thinking","thinking":"a","signature":"S"}}`, "say", `{"a":"\ud83d"}`, "toolu_1", "read")
	f.Add(`{"text":-5,"calls":9,"block":{"type":"reasoning","encrypted_content":"E"}}`, "日本", `{"cut`, "a b", "")
	f.Add(`{"block":{"type":"redacted_thinking","data":"X"}}`, "", "{\"\xff\":1}", "", "a/b")
	f.Fuzz(func(t *testing.T, raw, text, args, id, name string) {
		for _, w := range formats {
			m := reply(text, event.ToolCall{ID: "own-1", Provider: id, Tool: name, Args: args}, event.ToolCall{ID: "own-2", Provider: id, Tool: name, Args: args})
			for _, wire := range []string{provider.WireAnthropic, provider.WireResponses} {
				c := m
				c.Thoughts = []event.Thought{{Wire: wire, Model: "m1", Raw: json.RawMessage(raw)}}
				body := wireBody(t, w, messages(user("go"), c, result(m.Calls[1], text)))
				if !json.Valid([]byte(body)) {
					t.Fatalf("%s: no JSON: %s", w.name, body)
				}
				checkPairs(t, w, body)
			}
		}
	})
}

// checkPairs counts the calls and results of a request.
func checkPairs(t *testing.T, f wireFormat, body string) {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	walk(v, count)
	switch f.name {
	case "anthropic":
		if count["tool_use"] != 2 || count["tool_result"] != 2 {
			t.Fatalf("%v in %s", count, body)
		}
	case "responses":
		if count["function_call"] != 2 || count["function_call_output"] != 2 {
			t.Fatalf("%v in %s", count, body)
		}
	}
}

// walk counts the types of the blocks of a message; what a call's arguments hold is not
// ours.
func walk(v any, count map[string]int) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			walk(e, count)
		}
	case map[string]any:
		if kind, ok := v["type"].(string); ok {
			count[kind]++
		}
		for name, e := range v {
			if name != "input" || v["type"] != "tool_use" {
				walk(e, count)
			}
		}
	}
}
