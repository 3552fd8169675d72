package provider_test

import (
	"cmp"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"tenet/adapters/provider"
	"tenet/core/event"
	"tenet/core/surface"
)

// TestRealServer talks to a server that somebody runs, in each wire format that it
// speaks: a plain answer, a call with its result, and a history that holds a cut call.
// It is the one test that leaves the machine's own loopback, and only where
// OPENAI_BASE_URL leads there.
func TestRealServer(t *testing.T) {
	base := os.Getenv("OPENAI_BASE_URL")
	if base == "" {
		t.Skip("SKIPPED, no real server was asked: OPENAI_BASE_URL is not set\n" +
			"run: llama-server --jinja -m MODEL.gguf, then OPENAI_BASE_URL=http://127.0.0.1:8080/v1 go test -run TestRealServer -v ./adapters/provider")
	}
	spoken := 0
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			c, err := f.open(provider.Options{
				BaseURL: base, Key: os.Getenv("OPENAI_API_KEY"), Model: cmp.Or(os.Getenv("OPENAI_MODEL"), "default"), NoReasoning: true, MaxOutput: 512,
				Deadlines: provider.Deadlines{Headers: 2 * time.Minute, FirstByte: 2 * time.Minute},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if speaks(t, c) {
				spoken++
				realCall(t, c)
				realCutHistory(t, c)
			}
		})
	}
	if spoken == 0 {
		t.Error("the server at OPENAI_BASE_URL speaks none of the formats")
	}
}

// speaks asks for a plain answer; a server without the format's path is no failure.
func speaks(t *testing.T, c client) bool {
	t.Helper()
	var shown strings.Builder
	r, err := c.Reply(t.Context(), messages(system("Answer in one word."), user("Say hello.")), func(d provider.Delta) { shown.WriteString(d.Text) })
	if err != nil && asError(t, err).Status == 404 {
		t.Logf("the server does not speak this format: %v", err)
		return false
	}
	if err != nil {
		t.Fatalf("a plain question: %v", err)
	}
	if r.Text+r.Thinking == "" || r.Output == 0 || shown.String() != r.Text {
		t.Errorf("a plain question: %s, %d tokens, shown %q", show(r, nil), r.Output, shown.String())
	}
	t.Logf("a plain question: %.200s, %d tokens in, %d out", show(r, nil), r.Input, r.Output)
	return true
}

// realCall lets the model call a tool where it can, and gives it the result.
func realCall(t *testing.T, c client) {
	t.Helper()
	q := messages(system("Use the tool to answer."), user("What is the weather in Oslo?"))
	q.Tools = []surface.Tool{surface.Build(surface.Tool{Name: "weather", Description: "Tells the weather of a city.", Params: []surface.Param{{Name: "city", Type: surface.String, Required: true}}})}
	r, err := c.Reply(t.Context(), q, nil)
	if err != nil {
		t.Fatalf("a question with a tool: %v", err)
	}
	t.Logf("a question with a tool: %.200s", show(r, nil))
	if len(r.Calls) == 0 {
		t.Log("the model made no call, so none was answered")
		return
	}
	for i := range r.Calls {
		r.Calls[i].ID = "own-" + string(rune('a'+i%26))
		if r.Stop == provider.StopTools && !json.Valid([]byte(r.Calls[i].Args)) {
			t.Errorf("the arguments of a call do not parse: %s", r.Calls[i].Args)
		}
	}
	q.Messages = append(q.Messages, provider.Message{Role: provider.Assistant, Text: r.Text, Calls: r.Calls, Thoughts: r.Thoughts, Thinking: r.Thinking})
	for _, call := range r.Calls {
		q.Messages = append(q.Messages, result(call, "It rains."))
	}
	if r, err = c.Reply(t.Context(), q, nil); err != nil {
		t.Fatalf("the result of a call: %v", err)
	}
	t.Logf("the result of a call: %.200s", show(r, nil))
}

// realCutHistory sends a history with a cut call, which some servers refuse for ever.
func realCutHistory(t *testing.T, c client) {
	t.Helper()
	cut := calls(event.ToolCall{ID: "own-cut", Tool: "weather", Args: `{"city":"Os`})
	q := messages(user("What is the weather?"), cut, result(cut.Calls[0], "not run: the arguments were cut"), user("Never mind. Say hello."))
	q.Tools = []surface.Tool{surface.Build(surface.Tool{Name: "weather", Params: []surface.Param{{Name: "city", Type: surface.String}}})}
	r, err := c.Reply(t.Context(), q, nil)
	if err != nil {
		t.Fatalf("a history with a cut call: %v", err)
	}
	t.Logf("a history with a cut call: %.200s", show(r, nil))
}
