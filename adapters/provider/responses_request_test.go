package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tenet/adapters/provider"
	"tenet/core/event"
	"tenet/core/surface"
)

func TestResponsesRequestOnTheWire(t *testing.T) {
	var req *http.Request
	var body string
	c := wireClient(t, responsesWire, capture(&req, &body, streamHead+plainR))
	read := surface.Build(surface.Tool{Name: "read", Description: "Reads a file.", Params: []surface.Param{{Name: "path", Type: surface.String, Required: true}}})
	r := messages(system("be brief"), system("and kind"), user("read a<b>&c"))
	r.Tools = []surface.Tool{read}
	if _, err := c.Reply(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	if req.URL.Path != "/v1/responses" || req.Method != "POST" || req.Header.Get("Authorization") != "Bearer sk-secret-0123456789" || req.Header.Get("Accept") != "text/event-stream" {
		t.Errorf("%s %s %v", req.Method, req.URL, req.Header)
	}
	want := `{"model":"m1","instructions":"be brief\n\nand kind","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"read a<b>&c"}]}],` +
		`"tools":[{"type":"function","name":"read","description":"Reads a file.","parameters":` + string(surface.Schema(read)) + `,"strict":false}],` +
		`"include":["reasoning.encrypted_content"],"store":false,"stream":true}`
	if body != want {
		t.Errorf("body %s\nwant %s", body, want)
	}
}

func TestResponsesOptionsOnTheWire(t *testing.T) {
	body := wireBody(t, responsesWire, hello, func(o *provider.Options) { o.Effort, o.MaxOutput = "high", 500 })
	if member(t, body, "reasoning") != `{"effort":"high","summary":"auto"}` || member(t, body, "max_output_tokens") != "500" {
		t.Errorf("effort: %s", body)
	}
	body = wireBody(t, responsesWire, hello, func(o *provider.Options) { o.NoReasoning, o.Effort = true, "high" })
	if member(t, body, "reasoning") != "" || member(t, body, "include") != "" {
		t.Errorf("a model that does not reason: %s", body)
	}
}

// Items as the format wants them: one for each text, call and result, reasoning in its
// place, every call with its one result.
func TestResponsesItems(t *testing.T) {
	a := event.ToolCall{ID: "own-a", Provider: "dup", Tool: "read", Args: `{"path": "a"}`}
	b := event.ToolCall{ID: "own-b", Provider: "dup", Tool: "bash", Args: `{"cut`}
	png := event.Image{Media: "image/png", Data: []byte{0x89, 'P', 'N', 'G'}}
	said := func(role, kind, text string) string {
		return `{"type":"message","role":"` + role + `","content":[{"type":"` + kind + `","text":"` + text + `"}]}`
	}
	use := func(id, name, args string) string {
		return `{"type":"function_call","call_id":"` + id + `","name":"` + name + `","arguments":` + quote(args) + `}`
	}
	res := func(id, text string) string {
		return `{"type":"function_call_output","call_id":"` + id + `","output":"` + text + `"}`
	}
	const lost = "No result of this call was recorded. It may or may not have run: look before you make it again."
	for name, c := range map[string]struct {
		ms   []provider.Message
		want []string
	}{
		"two calls with one id":       {[]provider.Message{user("go"), reply("so", a, b), result(b, "B"), result(a, "")}, []string{said("user", "input_text", "go"), said("assistant", "output_text", "so"), use("dup", "read", `{"path": "a"}`), use("own-b", "bash", `{}`), res("dup", ""), res("own-b", "B")}},
		"a result that never came":    {[]provider.Message{user("go"), reply("", a)}, []string{said("user", "input_text", "go"), use("dup", "read", `{"path": "a"}`), res("dup", lost)}},
		"a result without its call":   {[]provider.Message{result(a, "A")}, []string{said("user", "input_text", `[the result of a call of read that is not shown]\nA`)}},
		"an empty reply is left out":  {[]provider.Message{user("go"), reply(" "), user("?")}, []string{said("user", "input_text", "go"), said("user", "input_text", "?")}},
		"a system message later on":   {[]provider.Message{user("go"), system("now c")}, []string{said("user", "input_text", "go"), said("system", "input_text", "now c")}},
		"a picture":                   {[]provider.Message{{Role: provider.User, Images: []event.Image{png}}}, []string{`{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,iVBORw=="}]}`}},
		"a picture in a result":       {[]provider.Message{reply("", a), {Role: provider.Tool, Call: a, Text: "shot", Images: []event.Image{png}}}, []string{use("dup", "read", `{"path": "a"}`), `{"type":"function_call_output","call_id":"dup","output":[{"type":"input_text","text":"shot"},{"type":"input_image","image_url":"data:image/png;base64,iVBORw=="}]}`}},
		"a picture nobody takes":      {[]provider.Message{{Role: provider.User, Images: []event.Image{{Media: "image/tiff", Data: []byte("x")}}}}, []string{said("user", "input_text", "[a picture of the type image/tiff, which cannot be sent to this model]")}},
		"a name that no server takes": {[]provider.Message{reply("", event.ToolCall{ID: "x", Tool: "a b"}), result(event.ToolCall{ID: "x"}, "no")}, []string{use("x", "a_b", "{}"), res("x", "no")}},
		"nothing":                     {nil, nil},
	} {
		got := member(t, wireBody(t, responsesWire, messages(c.ms...)), "input")
		if want := "[" + strings.Join(c.want, ",") + "]"; got != want {
			t.Errorf("%s: got  %s\nwant %s", name, got, want)
		}
	}
}

// Encrypted reasoning goes back as it was, before the item that it led to, and to nobody
// else.
func TestResponsesThoughtsGoBackUnchanged(t *testing.T) {
	m := thinking(t, responsesWire, workR, "m1")
	send := func(m provider.Message) string {
		return member(t, wireBody(t, responsesWire, messages(user("go"), m, result(m.Calls[0], "ok"))), "input")
	}
	call := `{"type":"function_call","call_id":"call_1","name":"read","arguments":"{\"path\":\"a\"}"}`
	thought := `{"id":"rs_0","type":"reasoning","summary":[{"type":"summary_text","text":"let me"}],"encrypted_content":"gAA<&>"}`
	if got := send(m); !strings.Contains(got, `]},`+thought+`,`+call) {
		t.Errorf("got %s", got)
	}
	for name, change := range map[string]func(*event.Thought){
		"of another model":          func(t *event.Thought) { t.Model = "m2" },
		"of another wire":           func(t *event.Thought) { t.Wire = "anthropic" },
		"without encrypted content": func(t *event.Thought) { t.Raw = json.RawMessage(strings.Replace(string(t.Raw), "gAA<&>", "", 1)) },
	} {
		c := m
		c.Thoughts = append([]event.Thought(nil), m.Thoughts...)
		change(&c.Thoughts[0])
		if got := send(c); strings.Contains(got, "reasoning") || !strings.Contains(got, call) {
			t.Errorf("a thought %s: got %s", name, got)
		}
	}
}

// whole is a JSON answer.
func whole(status int, body string) script { return answer(status, jsonType, body) }

func background(o *provider.Options) { o.Background = true }

const wholeReply = `{"id":"resp_1","object":"response","status":"completed","model":"m1-x","error":null,"output":[{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"E"},{"type":"message","id":"msg","content":[{"type":"output_text","text":"hi"}]},{"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":"{}"}],"usage":{"input_tokens":3,"output_tokens":2}}`

// What a server says of a job, and what comes of it.
var jobs = []struct {
	name   string
	server script
	want   string
}{
	{"queued", whole(200, `{"id":"resp_1","object":"response","status":"queued"}`), "deferred resp_1"},
	{"in progress", whole(200, `{"id":"resp_1","object":"response","status":"in_progress","output":[]}`), "deferred resp_1"},
	{"in progress, until", whole(200, `{"id":"resp_1","object":"response","status":"in_progress","expires_at":1800000000}`), "deferred resp_1 until 2027-01-15T08:00:00Z"},
	{"completed", whole(200, wholeReply), `"hi" f#c({}) toolUse`},
	{"completed, in single bytes", func(c net.Conn, req *http.Request) {
		s := "HTTP/1.1 200 OK\r\n" + jsonType + "Connection: close\r\n\r\n" + wholeReply
		for i := range len(s) {
			raw(s[i:i+1])(c, req)
		}
	}, `"hi" f#c({}) toolUse`},
	{"cut at the output limit", whole(200, `{"object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]}]}`), `"hi" length`},
	{"filtered", whole(200, `{"object":"response","status":"incomplete","incomplete_details":{"reason":"content_filter"}}`), "error rejected"},
	{"failed", whole(200, `{"object":"response","status":"failed","error":{"code":"server_error","message":"x"}}`), "error overload"},
	{"cancelled", whole(200, `{"object":"response","status":"cancelled"}`), "error rejected"},
	{"a status nobody knows", whole(200, `{"object":"response","status":"banana"}`), "error malformed"},
	{"no status", whole(200, `{"object":"response"}`), "error malformed"},
	{"queued without an id", whole(200, `{"object":"response","status":"queued"}`), "error malformed"},
	{"not known", whole(404, `{"error":{"message":"Response with id 'resp_1' not found."}}`), "error rejected"},
	{"an overload", whole(503, `{"error":{"message":"busy"}}`), "error overload"},
	{"too many polls", whole(429, `{"error":{"message":"slow down"}}`), "error limited"},
	{"an error with status 200", whole(200, `{"error":{"message":"busy","type":"overloaded_error"}}`), "error overload"},
	{"another object", whole(200, `{"choices":[]}`), "error malformed"},
	{"no JSON", whole(200, `{"id":"resp_1","sta`), "error malformed"},
	{"an item that is none", whole(200, `{"object":"response","status":"completed","output":[7]}`), "error malformed"},
	{"a web page", answer(200, htmlType, "<html>"), "error malformed"},
	{"nothing", whole(200, ""), "error cut"},
	{"half of it", raw("HTTP/1.1 200 OK\r\n" + jsonType + "Content-Length: 999\r\n\r\n{\"id\":"), "error cut"},
	{"a connection that closes", raw(""), "error unreached"},
}

func showJob(r event.Reply, err error) string {
	var d *provider.Deferred
	if errors.As(err, &d) {
		s := "deferred " + d.Job
		if !d.Expires.IsZero() {
			s += " until " + d.Expires.UTC().Format(time.RFC3339)
		}
		return s
	}
	return show(r, err)
}

// The answer to a background request, and to a poll, is read the same way.
func TestResponsesJobs(t *testing.T) {
	for _, j := range jobs {
		t.Run(j.name, func(t *testing.T) {
			c, err := provider.NewResponses(optionsFor(j.server, background))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if got := showJob(c.Reply(t.Context(), hello, nil)); got != j.want {
				t.Errorf("the request: got %s, want %s", got, j.want)
			}
			if got := showJob(c.Poll(t.Context(), "resp_1", nil)); got != j.want {
				t.Errorf("a poll: got %s, want %s", got, j.want)
			}
		})
	}
}

func TestResponsesAnswersAreBounded(t *testing.T) {
	p, err := provider.NewResponses(optionsFor(nil, background, func(o *provider.Options) {
		o.Transport = transport(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(endless(strings.Repeat("{ ", 1<<12)))}, nil
		})
	}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Poll(t.Context(), "resp_1", nil); class(err) != provider.TooLarge {
		t.Fatalf("got %v", err)
	}
}

func TestResponsesJobsOnTheWire(t *testing.T) {
	var req *http.Request
	var body string
	c, err := provider.NewResponses(optionsFor(func(conn net.Conn, r *http.Request) {
		req, body = r, bodyOf(r)
		whole(200, wholeReply)(conn, r)
	}, background, func(o *provider.Options) { o.BaseURL = "http://model.test/v1/responses?api-version=7" }))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := c.Reply(t.Context(), hello, nil)
	if err != nil || len(r.Thoughts) != 1 || r.Thoughts[0].Model != "m1" || r.Input != 3 || r.Output != 2 || r.Model != "m1-x" {
		t.Fatalf("%+v, %v", r, err)
	}
	if !strings.Contains(body, `"store":true,"background":true,"stream":false`) || req.Method != "POST" || req.Header.Get("Accept") != "application/json" {
		t.Errorf("%s %s", req.Method, body)
	}
	if _, err := c.Poll(t.Context(), "resp_1", nil); err != nil || req.Method != "GET" || req.URL.String() != "/v1/responses/resp_1?api-version=7&include[]=reasoning.encrypted_content" || body != "" {
		t.Errorf("a poll: %s %s %q, %v", req.Method, req.URL, body, err)
	}
	if err := c.Drop(t.Context(), "resp_1"); err != nil || req.Method != "POST" || req.URL.String() != "/v1/responses/resp_1/cancel?api-version=7" {
		t.Errorf("a drop: %s %s, %v", req.Method, req.URL, err)
	}
	before := req
	for _, odd := range []string{"", "../files/x", "a/b", "a?b", "é", "a\nb", strings.Repeat("x", 257)} {
		_, err := c.Poll(t.Context(), odd, nil)
		if derr := c.Drop(t.Context(), odd); class(err) != provider.Rejected || class(derr) != provider.Rejected || req != before {
			t.Errorf("the job %q: %v, %v", odd, err, derr)
		}
	}
}

// A job that is over, or that nobody knows, needs no cancel; every other refusal is one.
func TestResponsesDrop(t *testing.T) {
	for name, c := range map[string]struct {
		server script
		want   string
	}{
		"cancelled":      {whole(200, `{"id":"resp_1","object":"response","status":"cancelled"}`), "<nil>"},
		"not known":      {whole(404, `{"error":{"message":"not found"}}`), "<nil>"},
		"over":           {whole(400, `{"error":{"message":"Cannot cancel a completed response."}}`), "<nil>"},
		"over, conflict": {whole(409, `{"error":{"message":"it ended"}}`), "<nil>"},
		"no right":       {whole(403, `{"error":{"message":"no"}}`), "auth"},
		"not background": {whole(400, `{"error":{"message":"Only background responses can be stopped"}}`), "rejected"},
		"no answer":      {raw(""), "unreached"},
		"overload":       {whole(500, `{}`), "overload"},
	} {
		p, err := provider.NewResponses(optionsFor(c.server, background))
		if err != nil {
			t.Fatal(err)
		}
		got := "<nil>"
		if err := p.Drop(t.Context(), "resp_1"); err != nil {
			got = string(class(err))
		}
		p.Close()
		if got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// A poll has its deadlines and ends with a cancel like any reply.
func TestResponsesPollsHaveDeadlines(t *testing.T) {
	for name, c := range map[string]struct {
		server []any
		cancel time.Duration
		want   string
		after  time.Duration
	}{
		"no headers":       {[]any{ever}, 0, "error stalled", 300 * second},
		"half an answer":   {[]any{"HTTP/1.1 200 OK\r\n\r\n{", ever}, 0, "error stalled", 120 * second},
		"drop by drop":     {parts("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"object\":\"response\",\"status\":\"queued\",\"id\":\"resp_1\"", every(100*second, 10, " "), "}"), 0, "deferred resp_1", 1000 * second},
		"a person cancels": {[]any{"HTTP/1.1 200 OK\r\n\r\n{", ever}, 7 * second, "error not a provider error: the person pressed a key", 7 * second},
		"before it began":  {[]any{ever}, time.Nanosecond, "error not a provider error: the person pressed a key", time.Nanosecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if c.cancel > 0 {
				time.AfterFunc(c.cancel, func() { cancel(errEnough) })
			}
			p, err := provider.NewResponses(optionsFor(play(c.server...), background))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			start := time.Now()
			if got, after := showJob(p.Poll(ctx, "resp_1", nil)), time.Since(start); got != c.want || after != c.after {
				t.Errorf("%s: got %s after %s, want %s after %s", name, got, after, c.want, c.after)
			}
		})
	}
}
