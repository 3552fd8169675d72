package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"tenet/adapters/provider"
)

func rBare(kind, more string) string { return rEvent(`{"type":"` + kind + `"` + more + `}`) }

// rSaid is an item of the output as the end of the response repeats it.
const rSaidCall = `{"type":"function_call","id":"fc_0","call_id":"c","name":"f","arguments":"{\"x\":1}","status":"completed"}`

// plainR is a plain answer, workR one with reasoning and a call.
var (
	rMessage = rItem(0, "added", `{"type":"message","id":"msg_0","status":"in_progress","role":"assistant","content":[]}`)
	plainR   = stream(rBegin, rMessage, rText(0, "hel"), rText(0, "lo"), rEnd("completed", ""))
	workR    = stream(rBegin, rItem(0, "added", `{"type":"reasoning","id":"rs_0","summary":[],"encrypted_content":"early"}`),
		rEvent(`{"type":"response.reasoning_summary_text.delta","item_id":"rs_0","output_index":0,"summary_index":0,"delta":"let me"}`),
		rItem(0, "done", `{"id": "rs_0", "type":"reasoning","summary":[{"type":"summary_text","text":"let me"}],"encrypted_content":"gAA<&>"}`),
		rCall(1, "call_1", "read"), rArgs(1, `{"path":`), rArgs(1, `"a"}`), rEvent(`{"type":"response.function_call_arguments.done","item_id":"fc_1","output_index":1,"arguments":"{\"path\":\"a\"}"}`), rDone(1, "call_1", "read", `{"path":"a"}`),
		rEnd("completed", `,"output":[{"type":"reasoning","id":"rs_0","summary":[],"encrypted_content":"other"},{"type":"function_call","id":"fc_1","call_id":"call_1","name":"read","arguments":"{\"path\":\"a\"}"}]`))
)

// What OpenAI's server and those that speak like it send, and the one reply that it is.
var responsesStreams = []struct{ name, stream, want string }{
	{"a plain answer", plainR, `"hello" stop`},
	{"reasoning and a call", workR, `"" thinking "let me" read#call_1({"path":"a"}) toolUse`},
	{"prov-021 without event lines", withoutNames(workR), `"" thinking "let me" read#call_1({"path":"a"}) toolUse`},
	{"prov-001 cut before the end", stream(rBegin, rMessage, rText(0, "hello")), "error cut"},
	{"prov-001 the end mark of another format without an end", stream(rBegin, rMessage, rText(0, "hello"), done), "error cut"},
	{"the end mark of another format after the end", plainR + done, `"hello" stop`},
	{"nothing", "", "error cut"},
	{"the end without its blank line", strings.TrimSuffix(plainR, "\n\n"), `"hello" stop`},
	{"the end cut in the middle", strings.TrimSuffix(plainR, "}}\n\n"), "error cut"},
	{"prov-002 a byte order mark", "\ufeff" + plainR, `"hello" stop`},
	{"prov-004 error null in every event", strings.ReplaceAll(plainR, `{"type":"response.`, `{"error":null,"type":"response.`), `"hello" stop`},
	{"prov-019 a failure", stream(rBegin, rEvent(`{"type":"response.failed","response":{"id":"r","status":"failed","error":{"code":"server_error","message":"The model crashed"}}}`)), "error overload"},
	{"prov-019 a failure, then what looks like an end", stream(rBegin, rEvent(`{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"x"}}}`), rEnd("completed", "")), "error overload"},
	{"a failure without words", rEvent(`{"type":"response.failed","response":{"status":"failed","error":null}}`), "error overload"},
	{"a failure of the rate", rEvent(`{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"x"}}}`), "error limited"},
	{"a failure of the account", rEvent(`{"type":"response.failed","response":{"status":"failed","error":{"code":"insufficient_quota","message":"x"}}}`), "error quota"},
	{"a failure of the prompt", rEvent(`{"type":"response.failed","response":{"status":"failed","error":{"code":"invalid_prompt","message":"x"}}}`), "error rejected"},
	{"a failure of a picture", rEvent(`{"type":"response.failed","response":{"status":"failed","error":{"code":"image_too_large","message":"x"}}}`), "error rejected"},
	{"a failure of the context", rEvent(`{"type":"response.failed","response":{"status":"failed","error":{"code":"context_length_exceeded","message":"x"}}}`), "error overflow"},
	{"an error event", stream(rBegin, rEvent(`{"type":"error","code":"server_error","message":"it broke","param":null}`)), "error overload"},
	{"an error event with an object", stream(rBegin, rEvent(`{"type":"error","error":{"type":"invalid_request_error","message":"bad"}}`)), "error rejected"},
	{"prov-005 an error behind a whole call", stream(rBegin, rCall(0, "c", "f"), rDone(0, "c", "f", "{}"), rEvent(`{"type":"error","code":"x","message":"y"}`), rEnd("completed", "")), "error overload"},
	{"an error after the end", stream(plainR, rEvent(`{"type":"error","message":"late"}`)), `"hello" stop`},
	{"a cancelled response", rEvent(`{"type":"response.cancelled","response":{"status":"cancelled"}}`), "error rejected"},
	{"the output limit", stream(rBegin, rMessage, rText(0, "on and"), rEnd("incomplete", `,"incomplete_details":{"reason":"max_output_tokens"}`)), `"on and" length`},
	{"prov-012 arguments cut by the output limit", stream(rBegin, rCall(0, "c", "write"), rArgs(0, `{"path":"a.go","content":"pack`), rEnd("incomplete", `,"incomplete_details":{"reason":"max_output_tokens"}`)), `"" write#c({"path":"a.go","content":"pack) length`},
	{"prov-012 arguments cut in a completed response", stream(rBegin, rCall(0, "c", "write"), rArgs(0, `{"path":"a.go`), rEnd("completed", "")), `"" write#c({"path":"a.go) toolUse`},
	{"a call cut before its first piece is no {}", stream(rBegin, rCall(0, "c", "write"), rEnd("incomplete", `,"incomplete_details":{"reason":"max_output_tokens"}`)), `"" write#c() length`},
	{"the content filter", stream(rBegin, rMessage, rText(0, "a"), rEnd("incomplete", `,"incomplete_details":{"reason":"content_filter"}`)), "error rejected"},
	{"incomplete for a reason nobody knows", stream(rBegin, rEnd("incomplete", `,"incomplete_details":{"reason":"banana"}`)), "error malformed"},
	{"incomplete without a reason", stream(rBegin, rEnd("incomplete", ``)), "error malformed"},
	{"a status that contradicts the event", stream(rBegin, rMessage, rText(0, "a"), rEvent(`{"type":"response.completed","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`)), `"a" length`},
	{"llama.cpp: a start without model, output and usage, items without an index", stream(
		rEvent(`{"type":"response.created","response":{"id":"resp_x","object":"response","status":"in_progress"}}`), rEvent(`{"type":"response.in_progress","response":{"id":"resp_x"}}`),
		rBare("response.output_item.added", `,"item":{"content":[],"id":"msg_1","role":"assistant","status":"in_progress","type":"message"}`), rBare("response.content_part.added", `,"item_id":"msg_1","part":{"type":"output_text","text":""}`),
		rBare("response.output_text.delta", `,"item_id":"msg_1","delta":"so"`),
		rBare("response.output_item.added", `,"item":{"arguments":"","call_id":"fc_a","name":"read","type":"function_call","status":"in_progress"}`), rBare("response.function_call_arguments.delta", `,"item_id":"fc_a","delta":"{\"x\""`), rBare("response.function_call_arguments.delta", `,"item_id":"fc_a","delta":":1}"`),
		rBare("response.output_text.done", `,"item_id":"msg_1","text":"so"`), rBare("response.output_item.done", `,"item":{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"so"}]}`),
		rBare("response.output_item.done", `,"item":{"type":"function_call","status":"completed","arguments":"{\"x\":1}","call_id":"fc_a","name":"read"}`), rEnd("completed", "")), `"so" read#fc_a({"x":1}) toolUse`},
	{"two calls without an index", stream(rBegin, rBare("response.output_item.added", `,"item":{"type":"function_call","id":"i1","call_id":"a","name":"f"}`), rBare("response.output_item.added", `,"item":{"type":"function_call","id":"i2","call_id":"b","name":"g"}`),
		rBare("response.function_call_arguments.delta", `,"item_id":"i1","delta":"{\"x\":1}"`), rBare("response.function_call_arguments.delta", `,"item_id":"i2","delta":"{}"`), rEnd("completed", "")), `"" f#a({"x":1}) g#b({}) toolUse`},
	{"two calls without an index or an id of the item", stream(rBegin, rBare("response.output_item.added", `,"item":{"type":"function_call","call_id":"a","name":"f"}`), rBare("response.function_call_arguments.delta", `,"delta":"{\"x\":1}"`), rBare("response.output_item.added", `,"item":{"type":"function_call","call_id":"b","name":"f"}`), rBare("response.function_call_arguments.delta", `,"delta":"{\"x\":1}"`), rEnd("completed", "")), `"" f#a({"x":1}) f#b({"x":1}) toolUse`},
	{"two calls without any id", stream(rBegin, rBare("response.output_item.added", `,"item":{"type":"function_call","name":"f"}`), rBare("response.function_call_arguments.delta", `,"delta":"{}"`), rBare("response.output_item.added", `,"item":{"type":"function_call","name":"f"}`), rBare("response.function_call_arguments.delta", `,"delta":"{}"`), rEnd("completed", "")), `"" f#({}) f#({}) toolUse`},
	{"the index is always 0", stream(rBegin, rCall(0, "a", "f"), rArgs(0, `{"x":1}`), rDone(0, "a", "f", `{"x":1}`), rCall(0, "b", "f"), rArgs(0, `{"x":2}`), rDone(0, "b", "f", `{"x":2}`), rEnd("completed", "")), `"" f#a({"x":1}) f#b({"x":2}) toolUse`},
	{"two messages at the index 0", stream(rBegin, rMessage, rText(0, "one "), rItem(0, "done", `{"type":"message","id":"msg_0","content":[{"type":"output_text","text":"one "}]}`), rItem(0, "added", `{"type":"message","id":"msg_9","content":[]}`), strings.Replace(rText(0, "two"), "msg_0", "msg_9", 1), rEnd("completed", "")), `"one two" stop`},
	{"ids of items that change from event to event", stream(rBegin, rItem(0, "added", `{"type":"function_call","id":"x1","call_id":"a","name":"f","arguments":""}`), rEvent(`{"type":"response.function_call_arguments.delta","item_id":"x2","output_index":0,"delta":"{\"x\":1}"}`), rItem(0, "done", `{"type":"function_call","id":"x3","call_id":"a","name":"f","arguments":"{\"x\":1}"}`), rEnd("completed", "")), `"" f#a({"x":1}) toolUse`},
	{"prov-041 one id for two calls", stream(rBegin, rCall(0, "dup", "write"), rDone(0, "dup", "write", `{"p":"a"}`), rCall(1, "dup", "write"), rDone(1, "dup", "write", `{"p":"b"}`), rEnd("completed", "")), `"" write#dup({"p":"a"}) write#dup({"p":"b"}) toolUse`},
	{"prov-041 one id for everything, no index", stream(rBegin, strings.ReplaceAll(stream(rCall(0, "dup", "write"), rDone(0, "dup", "write", `{"p":"a"}`), rCall(0, "dup", "write"), rDone(0, "dup", "write", `{"p":"b"}`)), `"output_index":0,`, ""), rEnd("completed", "")), `"" write#dup({"p":"a"}) write#dup({"p":"b"}) toolUse`},
	{"a call sent twice under one id is one call", stream(rBegin, rCall(0, "c", "f"), rDone(0, "c", "f", `{"x":1}`), rCall(1, "c", "f"), rDone(1, "c", "f", `{"x":1}`), rEnd("completed", "")), `"" f#c({"x":1}) toolUse`},
	{"an id that comes late", stream(rBegin, rItem(0, "added", `{"type":"function_call","id":"fc_0","name":"f"}`), rArgs(0, "{}"), rDone(0, "c9", "f", "{}"), rEnd("completed", "")), `"" f#c9({}) toolUse`},
	{"a name that comes late", stream(rBegin, rItem(0, "added", `{"type":"function_call","id":"fc_0","call_id":"c"}`), rArgs(0, "{}"), rDone(0, "c", "f", "{}"), rEnd("completed", "")), `"" f#c({}) toolUse`},
	{"a call whose start never came", stream(rBegin, rArgs(0, "{}"), rEnd("completed", "")), `"" #({}) toolUse`},
	{"a call of which only the end came", stream(rBegin, rDone(0, "c", "f", "{}"), rEnd("completed", "")), `"" f#c({}) toolUse`},
	{"a call of which only its last word came", stream(rBegin, rEnd("completed", `,"output":[`+rSaidCall+`]`)), `"" f#c({"x":1}) toolUse`},
	{"text of which only its last word came", stream(rBegin, rEnd("completed", `,"output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]}]`)), `"hi" stop`},
	{"text without pieces", stream(rBegin, rMessage, rEvent(`{"type":"response.output_text.done","item_id":"msg_0","output_index":0,"content_index":0,"text":"hi"}`), rEnd("completed", "")), `"hi" stop`},
	{"text of two parts", stream(rBegin, rMessage, rText(0, "a"), strings.Replace(rText(0, "b"), `"content_index":0`, `"content_index":1`, 1), rEnd("completed", "")), `"ab" stop`},
	{"a call that the end does not know", stream(rBegin, rCall(0, "c", "f"), rDone(0, "c", "f", "{}"), rEnd("completed", `,"output":[{"type":"message","content":[]}]`)), "error malformed"},
	{"a call that only the end knows, beside text", stream(plainR[:len(plainR)-len(rEnd("completed", ""))], rEnd("completed", `,"output":[`+rSaidCall+`]`)), "error malformed"},
	{"whole arguments count over their pieces", stream(rBegin, rCall(0, "c", "f"), rArgs(0, `{"x":`), rDone(0, "c", "f", `{"x":1}`), rEnd("completed", "")), `"" f#c({"x":1}) toolUse`},
	{"an empty end leaves the pieces", stream(rBegin, rCall(0, "c", "f"), rArgs(0, `{"x":1}`), rDone(0, "c", "f", ``), rEnd("completed", "")), `"" f#c({"x":1}) toolUse`},
	{"prov-009 arguments in the start", stream(rBegin, rItem(0, "added", `{"type":"function_call","id":"fc_0","call_id":"c","name":"f","arguments":"{}"}`), rEnd("completed", "")), `"" f#c({}) toolUse`},
	{"prov-010 arguments that are an object", stream(rBegin, rItem(0, "done", `{"type":"function_call","id":"fc_0","call_id":"c","name":"f","arguments":{"x": 1}}`), rEnd("completed", "")), `"" f#c({"x": 1}) toolUse`},
	{"a piece for an item of another kind", stream(rBegin, rMessage, rArgs(0, `{}`), rEnd("completed", "")), "error malformed"},
	{"a refusal is the answer", stream(rBegin, rMessage, rEvent(`{"type":"response.refusal.delta","item_id":"msg_0","output_index":0,"content_index":0,"delta":"I will "}`), rEvent(`{"type":"response.refusal.delta","item_id":"msg_0","output_index":0,"content_index":0,"delta":"not"}`), rEvent(`{"type":"response.refusal.done","item_id":"msg_0","output_index":0,"content_index":0,"refusal":"I will not"}`), rEnd("completed", "")), `"I will not" stop`},
	{"prov-025 reasoning and no answer", stream(rBegin, rEvent(`{"type":"response.reasoning_text.delta","item_id":"rs_0","content_index":0,"delta":"let me"}`), rEnd("completed", "")), `"" thinking "let me" stop`},
	{"reasoning of two parts", stream(rBegin, rEvent(`{"type":"response.reasoning_summary_text.delta","item_id":"rs_0","output_index":0,"summary_index":0,"delta":"a"}`), rEvent(`{"type":"response.reasoning_summary_text.delta","item_id":"rs_0","output_index":0,"summary_index":1,"delta":"b"}`), rMessage[:0], rText(1, "ok"), rEnd("completed", "")), `"ok" thinking "a\n\nb" stop`},
	{"a server's tool and unknown events", stream(rBegin, rItem(0, "added", `{"type":"web_search_call","id":"ws"}`), rBare("response.web_search_call.searching", ""), rItem(0, "done", `{"type":"web_search_call","id":"ws"}`), rItem(1, "added", `{"type":"message","id":"msg_1","content":[]}`), rText(1, "ok"), rBare("response.shiny", ""), rEnd("completed", "")), `"ok" stop`},
	{"an event that is no JSON", stream(rBegin, "data: <html>\n\n", rEnd("completed", "")), "error malformed"},
	{"an item that is no item", stream(rBegin, rBare("response.output_item.added", `,"item":7`), rEnd("completed", "")), "error malformed"},
	{"an end that is no response", stream(rBegin, rBare("response.completed", `,"response":7`)), "error malformed"},
	{"an end without a response", stream(rBegin, rMessage, rText(0, "a"), rBare("response.completed", ``)), `"a" stop`},
	{"prov-037 a backslash and a u in an argument", stream(rBegin, rCall(0, "c", "read"), rArgs(0, `{"path":"C:\\Users\\unicorn"}`), rEnd("completed", "")), `"" read#c({"path":"C:\\Users\\unicorn"}) toolUse`},
	{"prov-038 a character cut into halves", stream(rBegin, rMessage, strings.Replace(rText(0, "x"), `"x"`, `"a\ud83d"`, 1), strings.Replace(rText(0, "x"), `"x"`, `"\ude00b"`, 1), rEnd("completed", "")), `"a😀b" stop`},
	{"a call after the end", stream(plainR, rDone(3, "x", "bash", "{}"), rEnd("completed", "")), `"hello" stop`},
	{"the stream of another format", stream(say("hi"), end("stop")), "error cut"},
}

func TestResponsesStreamIsOneReplyOrNone(t *testing.T) {
	for _, c := range responsesStreams {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{len(c.stream) + 1, 1, 3, 64} {
				if got := show(assemble(&provider.ResponsesAccumulator{}, c.stream, n)); got != c.want {
					t.Fatalf("in reads of %d: got  %s\nwant %s", n, got, c.want)
				}
			}
			for _, eol := range []string{"\r\n", "\r"} {
				if got := show(assemble(&provider.ResponsesAccumulator{}, strings.ReplaceAll(c.stream, "\n", eol), 5)); got != c.want {
					t.Errorf("with line end %q: got %s, want %s", eol, got, c.want)
				}
			}
		})
	}
}

func TestResponsesFailuresAreNamed(t *testing.T) {
	for name, c := range map[string]struct{ stream, says string }{
		"prov-019 a failure":   {rEvent(`{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"The model crashed"}}}`), "The model crashed"},
		"an error event":       {rEvent(`{"type":"error","code":"server_error","message":"it broke"}`), "it broke"},
		"the content filter":   {rEnd("incomplete", `,"incomplete_details":{"reason":"content_filter"}`), "content filter stopped the reply"},
		"an unknown reason":    {rEnd("incomplete", `,"incomplete_details":{"reason":"banana"}`), `"banana"`},
		"a cut":                {stream(rBegin, rMessage), "after 2 events without response.completed"},
		"calls that differ":    {stream(rDone(0, "c", "f", "{}"), rEnd("completed", `,"output":[{"type":"message"}]`)), "sent 1 tool calls and says at the end that there were 0"},
		"a cancelled response": {rEvent(`{"type":"response.cancelled"}`), "cancelled at the server"},
	} {
		_, err := assemble(&provider.ResponsesAccumulator{}, c.stream, 99)
		if e := asError(t, err); !strings.Contains(e.Message, c.says) {
			t.Errorf("%s: got %q, want %q", name, e.Message, c.says)
		}
	}
}

func TestResponsesCountsWhatItLeavesOut(t *testing.T) {
	head := stream(rBegin, rMessage, rText(0, "a"))
	for name, c := range map[string]struct {
		stream string
		want   int
	}{
		"nothing":                   {stream(head, rBare("response.in_progress", ""), rEnd("completed", "")), 0},
		"an unknown event":          {stream(head, rBare("response.shiny", ""), rEnd("completed", "")), 1},
		"an unknown item, once":     {stream(head, rItem(1, "added", `{"type":"shiny","id":"s"}`), rItem(1, "done", `{"type":"shiny","id":"s"}`), rEnd("completed", "")), 1},
		"two events after the end":  {stream(head, rEnd("completed", ""), rText(0, "b"), done), 2},
		"half an event at the cut":  {stream(head, rEnd("completed", ""), "data: {\"ty"), 1},
		"events that repeat others": {stream(head, rBare("response.content_part.done", ""), rEnd("completed", "")), 0},
	} {
		a := &provider.ResponsesAccumulator{}
		if got := show(assemble(a, c.stream, 50)); got != `"a" stop` || a.Ignored() != c.want {
			t.Errorf("%s: got %s, %d left out, want %d", name, got, a.Ignored(), c.want)
		}
	}
}

// Repeating or moving what says nothing new changes nothing.
func TestResponsesHarmlessEventsMayRepeat(t *testing.T) {
	progress, item := rBare("response.in_progress", ""), rDone(1, "c", "read", `{"x":1}`)
	message := rItem(0, "done", `{"type":"message","id":"msg_0","content":[{"type":"output_text","text":"so"}]}`)
	for name, s := range map[string]string{
		"once":    stream(rBegin, progress, rMessage, rText(0, "so"), message, rCall(1, "c", "read"), rArgs(1, `{"x":1}`), item, rEnd("completed", "")),
		"doubled": stream(rBegin, rBegin, progress, progress, rMessage, rMessage, rText(0, "so"), message, message, rCall(1, "c", "read"), rCall(1, "c", "read"), rArgs(1, `{"x":1}`), item, item, rEnd("completed", ""), rEnd("completed", "")),
		"moved":   stream(rMessage, rCall(1, "c", "read"), progress, rText(0, "so"), rArgs(1, `{"x":1}`), item, rBegin, message, progress, rEnd("completed", "")),
	} {
		if got, want := show(assemble(&provider.ResponsesAccumulator{}, s, 11)), `"so" read#c({"x":1}) toolUse`; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestResponsesUsageAndThoughts(t *testing.T) {
	r, err := assemble(&provider.ResponsesAccumulator{Asked: "m1"}, workR, 99)
	if err != nil || r.Input != 30 || r.Output != 9 || r.Cached != 20 || r.Model != "m1-20260101" || len(r.Thoughts) != 1 {
		t.Fatalf("%d in, %d out, %d cached, model %s, %d thoughts, %v", r.Input, r.Output, r.Cached, r.Model, len(r.Thoughts), err)
	}
	want := `{"text":0,"calls":0,"block":{"id":"rs_0","type":"reasoning","summary":[{"type":"summary_text","text":"let me"}],"encrypted_content":"gAA<&>"}}`
	if th := r.Thoughts[0]; string(th.Raw) != want || th.Wire != "responses" || th.Model != "m1" {
		t.Errorf("%s, %s, %s\nwant %s", th.Wire, th.Model, th.Raw, want)
	}
	bare := strings.ReplaceAll(workR, `"encrypted_content":"gAA<&>"`, `"encrypted_content":""`)
	if r, err := assemble(&provider.ResponsesAccumulator{}, bare, 99); err != nil || len(r.Thoughts) != 0 {
		t.Errorf("reasoning that cannot go back is kept: %v, %v", r.Thoughts, err)
	}
}

func TestResponsesBoundsCallsAndItems(t *testing.T) {
	var calls, items strings.Builder
	for i := range 513 {
		calls.WriteString(rDone(i, fmt.Sprint("c", i), "f", fmt.Sprintf(`{"i":%d}`, i)))
	}
	for i := range 4097 {
		items.WriteString(rItem(i, "added", fmt.Sprintf(`{"type":"shiny","id":"s%d"}`, i)))
	}
	for name, s := range map[string]string{"calls": calls.String(), "items": items.String()} {
		if _, err := assemble(&provider.ResponsesAccumulator{}, s+rEnd("completed", ""), 4096); class(err) != provider.TooLarge {
			t.Errorf("%s: got %v, want too_large", name, err)
		}
	}
}

// Cut at every byte: before the end of the response is whole there is never a reply,
// and from then on it is the same one.
func TestResponsesCutAtEveryByte(t *testing.T) {
	full := stream(": queued\n\n", workR)
	want := show(assemble(&provider.ResponsesAccumulator{}, full, len(full)))
	for n := range len(full) {
		got := show(assemble(&provider.ResponsesAccumulator{}, full[:n], 11))
		if whole := n >= len(full)-2; (whole && got != want) || (!whole && got != "error cut") {
			t.Fatalf("cut after %d of %d bytes: got %s", n, len(full), got)
		}
	}
}
