package provider_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"tenet/adapters/provider"
	"tenet/adapters/provider/sse"
	"tenet/core/event"
)

// assembler is what the three wire formats have in common.
type assembler interface {
	Take(sse.Event) (provider.Delta, bool, error)
	Done() bool
	Closed() bool
	Ignored() int
	Reply() (event.Reply, error)
}

// client is a provider of any wire format.
type client interface {
	provider.Provider
	Endpoint() string
	Close()
}

// wireFormat is one of the formats, and how a server of it says things.
type wireFormat struct {
	name string
	new  func() assembler
	open func(provider.Options) (client, error)
	// say is a piece of text, work a whole call, end the end of a reply of text or of
	// calls, fault an error inside the stream.
	say   func(text string) string
	work  func(i int, id, name, args string) string
	begin string
	end   func(calls bool) string
	fault func(kind, message string) string
	// alive is an event that is a sign of life and no progress.
	alive string
	// terminal is a text that stands in the one event that ends a reply.
	terminal string
	urlVar   string
	keyVar   string
}

var formats = []wireFormat{
	{
		name: "chat", new: func() assembler { return &provider.Accumulator{} },
		open:  func(o provider.Options) (client, error) { return provider.NewChat(o) },
		begin: chunk(`"delta":{"role":"assistant","content":""}`), say: say,
		work: func(i int, id, name, args string) string {
			return tool(fmt.Sprintf(`{"index":%d,"id":%q,"function":{"name":%q,"arguments":%s}}`, i, id, name, quote(args)))
		},
		end: func(calls bool) string {
			if calls {
				return end("tool_calls") + done
			}
			return end("stop") + done
		},
		fault: func(kind, message string) string {
			return fmt.Sprintf("data: {\"error\":{\"type\":%q,\"message\":%q}}\n\n", kind, message)
		},
		alive: ": queued\n\n", terminal: `"finish_reason":"`, urlVar: "OPENAI_BASE_URL", keyVar: "OPENAI_API_KEY",
	},
	{
		name: "anthropic", new: func() assembler { return &provider.AnthropicAccumulator{Asked: "m1"} },
		open:  func(o provider.Options) (client, error) { return provider.NewAnthropic(o) },
		begin: aBegin + aBlock(0, `{"type":"text","text":""}`), say: func(s string) string { return aText(0, s) },
		work: func(i int, id, name, args string) string {
			return aCall(i+1, id, name) + aJSON(i+1, args) + aStop(i+1)
		},
		end: func(calls bool) string {
			if calls {
				return aStop(0) + aEnd("tool_use")
			}
			return aStop(0) + aEnd("end_turn")
		},
		fault: func(kind, message string) string {
			return aEvent(fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q}}`, kind, message))
		},
		alive: aEvent(`{"type":"ping"}`), terminal: `"type":"message_stop"`, urlVar: "ANTHROPIC_BASE_URL", keyVar: "ANTHROPIC_API_KEY",
	},
	{
		name: "responses", new: func() assembler { return &provider.ResponsesAccumulator{Asked: "m1"} },
		open:  func(o provider.Options) (client, error) { return provider.NewResponses(o) },
		begin: rBegin + rItem(0, "added", `{"type":"message","id":"msg_0","content":[]}`), say: func(s string) string { return rText(0, s) },
		work: func(i int, id, name, args string) string {
			return rCall(i+1, id, name) + rArgs(i+1, args) + rDone(i+1, id, name, args)
		},
		end: func(bool) string { return rEnd("completed", ``) },
		fault: func(kind, message string) string {
			return rEvent(fmt.Sprintf(`{"type":"error","code":%q,"message":%q}`, kind, message))
		},
		alive: rEvent(`{"type":"response.in_progress","response":{"id":"resp_1"}}`), terminal: `"type":"response.completed"`, urlVar: "OPENAI_BASE_URL", keyVar: "OPENAI_API_KEY",
	},
}

// eventOf is one event with its name.
func eventOf(data string) string {
	_, kind, _ := strings.Cut(data, `"type":"`)
	kind, _, _ = strings.Cut(kind, `"`)
	return "event: " + kind + "\ndata: " + data + "\n\n"
}

func aEvent(data string) string { return eventOf(data) }
func rEvent(data string) string { return eventOf(data) }

// The events of an Anthropic stream.
var aBegin = aEvent(`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"m1-20260101","stop_reason":null,"usage":{"input_tokens":7,"cache_read_input_tokens":20,"cache_creation_input_tokens":3,"output_tokens":1}}}`)

func aBlock(i int, block string) string {
	return aEvent(fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, block))
}
func aDelta(i int, delta string) string {
	return aEvent(fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, i, delta))
}
func aText(i int, s string) string { return aDelta(i, `{"type":"text_delta","text":`+quote(s)+`}`) }
func aJSON(i int, s string) string {
	return aDelta(i, `{"type":"input_json_delta","partial_json":`+quote(s)+`}`)
}
func aCall(i int, id, name string) string {
	return aBlock(i, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":{}}`, id, name))
}
func aStop(i int) string {
	return aEvent(fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
}
func aReason(reason string) string {
	return aEvent(fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":9}}`, reason))
}

var aHalt = aEvent(`{"type":"message_stop"}`)

func aEnd(reason string) string { return aReason(reason) + aHalt }

// The events of a Responses stream.
var rBegin = rEvent(`{"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress","error":null,"output":[]}}`)

func rItem(i int, what, item string) string {
	return rEvent(fmt.Sprintf(`{"type":"response.output_item.%s","output_index":%d,"item":%s}`, what, i, item))
}
func rText(i int, s string) string {
	return rEvent(fmt.Sprintf(`{"type":"response.output_text.delta","item_id":"msg_%d","output_index":%d,"content_index":0,"delta":%s}`, i, i, quote(s)))
}
func rCall(i int, id, name string) string {
	return rItem(i, "added", fmt.Sprintf(`{"type":"function_call","id":"fc_%d","call_id":%q,"name":%q,"arguments":""}`, i, id, name))
}
func rArgs(i int, s string) string {
	return rEvent(fmt.Sprintf(`{"type":"response.function_call_arguments.delta","item_id":"fc_%d","output_index":%d,"delta":%s}`, i, i, quote(s)))
}
func rDone(i int, id, name, args string) string {
	return rItem(i, "done", fmt.Sprintf(`{"type":"function_call","id":"fc_%d","call_id":%q,"name":%q,"arguments":%s,"status":"completed"}`, i, id, name, quote(args)))
}
func rEnd(status, more string) string {
	return rEvent(fmt.Sprintf(`{"type":"response.%s","response":{"id":"resp_1","object":"response","status":%q,"model":"m1-20260101","usage":{"input_tokens":30,"output_tokens":9,"input_tokens_details":{"cached_tokens":20}}%s}}`, status, status, more))
}

// assemble reads a stream in pieces of n bytes without a network.
func assemble(a assembler, s string, n int) (event.Reply, error) {
	var p sse.Parser
	take := func(e sse.Event) error { _, _, err := a.Take(e); return err }
	for b := []byte(s); len(b) > 0; b = b[min(n, len(b)):] {
		if err := p.Feed(b[:min(n, len(b))], take); err != nil {
			return event.Reply{}, err
		}
	}
	if err := p.Close(take); err != nil {
		return event.Reply{}, err
	}
	return a.Reply()
}

// wireClient is a client of the format whose connections lead to s, in memory.
func wireClient(t *testing.T, f wireFormat, s script, change ...func(*provider.Options)) client {
	t.Helper()
	c, err := f.open(optionsFor(s, change...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// capture is a server that keeps the request and answers with a body.
func capture(to **http.Request, body *string, answer string) script {
	return func(c net.Conn, req *http.Request) {
		*to, *body = req, bodyOf(req)
		raw(answer)(c, req)
	}
}
