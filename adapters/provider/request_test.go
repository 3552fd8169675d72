package provider_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/adapters/provider"
	"tenet/core/event"
	"tenet/core/surface"
)

// sent is the request's body as a server sees it.
func sent(t *testing.T, r provider.Request) string {
	t.Helper()
	var body string
	_, err := chatWith(t, func(c net.Conn, req *http.Request) {
		b, _ := io.ReadAll(req.Body)
		body = string(b)
		raw(streamHead+end("stop"))(c, req)
	}).Reply(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func messages(ms ...provider.Message) provider.Request { return provider.Request{Messages: ms} }

func calls(cs ...event.ToolCall) provider.Message {
	return provider.Message{Role: provider.Assistant, Calls: cs}
}

func result(c event.ToolCall, text string) provider.Message {
	return provider.Message{Role: provider.Tool, Call: c, Text: text}
}

func TestMessagesOnTheWire(t *testing.T) {
	read := event.ToolCall{ID: "own-1", Provider: "call_0", Tool: "read", Args: `{"path": "a<b>&c"}`}
	body := sent(t, messages(
		provider.Message{Role: provider.System, Text: "be brief"},
		provider.Message{Role: provider.User, Text: "read a<b>&c"},
		calls(read),
		result(read, "it says 日本"),
		provider.Message{Role: provider.Assistant}, // a reply of only thinking left nothing to send
		provider.Message{Role: provider.Assistant, Text: "done"},
	))
	want := `"messages":[{"role":"system","content":"be brief"},` +
		`{"role":"user","content":"read a<b>&c"},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"read","arguments":"{\"path\": \"a<b>&c\"}"}}]},` +
		`{"role":"tool","content":"it says 日本","tool_call_id":"call_0"},` +
		`{"role":"assistant","content":"done"}]`
	if !strings.Contains(body, want) {
		t.Fatalf("got  %s\nwant %s", body, want)
	}
}

func TestToolsOnTheWire(t *testing.T) {
	tool := surface.Build(surface.Tool{Name: "read", Description: "Reads a file.", Params: []surface.Param{{Name: "path", Type: surface.String, Required: true}}})
	body := sent(t, provider.Request{Tools: []surface.Tool{tool}})
	want := `"messages":[],"tools":[{"type":"function","function":{"name":"read","description":"Reads a file.","parameters":` + string(surface.Schema(tool)) + `}}]`
	if !strings.Contains(body, want) {
		t.Fatalf("got  %s\nwant %s", body, want)
	}
}

// A server that parses the history must be able to: one cut call in it would fail
// every later request of the session.
func TestArgumentsThatDoNotParseAreNotSent(t *testing.T) {
	for args, want := range map[string]string{
		`{"path":"a`: "{}", "": "{}", "[1]": "{}", `"x"`: "{}", "null": "{}", "{}{}": "{}", `{"a":1}`: `{"a":1}`, " {\"a\": 1}\n": " {\"a\": 1}\n",
	} {
		c := event.ToolCall{ID: "c", Tool: "read", Args: args}
		if body := sent(t, messages(calls(c), result(c, "not run"))); !strings.Contains(body, `"arguments":`+quote(want)) {
			t.Errorf("arguments %q: got %s, want %q", args, body, want)
		}
	}
}

// prov-041: providers repeat ids, leave them out or make them too long. On the wire
// each call has one id of its own, and each result the id of its call.
func TestEachCallHasItsOwnIDOnTheWire(t *testing.T) {
	a := event.ToolCall{ID: "own-a", Provider: "dup_1", Tool: "write"}
	b := event.ToolCall{ID: "own-b", Provider: "dup_1", Tool: "write"}
	c := event.ToolCall{ID: "own-c", Provider: strings.Repeat("x", 41), Tool: "write"}
	d := event.ToolCall{ID: strings.Repeat("o", 64), Provider: "a b\n", Tool: "write"}
	e := event.ToolCall{ID: "own-e", Tool: "write"}
	r := messages(calls(a, b, c, d, e), result(b, "B"), result(a, "A"), result(e, "E"), result(d, "D"), result(c, "C"))
	if got, want := ids(t, sent(t, r)), "dup_1 own-b own-c call_4 own-e | own-b=B dup_1=A own-e=E call_4=D own-c=C"; got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	// The next turn adds to the history and changes nothing of it.
	again := event.ToolCall{ID: "own-f", Provider: "dup_1", Tool: "write"}
	r.Messages = append(r.Messages, calls(again), result(again, "F"))
	if got, want := ids(t, sent(t, r)), "dup_1 own-b own-c call_4 own-e own-f | own-b=B dup_1=A own-e=E call_4=D own-c=C own-f=F"; got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
}

type wireMessage struct {
	Content string
	Calls   []struct{ ID string } `json:"tool_calls"`
	CallID  string                `json:"tool_call_id"`
}

func wire(t interface{ Fatalf(string, ...any) }, body string) (calls, results []string, text map[string]string) {
	var w struct{ Messages []wireMessage }
	if err := json.Unmarshal([]byte(body), &w); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	text = map[string]string{}
	for _, m := range w.Messages {
		for _, c := range m.Calls {
			calls = append(calls, c.ID)
		}
		if m.CallID != "" {
			results = append(results, m.CallID)
			text[m.CallID] = m.Content
		}
	}
	return calls, results, text
}

func ids(t *testing.T, body string) string {
	t.Helper()
	calls, results, text := wire(t, body)
	for i, r := range results {
		results[i] = r + "=" + text[r]
	}
	return strings.Join(calls, " ") + " | " + strings.Join(results, " ")
}

// Whatever ids providers think of: every call has one short id of its own, every
// result answers the call it is of, and a longer history keeps the ids of a shorter.
func TestIDsOnTheWireAreSound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		odd := rapid.SampledFrom([]string{"", "call_1", "call_2", "call_1_1", "own-1", "own-2", "dup", "é", strings.Repeat("z", 41)})
		n := rapid.IntRange(1, 6).Draw(rt, "calls")
		var ms []provider.Message
		for i := range n {
			c := event.ToolCall{ID: fmt.Sprintf("own-%d", i), Provider: odd.Draw(rt, "id"), Tool: "f", Args: "{}"}
			ms = append(ms, calls(c), result(c, c.ID))
		}
		all, results, text := wire(rt, sent(t, messages(ms...)))
		seen := map[string]bool{}
		for i, id := range all {
			if seen[id] || id == "" || len(id) > 40 || text[id] != fmt.Sprintf("own-%d", i) || results[i] != id {
				rt.Fatalf("call %d has the id %q in %v; results %v", i, id, all, text)
			}
			seen[id] = true
		}
		short, _, _ := wire(rt, sent(t, messages(ms[:2*(n-1)]...)))
		if strings.Join(short, " ") != strings.Join(all[:n-1], " ") {
			rt.Fatalf("ids %v became %v", short, all)
		}
	})
}
