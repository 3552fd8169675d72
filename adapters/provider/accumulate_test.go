package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"tenet/adapters/provider"
	"tenet/adapters/provider/sse"
)

// What servers send, and the one reply that it is. The names that start with
// prov- are the numbers of failures seen in the field.
var streams = []struct{ name, stream, want string }{
	{"a plain answer", stream(say("hel"), say("lo"), end("stop"), done), `"hello" stop`},
	{"prov-001 the connection ends without a finish reason", say("hi"), `error cut`},
	{"prov-001 the end mark without a finish reason", stream(say("hi"), done), `error cut`},
	{"prov-001 a finish reason that stays null", stream(say("hi"), chunk(`"delta":{},"finish_reason":null`), done), `error cut`},
	{"no event at all", "", `error cut`},
	{"a finish reason alone is enough", stream(say("hi"), end("stop")), `"hi" stop`},
	{"the finish reason beside the last piece", chunk(`"delta":{"content":"hi"},"finish_reason":"stop"`), `"hi" stop`},
	{"the finish event without its blank line", strings.TrimSuffix(stream(say("hi"), end("stop")), "\n\n"), `"hi" stop`},
	{"the finish event cut in the middle", strings.TrimSuffix(stream(say("hi"), end("stop")), "]}\n\n"), `error cut`},
	{"prov-002 a byte order mark", "\ufeff" + stream(say("hi"), end("stop"), done), `"hi" stop`},
	{"prov-004 error null in every chunk", strings.ReplaceAll(stream(say("hi"), end("stop"), done), `"id"`, `"error":null,"id"`), `"hi" stop`},
	{"prov-004 an error that is empty", strings.ReplaceAll(stream(say("hi"), end("stop")), `"id"`, `"error":{},"id"`), `"hi" stop`},
	{"prov-005 an error in the stream", stream(say("hi"), `data: {"id":"a","error":{"code":502,"message":"upstream"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`+"\n\n"), `error overload`},
	{"prov-005 a half-built call before it", stream(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}`), `data: {"error":{"message":"Rate limit reached","type":"rate_limit_error"}}`+"\n\n"), `error limited`},
	{"an error that is a text", `data: {"error":"the model crashed"}` + "\n\n", `error overload`},
	{"an error event with words", "event: error\ndata: it broke\n\n", `error overload`},
	{"an error event with an object", "event: error\ndata: {\"message\":\"no such key\",\"type\":\"authentication_error\"}\n\n", `error auth`},
	{"an error object without a wrapper", `data: {"object":"error","message":"bad","type":"BadRequestError","code":400}` + "\n\n", `error rejected`},
	{"an error finish without words", stream(say("hi"), end("error"), done), `error overload`},
	{"an error after the finish reason", stream(say("hi"), end("stop"), `data: {"error":{"message":"late"}}`+"\n\n"), `"hi" stop`},
	{"prov-006 an empty finish reason in the middle", stream(chunk(`"delta":{"content":"a"},"finish_reason":""`), say("b"), end("stop")), `"ab" stop`},
	{"prov-006 and nowhere another", stream(chunk(`"delta":{"content":"a"},"finish_reason":""`), done), `error cut`},
	{"prov-009 the first piece of a call has arguments", stream(tool(`{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":"{"}}`), tool(`{"index":0,"function":{"arguments":"\"x\":1}"}}`), end("tool_calls")), `"" f#c1({"x":1}) toolUse`},
	{"prov-010 arguments that are an object", stream(tool(`{"index":0,"id":"c1","function":{"name":"f","arguments":{"x": 1}}}`), end("tool_calls")), `"" f#c1({"x": 1}) toolUse`},
	{"prov-011 a call under the finish reason stop", stream(tool(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}}`), end("stop")), `"" f#c1({}) toolUse`},
	{"prov-012 arguments cut under tool_calls", stream(tool(`{"index":0,"id":"c1","function":{"name":"write","arguments":"{\"path\":\"a.go\",\"content\":\"pack"}}`), end("tool_calls")), `"" write#c1({"path":"a.go","content":"pack) toolUse`},
	{"prov-012 arguments cut under length", stream(say("so"), tool(`{"index":0,"id":"c1","function":{"name":"write","arguments":"{\"pa"}}`), end("length")), `"so" write#c1({"pa) length`},
	{"prov-014 chunk ids that differ", stream(say("a"), strings.ReplaceAll(say("b"), `"id":"a"`, `"id":"z"`), end("stop")), `"ab" stop`},
	{"prov-025 thinking and no answer", stream(chunk(`"delta":{"content":null,"reasoning_content":"let me"}`), end("stop")), `"" thinking "let me" stop`},
	{"thinking under its newer name", stream(chunk(`"delta":{"reasoning":"let me"}`), say("ok"), end("stop")), `"ok" thinking "let me" stop`},
	{"thinking under both names is said once", stream(chunk(`"delta":{"reasoning":"so","reasoning_content":"so"}`), say("ok"), end("stop")), `"ok" thinking "so" stop`},
	{"thinking of an unknown shape", stream(chunk(`"delta":{"reasoning":{"x":1},"content":"ok"}`), end("stop")), `"ok" stop`},
	{"prov-037 a backslash and a u in an argument", stream(tool(`{"index":0,"id":"c","function":{"name":"read","arguments":"{\"path\":\"C:\\\\Users\\\\unicorn\"}"}}`), end("tool_calls")), `"" read#c({"path":"C:\\Users\\unicorn"}) toolUse`},
	{"prov-038 a character cut between two reads", stream(say("日本"), end("stop")), `"日本" stop`},
	{"prov-038 a character cut into halves", stream(chunk(`"delta":{"content":"a\ud83d"}`), chunk(`"delta":{"content":"\ude00b"}`), end("stop")), `"a😀b" stop`},
	{"prov-038 a character cut into halves in an argument", stream(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{\"x\":\"\uD83D"}}`), tool(`{"index":0,"function":{"arguments":"\uDE00\"}"}}`), end("stop")), `"" f#c({"x":"😀"}) toolUse`},
	{"halves that meet in one piece, and an escaped backslash", stream(chunk(`"delta":{"content":"\ud83d\ude00 \\ud83d \u0041"}`), end("stop")), `"😀 \\ud83d A" stop`},
	{"halves that never meet", stream(chunk(`"delta":{"content":"\ude00\ud83d"}`), say("x"), chunk(`"delta":{"content":"\ud83d"}`), end("stop")), `"��x�" stop`},
	{"prov-041 one id for two calls", stream(tool(`{"index":0,"id":"dup","function":{"name":"write","arguments":"{\"path\":\"a\"}"}}`), tool(`{"index":1,"id":"dup","function":{"name":"write","arguments":"{\"path\":\"b\"}"}}`), end("tool_calls")), `"" write#dup({"path":"a"}) write#dup({"path":"b"}) toolUse`},
	{"prov-041 one id, one index, two calls", stream(tool(`{"index":0,"id":"dup","function":{"name":"write","arguments":"{\"path\":\"a\"}"}}`), tool(`{"index":0,"id":"dup","function":{"name":"write","arguments":"{\"path\":\"b\"}"}}`), end("tool_calls")), `"" write#dup({"path":"a"}) write#dup({"path":"b"}) toolUse`},
	{"a call sent twice under one id is one call", stream(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{\"x\":1}"}}`), tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{\"x\":1}"}}`), end("stop")), `"" f#c({"x":1}) toolUse`},
	{"two calls without an index", stream(tool(`{"id":"c1","function":{"name":"f","arguments":"{\"x\":1}"}}`), tool(`{"id":"c2","function":{"name":"g","arguments":"{\"y\":2}"}}`), end("tool_calls")), `"" f#c1({"x":1}) g#c2({"y":2}) toolUse`},
	{"two calls without an index, in pieces", stream(tool(`{"id":"c1","function":{"name":"f","arguments":"{\"x\""}}`), tool(`{"function":{"arguments":":1}"}}`), tool(`{"id":"c2","function":{"name":"f","arguments":""}}`), tool(`{"function":{"arguments":"{}"}}`), end("stop")), `"" f#c1({"x":1}) f#c2({}) toolUse`},
	{"two calls without an index or an id", stream(tool(`{"function":{"name":"f","arguments":"{\"x\":1}"}}`), tool(`{"function":{"name":"f","arguments":"{\"x\":1}"}}`), end("stop")), `"" f#({"x":1}) f#({"x":1}) toolUse`},
	{"two in one list without an index or an id", stream(tool(`{"function":{"name":"f","arguments":""}},{"function":{"name":"f","arguments":""}}`), end("stop")), `"" f#() f#() toolUse`},
	{"the index is always 0 and the ids differ", stream(tool(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"x\":1}"}}`), tool(`{"index":0,"id":"c2","function":{"name":"f","arguments":"{\"x\":2}"}}`), end("stop")), `"" f#c1({"x":1}) f#c2({"x":2}) toolUse`},
	{"a new id at the index of a call without arguments", stream(tool(`{"index":0,"id":"c1","function":{"name":"f","arguments":""}}`), tool(`{"index":0,"id":"c2","function":{"name":"f","arguments":""}}`), end("stop")), `"" f#c1() f#c2() toolUse`},
	{"a new id at the index of a call that was cut", stream(tool(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"x\":"}}`), tool(`{"index":0,"id":"c2","function":{"name":"f","arguments":"2}"}}`), end("stop")), `"" f#c1({"x":) f#c2(2}) toolUse`},
	{"the index is always 0 and there is no id", stream(tool(`{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}`), tool(`{"index":0,"function":{"name":"f","arguments":"{\"x\":2}"}}`), end("stop")), `"" f#({"x":1}) f#({"x":2}) toolUse`},
	{"another name at the same index", stream(tool(`{"index":0,"function":{"name":"f","arguments":""}}`), tool(`{"index":0,"function":{"name":"g","arguments":"{\"x\":2}"}}`), end("stop")), `"" f#() g#({"x":2}) toolUse`},
	{"a name with every piece", stream(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":""}}`), tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{\"x\""}}`), tool(`{"index":0,"id":"c","function":{"name":"f","arguments":":1}"}}`), tool(`{"index":0,"id":"c","function":{"name":"f","arguments":""}}`), end("tool_calls")), `"" f#c({"x":1}) toolUse`},
	{"a name with every piece and no id", stream(tool(`{"index":0,"function":{"name":"f","arguments":"{\"x\""}}`), tool(`{"index":0,"function":{"name":"f","arguments":":1}"}}`), tool(`{"index":0,"function":{"name":"f","arguments":""}}`), end("tool_calls")), `"" f#({"x":1}) toolUse`},
	{"an id that comes late", stream(tool(`{"index":0,"function":{"name":"f","arguments":"{"}}`), tool(`{"index":0,"id":"c9","function":{"arguments":"}"}}`), end("stop")), `"" f#c9({}) toolUse`},
	{"an id that comes late without an index", stream(tool(`{"function":{"name":"f","arguments":"{"}}`), tool(`{"id":"c9","function":{"arguments":"}"}}`), end("stop")), `"" f#c9({}) toolUse`},
	{"an index that comes late", stream(tool(`{"id":"c","function":{"name":"f","arguments":"{"}}`), tool(`{"index":0,"id":"c","function":{"arguments":"}"}}`), end("stop")), `"" f#c({}) toolUse`},
	{"a name that comes late", stream(tool(`{"index":0,"id":"c","function":{"arguments":"{}"}}`), tool(`{"index":0,"function":{"name":"f"}}`), end("stop")), `"" f#c({}) toolUse`},
	{"a name that never comes", stream(tool(`{"index":0,"id":"c","function":{"arguments":"{}"}}`), end("stop")), `"" #c({}) toolUse`},
	{"an id that is a number", stream(tool(`{"index":0,"id":7,"function":{"name":"f","arguments":"{}"}}`), end("stop")), `"" f#7({}) toolUse`},
	{"two calls in turn", stream(tool(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}},{"index":1,"id":"b","function":{"name":"g","arguments":"{"}}`), tool(`{"index":1,"function":{"arguments":"}"}},{"index":0,"function":{"arguments":"}"}}`), end("stop")), `"" f#a({}) g#b({}) toolUse`},
	{"arguments null", stream(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":null}}`), end("stop")), `"" f#c() toolUse`},
	{"arguments that go on after their end", stream(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}`), tool(`{"index":0,"function":{"arguments":"{}"}}`), end("stop")), `"" f#c({}{}) toolUse`},
	{"the older form of a call", stream(chunk(`"delta":{"function_call":{"name":"f","arguments":"{"}}`), chunk(`"delta":{"function_call":{"arguments":"}"}}`), end("function_call")), `"" f#({}) toolUse`},
	{"tool_calls without a call", stream(say("hi"), end("tool_calls")), `"hi" stop`},
	{"the output limit", stream(say("hi"), end("length")), `"hi" length`},
	{"the content filter", stream(say("hi"), end("content_filter"), done), `error rejected`},
	{"the content filter, then words and a good finish reason", stream(say("hi"), end("content_filter"), say("x"), end("stop"), done), `error rejected`},
	{"the content filter with a call", stream(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}`), end("content_filter"), done), `error rejected`},
	{"a router's word for a filter", stream(say("hi"), end("SAFETY"), done), `error rejected`},
	{"a server that aborts", stream(say("hi"), end("abort"), done), `error overload`},
	{"a text-generation server's stop", stream(say("hi"), end("eos_token")), `"hi" stop`},
	{"a router's stop in capitals", stream(say("hi"), end("END_TURN")), `"hi" stop`},
	{"a router's full context", stream(say("hi"), end("model_context_window_exceeded")), `error overflow`},
	{"a router's limit", stream(say("hi"), end("MAX_TOKENS")), `"hi" length`},
	{"an unknown finish reason", stream(say("hi"), end("banana"), done), `error malformed`},
	{"an unknown finish reason with a call", stream(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}`), end("banana"), done), `error malformed`},
	{"content in parts", stream(chunk(`"delta":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`), end("stop")), `"ab" stop`},
	{"content of no known shape", stream(chunk(`"delta":{"content":{"a":1}}`), end("stop")), `error malformed`},
	{"a refusal is the answer", stream(chunk(`"delta":{"refusal":"I will not"}`), end("stop")), `"I will not" stop`},
	{"an event that is no JSON", stream(say("hi"), "data: <html>\n\n", end("stop")), `error malformed`},
	{"no JSON after the finish reason", stream(say("hi"), end("stop"), "data: {\"choi\n\n", done), `"hi" stop`},
	{"a second choice", stream(say("a"), strings.Replace(say("b"), `"index":0`, `"index":1`, 1), end("stop")), `"a" stop`},
	{"choices that count from 1", strings.ReplaceAll(stream(say("a"), end("stop")), `"index":0`, `"index":1`), `"a" stop`},
	{"words after the finish reason", stream(say("a"), end("stop"), say("b"), done), `error malformed`},
	{"a refusal after the finish reason", stream(say("a"), end("stop"), chunk(`"delta":{"refusal":"no"}`), done), `error malformed`},
	{"a call after the finish reason", stream(say("a"), end("stop"), tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}`), done), `error malformed`},
	{"a call of the older form after the finish reason", stream(say("a"), end("stop"), chunk(`"delta":{"function_call":{"name":"f","arguments":"{}"}}`)), `error malformed`},
	{"arguments that go on after the finish reason", stream(tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{"}}`), end("tool_calls"), tool(`{"index":0,"function":{"arguments":"}"}}`)), `error malformed`},
	{"a finish reason with every piece", stream(chunk(`"delta":{"content":"a"},"finish_reason":"stop"`), chunk(`"delta":{"content":"b"},"finish_reason":"stop"`)), `error malformed`},
	{"empty pieces after the finish reason", stream(say("a"), end("stop"), chunk(`"delta":{"role":"assistant","content":"","tool_calls":[]},"finish_reason":null`), done), `"a" stop`},
	{"thoughts after the finish reason", stream(say("a"), end("stop"), chunk(`"delta":{"reasoning":"so"}`), done), `"a" stop`},
	{"another finish reason after the first", stream(say("a"), end("length"), end("stop"), done), `"a" length`},
	{"a call after the end mark", stream(say("a"), end("stop"), done, tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}`)), `"a" stop`},
	{"words, no JSON and an error after the end mark", stream(say("a"), end("stop"), done, say("b"), "data: <html>\n\n", "event: error\ndata: late\n\n"), `"a" stop`},
	{"a finish reason after the end mark", stream(say("a"), done, end("stop")), `error cut`},
	{"a null choice and a null delta", stream(`data: {"choices":null}`+"\n\n", chunk(`"delta":null`), say("a"), end("stop")), `"a" stop`},
	{"comments everywhere", stream(": queued\n\n", say("a"), ": queued\n\n", end("stop"), ": bye\n\n"), `"a" stop`},
}

func TestStreamIsOneReplyOrNone(t *testing.T) {
	for _, c := range streams {
		t.Run(c.name, func(t *testing.T) {
			if got := show(accumulate(c.stream, len(c.stream)+1)); got != c.want {
				t.Fatalf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// What is left out is counted, one for each event.
func TestWhatIsLeftOutIsCounted(t *testing.T) {
	late := stream(say("b"), tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}`))
	for name, c := range map[string]struct {
		stream string
		want   int
	}{
		"nothing":                              {stream(say("a"), end("stop"), done, done), 0},
		"two events after the end mark":        {stream(say("a"), end("stop"), done, late), 2},
		"a thought after the finish reason":    {stream(say("a"), end("stop"), chunk(`"delta":{"reasoning":"so"}`), done), 1},
		"another reason, then the same":        {stream(say("a"), end("stop"), end("length"), end("stop"), done), 1},
		"an error behind the finish reason":    {stream(say("a"), end("stop"), "event: error\ndata: x\n\n"), 1},
		"usage and empty pieces are no pieces": {stream(say("a"), end("stop"), say(""), `data: {"choices":[],"usage":{}}`+"\n\n"), 0},
	} {
		var p sse.Parser
		var a provider.Accumulator
		err := p.Feed([]byte(c.stream), func(e sse.Event) error { _, _, err := a.Take(e); return err })
		if r, rerr := a.Reply(); err != nil || rerr != nil || r.Text != "a" || len(r.Calls) > 0 || a.Ignored() != c.want {
			t.Errorf("%s: %s, %d left out, want %d", name, show(r, rerr), a.Ignored(), c.want)
		}
	}
}

// A failure stays: no later event makes a reply of it.
func TestAFailedReplyStaysFailed(t *testing.T) {
	var p sse.Parser
	var a provider.Accumulator
	_ = p.Feed([]byte(stream(say("a"), end("content_filter"))), func(e sse.Event) error { _, _, err := a.Take(e); return err })
	_, _, err := a.Take(sse.Event{Data: []byte(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)})
	if _, rerr := a.Reply(); class(err) != provider.Rejected || class(rerr) != provider.Rejected || a.Done() {
		t.Fatalf("take %v, reply %v, done %v", err, rerr, a.Done())
	}
}

// However the network cuts the bytes, and whichever line end the server uses, the
// reply is the same.
func TestReplyDoesNotDependOnReadsOrLineEnds(t *testing.T) {
	for _, c := range streams {
		for _, n := range []int{1, 2, 3, 7, 64} {
			if got := show(accumulate(c.stream, n)); got != c.want {
				t.Errorf("%s in reads of %d: got %s, want %s", c.name, n, got, c.want)
			}
		}
		for _, eol := range []string{"\r\n", "\r"} {
			if got := show(accumulate(strings.ReplaceAll(c.stream, "\n", eol), 5)); got != c.want {
				t.Errorf("%s with line end %q: got %s, want %s", c.name, eol, got, c.want)
			}
		}
	}
}

// Cut at every byte: before the finish reason is whole there is never a reply, and
// from then on it is the same reply with each further byte.
func TestCutAtEveryByte(t *testing.T) {
	full := stream(": queued\n\n", chunk(`"delta":{"role":"assistant","content":null}`), say("I read 日本."),
		tool(`{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"path\":"}}`), tool(`{"index":0,"function":{"arguments":"\"a\"}"}}`),
		end("tool_calls"), `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9}}`+"\n\n", done)
	want := show(accumulate(full, len(full)))
	whole := strings.Index(full, `"tool_calls"}]}`) + len(`"tool_calls"}]}`)
	for n := range len(full) {
		got := show(accumulate(full[:n], 11))
		switch {
		case n < whole && got != "error cut":
			t.Fatalf("cut after %d of %d bytes, before the finish reason: got %s", n, len(full), got)
		case n >= whole && got != want:
			t.Fatalf("cut after %d of %d bytes, behind the finish reason: got %s, want %s", n, len(full), got, want)
		}
	}
}

// Repeating what says nothing new changes nothing.
func TestHarmlessEventsMayRepeat(t *testing.T) {
	role := chunk(`"delta":{"role":"assistant","content":""}`)
	usage := `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9}}` + "\n\n"
	once := stream(": q\n\n", role, say("a"), end("stop"), usage, done)
	twice := stream(": q\n\n", ": q\n\n", role, role, say("a"), end("stop"), end("stop"), usage, usage, done, done)
	if a, b := show(accumulate(once, 99)), show(accumulate(twice, 99)); a != b {
		t.Fatalf("once %s, twice %s", a, b)
	}
}

func TestUsageIsReadWhereverItStands(t *testing.T) {
	for name, s := range map[string]string{
		"in a last chunk":       stream(say("a"), end("stop"), `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9}}`+"\n\n"),
		"in every chunk":        strings.ReplaceAll(stream(say("a"), end("stop")), `"id"`, `"usage":{"prompt_tokens":7,"completion_tokens":9},"id"`),
		"in the choice":         stream(say("a"), chunk(`"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":7,"completion_tokens":9}`)),
		"as fractions":          stream(say("a"), end("stop"), `data: {"choices":[],"usage":{"prompt_tokens":7.0,"completion_tokens":9.0}}`+"\n\n"),
		"then null":             stream(say("a"), end("stop"), `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9}}`+"\n\n", `data: {"choices":[],"usage":null}`+"\n\n"),
		"then of another shape": stream(say("a"), end("stop"), `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9}}`+"\n\n", `data: {"choices":[],"usage":"many"}`+"\n\n"),
	} {
		if r, err := accumulate(s, 50); err != nil || r.Input != 7 || r.Output != 9 {
			t.Errorf("%s: %d in, %d out, %v; want 7 and 9", name, r.Input, r.Output, err)
		}
	}
}

func TestTooManyCallsAreAFault(t *testing.T) {
	var b strings.Builder
	for i := range 513 {
		b.WriteString(tool(fmt.Sprintf(`{"index":%d,"id":"c%d","function":{"name":"f","arguments":"{}"}}`, i, i)))
	}
	if _, err := accumulate(b.String()+end("stop"), 4096); class(err) != provider.TooLarge {
		t.Fatalf("got %v, want too_large", err)
	}
}
