package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tenet/adapters/provider"
	"tenet/adapters/provider/sse"
	"tenet/core/event"
)

// recordedEvents are the events of a recorded stream, each with the bytes between its
// blank lines.
func recordedEvents(body string) []string {
	var out []string
	for _, e := range strings.SplitAfter(body, "\n\n") {
		if strings.TrimSpace(e) != "" {
			out = append(out, e)
		}
	}
	return out
}

// dataOf is the data of an event, kindOf its type.
func dataOf(e string) []byte {
	for _, l := range strings.Split(e, "\n") {
		if d, ok := strings.CutPrefix(l, "data: "); ok {
			return []byte(d)
		}
	}
	return nil
}

func kindOf(e string) string {
	var v struct{ Type string }
	_ = json.Unmarshal(dataOf(e), &v)
	return v.Type
}

// naiveAnthropic reads a whole, well-formed recording in the simplest way: what the
// accumulator must agree with.
func naiveAnthropic(body string) (r event.Reply) {
	type block struct{ Type, ID, Name string }
	blocks := map[int]block{}
	args := map[int]string{}
	var order []int
	for _, e := range recordedEvents(body) {
		var v struct {
			Type  string
			Index int
			Block block `json:"content_block"`
			Delta struct {
				Type, Text, Thinking string
				JSON                 string `json:"partial_json"`
				Stop                 string `json:"stop_reason"`
			}
		}
		_ = json.Unmarshal(dataOf(e), &v)
		switch v.Type {
		case "content_block_start":
			blocks[v.Index] = v.Block
			if v.Block.Type == "tool_use" {
				order = append(order, v.Index)
			}
		case "content_block_delta":
			r.Text += v.Delta.Text
			r.Thinking += v.Delta.Thinking
			args[v.Index] += v.Delta.JSON
		case "message_delta":
			r.Stop = map[string]string{"end_turn": "stop", "tool_use": "toolUse", "max_tokens": "length"}[v.Delta.Stop]
		}
	}
	for _, i := range order {
		r.Calls = append(r.Calls, event.ToolCall{Provider: blocks[i].ID, Tool: blocks[i].Name, Args: args[i]})
	}
	return r
}

// naiveResponses reads the one event in which the server says all of it again.
func naiveResponses(body string) (r event.Reply) {
	for _, e := range recordedEvents(body) {
		var v struct {
			Type     string
			Response struct {
				Output []struct {
					Type, Name, Arguments string
					CallID                string `json:"call_id"`
					Content               []struct{ Text string }
					Summary               []struct{ Text string }
				}
			}
		}
		_ = json.Unmarshal(dataOf(e), &v)
		if v.Type != "response.completed" {
			continue
		}
		r.Stop = "stop"
		var thoughts []string
		for _, o := range v.Response.Output {
			for _, c := range o.Content {
				r.Text += c.Text
			}
			for _, s := range o.Summary {
				thoughts = append(thoughts, s.Text)
			}
			if o.Type == "function_call" {
				r.Stop = "toolUse"
				r.Calls = append(r.Calls, event.ToolCall{Provider: o.CallID, Tool: o.Name, Args: o.Arguments})
			}
		}
		r.Thinking = strings.Join(thoughts, "\n\n")
	}
	return r
}

var naiveOf = map[string]func(string) event.Reply{"anthropic": naiveAnthropic, "responses": naiveResponses}

// withRecordings runs a test for each stream of the two formats.
func withRecordings(t *testing.T, test func(t *testing.T, f wireFormat, c cassette)) {
	t.Helper()
	for _, f := range formats[1:] {
		all := recordedAs(t, f.name)
		for _, c := range all {
			test(t, f, c)
		}
		t.Logf("%s: %d recorded streams", f.name, len(all))
	}
}

func TestRecordedFormatsAreWholeReplies(t *testing.T) {
	calls, thoughts := 0, 0
	withRecordings(t, func(t *testing.T, f wireFormat, c cassette) {
		r, err := assemble(f.new(), c.body, 1000)
		want := naiveOf[f.name](c.body)
		if got := show(r, err); got != show(want, nil) {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, show(want, nil))
		}
		if err == nil && (r.Input == 0 || r.Output == 0 || r.Model == "") {
			t.Errorf("%s: %d tokens in, %d out, of %q", c.name, r.Input, r.Output, r.Model)
		}
		for _, call := range r.Calls {
			if !json.Valid([]byte(call.Args)) && call.Args != "" {
				t.Errorf("%s: the arguments of %s do not parse: %s", c.name, call.Tool, call.Args)
			}
		}
		calls += len(r.Calls)
		thoughts += len(r.Thoughts)
	})
	if calls == 0 || thoughts == 0 {
		t.Errorf("%d calls and %d thoughts in all recordings", calls, thoughts)
	}
	t.Logf("%d calls, %d thoughts that can go back", calls, thoughts)
}

// Cut after each event and at each byte inside it, a recorded stream is no reply before
// its terminal event, and the same reply behind it. Half an event changes nothing.
func TestRecordedFormatsCutAnywhere(t *testing.T) {
	cuts := 0
	withRecordings(t, func(t *testing.T, f wireFormat, c cassette) {
		a := f.new()
		done := false
		for i, e := range recordedEvents(c.body) {
			data := dataOf(e)
			step := 1 + len(data)/2048*6 // every byte, or every seventh of a long event
			for n := 1; n < len(bytes.TrimSpace(data)); n += step {
				if d, progress, err := a.Take(sse.Event{Data: data[:n], Open: true}); err != nil || progress || d != (provider.Delta{}) {
					t.Fatalf("%s: %d bytes of event %d are %v, %v, %v", c.name, n, i, d, progress, err)
				}
				if _, err := a.Reply(); !done && class(err) != provider.Cut {
					t.Fatalf("%s: cut %d bytes into event %d it is %v", c.name, n, i, err)
				}
				cuts++
			}
			if _, _, err := a.Take(sse.Event{Data: data}); err != nil {
				t.Fatalf("%s: event %d: %v", c.name, i, err)
			}
			done = done || strings.Contains(strings.ReplaceAll(e, " ", ""), f.terminal)
			if _, err := a.Reply(); done != (err == nil) {
				t.Fatalf("%s: after event %d the end came: %v, and the reply is %v", c.name, i, done, err)
			}
			cuts++
		}
		if got, want := show(a.Reply()), show(naiveOf[f.name](c.body), nil); got != want {
			t.Errorf("%s: got %s, want %s", c.name, got, want)
		}
	})
	t.Logf("%d cuts", cuts)
}

// The shortest recording of each format, cut by the connection at each of its bytes.
func TestRecordedFormatsCutByTheConnection(t *testing.T) {
	for _, f := range formats[1:] {
		c := slices.MinFunc(recordedAs(t, f.name), func(a, b cassette) int { return len(a.body) - len(b.body) })
		want := show(assemble(f.new(), c.body, 4096))
		whole := strings.LastIndex(c.body, "}") + 1
		for n := range len(c.body) {
			got := show(assemble(f.new(), c.body[:n], 512))
			if (n < whole && got != "error cut") || (n >= whole && got != want) {
				t.Fatalf("%s: cut after %d of %d bytes (whole after %d): got %s", c.name, n, len(c.body), whole, got)
			}
		}
	}
}

// repeatable are the events that say nothing new when they come again; movable those
// that may come at another time.
var (
	repeatable = []string{"message_start", "ping", "content_block_start", "content_block_stop", "message_delta", "message_stop",
		"response.created", "response.in_progress", "response.output_item.added", "response.output_item.done", "response.content_part.added", "response.content_part.done",
		"response.output_text.done", "response.function_call_arguments.done", "response.reasoning_summary_part.added", "response.reasoning_summary_part.done", "response.reasoning_summary_text.done", "response.completed"}
	movable = []string{"ping", "message_start", "content_block_stop", "response.created", "response.in_progress", "response.content_part.added", "response.content_part.done",
		"response.output_text.done", "response.reasoning_summary_part.added", "response.reasoning_summary_part.done", "response.reasoning_summary_text.done", "response.function_call_arguments.done"}
)

// The same recordings with other line ends, with comments, without names, with events
// doubled and moved, and in small reads are the same replies.
func TestRecordedFormatsThroughRoughHands(t *testing.T) {
	withRecordings(t, func(t *testing.T, f wireFormat, c cassette) {
		want := show(assemble(f.new(), c.body, 4096))
		events := recordedEvents(c.body)
		var doubled, early, late []string
		for i, e := range events {
			doubled = append(doubled, e)
			if slices.Contains(repeatable, kindOf(e)) {
				doubled = append(doubled, e)
			}
			if i < len(events)-1 && slices.Contains(movable, kindOf(e)) {
				late = append(late, e)
			} else {
				early = append(early, e)
			}
		}
		moved := append(slices.Clone(early[:len(early)-1]), append(late, early[len(early)-1])...)
		for name, body := range map[string]string{
			"CRLF":          strings.ReplaceAll(c.body, "\n", "\r\n"),
			"lone CR":       strings.ReplaceAll(c.body, "\n", "\r"),
			"comments":      ": one\n: two\n\n" + strings.ReplaceAll(c.body, "\n\n", "\n\n: one\n: two\n\n"),
			"a mark":        "\ufeff" + c.body,
			"no names":      withoutNames(c.body),
			"events twice":  strings.Join(doubled, ""),
			"events moved":  strings.Join(moved, ""),
			"unknown ones":  strings.Join(events, "event: shiny\ndata: {\"type\":\"shiny\"}\n\n"),
			"no blank line": strings.TrimRight(c.body, "\n"),
		} {
			if got := show(assemble(f.new(), body, 7)); got != want {
				t.Errorf("%s with %s: got %.200s\nwant %.200s", c.name, name, got, want)
			}
		}
	})
}

// The whole way through HTTP gives the same replies, and shows their text as it comes.
func TestRecordedFormatsOverHTTP(t *testing.T) {
	withRecordings(t, func(t *testing.T, f wireFormat, c cassette) {
		want := show(assemble(f.new(), c.body, 4096))
		var said, thought strings.Builder
		p := wireClient(t, f, nil, func(o *provider.Options) {
			o.Transport = transport(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(c.body))}, nil
			})
		})
		r, err := p.Reply(t.Context(), hello, func(d provider.Delta) { said.WriteString(d.Text); thought.WriteString(d.Thinking) })
		if got := show(r, err); got != want || said.String() != r.Text || thought.String() != r.Thinking {
			t.Errorf("%s: got %.200s\nwant %.200s\nsaid %.100q, thought %.100q", c.name, got, want, said.String(), thought.String())
		}
	})
}

// What a recorded reply thought goes back as it was recorded.
func TestRecordedThoughtsGoBack(t *testing.T) {
	sent := 0
	withRecordings(t, func(t *testing.T, f wireFormat, c cassette) {
		r, err := assemble(f.new(), c.body, 4096)
		if err != nil || len(r.Thoughts) == 0 || (r.Text == "" && len(r.Calls) == 0) {
			return
		}
		for i := range r.Calls {
			r.Calls[i].ID = fmt.Sprint("own-", i)
		}
		m := provider.Message{Role: provider.Assistant, Text: r.Text, Calls: r.Calls, Thoughts: r.Thoughts}
		body := wireBody(t, f, messages(user("go"), m))
		for _, th := range r.Thoughts {
			var p struct{ Block json.RawMessage }
			if json.Unmarshal(th.Raw, &p) != nil || !strings.Contains(body, string(p.Block)) {
				t.Errorf("%s: %s is not sent", c.name, th.Raw)
			}
			sent++
		}
	})
	if sent == 0 {
		t.Error("no recorded thought was sent")
	}
	t.Logf("%d thoughts", sent)
}
