package provider_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"tenet/adapters/provider"
	"tenet/core/event"
	"tenet/core/surface"
)

// with is what is sent under some switches; the request's model is m1.
func with(t *testing.T, r provider.Request, change func(*provider.Options, *provider.Switches)) string {
	t.Helper()
	s := provider.DefaultSwitches()
	var body string
	_, err := chatWith(t, func(c net.Conn, req *http.Request) {
		b, _ := io.ReadAll(req.Body)
		body = string(b)
		raw(streamHead+end("stop"))(c, req)
	}, func(o *provider.Options) { change(o, &s); o.Switches = &s }).Reply(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// A history with everything that switches change: a system prompt, a question, a call
// after some thinking, its result, a second question.
var (
	switchCall = event.ToolCall{ID: "own-1", Provider: "call.1", Tool: "read", Args: `{"path":"a"}`}
	switchTool = surface.Build(surface.Tool{Name: "read", Description: "Reads.", Params: []surface.Param{{Name: "path", Type: surface.String, Description: "Which.", Required: true}}})
	history    = provider.Request{Tools: []surface.Tool{switchTool}, Messages: []provider.Message{
		{Role: provider.System, Text: "sys"},
		{Role: provider.User, Text: "one"},
		{Role: provider.Assistant, Text: "", Thinking: "hm", Calls: []event.ToolCall{switchCall}},
		{Role: provider.Tool, Call: switchCall, Text: "A"},
	}}
	withoutTools = provider.Request{Messages: history.Messages}
	asked        = provider.Request{Messages: append(history.Messages[:4:4], provider.Message{Role: provider.User, Text: "two"})}
)

const (
	head    = `{"model":"m1","messages":[`
	sysMsg  = `{"role":"system","content":"sys"}`
	oneMsg  = `,{"role":"user","content":"one"}`
	callMsg = `,{"role":"assistant","content":null,"tool_calls":[{"id":"call.1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}]`
	resMsg  = `,{"role":"tool","content":"A","tool_call_id":"call.1"}`
	twoMsg  = `,{"role":"user","content":"two"}`
	tail    = `],"stream":true,"stream_options":{"include_usage":true}}`
)

func toolsMsg(strict, schema string) string {
	return `],"tools":[{"type":"function","function":{"name":"read","description":"Reads.","parameters":` + schema + strict + `}}]`
}

var (
	plainSchema = string(surface.Schema(switchTool))
	strictText  = `{"type":"object","title":"v1","properties":{"i":{"type":["string","null"],"description":` + quote(surface.Intent.Description) + `},"path":{"type":"string","description":"Which."}},"required":["i","path"],"additionalProperties":false}`
	usual       = sysMsg + oneMsg + callMsg + `}` + resMsg
	streamed    = `,"stream":true,"stream_options":{"include_usage":true}`
)

type option = *provider.Options

// Each switch, and the exact request that it makes.
func TestEachSwitchOnTheWire(t *testing.T) {
	for _, c := range []struct {
		name   string
		r      provider.Request
		change func(o option, s *provider.Switches)
		want   string
	}{
		{"none", withoutTools, func(option, *provider.Switches) {}, head + usual + tail},
		{"store", withoutTools, func(_ option, s *provider.Switches) { s.Store = true }, head + usual + `]` + streamed + `,"store":false}`},
		{"developerRole", withoutTools, func(_ option, s *provider.Switches) { s.DeveloperRole = true },
			head + `{"role":"developer","content":"sys"}` + oneMsg + callMsg + `}` + resMsg + tail},
		{"effortField", hello, func(o option, s *provider.Switches) { s.EffortField, o.Effort = "reasoning_effort", "low" },
			head + `{"role":"user","content":"hello"}]` + streamed + `,"reasoning_effort":"low"}`},
		{"effortField off", hello, func(o option, s *provider.Switches) { s.EffortField, o.Effort = "reasoning_effort", provider.Off },
			head + `{"role":"user","content":"hello"}` + tail},
		{"effortField reasoning", hello, func(o option, s *provider.Switches) { s.EffortField, o.Effort = "reasoning", "high" },
			head + `{"role":"user","content":"hello"}]` + streamed + `,"reasoning":{"effort":"high"}}`},
		{"effortField reasoning off", hello, func(o option, s *provider.Switches) { s.EffortField, o.Effort = "reasoning", provider.Off },
			head + `{"role":"user","content":"hello"}]` + streamed + `,"reasoning":{"enabled":false}}`},
		{"thinkingFormat zai", hello, func(o option, s *provider.Switches) { s.ThinkingFormat, o.Effort = "zai", "low" },
			head + `{"role":"user","content":"hello"}]` + streamed + `,"thinking":{"type":"enabled"}}`},
		{"thinkingFormat zai off", hello, func(o option, s *provider.Switches) { s.ThinkingFormat, o.Effort = "zai", provider.Off },
			head + `{"role":"user","content":"hello"}]` + streamed + `,"thinking":{"type":"disabled"}}`},
		{"thinkingFormat qwen", hello, func(o option, s *provider.Switches) { s.ThinkingFormat, o.Effort = "qwen", provider.Off },
			head + `{"role":"user","content":"hello"}]` + streamed + `,"enable_thinking":false}`},
		{"thinkingFormat template", hello, func(o option, s *provider.Switches) { s.ThinkingFormat, o.Effort = "template", "high" },
			head + `{"role":"user","content":"hello"}]` + streamed + `,"chat_template_kwargs":{"enable_thinking":true}}`},
		{"thinkingFormat without a wish", hello, func(_ option, s *provider.Switches) { s.ThinkingFormat = "qwen" }, head + `{"role":"user","content":"hello"}` + tail},
		{"thinkingHistory reasoning_content", withoutTools, func(_ option, s *provider.Switches) { s.ThinkingHistory = "reasoning_content" },
			head + sysMsg + oneMsg + callMsg + `,"reasoning_content":"hm"}` + resMsg + tail},
		{"thinkingHistory reasoning", withoutTools, func(_ option, s *provider.Switches) { s.ThinkingHistory = "reasoning" },
			head + sysMsg + oneMsg + callMsg + `,"reasoning":"hm"}` + resMsg + tail},
		{"thinkingHistory text", withoutTools, func(_ option, s *provider.Switches) { s.ThinkingHistory = "text" },
			head + sysMsg + oneMsg + strings.Replace(callMsg, "null", `"<think>\nhm\n</think>\n\n"`, 1) + `}` + resMsg + tail},
		{"thinkingSince turn", asked, func(_ option, s *provider.Switches) { s.ThinkingHistory = "reasoning_content" }, head + usual + twoMsg + tail},
		{"thinkingSince always", asked, func(_ option, s *provider.Switches) {
			s.ThinkingHistory, s.ThinkingSince = "reasoning_content", "always"
		}, head + sysMsg + oneMsg + callMsg + `,"reasoning_content":"hm"}` + resMsg + twoMsg + tail},
		{"usageInStream", withoutTools, func(_ option, s *provider.Switches) { s.UsageInStream = false }, head + usual + `],"stream":true}`},
		{"maxTokensField", hello, func(o option, s *provider.Switches) { s.MaxTokensField, o.MaxOutput = "max_tokens", 99 },
			head + `{"role":"user","content":"hello"}]` + streamed + `,"max_tokens":99}`},
		{"maxTokensField max_completion_tokens", hello, func(o option, s *provider.Switches) { s.MaxTokensField, o.MaxOutput = "max_completion_tokens", 99 },
			head + `{"role":"user","content":"hello"}]` + streamed + `,"max_completion_tokens":99}`},
		{"maxTokensField empty", hello, func(o option, s *provider.Switches) { o.MaxOutput = 99 }, head + `{"role":"user","content":"hello"}` + tail},
		{"nameOnResults", withoutTools, func(_ option, s *provider.Switches) { s.NameOnResults = true },
			head + sysMsg + oneMsg + callMsg + `}` + `,{"role":"tool","content":"A","name":"read","tool_call_id":"call.1"}` + tail},
		{"assistantAfterResults", asked, func(_ option, s *provider.Switches) { s.AssistantAfterResults = true },
			head + usual + `,{"role":"assistant","content":"I have read the results."}` + twoMsg + tail},
		{"strictSchemas omit", history, func(option, *provider.Switches) {}, head + usual + toolsMsg("", plainSchema) + streamed + `}`},
		{"strictSchemas false", history, func(_ option, s *provider.Switches) { s.StrictSchemas = "false" }, head + usual + toolsMsg(`,"strict":false`, plainSchema) + streamed + `}`},
		{"strictSchemas true", history, func(_ option, s *provider.Switches) { s.StrictSchemas = "true" }, head + usual + toolsMsg(`,"strict":true`, strictText) + streamed + `}`},
		{"plainContent", withoutTools, func(_ option, s *provider.Switches) { s.PlainContent = true },
			head + sysMsg + oneMsg + strings.Replace(callMsg, "null", `""`, 1) + `}` + resMsg + tail},
		{"keepEmptyAssistant", messages(provider.Message{Role: provider.Assistant, Thinking: "only this"}), func(_ option, s *provider.Switches) { s.KeepEmptyAssistant = true },
			head + `{"role":"assistant","content":""}` + tail},
		{"idAlphabet word", withoutTools, func(_ option, s *provider.Switches) { s.IDAlphabet = "word" }, head + strings.ReplaceAll(usual, "call.1", "own-1") + tail},
		{"idAlphabet alnum", withoutTools, func(_ option, s *provider.Switches) { s.IDAlphabet, s.IDMin, s.IDMax = "alnum", 9, 9 }, head + strings.ReplaceAll(usual, "call.1", "call00001") + tail},
		{"idMax", withoutTools, func(_ option, s *provider.Switches) { s.IDMax = 5 }, head + strings.ReplaceAll(usual, "call.1", "own-1") + tail},
		{"historyWithoutTools empty", withoutTools, func(_ option, s *provider.Switches) { s.HistoryWithoutTools = "empty" }, head + usual + `],"tools":[]` + streamed + `}`},
		{"historyWithoutTools text", withoutTools, func(_ option, s *provider.Switches) { s.HistoryWithoutTools = "text" },
			head + sysMsg + oneMsg + `,{"role":"assistant","content":"[called read with {\"path\":\"a\"}]"},{"role":"user","content":"[result of read]\nA"}` + tail},
		{"cacheMarks", asked, func(_ option, s *provider.Switches) { s.CacheMarks = true },
			head + `{"role":"system","content":[{"type":"text","text":"sys","cache_control":{"type":"ephemeral"}}]}` + oneMsg + callMsg + `}` +
				`,{"role":"tool","content":[{"type":"text","text":"A","cache_control":{"type":"ephemeral"}}],"tool_call_id":"call.1"}` +
				`,{"role":"user","content":[{"type":"text","text":"two","cache_control":{"type":"ephemeral"}}]}` + tail},
		{"toolChoice", history, func(_ option, s *provider.Switches) { s.ToolChoice = "auto" }, head + usual + toolsMsg("", plainSchema) + `,"tool_choice":"auto"` + streamed + `}`},
		{"toolChoice without tools", withoutTools, func(_ option, s *provider.Switches) { s.ToolChoice = "auto" }, head + usual + tail},
		{"extra", hello, func(_ option, s *provider.Switches) {
			s.Extra = map[string]json.RawMessage{"top_p": []byte("0.9"), "provider": []byte(`{"sort":"price"}`), "stream": []byte("false")}
		}, head + `{"role":"user","content":"hello"}]` + streamed + `,"provider":{"sort":"price"},"top_p":0.9}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := with(t, c.r, c.change); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Every switch is data: it is set by its name, and a value that it does not take is
// refused with what it takes.
func TestSwitchesAreSetByName(t *testing.T) {
	values := map[reflect.Kind]string{reflect.Bool: "true", reflect.Int: "12", reflect.String: `"x"`, reflect.Map: `{"low":"a"}`}
	for at, w := range provider.SwitchList() {
		var s provider.Switches
		field := reflect.ValueOf(&s).Elem().Field(at)
		value := values[field.Kind()]
		if w.Words != nil {
			value = quote(w.Words[len(w.Words)-1])
		}
		if err := s.Set(w.Name, json.RawMessage(value)); err != nil || field.IsZero() || w.Says == "" {
			t.Errorf("%s set to %s: %v, %v", w.Name, value, field, err)
		}
		before := fmt.Sprint(s)
		for _, bad := range []string{"[]", "1.5", `"no such word"`, "0"} {
			if err := s.Set(w.Name, json.RawMessage(bad)); err != nil && (!strings.Contains(err.Error(), w.Name+": it should be") || fmt.Sprint(s) != before) {
				t.Errorf("%s set to %s: %v", w.Name, bad, err)
			}
		}
	}
	s := provider.DefaultSwitches()
	if s.Set("nosuch", json.RawMessage("1")) == nil || s.Set("extra", json.RawMessage(`{"stream": false}`)) == nil {
		t.Error("a switch that is none, or that undoes tenet's own, is taken")
	}
}

// The opaque blocks of a router go back unchanged, to the model that made them only.
func TestOpaqueThinkingBlocksGoBack(t *testing.T) {
	s := provider.DefaultSwitches()
	s.ThinkingHistory = "details"
	reply, err := ask(t, raw(streamHead+
		chunk(`"delta":{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a <","index":0,"format":"x"}]}`)+
		chunk(`"delta":{"reasoning_details":[{"type":"reasoning.text","text":"b","signature":"S","index":0,"format":"x"},{"type":"reasoning.encrypted","data":"D","index":1}]}`)+
		say("hi")+end("stop")), func(o *provider.Options) { o.Switches = &s })
	if err != nil || len(reply.Thoughts) != 1 {
		t.Fatalf("%+v, %v", reply, err)
	}
	const blocks = `[{"format":"x","index":0,"signature":"S","text":"a <b","type":"reasoning.text"},{"data":"D","index":1,"type":"reasoning.encrypted"}]`
	if got := string(reply.Thoughts[0].Raw); got != blocks || reply.Thoughts[0].Model != "m1" {
		t.Errorf("kept %s", got)
	}
	back := messages(provider.Message{Role: provider.User, Text: "q"}, provider.Message{Role: provider.Assistant, Text: "hi", Thoughts: reply.Thoughts})
	if got, want := with(t, back, func(_ option, s *provider.Switches) { s.ThinkingHistory = "details" }), `"content":"hi","reasoning_details":`+blocks; !strings.Contains(got, want) {
		t.Errorf("went back as %s", got)
	}
	if got := with(t, back, func(o option, s *provider.Switches) { s.ThinkingHistory, o.Model = "details", "m2" }); strings.Contains(got, "reasoning_details") {
		t.Errorf("went to another model: %s", got)
	}
}

// A picture is a part of its own behind the text, as a data URL.
func TestImagesOnTheWire(t *testing.T) {
	r := messages(provider.Message{Role: provider.User, Text: "look", Images: []event.Image{{Media: "image/png", Data: []byte("\x89PNG")}}})
	want := `{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}]}`
	if got := sent(t, r); !strings.Contains(got, want) {
		t.Errorf("got %s", got)
	}
	for name, change := range map[string]func(*provider.Options){
		"the model takes none": func(o *provider.Options) { o.NoImages = true },
		"content is a string":  func(o *provider.Options) { s := provider.DefaultSwitches(); s.PlainContent = true; o.Switches = &s },
	} {
		_, err := chatWith(t, func(net.Conn, *http.Request) { t.Error("it was sent") }, change).Reply(t.Context(), r, nil)
		if e := asError(t, err); e.Class != provider.Rejected || !strings.Contains(e.Message, "m1 takes no images") {
			t.Errorf("%s: %v", name, e)
		}
	}
}

// Headers of the user's go with every request; what of them is secret is never shown.
func TestHeaders(t *testing.T) {
	var got http.Header
	_, err := ask(t, func(c net.Conn, req *http.Request) {
		got = req.Header
		raw("HTTP/1.1 400 Bad\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"+`{"error":{"message":"no team-secret-9000"}}`)(c, req)
	}, func(o *provider.Options) {
		o.Headers, o.Secrets = map[string]string{"X-Team": "team-secret-9000"}, []string{"team-secret-9000"}
	})
	if got.Get("X-Team") != "team-secret-9000" || strings.Contains(err.Error(), "9000") {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []map[string]string{{"": "x"}, {"a b": "x"}, {"X": "a\nb"}, {"Content-Length": "3"}, {"host": "x"}} {
		if _, err := provider.NewChat(provider.Options{Model: "m", Headers: bad}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
