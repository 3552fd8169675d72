package provider_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"tenet/adapters/provider"
)

// A server on a real socket that behaves as servers in the field were seen to, and what
// comes of it. Each row is one line of what was measured; it runs against every wire
// format that the line concerns.
type hostile struct {
	line string
	// only names the one format that the line is about; empty is all of them.
	only string
	// serve answers one request; say builds its streams.
	serve func(w http.ResponseWriter, r *http.Request, f wireFormat)
	// want is the reply, or "error CLASS"; says is a part of the error's words.
	want, says string
}

// hello is the stream of a plain reply, work that of one with a call.
func (f wireFormat) hello() string { return f.begin + f.say("hel") + f.say("lo") + f.end(false) }
func (f wireFormat) work1(args string) string {
	return f.begin + f.say("so") + f.work(0, "c1", "write", args) + f.end(true)
}

type serve = func(http.ResponseWriter, *http.Request, wireFormat)

// status answers with a status, headers ("Name: value") and a body.
func status(code int, body string, headers ...string) serve {
	return func(w http.ResponseWriter, _ *http.Request, _ wireFormat) {
		w.Header().Set("Content-Type", "application/json")
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// streams answers 200 with a stream.
func streams200(s func(f wireFormat) string) serve {
	return func(w http.ResponseWriter, _ *http.Request, f wireFormat) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, s(f))
	}
}

func fixed(s string) serve { return streams200(func(wireFormat) string { return s }) }

var hostiles = []hostile{
	// What llama-server says.
	{line: "still loading", serve: status(503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`), want: "error overload", says: "Loading model"},
	{line: "a wrong key", serve: status(401, `{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}`), want: "error auth", says: "refused the key"},
	{line: "broken JSON is a 500 that never passes", serve: status(500, `{"error":{"code":500,"message":"[json.exception.parse_error.101] parse error","type":"server_error"}}`), want: "error rejected", says: "parse error"},
	{line: "a history that cannot be parsed is a 500 that never passes", serve: status(500, `{"error":{"code":500,"message":"Failed to parse tool call arguments as JSON: x","type":"server_error"}}`), want: "error rejected", says: "Failed to parse"},
	{line: "a schema of an unknown type", serve: status(400, `{"error":{"code":400,"message":"Unable to generate parser for this template. Unrecognized schema: {\"type\":\"nonsense\"}","type":"invalid_request_error"}}`), want: "error rejected", says: "nonsense"},
	{line: "a prompt over the context", serve: status(400, `{"error":{"code":400,"message":"request (6011 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":6011,"n_ctx":4096}}`), want: "error overflow", says: "6011 tokens"},
	{line: "the context fills while it generates", only: "chat", serve: fixed(say("on") + end("length") + done), want: `"on" length`},
	{line: "the context fills while it generates", only: "anthropic", serve: fixed(aBegin + aText(0, "on") + aEnd("max_tokens")), want: `"on" length`},
	{line: "the context fills while it generates", only: "responses", serve: fixed(rBegin + rText(0, "on") + rEnd("incomplete", `,"incomplete_details":{"reason":"max_output_tokens"}`)), want: `"on" length`},
	{line: "a body that is not said to be JSON", serve: func(w http.ResponseWriter, r *http.Request, f wireFormat) {
		if r.Header.Get("Content-Type") != "application/json" {
			w.WriteHeader(413)
			return
		}
		fixed(f.hello())(w, r, f)
	}, want: `"hello" stop`},
	{line: "a 413 without a word", serve: status(413, ""), want: "error rejected", says: "it gave no reason"},
	{line: "an unknown path", serve: status(404, `{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}`), want: "error rejected", says: "File Not Found; check "},
	{line: "no slot is free", serve: status(503, `{"error":{"code":503,"message":"no slot available","type":"unavailable_error"}}`), want: "error overload", says: "no slot available"},
	{line: "the chat stream as it is", only: "chat", serve: fixed(chunk(`"delta":{"role":"assistant","content":null}`) + say("hi") + end("stop") + `data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1},"timings":{"prompt_ms":1.5}}` + "\n\n" + done), want: `"hi" stop`},
	{line: "the messages stream as it is", only: "anthropic", serve: fixed(aEvent(`{"type":"message_start","message":{"id":"x","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":5,"output_tokens":0}}}`) + aBlock(0, aTextBlock) + aText(0, "so") + aBlock(1, `{"type":"tool_use","id":"x1","name":"f"}`) + aJSON(1, `{"a":`) + aJSON(1, `1}`) + aStop(0) + aStop(1) + aEnd("tool_use")), want: `"so" f#x1({"a":1}) toolUse`},
	{line: "its input cut at the limit", only: "anthropic", serve: fixed(aBegin + aBlock(0, `{"type":"tool_use","id":"x1","name":"f"}`) + aJSON(0, `{"a":`) + aStop(0) + aEnd("max_tokens")), want: `"" f#x1({"a":) length`},
	{line: "the responses stream as it is", only: "responses", serve: fixed(rEvent(`{"type":"response.created","response":{"id":"r","object":"response","created_at":1,"status":"in_progress"}}`) + rBare("response.output_item.added", `,"item":{"type":"function_call","status":"in_progress","arguments":"","call_id":"fc_1","name":"f"}`) + rBare("response.function_call_arguments.delta", `,"item_id":"fc_1","delta":"{}"`) + rBare("response.output_item.done", `,"item":{"type":"function_call","status":"completed","arguments":"{}","call_id":"fc_1","name":"f"}`) + rEnd("completed", `,"output":[{"type":"function_call","status":"completed","arguments":"{}","call_id":"fc_1","name":"f"}]`)), want: `"" f#fc_1({}) toolUse`},

	// What the chat servers do.
	{line: "vLLM: thinking under its newer name", only: "chat", serve: fixed(chunk(`"delta":{"reasoning":"hm"}`) + say("a") + end("stop")), want: `"a" thinking "hm" stop`},
	{line: "vLLM: a named tool choice ends with stop", only: "chat", serve: fixed(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}`) + end("stop") + done), want: `"" f#c({}) toolUse`},
	{line: "vLLM: tool_calls although the limit cut the arguments", only: "chat", serve: fixed(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":\"pack"}}`) + end("tool_calls") + done), want: `"" f#c({"a":"pack) toolUse`},
	{line: "vLLM: a finish reason that stays null", only: "chat", serve: fixed(say("a") + chunk(`"delta":{},"finish_reason":null`) + done), want: "error cut", says: "without a finish reason"},
	{line: "vLLM: an error frame, then the end", only: "chat", serve: fixed(say("a") + `data: {"error":{"message":"EngineCore died","type":"InternalServerError","code":500}}` + "\n\n" + done), want: "error overload", says: "EngineCore died"},
	{line: "llama.cpp: a first piece with the name and a fragment", only: "chat", serve: fixed(tool(`{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{"}}`) + tool(`{"index":0,"function":{"arguments":"}"}}`) + end("tool_calls") + done), want: `"" f#c({}) toolUse`},
	{line: "llama.cpp: malformed arguments stay as they are", only: "chat", serve: fixed(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":1,}"}}`) + end("tool_calls") + done), want: `"" f#c({"a":1,}) toolUse`},
	{line: "Ollama: whole calls in a chunk each, the index always 0", only: "chat", serve: fixed(tool(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}`) + tool(`{"index":0,"id":"b","function":{"name":"f","arguments":"{\"x\":2}"}}`) + end("tool_calls") + done), want: `"" f#a({"x":1}) f#b({"x":2}) toolUse`},
	{line: "Ollama: no index", only: "chat", serve: fixed(tool(`{"id":"a","function":{"name":"f","arguments":"{}"}}`) + tool(`{"id":"b","function":{"name":"g","arguments":"{}"}}`) + end("stop") + done), want: `"" f#a({}) g#b({}) toolUse`},
	{line: "Ollama: its own format, one object a line", serve: func(w http.ResponseWriter, _ *http.Request, _ wireFormat) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = io.WriteString(w, "{\"message\":{\"content\":\"hi\"},\"done\":false}\n{\"done\":true}\n")
	}, want: "error malformed", says: "JSON, not with a stream"},
	{line: "LM Studio: a history with calls and no tools", serve: status(400, `{"error":"tools must be provided when tool_calls are present"}`), want: "error rejected", says: "tools must be provided"},
	{line: "OpenRouter: comments while it queues", serve: streams200(func(f wireFormat) string { return strings.Repeat(": OPENROUTER PROCESSING\n\n", 50) + f.hello() }), want: `"hello" stop`},
	{line: "OpenRouter: an error chunk with a finish reason", only: "chat", serve: fixed(say("a") + `data: {"error":{"code":502,"message":"upstream"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}` + "\n\n"), want: "error overload", says: "upstream"},
	{line: "OpenRouter: Retry-After on a 429", serve: status(429, `{"error":{"message":"slow down","code":429}}`, "Retry-After: 120"), want: "error limited", says: "slow down"},
	{line: "OpenRouter: a malformed last chunk", serve: streams200(func(f wireFormat) string {
		return f.begin + f.say("a") + "data: {\"id\":\"a\",\"choi\n\n"
	}), want: "error malformed", says: "an event of the stream is n"},
	{line: "OpenRouter: reasoning details beside the reasoning", only: "chat", serve: fixed(chunk(`"delta":{"reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm"}]}`) + say("a") + end("stop") + done), want: `"a" thinking "hm" stop`},
	{line: "LiteLLM: arguments that are an object, ids of chunks that change", only: "chat", serve: fixed(strings.Replace(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":{"x":1}}}`), `"id":"a"`, `"id":"b"`, 1) + end("tool_calls") + done), want: `"" f#c({"x":1}) toolUse`},
	{line: "DeepSeek: both thinking fields with the same text", only: "chat", serve: fixed(chunk(`"delta":{"reasoning":"hm","reasoning_content":"hm"}`) + say("a") + end("stop") + done), want: `"a" thinking "hm" stop`},
	{line: "Moonshot: usage inside the choice", only: "chat", serve: fixed(say("a") + chunk(`"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":3,"completion_tokens":1}`) + done), want: `"a" stop`},
	{line: "OpenAI: a failed response whose socket stays open", only: "responses", serve: func(w http.ResponseWriter, r *http.Request, f wireFormat) {
		fixed(rBegin+rEvent(`{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"its own words"}}}`))(w, r, f)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}, want: "error overload", says: "its own words"},
	{line: "OpenAI: an incomplete response whose socket stays open", only: "responses", serve: func(w http.ResponseWriter, r *http.Request, f wireFormat) {
		fixed(rBegin+rText(0, "on")+rEnd("incomplete", `,"incomplete_details":{"reason":"max_output_tokens"}`))(w, r, f)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}, want: `"on" length`},
	{line: "OpenAI: a model that does not reason", only: "responses", serve: status(400, `{"error":{"message":"Encrypted content is not supported with this model.","type":"invalid_request_error","param":"include"}}`), want: "error rejected", says: "Encrypted content"},

	// What Anthropic's server does.
	{line: "overloaded", only: "anthropic", serve: status(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}`, "Request-Id: req_1"), want: "error overload", says: "Overloaded [request req_1]"},
	{line: "a limit of the moment", only: "anthropic", serve: status(429, `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your rate limit"}}`, "Retry-After: 7", "Anthropic-Ratelimit-Input-Tokens-Remaining: 0", "Anthropic-Ratelimit-Input-Tokens-Reset: 2026-01-27T12:00:00Z", "Anthropic-Ratelimit-Requests-Remaining: 5"), want: "error limited", says: "rate limit (no input tokens left, renewed at 2026-01-27T12:00:00Z)"},
	{line: "prov-034 the account's limit", only: "anthropic", serve: status(429, `{"type":"error","error":{"type":"rate_limit_error","message":"session limit · resets 4pm"}}`, "Anthropic-Ratelimit-Unified-Reset: 1769515200"), want: "error quota", says: "session limit · resets 4pm (the account's limit resets at 2026-01-27T12:00:00Z)"},
	{line: "no credit", only: "anthropic", serve: status(400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`), want: "error quota", says: "credit balance"},
	{line: "a prompt over the context", only: "anthropic", serve: status(400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}}`), want: "error overflow", says: "208310"},
	{line: "a request over 32 MB", only: "anthropic", serve: status(413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`), want: "error rejected", says: "maximum size"},
	{line: "an error after 200", only: "anthropic", serve: fixed(aBegin + aBlock(0, aTextBlock) + aText(0, "a") + aEvent(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)), want: "error overload", says: "Overloaded"},
	{line: "a refusal", only: "anthropic", serve: fixed(aBegin + aEnd("refusal")), want: "error rejected", says: "refused to let the model answer"},
	{line: "a pause", only: "anthropic", serve: fixed(aBegin + aEnd("pause_turn")), want: "error malformed", says: "pause_turn"},

	// What the official clients take for a reply, or wait for without an end.
	{line: "a body that ends without its terminal event", serve: streams200(func(f wireFormat) string { return f.begin + f.say("hi") }), want: "error cut"},
	{line: "200 and a web page", serve: func(w http.ResponseWriter, _ *http.Request, _ wireFormat) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html>sign in</html>")
	}, want: "error malformed", says: "a web page"},
	{line: "200 and a JSON error", serve: status(200, `{"error":{"message":"no GPU is left","type":"overloaded_error"}}`), want: "error overload", says: "no GPU is left"},
	{line: "200 and an empty body", serve: fixed(""), want: "error cut", says: "empty body"},
	{line: "a byte order mark", serve: streams200(func(f wireFormat) string { return "\ufeff" + f.hello() }), want: `"hello" stop`},
	{line: "lone CR line ends", serve: streams200(func(f wireFormat) string { return strings.ReplaceAll(f.hello(), "\n", "\r") }), want: `"hello" stop`},
	{line: "the last event without its blank line", serve: streams200(func(f wireFormat) string { return strings.TrimRight(strings.TrimSuffix(f.hello(), done), "\n") }), want: `"hello" stop`},
	{line: "error null in every event", serve: streams200(func(f wireFormat) string { return strings.ReplaceAll(f.hello(), "data: {", `data: {"error":null,`) }), want: `"hello" stop`},
	{line: "an error object in 200", serve: streams200(func(f wireFormat) string { return f.begin + f.fault("rate_limit_error", "too fast") }), want: "error limited", says: "too fast"},
	{line: "an error object in 200, of the key", serve: streams200(func(f wireFormat) string { return f.fault("authentication_error", "who are you") }), want: "error auth", says: "who are you; check "},
	{line: "two calls whose index is missing", serve: streams200(func(f wireFormat) string {
		s := f.begin + f.work(0, "a", "f", `{"x":1}`) + f.work(1, "b", "g", `{"y":2}`) + f.end(true)
		for i := range 3 {
			s = strings.NewReplacer(fmt.Sprintf(`"index":%d,`, i), "", fmt.Sprintf(`"output_index":%d,`, i), "").Replace(s)
		}
		return s
	}), want: `"" f#a({"x":1}) g#b({"y":2}) toolUse`},
	{line: "two calls whose index is equal", serve: streams200(func(f wireFormat) string {
		s := f.begin + f.work(0, "a", "f", `{"x":1}`) + f.work(1, "b", "g", `{"y":2}`) + f.end(true)
		return strings.NewReplacer(`"index":2`, `"index":1`, `"output_index":2`, `"output_index":1`).Replace(strings.Replace(s, `"index":1,"id":"b"`, `"index":0,"id":"b"`, 1))
	}), want: `"" f#a({"x":1}) g#b({"y":2}) toolUse`},
	{line: "a name that is repeated", only: "chat", serve: fixed(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{"}}`) + tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"}"}}`) + end("stop")), want: `"" f#c({}) toolUse`},
	{line: "arguments cut by the limit are no {}", serve: streams200(func(f wireFormat) string { return f.work1(`{"path":"a`) }), want: `"so" write#c1({"path":"a) toolUse`},
	{line: "ids of chunks that differ", only: "chat", serve: fixed(say("a") + strings.Replace(say("b"), `"id":"a"`, `"id":"z"`, 1) + end("stop")), want: `"ab" stop`},
	{line: "no event lines", serve: streams200(func(f wireFormat) string { return withoutNames(f.hello()) }), want: `"hello" stop`},
	{line: "a line of 40 MiB", serve: func(w http.ResponseWriter, r *http.Request, f wireFormat) {
		fixed(f.begin+"data: ")(w, r, f)
		for range 40 {
			_, _ = io.WriteString(w, strings.Repeat("x", 1<<20))
		}
	}, want: "error too_large", says: "8 MiB"},
	{line: "a compressed stream that nobody asked for", serve: func(w http.ResponseWriter, r *http.Request, f wireFormat) {
		w.Header().Set("Content-Encoding", "br")
		fixed(f.hello())(w, r, f)
	}, want: "error malformed", says: "switch compression off"},
	{line: "a connection reset in the middle", serve: func(w http.ResponseWriter, r *http.Request, f wireFormat) {
		fixed(f.begin+f.say("hi"))(w, r, f)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}, want: "error cut", says: "the connection broke"},
	{line: "a call that is whole before the reset never counts", serve: func(w http.ResponseWriter, r *http.Request, f wireFormat) {
		fixed(f.begin+f.work(0, "c1", "write", "{}"))(w, r, f)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}, want: "error cut"},
	{line: "a character cut between two writes", serve: func(w http.ResponseWriter, r *http.Request, f wireFormat) {
		s := f.begin + f.say("日本") + f.end(false)
		cut := strings.Index(s, "日") + 2
		for _, part := range []string{s[:cut], s[cut:]} {
			fixed(part)(w, r, f)
			w.(http.Flusher).Flush()
		}
	}, want: `"日本" stop`},
	{line: "a redirect to another host", serve: func(w http.ResponseWriter, r *http.Request, _ wireFormat) {
		http.Redirect(w, r, "http://elsewhere.test/v1", http.StatusTemporaryRedirect)
	}, want: "error rejected", says: "is not followed"},
}

func TestHostileServers(t *testing.T) {
	rows := 0
	for _, h := range hostiles {
		for _, f := range formats {
			if h.only == "" || h.only == f.name {
				t.Run(f.name+"/"+h.line, func(t *testing.T) { checkHostile(t, h, f) })
				rows++
			}
		}
	}
	t.Logf("%d lines, %d rows", len(hostiles), rows)
}

// checkHostile lets a client meet a server. Whatever it does, the request is sent once:
// to try again is the turn's to decide.
func checkHostile(t *testing.T, h hostile, f wireFormat) {
	var requests atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		_, _ = io.Copy(io.Discard, bufio.NewReader(r.Body))
		h.serve(w, r, f)
	}))
	defer srv.Close()
	c, err := f.open(provider.Options{BaseURL: srv.URL + "/v1", Key: "sk-secret-0123456789", Model: "m1"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := c.Reply(t.Context(), hello, nil)
	if got := show(r, err); got != h.want {
		t.Fatalf("got %s (%v), want %s", got, err, h.want)
	}
	if err != nil && !strings.Contains(err.Error(), h.says) {
		t.Errorf("the error is %q, want %q in it", err, h.says)
	}
	if n := requests.Load(); n != 1 {
		t.Errorf("%d requests were sent", n)
	}
}

// A client that hangs up frees the server at once, in every phase of a reply.
func TestACancelReachesTheServer(t *testing.T) {
	for _, f := range formats {
		for name, s := range map[string]string{"before the headers": "", "in the stream": f.begin + f.say("a")} {
			gone := make(chan struct{})
			begun := make(chan struct{})
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if s != "" {
					fixed(s)(w, r, f)
					w.(http.Flusher).Flush()
				}
				close(begun)
				<-r.Context().Done()
				close(gone)
			}))
			c, err := f.open(provider.Options{BaseURL: srv.URL + "/v1", Model: "m1"})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() { <-begun; cancel(errEnough) }()
			r, err := c.Reply(ctx, hello, nil)
			if err != errEnough || r.Text != "" {
				t.Errorf("%s, %s: got %s, %v", f.name, name, show(r, nil), err)
			}
			<-gone
			c.Close()
			srv.Close()
		}
	}
}
