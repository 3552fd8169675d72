package provider_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"tenet/adapters/provider"
)

// answer is a whole HTTP answer with a body of known length.
func answer(status int, headers, body string) script {
	return raw(fmt.Sprintf("HTTP/1.1 %d X\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, headers, len(body), body))
}

const (
	jsonType   = "Content-Type: application/json\r\n"
	htmlType   = "Content-Type: text/html; charset=utf-8\r\n"
	streamType = "Content-Type: text/event-stream\r\n"
)

// Each way in which a server answers without a reply: the class it is, and what its
// message must say for a person to know the next step.
var badAnswers = []badAnswer{
	{"a web page", answer(200, htmlType, "<!DOCTYPE html><title>Sign in</title>"), provider.Malformed, "check OPENAI_BASE_URL"},
	{"a web page without a type", answer(200, "", "\n <html>hello</html>"), provider.Malformed, "a web page"},
	{"a web page that claims to be a stream", answer(200, streamType, "<html>hello</html>"), provider.Malformed, "a web page"},
	{"a JSON completion", answer(200, jsonType, `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`), provider.Malformed, "JSON, not with a stream"},
	{"a JSON error with status 200", answer(200, jsonType, `{"error":{"message":"model is overloaded","type":"overloaded_error"}}`), provider.Overload, "model is overloaded"},
	{"a JSON error that claims to be a stream", answer(200, streamType, `{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}`), provider.Auth, "Invalid API Key"},
	{"a text", answer(200, "Content-Type: text/plain\r\n", "upstream says no"), provider.Malformed, "upstream says no"},
	{"an empty 200", answer(200, streamType, ""), provider.Cut, "empty body"},
	{"an empty 200 without a type", answer(200, "", ""), provider.Cut, "empty body"},
	{"an empty 200 of JSON", answer(200, jsonType, ""), provider.Cut, "empty body"},
	{"a 204", raw("HTTP/1.1 204 No Content\r\n\r\n"), provider.Cut, "empty body"},
	{"comments and an end", answer(200, streamType, ": queued\n\n: queued\n\n"), provider.Cut, "after 0 events"},
	{"a wrong key", answer(401, jsonType, `{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}`), provider.Auth, "Invalid API Key; set OPENAI_API_KEY"},
	{"a key without the right", answer(403, jsonType, `{"error":{"message":"not for you"}}`), provider.Auth, "not for you"},
	{"a wrong path", answer(404, htmlType, "<h1>Not found</h1>"), provider.Rejected, "check OPENAI_BASE_URL (most servers want it to end in /v1) and --model m1"},
	{"a wrong model", answer(404, jsonType, `{"error":{"message":"model m1 not found"}}`), provider.Rejected, "model m1 not found"},
	{"a bad request", answer(400, jsonType, `{"error":{"code":400,"message":"Unrecognized schema: {\"type\":\"nonsense\"}","type":"invalid_request_error"}}`), provider.Rejected, "Unrecognized schema"},
	{"details in another shape", answer(422, jsonType, `{"detail":[{"loc":["body"],"msg":"field required"}]}`), provider.Rejected, "field required"},
	{"an error in a list", answer(400, jsonType, `[{"error":{"code":400,"message":"bad role","status":"INVALID_ARGUMENT"}}]`), provider.Rejected, "bad role"},
	{"an error that is a text", answer(400, jsonType, `{"error":"no"}`), provider.Rejected, "no"},
	{"an error behind a router", answer(502, jsonType, `{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"the GPU fell over"}}}`), provider.Overload, "the GPU fell over"},
	{"a full context", answer(400, jsonType, `{"error":{"code":400,"message":"request (6011 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error"}}`), provider.Overflow, "6011 tokens"},
	{"a full context in other words", answer(400, jsonType, `{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}`), provider.Overflow, "8192"},
	{"too many requests", answer(429, jsonType+"Retry-After: 120\r\n", `{"error":{"message":"slow down"}}`), provider.Limited, "slow down"},
	{"prov-034 the account's limit", answer(429, jsonType, `{"error":{"message":"session limit reached, resets 4pm"}}`), provider.Quota, "resets 4pm"},
	{"prov-034 a limit of the moment", answer(429, jsonType, `{"error":{"message":"temporarily limiting requests"}}`), provider.Limited, "temporarily"},
	{"no money", answer(402, jsonType, `{"error":{"message":"pay first"}}`), provider.Quota, "pay first"},
	{"a model that loads", answer(503, jsonType, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`), provider.Overload, "Loading model"},
	{"prov-035 an overloaded server", answer(529, jsonType, `{"error":{"type":"overloaded_error"}}`), provider.Overload, "overloaded_error"},
	{"a broken server", answer(500, htmlType, "<h1>500</h1>"), provider.Overload, "it gave no reason"},
	{"a proxy's text", answer(502, "", "no healthy upstream"), provider.Overload, "no healthy upstream"},
	{"a history that can never be parsed", answer(500, jsonType, `{"error":{"message":"Failed to parse tool call arguments as JSON: x","type":"server_error","code":500}}`), provider.Rejected, "Failed to parse"},
	{"a request that is too large", answer(413, "", ""), provider.Rejected, "it gave no reason"},
	{"a redirect to another host", answer(307, "Location: https://user:pw@elsewhere.test/v1?key=abc\r\n", ""), provider.Rejected, "sends requests on to https://elsewhere.test/v1, which is not followed"},
	{"a redirect that would lose the body", answer(301, "Location: /v2\r\n", ""), provider.Rejected, "http://model.test/v2"},
	{"a redirect to nowhere", answer(302, "", ""), provider.Rejected, "nowhere"},
	{"a compression nobody asked for", answer(200, streamType+"Content-Encoding: br\r\n", "xx"), provider.Malformed, "switch compression off"},
	{"a compression that is none", answer(200, streamType+"Content-Encoding: gzip\r\n", "data: this is plain text\n\n"), provider.Malformed, "and it is not"},
	{"no HTTP", raw("SSH-2.0-OpenSSH_9.9\r\n"), provider.Unreached, "check that the server runs"},
	{"a connection that closes", raw(""), provider.Unreached, "no answer from http://model.test/v1"},
	{"half a head", raw("HTTP/1.1 200 OK\r\nContent-Ty"), provider.Unreached, "no answer"},
	{"a chunked stream that breaks", raw("HTTP/1.1 200 OK\r\n" + streamType + "Transfer-Encoding: chunked\r\n\r\n5\r\ndata:\r\nff\r\nxx"), provider.Cut, "connection broke"},
	{"an error before the break", raw("HTTP/1.1 200 OK\r\n" + streamType + "Content-Length: 999\r\n\r\n" + `data: {"error":{"message":"out of memory"}}`), provider.Overload, "out of memory"},
	{"a line of 40 MiB", func(c net.Conn, _ *http.Request) {
		_, _ = io.WriteString(c, streamHead+"data: ")
		_, _ = io.CopyN(c, endless("x"), 40<<20)
	}, provider.TooLarge, "8 MiB"},
	{"an error page without end", func(c net.Conn, _ *http.Request) {
		_, _ = io.WriteString(c, "HTTP/1.1 500 X\r\n\r\n")
		_, _ = io.Copy(c, endless("no "))
	}, provider.Overload, "no no"},
	{"headers without end", func(c net.Conn, _ *http.Request) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n")
		_, _ = io.Copy(c, endless("X-More: yes\r\n"))
	}, provider.Malformed, "more than 256 KiB of headers"},
	{"a header of 5 MB", raw("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", 5_000_000) + "\r\n\r\n"), provider.Malformed, "more than 256 KiB of headers"},
}

// badChats are those that speak of the chat format.
var badChats = []badAnswer{
	{"a stream cut by the connection", raw(streamHead + say("hi")), provider.Cut, "without a finish reason"},
	{"a stream shorter than promised", raw("HTTP/1.1 200 OK\r\n" + streamType + "Content-Length: 999\r\n\r\n" + say("hi")), provider.Cut, "connection broke"},
	{"a stream without end", func(c net.Conn, _ *http.Request) {
		_, _ = io.WriteString(c, streamHead)
		_, _ = io.Copy(c, endless(say(strings.Repeat("on and on ", 3000))))
	}, provider.TooLarge, "64 MiB"},
	{"the content filter", raw(streamHead + say("part") + end("content_filter") + done), provider.Rejected, "content filter stopped the reply"},
	{"a finish reason nobody knows", raw(streamHead + say("part") + end("ba\x1bnana") + done), provider.Malformed, `ba\\x1bnana`},
	{"an error as the finish reason", raw(streamHead + say("part") + end("error") + done), provider.Overload, "broke the reply off"},
	{"words behind the finish reason", raw(streamHead + say("part") + end("stop") + say("more") + done), provider.Malformed, "after its finish reason (stop)"},
	{"words behind the finish reason, in a later read", func(c net.Conn, _ *http.Request) {
		for _, s := range []string{streamHead, say("part") + end("stop"), say("more") + done} {
			_, _ = io.WriteString(c, s)
		}
	}, provider.Malformed, "after its finish reason (stop)"},
}

type badAnswer struct {
	name   string
	server script
	class  provider.Class
	says   string
}

// endless repeats s for ever.
type endless string

func (e endless) Read(b []byte) (int, error) {
	n := 0
	for n+len(e) <= len(b) {
		n += copy(b[n:], e)
	}
	if n == 0 {
		return 0, io.ErrShortBuffer
	}
	return n, nil
}

func TestBadAnswersAreNamed(t *testing.T) {
	for _, f := range formats {
		rows := badAnswers
		if f.name == "chat" {
			rows = append(slices.Clone(badAnswers), badChats...)
		}
		for _, c := range rows {
			t.Run(f.name+"/"+c.name, func(t *testing.T) { checkBadAnswer(t, f, c) })
		}
	}
}

func checkBadAnswer(t *testing.T, f wireFormat, c badAnswer) {
	_, err := wireClient(t, f, c.server).Reply(t.Context(), hello, nil)
	e := asError(t, err)
	says := strings.NewReplacer("OPENAI_BASE_URL", f.urlVar, "OPENAI_API_KEY", f.keyVar).Replace(c.says)
	if e.Class != c.class || !strings.Contains(e.Message, says) {
		t.Fatalf("got class %s, %q\nwant %s with %q", e.Class, e.Message, c.class, says)
	}
	if len(e.Body) > provider.MaxBody+100 {
		t.Errorf("%d bytes of the body are kept, more than the bound", len(e.Body))
	}
}

// What came of a reply that is none stays, for the log.
func TestThePartialTextOfAFailedReplyIsKept(t *testing.T) {
	for _, reason := range []string{"content_filter", "banana", "error"} {
		_, err := ask(t, raw(streamHead+say("half an answ")+end(reason)+done))
		if e := asError(t, err); !strings.Contains(e.Body, "half an answ") {
			t.Errorf("%s: the body is %q", reason, e.Body)
		}
	}
}

// A server that goes on after its end mark is not listened to: its calls are none.
func TestACallAfterTheEndMarkIsNone(t *testing.T) {
	late := tool(`{"index":0,"id":"x","function":{"name":"bash","arguments":"{}"}}`)
	for name, s := range map[string]script{
		"in the same read": raw(streamHead + say("hi") + end("stop") + done + late),
		"in a later read": func(c net.Conn, _ *http.Request) {
			_, _ = io.WriteString(c, streamHead+say("hi")+end("stop")+done)
			_, _ = io.WriteString(c, late)
		},
	} {
		if got := show(ask(t, s)); got != `"hi" stop` {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// A server that wants a key is told apart from one that refuses the key.
func TestAMissingKeyIsNamed(t *testing.T) {
	_, err := ask(t, answer(401, jsonType, `{"error":"who are you"}`), func(o *provider.Options) { o.Key = "" })
	if e := asError(t, err); !strings.Contains(e.Message, "none was sent") || !strings.Contains(e.Message, "set OPENAI_API_KEY") {
		t.Fatalf("got %q", e.Message)
	}
}

func TestAReplyComesFromEveryKindOfGoodAnswer(t *testing.T) {
	body := stream(say("hel"), say("lo"), end("stop"), `data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}`+"\n\n", done)
	for name, s := range map[string]script{
		"closed by the connection": raw(streamHead + body),
		"of known length":          answer(200, streamType, body),
		"with a character set":     answer(200, "Content-Type: text/event-stream; charset=utf-8\r\n", body),
		"in chunks":                raw("HTTP/1.1 200 OK\r\n" + streamType + "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)),
		"without a type":           answer(200, "", "\ufeff\r\n\n"+body),
		"as plain text":            answer(200, "Content-Type: text/plain\r\n", ": queued\n\n"+body),
		"broken after its end":     raw("HTTP/1.1 200 OK\r\n" + streamType + "Content-Length: 9999\r\n\r\n" + body),
		"in single bytes": func(c net.Conn, _ *http.Request) {
			_, _ = io.WriteString(c, streamHead)
			for i := range len(body) {
				_, _ = io.WriteString(c, body[i:i+1])
			}
		},
		"compressed": func(c net.Conn, _ *http.Request) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n"+streamType+"Content-Encoding: gzip\r\nConnection: close\r\n\r\n")
			z := gzip.NewWriter(c)
			_, _ = io.WriteString(z, body)
			_ = z.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			var said string
			r, err := chatWith(t, s).Reply(t.Context(), hello, func(d provider.Delta) { said += d.Text })
			if got := show(r, err); got != `"hello" stop` || said != "hello" || r.Input != 3 || r.Output != 2 {
				t.Fatalf("got %s, said %q, %d in, %d out", got, said, r.Input, r.Output)
			}
		})
	}
}

// Cut by the connection after every event and inside every event: a reply only
// from the finish reason on.
func TestConnectionCutAtEveryByte(t *testing.T) {
	body := stream(say("a"), tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}`), end("tool_calls"), done)
	whole := strings.Index(body, `"tool_calls"}]}`) + len(`"tool_calls"}]}`)
	for n := range len(body) {
		r, err := ask(t, raw("HTTP/1.1 200 OK\r\n"+streamType+"Content-Length: 9999\r\n\r\n"+body[:n]))
		if got := show(r, err); (n < whole) != (got == "error cut") {
			t.Fatalf("cut after %d of %d bytes (the finish reason is whole after %d): got %s", n, len(body), whole, got)
		}
	}
}

func TestTheRequestOnTheWire(t *testing.T) {
	var got *http.Request
	var body string
	s := func(c net.Conn, req *http.Request) {
		b, _ := io.ReadAll(req.Body)
		got, body = req, string(b)
		raw(streamHead+say("hi")+end("stop"))(c, req)
	}
	if _, err := ask(t, s, func(o *provider.Options) { o.BaseURL = "http://model.test/v1/?api-version=7" }); err != nil {
		t.Fatal(err)
	}
	if got.Method != "POST" || got.URL.String() != "/v1/chat/completions?api-version=7" || got.Host != "model.test" {
		t.Errorf("%s %s to %s", got.Method, got.URL, got.Host)
	}
	for name, want := range map[string]string{"Authorization": "Bearer sk-secret-0123456789", "User-Agent": "tenet/1.2.3", "Accept": "text/event-stream", "Content-Type": "application/json", "Accept-Encoding": "identity"} {
		if got.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Header.Get(name), want)
		}
	}
	if want := `{"model":"m1","messages":[{"role":"user","content":"hello"}],"stream":true,"stream_options":{"include_usage":true}}`; body != want {
		t.Errorf("body %s\nwant %s", body, want)
	}
}

func TestBasicAuthenticationFromTheURL(t *testing.T) {
	var got string
	s := func(c net.Conn, req *http.Request) {
		u, p, _ := req.BasicAuth()
		got = u + "/" + p
		raw(streamHead+end("stop"))(c, req)
	}
	_, err := ask(t, s, func(o *provider.Options) { o.BaseURL, o.Key = "http://me:pw@model.test/v1", "" })
	if err != nil || got != "me/pw" {
		t.Fatalf("got %q, %v", got, err)
	}
}

func TestOptionsThatCannotWorkAreRefused(t *testing.T) {
	good := provider.Options{BaseURL: "http://127.0.0.1:8080/v1", Model: "m"}
	for name, c := range map[string]struct {
		change func(*provider.Options)
		want   string
	}{
		"no model":          {func(o *provider.Options) { o.Model = " " }, "--model: no model is named"},
		"no scheme":         {func(o *provider.Options) { o.BaseURL = "127.0.0.1:8080/v1" }, "OPENAI_BASE_URL: this is not an http or https URL"},
		"another scheme":    {func(o *provider.Options) { o.BaseURL = "ftp://x/v1" }, "OPENAI_BASE_URL: this is not an http or https URL"},
		"no host":           {func(o *provider.Options) { o.BaseURL = "http:///v1" }, "OPENAI_BASE_URL: this is not"},
		"no URL":            {func(o *provider.Options) { o.BaseURL = "http://me:sec%ret@x" }, "OPENAI_BASE_URL: this is not"},
		"a fragment":        {func(o *provider.Options) { o.BaseURL = "http://x/v1#a" }, "OPENAI_BASE_URL: a URL of a server has no #fragment"},
		"a key with a line": {func(o *provider.Options) { o.Key = "sk-a\nsk-b" }, "OPENAI_API_KEY: the key holds the character U+000A"},
		"a key with quotes": {func(o *provider.Options) { o.Key = "sk-“a”" }, "OPENAI_API_KEY: the key holds the character U+201C"},
	} {
		o := good
		c.change(&o)
		_, err := provider.NewChat(o)
		var e *provider.ConfigError
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "sec%ret") {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	for base, shown := range map[string]string{
		"": provider.DefaultBaseURL, " http://x:1/v1/ ": "http://x:1/v1", "http://x/v1/chat/completions": "http://x/v1", "https://u:p@x/v1?k=1": "https://x/v1",
	} {
		o := good
		o.BaseURL = base
		if c, err := provider.NewChat(o); err != nil || c.Endpoint() != shown {
			t.Errorf("base %q: %v, %v; want %s", base, c, err, shown)
		}
	}
}

// Over a real socket: replies on one connection, one after the other, which needs
// the body to be read to its end.
func TestOneConnectionServesManyReplies(t *testing.T) {
	conns := map[string]bool{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conns[r.RemoteAddr] = true
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, stream(say("hi"), end("stop"), done))
	}))
	defer srv.Close()
	c, err := provider.NewChat(provider.Options{BaseURL: srv.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 5 {
		if r, err := c.Reply(t.Context(), hello, nil); err != nil || r.Text != "hi" {
			t.Fatalf("got %s", show(r, err))
		}
	}
	if len(conns) != 1 {
		t.Errorf("%d connections for 5 replies, want 1", len(conns))
	}
}

func TestAServerWithoutTLSIsNamed(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // it would tell the terminal about the refused handshake
	secure.StartTLS()
	defer secure.Close()
	for base, says := range map[string]string{
		strings.Replace(srv.URL, "http:", "https:", 1): "write http://",
		secure.URL: "is not trusted",
	} {
		c, err := provider.NewChat(provider.Options{BaseURL: base, Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Reply(t.Context(), hello, nil)
		c.Close()
		if e := asError(t, err); e.Transient() || !strings.Contains(e.Message, says) {
			t.Errorf("%s: got %v, want %q", base, err, says)
		}
	}
}

func TestARefusedConnectionIsTransient(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + l.Addr().String() + "/v1"
	l.Close()
	_, err = ask(t, nil, func(o *provider.Options) { o.BaseURL, o.Dial = base, nil })
	if e := asError(t, err); e.Class != provider.Unreached || !e.Transient() || !strings.Contains(e.Message, base) {
		t.Fatalf("got %v", err)
	}
}
