package provider_test

import (
	"strings"
	"testing"

	"tenet/adapters/provider"
)

func aStart(block string) string {
	return aEvent(`{"type":"content_block_start","content_block":` + block + `}`)
}
func aPiece(delta string) string {
	return aEvent(`{"type":"content_block_delta","delta":` + delta + `}`)
}
func aThink(i int, s string) string {
	return aDelta(i, `{"type":"thinking_delta","thinking":`+quote(s)+`}`)
}
func aSign(i int, s string) string {
	return aDelta(i, `{"type":"signature_delta","signature":`+quote(s)+`}`)
}

const (
	aTextBlock  = `{"type":"text","text":""}`
	aThinkBlock = `{"type":"thinking","thinking":"","signature":""}`
)

// withoutNames drops the event lines, as some proxies do.
func withoutNames(s string) string {
	var out []string
	for _, l := range strings.Split(s, "\n") {
		if !strings.HasPrefix(l, "event:") {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// plainA is a plain answer, workA one with a call.
var (
	plainA = stream(aBegin, aBlock(0, aTextBlock), aEvent(`{"type":"ping"}`), aText(0, "hel"), aText(0, "lo"), aStop(0), aEnd("end_turn"))
	workA  = stream(aBegin, aBlock(0, aTextBlock), aText(0, "so"), aStop(0), aCall(1, "toolu_1", "read"), aJSON(1, ""), aJSON(1, `{"path":`), aJSON(1, `"a"}`), aStop(1), aEnd("tool_use"))
)

// What Anthropic's server and those that speak like it send, and the one reply that it
// is.
var anthropicStreams = []struct{ name, stream, want string }{
	{"a plain answer", plainA, `"hello" stop`},
	{"a call", workA, `"so" read#toolu_1({"path":"a"}) toolUse`},
	{"prov-021 without event lines", withoutNames(workA), `"so" read#toolu_1({"path":"a"}) toolUse`},
	{"without types in the data", strings.NewReplacer(`"type":"content_block_start",`, "", `"type":"content_block_delta",`, "", `"type":"content_block_stop",`, "", `{"type":"message_stop"}`, "{}", `"type":"message_delta",`, "").Replace(workA), `"so" read#toolu_1({"path":"a"}) toolUse`},
	{"prov-001 cut before message_stop", strings.TrimSuffix(plainA, aHalt), "error cut"},
	{"prov-001 cut before the stop reason", stream(aBegin, aBlock(0, aTextBlock), aText(0, "hi"), aStop(0)), "error cut"},
	{"nothing", "", "error cut"},
	{"an end without a stop reason", stream(aBegin, aBlock(0, aTextBlock), aText(0, "hi"), aStop(0), aHalt), "error cut"},
	{"message_stop without its blank line", strings.TrimSuffix(plainA, "\n\n"), `"hello" stop`},
	{"message_stop cut in the middle", strings.TrimSuffix(plainA, "op\"}\n\n"), "error cut"},
	{"prov-002 a byte order mark", "\ufeff" + plainA, `"hello" stop`},
	{"prov-004 error null in every event", strings.ReplaceAll(plainA, `{"type"`, `{"error":null,"type"`), `"hello" stop`},
	{"an error event", stream(aBegin, aEvent(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)), "error overload"},
	{"an error event of the server", aEvent(`{"type":"error","error":{"type":"api_error","message":"Internal server error"}}`), "error overload"},
	{"an error event of the rate", aEvent(`{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`), "error limited"},
	{"an error event of the key", aEvent(`{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`), "error auth"},
	{"an error event of the right", aEvent(`{"type":"error","error":{"type":"permission_error","message":"no"}}`), "error auth"},
	{"an error event of the account", aEvent(`{"type":"error","error":{"type":"billing_error","message":"pay"}}`), "error quota"},
	{"an error event of the request", aEvent(`{"type":"error","error":{"type":"invalid_request_error","message":"messages.1: bad"}}`), "error rejected"},
	{"an error event of a large request", aEvent(`{"type":"error","error":{"type":"request_too_large","message":"32 MB"}}`), "error rejected"},
	{"an error event of a missing model", aEvent(`{"type":"error","error":{"type":"not_found_error","message":"model: x"}}`), "error rejected"},
	{"an error event of a full context", aEvent(`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}}`), "error overflow"},
	{"an error event of a full context with the output", aEvent(`{"type":"error","error":{"type":"invalid_request_error","message":"input length and max_tokens exceed context limit: 188240 + 21333 > 200000"}}`), "error overflow"},
	{"an error event of a timeout", aEvent(`{"type":"error","error":{"type":"timeout_error","message":"late"}}`), "error overload"},
	{"an error known by its event line alone", "event: error\ndata: {\"message\":\"broken\"}\n\n", "error overload"},
	{"prov-005 an error behind a whole call", stream(strings.TrimSuffix(workA, aEnd("tool_use")), aEvent(`{"type":"error","error":{"type":"overloaded_error","message":"x"}}`), aEnd("tool_use")), "error overload"},
	{"an error after the end", stream(plainA, aEvent(`{"type":"error","error":{"type":"api_error","message":"late"}}`)), `"hello" stop`},
	{"the output limit", stream(aBegin, aBlock(0, aTextBlock), aText(0, "on and"), aStop(0), aEnd("max_tokens")), `"on and" length`},
	{"prov-012 arguments cut by the output limit", stream(aBegin, aCall(0, "c", "write"), aJSON(0, `{"path":"a.go","content":"pack`), aStop(0), aEnd("max_tokens")), `"" write#c({"path":"a.go","content":"pack) length`},
	{"prov-012 arguments cut under tool_use", stream(aBegin, aCall(0, "c", "write"), aJSON(0, `{"path":"a.go","content":"pack`), aStop(0), aEnd("tool_use")), `"" write#c({"path":"a.go","content":"pack) toolUse`},
	{"a call cut before its first piece is no {}", stream(aBegin, aCall(0, "c", "write"), aStop(0), aEnd("max_tokens")), `"" write#c() length`},
	{"a stop sequence", stream(aBegin, aBlock(0, aTextBlock), aText(0, "a"), aStop(0), aEnd("stop_sequence")), `"a" stop`},
	{"a call under end_turn", strings.ReplaceAll(workA, `"stop_reason":"tool_use"`, `"stop_reason":"end_turn"`), `"so" read#toolu_1({"path":"a"}) toolUse`},
	{"tool_use without a call", stream(aBegin, aBlock(0, aTextBlock), aText(0, "a"), aStop(0), aEnd("tool_use")), `"a" stop`},
	{"a pause for a tool of the server's", stream(aBegin, aBlock(0, aTextBlock), aText(0, "a"), aStop(0), aEnd("pause_turn")), "error malformed"},
	{"a refusal", stream(aBegin, aBlock(0, aTextBlock), aText(0, "a"), aStop(0), aEnd("refusal")), "error rejected"},
	{"the end of the context", stream(aBegin, aBlock(0, aTextBlock), aText(0, "a"), aStop(0), aEnd("model_context_window_exceeded")), "error overflow"},
	{"a stop reason nobody knows", stream(aBegin, aBlock(0, aTextBlock), aText(0, "a"), aStop(0), aEnd("banana")), "error malformed"},
	{"another stop reason after the first", stream(aBegin, aBlock(0, aTextBlock), aText(0, "a"), aStop(0), aReason("max_tokens"), aEnd("end_turn")), `"a" length`},
	{"a stop reason that is empty, then one", stream(aBegin, aBlock(0, aTextBlock), aText(0, "a"), aEvent(`{"type":"message_delta","delta":{"stop_reason":null}}`), aEnd("end_turn")), `"a" stop`},
	{"two blocks in turn", stream(aBegin, aCall(0, "a", "f"), aCall(1, "b", "g"), aJSON(1, `{"y"`), aJSON(0, `{"x"`), aJSON(1, `:2}`), aJSON(0, `:1}`), aStop(1), aStop(0), aEnd("tool_use")), `"" f#a({"x":1}) g#b({"y":2}) toolUse`},
	{"llama.cpp: a call without input, begun before the text ends, no ping", stream(aBegin, aBlock(0, aTextBlock), aText(0, "so"), aBlock(1, `{"type":"tool_use","id":"x","name":"read"}`), aJSON(1, `{}`), aStop(0), aStop(1), aEnd("tool_use")), `"so" read#x({}) toolUse`},
	{"llama.cpp: input cut at the limit", stream(aBegin, aBlock(0, `{"type":"tool_use","id":"x","name":"read"}`), aJSON(0, `{"p`), aStop(0), aEnd("max_tokens")), `"" read#x({"p) length`},
	{"llama.cpp: the start of a call again before its last piece", stream(aBegin, aBlock(0, aTextBlock), aText(0, "so"), aBlock(1, `{"type":"tool_use","id":"x","name":"read"}`), aJSON(1, `{"a":`), aBlock(1, `{"type":"tool_use","id":"x","name":"read"}`), aJSON(1, `1}`), aStop(0), aStop(1), aEnd("tool_use")), `"so" read#x({"a":1}) toolUse`},
	{"llama.cpp: the start of a call again behind it", stream(aBegin, aBlock(0, `{"type":"tool_use","id":"x","name":"read"}`), aJSON(0, `{"a":1}`), aBlock(0, `{"type":"tool_use","id":"x","name":"read"}`), aStop(0), aEnd("tool_use")), `"" read#x({"a":1}) toolUse`},
	{"llama.cpp: the start of the text again before its last piece", stream(aBegin, aBlock(0, aTextBlock), aText(0, "so "), aBlock(0, aTextBlock), aText(0, "it is"), aStop(0), aEnd("end_turn")), `"so it is" stop`},
	{"blocks without an index", stream(aBegin, aStart(aTextBlock), aPiece(`{"type":"text_delta","text":"so"}`), aStart(`{"type":"tool_use","id":"a","name":"f","input":{}}`), aPiece(`{"type":"input_json_delta","partial_json":"{\"x\":1}"}`), aStart(`{"type":"tool_use","id":"b","name":"g","input":{}}`), aPiece(`{"type":"input_json_delta","partial_json":"{}"}`), aEnd("tool_use")), `"so" f#a({"x":1}) g#b({}) toolUse`},
	{"two calls without an index or an id", stream(aBegin, aStart(`{"type":"tool_use","name":"f"}`), aPiece(`{"type":"input_json_delta","partial_json":"{\"x\":1}"}`), aStart(`{"type":"tool_use","name":"f"}`), aPiece(`{"type":"input_json_delta","partial_json":"{\"x\":1}"}`), aEnd("tool_use")), `"" f#({"x":1}) f#({"x":1}) toolUse`},
	{"two empty calls without an id at index 0", stream(aBegin, aBlock(0, `{"type":"tool_use","name":"f"}`), aBlock(0, `{"type":"tool_use","name":"f"}`), aEnd("tool_use")), `"" f#() f#() toolUse`},
	{"the index is always 0", stream(aBegin, aBlock(0, aTextBlock), aText(0, "so"), aStop(0), aCall(0, "a", "f"), aJSON(0, `{"x":1}`), aStop(0), aCall(0, "b", "f"), aJSON(0, `{"x":2}`), aStop(0), aEnd("tool_use")), `"so" f#a({"x":1}) f#b({"x":2}) toolUse`},
	{"prov-041 one id for two calls", stream(aBegin, aCall(0, "dup", "write"), aJSON(0, `{"p":"a"}`), aStop(0), aCall(1, "dup", "write"), aJSON(1, `{"p":"b"}`), aStop(1), aEnd("tool_use")), `"" write#dup({"p":"a"}) write#dup({"p":"b"}) toolUse`},
	{"prov-041 one id, one index, two calls", stream(aBegin, aCall(0, "dup", "write"), aJSON(0, `{"p":"a"}`), aCall(0, "dup", "write"), aJSON(0, `{"p":"b"}`), aEnd("tool_use")), `"" write#dup({"p":"a"}) write#dup({"p":"b"}) toolUse`},
	{"a call sent twice under one id is one call", stream(aBegin, aCall(0, "c", "f"), aJSON(0, `{"x":1}`), aStop(0), aCall(1, "c", "f"), aJSON(1, `{"x":1}`), aStop(1), aEnd("tool_use")), `"" f#c({"x":1}) toolUse`},
	{"a call without an id", stream(aBegin, aBlock(0, `{"type":"tool_use","name":"f","input":{}}`), aJSON(0, "{}"), aEnd("tool_use")), `"" f#({}) toolUse`},
	{"an id that is a number", stream(aBegin, aBlock(0, `{"type":"tool_use","id":7,"name":"f","input":{}}`), aEnd("tool_use")), `"" f#7() toolUse`},
	{"a call whose start never came", stream(aBegin, aJSON(3, "{}"), aEnd("tool_use")), `"" #({}) toolUse`},
	{"text whose start never came", stream(aBegin, aText(0, "hi"), aEnd("end_turn")), `"hi" stop`},
	{"prov-010 input that is whole in the start", stream(aBegin, aBlock(0, `{"type":"tool_use","id":"c","name":"f","input":{"x": 1}}`), aStop(0), aEnd("tool_use")), `"" f#c({"x": 1}) toolUse`},
	{"prov-010 a piece that is an object", stream(aBegin, aCall(0, "c", "f"), aDelta(0, `{"type":"input_json_delta","partial_json":{"x":1}}`), aEnd("tool_use")), `"" f#c({"x":1}) toolUse`},
	{"pieces count over the input of the start", stream(aBegin, aBlock(0, `{"type":"tool_use","id":"c","name":"f","input":{"x":1}}`), aJSON(0, `{"x":2}`), aEnd("tool_use")), `"" f#c({"x":2}) toolUse`},
	{"a piece for a block of another kind", stream(aBegin, aBlock(0, aTextBlock), aJSON(0, `{"x":1}`), aEnd("tool_use")), "error malformed"},
	{"text for a call", stream(aBegin, aCall(0, "c", "f"), aText(0, "x"), aEnd("tool_use")), "error malformed"},
	{"a piece after its block ended", stream(aBegin, aCall(0, "c", "f"), aJSON(0, `{"x":`), aStop(0), aJSON(0, `1}`), aEnd("tool_use")), `"" f#c({"x":1}) toolUse`},
	{"text in the start of its block", stream(aBegin, aBlock(0, `{"type":"text","text":"he"}`), aText(0, "y"), aEnd("end_turn")), `"hey" stop`},
	{"thinking", stream(aBegin, aBlock(0, aThinkBlock), aThink(0, "let "), aThink(0, "me"), aSign(0, "S"), aStop(0), aBlock(1, aTextBlock), aText(1, "ok"), aStop(1), aEnd("end_turn")), `"ok" thinking "let me" stop`},
	{"prov-025 thinking and no answer", stream(aBegin, aBlock(0, aThinkBlock), aThink(0, "let me"), aSign(0, "S"), aStop(0), aEnd("end_turn")), `"" thinking "let me" stop`},
	{"sealed thinking", stream(aBegin, aBlock(0, `{"type":"redacted_thinking","data":"X=="}`), aStop(0), aBlock(1, aTextBlock), aText(1, "ok"), aEnd("end_turn")), `"ok" stop`},
	{"thinking in two blocks", stream(aBegin, aBlock(0, aThinkBlock), aThink(0, "a"), aSign(0, "S"), aBlock(1, aThinkBlock), aThink(1, "b"), aSign(1, "T"), aBlock(2, aTextBlock), aText(2, "ok"), aEnd("end_turn")), `"ok" thinking "a\n\nb" stop`},
	{"citations, a server's tool and unknown events", stream(aBegin, aBlock(0, `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`), aJSON(0, `{"q":"x"}`), aStop(0), aBlock(1, `{"type":"web_search_tool_result","content":[]}`), aStop(1), aBlock(2, aTextBlock), aText(2, "ok"), aDelta(2, `{"type":"citations_delta","citation":{"url":"x"}}`), aDelta(2, `{"type":"shiny_delta","shine":1}`), aEvent(`{"type":"shiny_event"}`), aEnd("end_turn")), `"ok" stop`},
	{"an event that is no JSON", stream(aBegin, "data: <html>\n\n", aEnd("end_turn")), "error malformed"},
	{"text of no known shape", stream(aBegin, aBlock(0, aTextBlock), aDelta(0, `{"type":"text_delta","text":{"a":1}}`), aEnd("end_turn")), "error malformed"},
	{"a delta without a type", stream(aBegin, aBlock(0, aTextBlock), aDelta(0, `{"text":"hi"}`), aEnd("end_turn")), `"hi" stop`},
	{"prov-037 a backslash and a u in an argument", stream(aBegin, aCall(0, "c", "read"), aJSON(0, `{"path":"C:\\Users\\unicorn"}`), aEnd("tool_use")), `"" read#c({"path":"C:\\Users\\unicorn"}) toolUse`},
	{"prov-038 a character cut into halves", stream(aBegin, aBlock(0, aTextBlock), aDelta(0, `{"type":"text_delta","text":"a\ud83d"}`), aDelta(0, `{"type":"text_delta","text":"\ude00b"}`), aEnd("end_turn")), `"a😀b" stop`},
	{"prov-038 a character cut into halves in an argument", stream(aBegin, aCall(0, "c", "f"), aDelta(0, `{"type":"input_json_delta","partial_json":"{\"x\":\"\ud83d"}`), aDelta(0, `{"type":"input_json_delta","partial_json":"\ude00\"}"}`), aEnd("tool_use")), `"" f#c({"x":"😀"}) toolUse`},
	{"a call after the end", stream(plainA, aCall(5, "x", "bash"), aJSON(5, "{}"), aEnd("tool_use")), `"hello" stop`},
	{"words after the end", stream(plainA, aText(0, "more"), "data: <html>\n\n"), `"hello" stop`},
	{"the stream of another format", stream(say("hi"), end("stop"), strings.TrimSuffix(done, "data: [DONE]\n\n")), "error cut"},
	{"usage of no known shape", strings.ReplaceAll(plainA, `"usage":{"output_tokens":9}`, `"usage":"many"`), `"hello" stop`},
}

func TestAnthropicStreamIsOneReplyOrNone(t *testing.T) {
	for _, c := range anthropicStreams {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{len(c.stream) + 1, 1, 3, 64} {
				if got := show(assemble(&provider.AnthropicAccumulator{}, c.stream, n)); got != c.want {
					t.Fatalf("in reads of %d: got  %s\nwant %s", n, got, c.want)
				}
			}
			for _, eol := range []string{"\r\n", "\r"} {
				if got := show(assemble(&provider.AnthropicAccumulator{}, strings.ReplaceAll(c.stream, "\n", eol), 5)); got != c.want {
					t.Errorf("with line end %q: got %s, want %s", eol, got, c.want)
				}
			}
		})
	}
}

// The words of a failure say what to do next.
func TestAnthropicFailuresAreNamed(t *testing.T) {
	for name, c := range map[string]struct{ stream, says string }{
		"a refusal":               {aEnd("refusal"), "refused to let the model answer; "},
		"a refusal with words":    {aEvent(`{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"category":"cyber","explanation":"It is about\nmalware."}}}`), "answer: It is about"},
		"a pause":                 {aEnd("pause_turn"), "a tool of its own (pause_turn)"},
		"an unknown reason":       {strings.Replace(aEnd("x"), `"x"`, `"ba\u001bnana"`, 1), `"ba\\x1bnana", which is not known`},
		"the end of the context":  {aEnd("model_context_window_exceeded"), "must become shorter"},
		"an error event":          {aEvent(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), "broke the reply off: Overloaded"},
		"an error without words":  {aEvent(`{"type":"error"}`), "broke the reply off: "},
		"a cut":                   {stream(aBegin, aBlock(0, aTextBlock)), "after 2 events without message_stop"},
		"an end without a reason": {stream(aBegin, aHalt), "without a stop reason"},
	} {
		_, err := assemble(&provider.AnthropicAccumulator{}, c.stream, 99)
		if e := asError(t, err); !strings.Contains(e.Message, c.says) {
			t.Errorf("%s: got %q, want %q", name, e.Message, c.says)
		}
	}
}

// What is left out is counted, one for each event.
func TestAnthropicCountsWhatItLeavesOut(t *testing.T) {
	head := stream(aBegin, aBlock(0, aTextBlock), aText(0, "a"))
	for name, c := range map[string]struct {
		stream string
		want   int
	}{
		"nothing":                      {stream(head, aStop(0), aEvent(`{"type":"ping"}`), aEnd("end_turn")), 0},
		"an unknown event":             {stream(head, aEvent(`{"type":"shiny"}`), aEnd("end_turn")), 1},
		"an unknown delta":             {stream(head, aDelta(0, `{"type":"shiny_delta"}`), aEnd("end_turn")), 1},
		"an unknown block, its pieces": {stream(head, aBlock(1, `{"type":"shiny"}`), aJSON(1, "{}"), aJSON(1, "{}"), aEnd("end_turn")), 3},
		"a citation":                   {stream(head, aDelta(0, `{"type":"citations_delta","citation":{}}`), aEnd("end_turn")), 1},
		"another reason":               {stream(head, aReason("end_turn"), aEnd("max_tokens")), 1},
		"two events after the end":     {stream(head, aEnd("end_turn"), aText(0, "b"), aEvent(`{"type":"ping"}`)), 2},
		"half an event at the cut":     {stream(head, aEnd("end_turn"), "data: {\"ty"), 1},
	} {
		a := &provider.AnthropicAccumulator{}
		if got := show(assemble(a, c.stream, 50)); got != `"a" stop` || a.Ignored() != c.want {
			t.Errorf("%s: got %s, %d left out, want %d", name, got, a.Ignored(), c.want)
		}
	}
}

// Repeating or moving what says nothing new changes nothing.
func TestAnthropicHarmlessEventsMayRepeat(t *testing.T) {
	ping := aEvent(`{"type":"ping"}`)
	want := `"so" thinking "hm" read#c({"x":1}) toolUse`
	for name, s := range map[string]string{
		"once":    stream(aBegin, aBlock(0, aThinkBlock), aThink(0, "hm"), aSign(0, "S"), aStop(0), aBlock(1, aTextBlock), aText(1, "so"), aStop(1), aCall(2, "c", "read"), aJSON(2, `{"x":1}`), aStop(2), aEnd("tool_use")),
		"doubled": stream(ping, aBegin, aBegin, aBlock(0, aThinkBlock), aBlock(0, aThinkBlock), aThink(0, "hm"), aSign(0, "S"), aSign(0, "S"), aStop(0), aStop(0), ping, aBlock(1, aTextBlock), aBlock(1, aTextBlock), aText(1, "so"), aStop(1), aCall(2, "c", "read"), aCall(2, "c", "read"), aJSON(2, ""), aJSON(2, ""), aJSON(2, `{"x":1}`), aStop(2), aStop(2), aReason("tool_use"), aReason("tool_use"), aHalt, aHalt),
		"moved":   stream(ping, aBlock(0, aThinkBlock), aBlock(1, aTextBlock), aCall(2, "c", "read"), aBegin, aText(1, "so"), aStop(1), aThink(0, "hm"), aStop(0), aSign(0, "S"), aStop(2), aJSON(2, `{"x":1}`), ping, aEnd("tool_use")),
	} {
		a := &provider.AnthropicAccumulator{}
		r, err := assemble(a, s, 11)
		if got := show(r, err); got != want || len(r.Thoughts) != 1 {
			t.Errorf("%s: got %s with %d thoughts", name, got, len(r.Thoughts))
		}
	}
}

func TestAnthropicUsage(t *testing.T) {
	r, err := assemble(&provider.AnthropicAccumulator{}, plainA, 99)
	if err != nil || r.Input != 30 || r.Output != 9 || r.Cached != 20 || r.Model != "m1-20260101" {
		t.Fatalf("%d in, %d out, %d cached, model %s, %v", r.Input, r.Output, r.Cached, r.Model, err)
	}
}

// Thoughts carry what goes back: the block as it was, and its place in the reply.
func TestAnthropicThoughts(t *testing.T) {
	full := stream(aBegin, aBlock(0, aThinkBlock), aThink(0, "a<b>&c é"), aSign(0, "Sig+/="), aStop(0), aBlock(1, aTextBlock), aText(1, "日本"), aStop(1),
		aBlock(2, `{"type":"redacted_thinking","data":"X=="}`), aStop(2), aCall(3, "c", "f"), aJSON(3, "{}"), aStop(3), aBlock(4, aThinkBlock), aThink(4, "b"), aSign(4, "T"), aStop(4), aCall(5, "d", "g"), aJSON(5, "{}"), aStop(5), aEnd("tool_use"))
	r, err := assemble(&provider.AnthropicAccumulator{Asked: "m1"}, full, 7)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"text":0,"calls":0,"block":{"type":"thinking","thinking":"a<b>&c é","signature":"Sig+/="}}`,
		`{"text":6,"calls":0,"block":{"type":"redacted_thinking","data":"X=="}}`,
		`{"text":6,"calls":1,"block":{"type":"thinking","thinking":"b","signature":"T"}}`,
	}
	if len(r.Thoughts) != len(want) {
		t.Fatalf("%d thoughts: %v", len(r.Thoughts), r.Thoughts)
	}
	for i, th := range r.Thoughts {
		if string(th.Raw) != want[i] || th.Wire != "anthropic" || th.Model != "m1" {
			t.Errorf("thought %d of %s, %s: %s\nwant %s", i, th.Wire, th.Model, th.Raw, want[i])
		}
	}
	unsigned := strings.Replace(full, aSign(4, "T"), "", 1)
	if r, err := assemble(&provider.AnthropicAccumulator{}, unsigned, 99); err != nil || len(r.Thoughts) != 0 || r.Thinking == "" {
		t.Errorf("one block without its signature: %d thoughts are kept, %v", len(r.Thoughts), err)
	}
}

func TestAnthropicBoundsCallsAndBlocks(t *testing.T) {
	for name, s := range map[string]string{
		"calls":  strings.Repeat(aCall(0, "", "f"), 513),
		"blocks": strings.Repeat(aBlock(0, aTextBlock)+aText(0, "x"), 4097),
		"pieces": strings.Repeat(aCall(0, "", "f"), 512) + aJSON(9, "{}"),
	} {
		if _, err := assemble(&provider.AnthropicAccumulator{}, s+aEnd("end_turn"), 4096); class(err) != provider.TooLarge {
			t.Errorf("%s: got %v, want too_large", name, err)
		}
	}
}

// Cut at every byte: before message_stop is whole there is never a reply, and from then
// on it is the same one.
func TestAnthropicCutAtEveryByte(t *testing.T) {
	full := stream(": queued\n\n", strings.TrimSuffix(workA, aHalt), aHalt, aEvent(`{"type":"ping"}`))
	want := show(assemble(&provider.AnthropicAccumulator{}, full, len(full)))
	whole := strings.Index(full, `"message_stop"}`) + len(`"message_stop"}`)
	for n := range len(full) {
		got := show(assemble(&provider.AnthropicAccumulator{}, full[:n], 11))
		if (n < whole && got != "error cut") || (n >= whole && got != want) {
			t.Fatalf("cut after %d of %d bytes (message_stop is whole after %d): got %s", n, len(full), whole, got)
		}
	}
}

// A failure stays: no later event makes a reply of it.
func TestAnthropicFailureStays(t *testing.T) {
	a := &provider.AnthropicAccumulator{}
	_, err := assemble(a, stream(aBegin, aEnd("refusal"), plainA), 9)
	_, rerr := a.Reply()
	if class(err) != provider.Rejected || class(rerr) != provider.Rejected || a.Done() {
		t.Fatalf("%v, %v, done %v", err, rerr, a.Done())
	}
}
