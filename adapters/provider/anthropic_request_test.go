package provider_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/adapters/provider"
	"tenet/core/event"
	"tenet/core/surface"
)

// wireBody is the body that a client of the format sends for r.
func wireBody(t *testing.T, f wireFormat, r provider.Request, change ...func(*provider.Options)) string {
	t.Helper()
	var body string
	c := wireClient(t, f, nil, append(change, func(o *provider.Options) {
		o.Transport = transport(func(req *http.Request) (*http.Response, error) {
			body = bodyOf(req)
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(f.begin + f.end(false)))}, nil
		})
	})...)
	if _, err := c.Reply(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	return body
}

var (
	anthropicWire = formats[1]
	responsesWire = formats[2]
)

func member(t *testing.T, body, name string) string {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return string(m[name])
}

func user(text string) provider.Message { return provider.Message{Role: provider.User, Text: text} }
func system(text string) provider.Message {
	return provider.Message{Role: provider.System, Text: text}
}

func reply(text string, cs ...event.ToolCall) provider.Message {
	return provider.Message{Role: provider.Assistant, Text: text, Calls: cs}
}

// unmarked leaves the cache marks out, which have a test of their own.
func unmarked(s string) string {
	return strings.ReplaceAll(s, `,"cache_control":{"type":"ephemeral"}`, "")
}

func TestAnthropicRequestOnTheWire(t *testing.T) {
	var req *http.Request
	var body string
	c := wireClient(t, anthropicWire, capture(&req, &body, streamHead+plainA))
	read := surface.Build(surface.Tool{Name: "read", Description: "Reads a file.", Params: []surface.Param{{Name: "path", Type: surface.String, Required: true}}})
	r := messages(system("be brief"), user("read a<b>&c"))
	r.Tools = []surface.Tool{read}
	if _, err := c.Reply(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	if req.URL.Path != "/v1/messages" || req.Method != "POST" {
		t.Errorf("%s %s", req.Method, req.URL)
	}
	for name, want := range map[string]string{"X-Api-Key": "sk-secret-0123456789", "Anthropic-Version": "2023-06-01", "Authorization": "", "Accept": "text/event-stream", "Content-Type": "application/json", "User-Agent": "tenet/1.2.3"} {
		if req.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, req.Header.Get(name), want)
		}
	}
	want := `{"model":"m1","max_tokens":32000,"tools":[{"name":"read","description":"Reads a file.","input_schema":` + string(surface.Schema(read)) + `,"cache_control":{"type":"ephemeral"}}],` +
		`"system":[{"type":"text","text":"be brief","cache_control":{"type":"ephemeral"}}],` +
		`"messages":[{"role":"user","content":[{"type":"text","text":"read a<b>&c","cache_control":{"type":"ephemeral"}}]}],"stream":true}`
	if body != want {
		t.Errorf("body %s\nwant %s", body, want)
	}
}

// The base URL may hold the version, the whole path, or neither, as the format's own
// tools have it.
func TestAnthropicEndpoint(t *testing.T) {
	for base, path := range map[string]string{
		"http://model.test": "/v1/messages", "http://model.test/": "/v1/messages", "http://model.test/v1": "/v1/messages", "http://model.test/v1/": "/v1/messages",
		"http://model.test/v1/messages": "/v1/messages", "http://model.test/gate/anthropic": "/gate/anthropic/v1/messages", "http://model.test/v2beta": "/v2beta/messages",
	} {
		var req *http.Request
		var body string
		c := wireClient(t, anthropicWire, capture(&req, &body, streamHead+plainA), func(o *provider.Options) {
			o.BaseURL = base + "?k=1"
			o.BaseURL = strings.Replace(o.BaseURL, "/?", "?", 1)
		})
		if _, err := c.Reply(t.Context(), hello, nil); err != nil || req.URL.Path != path || req.URL.RawQuery != "k=1" {
			t.Errorf("base %s: %v, %v; want %s", base, req, err, path)
		}
	}
	c, err := provider.NewAnthropic(provider.Options{Model: "m"})
	if err != nil || c.Endpoint() != provider.DefaultAnthropicURL {
		t.Errorf("%v, %v", c, err)
	}
}

func TestAnthropicOptionsThatCannotWorkAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		o    provider.Options
		want string
	}{
		"no URL":            {provider.Options{BaseURL: "x", Model: "m"}, "ANTHROPIC_BASE_URL: "},
		"a key with a line": {provider.Options{Key: "a\nb", Model: "m"}, "ANTHROPIC_API_KEY: "},
		"a named key":       {provider.Options{Key: "a\nb", Model: "m", KeySetting: "ZAI_KEY"}, "ZAI_KEY: "},
		"no model":          {provider.Options{}, "--model: "},
		"a small budget":    {provider.Options{Model: "m", Thinking: 1023}, "thinking: a thinking budget of 1023 tokens does not fit: write one of at least 1024"},
		"a large budget":    {provider.Options{Model: "m", Thinking: 4096, MaxOutput: 4096}, "less than the output limit of 4096"},
	} {
		if _, err := provider.NewAnthropic(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// Messages as the format wants them: user and assistant in turn, results first in the
// next user message, nothing blank, no space at the end.
func TestAnthropicMessages(t *testing.T) {
	a := event.ToolCall{ID: "own-a", Provider: "toolu_A", Tool: "read", Args: `{"path": "a<b>"}`}
	b := event.ToolCall{ID: "own-b", Provider: "toolu_B", Tool: "bash", Args: `{"cut`}
	failed := provider.Message{Role: provider.Tool, Call: b, Text: "exit 1", Error: true}
	use := func(id, name, input string) string {
		return `{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":` + input + `}`
	}
	res := func(id, text string) string {
		return `{"type":"tool_result","tool_use_id":"` + id + `","content":[{"type":"text","text":"` + text + `"}]}`
	}
	u := func(blocks ...string) string {
		return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
	}
	as := func(blocks ...string) string {
		return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
	}
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	lost := `{"type":"tool_result","tool_use_id":"toolu_A","content":[{"type":"text","text":"No result of this call was recorded. It may or may not have run: look before you make it again."}],"is_error":true}`
	for name, c := range map[string]struct {
		ms   []provider.Message
		want []string
	}{
		"a turn with a call":                         {[]provider.Message{user("go"), reply("I read", a), result(a, "yes"), reply("done")}, []string{u(text("go")), as(text("I read"), use("toolu_A", "read", `{"path":"a<b>"}`)), u(res("toolu_A", "yes")), as(text("done"))}},
		"two results are one message":                {[]provider.Message{user("go"), reply("", a, b), result(a, "A"), failed}, []string{u(text("go")), as(use("toolu_A", "read", `{"path":"a<b>"}`), use("toolu_B", "bash", `{}`)), u(res("toolu_A", "A"), `{"type":"tool_result","tool_use_id":"toolu_B","content":[{"type":"text","text":"exit 1"}],"is_error":true}`)}},
		"results stand in the order of their calls":  {[]provider.Message{user("go"), reply("", a, b), result(b, "B"), result(a, "A")}, []string{u(text("go")), as(use("toolu_A", "read", `{"path":"a<b>"}`), use("toolu_B", "bash", `{}`)), u(res("toolu_A", "A"), res("toolu_B", "B"))}},
		"a user's words behind results merge":        {[]provider.Message{user("go"), reply("", a), result(a, "A"), user("faster"), user("please")}, []string{u(text("go")), as(use("toolu_A", "read", `{"path":"a<b>"}`)), u(res("toolu_A", "A"), text("faster"), text("please"))}},
		"a user's words before a result":             {[]provider.Message{user("go"), reply("", a), user("faster"), result(a, "A")}, []string{u(text("go")), as(use("toolu_A", "read", `{"path":"a<b>"}`)), u(res("toolu_A", "A"), text("faster"))}},
		"a result that never came":                   {[]provider.Message{user("go"), reply("", a), user("and?")}, []string{u(text("go")), as(use("toolu_A", "read", `{"path":"a<b>"}`)), u(lost, text("and?"))}},
		"a result twice":                             {[]provider.Message{user("go"), reply("", a), result(a, "A"), result(a, "B")}, []string{u(text("go")), as(use("toolu_A", "read", `{"path":"a<b>"}`)), u(res("toolu_A", "A"), text(`[the result of a call of read that is not shown]\nB`))}},
		"a result whose call is not there":           {[]provider.Message{user("summary"), result(a, "A"), reply("ok")}, []string{u(text("summary"), text(`[the result of a call of read that is not shown]\nA`)), as(text("ok"))}},
		"blank texts are left out":                   {[]provider.Message{user("go"), user(" \n"), reply(" \n", a), result(a, " ")}, []string{u(text("go")), as(use("toolu_A", "read", `{"path":"a<b>"}`)), u(`{"type":"tool_result","tool_use_id":"toolu_A"}`)}},
		"an empty reply is left out":                 {[]provider.Message{user("go"), reply(" "), user("?")}, []string{u(text("go"), text("?"))}},
		"no space at the end of a reply":             {[]provider.Message{user("go "), reply("so \n\t")}, []string{u(text("go ")), as(text("so"))}},
		"two replies merge":                          {[]provider.Message{user("go"), reply("a"), reply("b")}, []string{u(text("go")), as(text("a"), text("b"))}},
		"a conversation begins with a user":          {[]provider.Message{reply("a"), user("b")}, []string{u(text("[what came before is not shown]")), as(text("a")), u(text("b"))}},
		"a system message later on is a user's":      {[]provider.Message{user("a"), reply("b"), system("now c")}, []string{u(text("a")), as(text("b")), u(text("now c"))}},
		"a tool's name that no server takes":         {[]provider.Message{user("a"), reply("", event.ToolCall{ID: "x", Tool: "a.b c/é"}, event.ToolCall{ID: "y"})}, []string{u(text("a")), as(use("x", "a_b_c__", "{}"), use("y", "unnamed", "{}")), u(strings.ReplaceAll(lost, "toolu_A", "x"), strings.ReplaceAll(lost, "toolu_A", "y"))}},
		"arguments with half a character, no UTF-8 ": {[]provider.Message{user("a"), reply("", event.ToolCall{ID: "x", Tool: "f", Args: `{"a":"\ud83d","b":"\ud83d\ude00\\ud83d","c":"` + "\xff" + `"}`}), result(event.ToolCall{ID: "x"}, "ok")}, []string{u(text("a")), as(use("x", "f", `{"a":"\ufffd","b":"\ud83d\ude00\\ud83d","c":"`+"\uFFFD"+`"}`)), u(res("x", "ok"))}},
	} {
		got := unmarked(member(t, wireBody(t, anthropicWire, messages(c.ms...)), "messages"))
		if want := "[" + strings.Join(c.want, ",") + "]"; got != want {
			t.Errorf("%s: got  %s\nwant %s", name, got, want)
		}
	}
}

// Pictures go as base64, in a user's message and in a result; what the format does not
// take is named.
func TestAnthropicPictures(t *testing.T) {
	c := event.ToolCall{ID: "c", Tool: "read", Args: "{}"}
	png := event.Image{Media: "image/png", Data: []byte{0x89, 'P', 'N', 'G'}}
	r := messages(provider.Message{Role: provider.User, Text: "look", Images: []event.Image{png, {Media: "image/tiff", Data: []byte("x")}}}, calls(c), provider.Message{Role: provider.Tool, Call: c, Text: "shot", Images: []event.Image{png}})
	got := unmarked(member(t, wireBody(t, anthropicWire, r), "messages"))
	picture := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw=="}}`
	want := `[{"role":"user","content":[{"type":"text","text":"look"},` + picture + `,{"type":"text","text":"[a picture of the type image/tiff, which cannot be sent to this model]"}]},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"read","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"shot"},` + picture + `]}]}]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// thinking is a message whose reply thought as the stream says.
func thinking(t *testing.T, f wireFormat, s, model string) provider.Message {
	t.Helper()
	r, err := assemble(f.new(), s, 99)
	if err != nil || len(r.Thoughts) == 0 {
		t.Fatalf("%v, %d thoughts", err, len(r.Thoughts))
	}
	for i := range r.Thoughts {
		r.Thoughts[i].Model = model
	}
	for i := range r.Calls {
		r.Calls[i].ID = fmt.Sprint("own-", i)
	}
	return provider.Message{Role: provider.Assistant, Text: r.Text, Calls: r.Calls, Thoughts: r.Thoughts, Thinking: r.Thinking}
}

// Signed thinking goes back as it was, in its place before the call, and to nobody else
// (prov-023, prov-024).
func TestAnthropicThoughtsGoBackUnchanged(t *testing.T) {
	s := stream(aBegin, aBlock(0, aThinkBlock), aThink(0, "a<b> é"), aSign(0, "S+/="), aBlock(1, aTextBlock), aText(1, "so"), aBlock(2, `{"type":"redacted_thinking","data":"X=="}`), aCall(3, "toolu_1", "f"), aJSON(3, "{}"), aEnd("tool_use"))
	m := thinking(t, anthropicWire, s, "m1")
	rest := []provider.Message{result(m.Calls[0], "ok")}
	send := func(m provider.Message) string {
		return unmarked(member(t, wireBody(t, anthropicWire, messages(append([]provider.Message{user("go"), m}, rest...)...)), "messages"))
	}
	use, text := `{"type":"tool_use","id":"toolu_1","name":"f","input":{}}`, `{"type":"text","text":"so"}`
	with := `{"role":"assistant","content":[{"type":"thinking","thinking":"a<b> é","signature":"S+/="},` + text + `,{"type":"redacted_thinking","data":"X=="},` + use + `]}`
	without := `{"role":"assistant","content":[` + text + `,` + use + `]}`
	if got := send(m); !strings.Contains(got, with) {
		t.Errorf("got  %s\nwant %s", got, with)
	}
	edit := func(change func(*provider.Message)) provider.Message {
		c := m
		c.Thoughts = append([]event.Thought(nil), m.Thoughts...)
		change(&c)
		return c
	}
	for name, c := range map[string]provider.Message{
		"of another model":     edit(func(m *provider.Message) { m.Thoughts[0].Model, m.Thoughts[1].Model = "m2", "m2" }),
		"one of another model": edit(func(m *provider.Message) { m.Thoughts[1].Model = "m2" }),
		"of another wire":      edit(func(m *provider.Message) { m.Thoughts[0].Wire = "responses" }),
		"whose text was not stored": edit(func(m *provider.Message) {
			m.Thoughts[0].Raw = json.RawMessage(strings.Replace(string(m.Thoughts[0].Raw), "a<b> é", "", 1))
		}),
		"whose signature is gone": edit(func(m *provider.Message) {
			m.Thoughts[0].Raw = json.RawMessage(strings.Replace(string(m.Thoughts[0].Raw), "S+/=", "", 1))
		}),
		"whose data is gone": edit(func(m *provider.Message) {
			m.Thoughts[1].Raw = json.RawMessage(strings.Replace(string(m.Thoughts[1].Raw), "X==", "", 1))
		}),
		"that is no JSON": edit(func(m *provider.Message) { m.Thoughts[0].Raw = json.RawMessage("{") }),
		"behind everything that came": edit(func(m *provider.Message) {
			m.Thoughts[1].Raw = json.RawMessage(strings.Replace(string(m.Thoughts[1].Raw), `"calls":0`, `"calls":1`, 1))
		}),
	} {
		if got := send(c); !strings.Contains(got, without) {
			t.Errorf("a thought %s: got %s\nwant %s", name, got, without)
		}
	}
	only := provider.Message{Role: provider.Assistant, Thoughts: m.Thoughts[:1], Thinking: "a"}
	if got := unmarked(member(t, wireBody(t, anthropicWire, messages(user("go"), only, user("?"))), "messages")); strings.Contains(got, "assistant") {
		t.Errorf("a reply of only thinking is sent: %s", got)
	}
}

// Thinking is asked for as the options say, and not in a round of calls that began
// without a block to return: there the server answers with an error, for ever.
func TestAnthropicThinkingBudget(t *testing.T) {
	budget := func(o *provider.Options) { o.Thinking = 2048 }
	s := stream(aBegin, aBlock(0, aThinkBlock), aThink(0, "hm"), aSign(0, "S"), aCall(1, "toolu_1", "f"), aJSON(1, "{}"), aEnd("tool_use"))
	m := thinking(t, anthropicWire, s, "m1")
	foreign := thinking(t, anthropicWire, s, "m2")
	second := event.ToolCall{ID: "own-2", Tool: "f", Args: "{}"}
	const enabled = `{"type":"enabled","budget_tokens":2048}`
	for name, c := range map[string]struct {
		ms   []provider.Message
		want string
	}{
		"the first request":                      {[]provider.Message{user("go")}, enabled},
		"a round that began with thinking":       {[]provider.Message{user("go"), m, result(m.Calls[0], "ok")}, enabled},
		"and went on without":                    {[]provider.Message{user("go"), m, result(m.Calls[0], "ok"), reply("", second), result(second, "ok")}, enabled},
		"a round of another model":               {[]provider.Message{user("go"), foreign, result(m.Calls[0], "ok")}, ""},
		"a round of another model, and words":    {[]provider.Message{user("go"), foreign, result(m.Calls[0], "ok"), user("note")}, ""},
		"the next turn":                          {[]provider.Message{user("go"), foreign, result(m.Calls[0], "ok"), reply("done"), user("more")}, enabled},
		"the next turn, in a round of its own":   {[]provider.Message{user("go"), foreign, result(m.Calls[0], "ok"), reply("done"), user("more"), m, result(m.Calls[0], "ok")}, enabled},
		"an answer without thinking is no round": {[]provider.Message{user("go"), reply("done")}, enabled},
	} {
		body := wireBody(t, anthropicWire, messages(c.ms...), budget)
		if got := member(t, body, "thinking"); got != c.want || member(t, body, "max_tokens") != "34048" {
			t.Errorf("%s: thinking %s, want %s; max_tokens %s", name, got, c.want, member(t, body, "max_tokens"))
		}
	}
	body := wireBody(t, anthropicWire, hello, func(o *provider.Options) { o.Effort, o.MaxOutput = "high", 500 })
	if member(t, body, "thinking") != `{"type":"adaptive","display":"summarized"}` || member(t, body, "output_config") != `{"effort":"high"}` || member(t, body, "max_tokens") != "500" {
		t.Errorf("effort: %s", body)
	}
	if body := wireBody(t, anthropicWire, hello); member(t, body, "thinking") != "" || member(t, body, "output_config") != "" {
		t.Errorf("nothing was asked for: %s", body)
	}
}

// At most four cache marks: behind the tools, the system prompt, the last user message
// and the one before it. The marks of the next request stand where these stood.
func TestAnthropicCacheMarks(t *testing.T) {
	c := event.ToolCall{ID: "c", Tool: "f", Args: "{}"}
	ms := []provider.Message{system("a"), system("b"), user("1"), reply("x", c), result(c, "r"), reply("y"), user("2"), reply("z", c)}
	r := messages(ms...)
	r.Tools = []surface.Tool{surface.Build(surface.Tool{Name: "f"}), surface.Build(surface.Tool{Name: "g"})}
	body := wireBody(t, anthropicWire, r)
	mark := `"cache_control":{"type":"ephemeral"}`
	if n := strings.Count(body, mark); n != 4 {
		t.Errorf("%d marks: %s", n, body)
	}
	for _, at := range []string{`"additionalProperties":false},` + mark + `}],"system"`, `"text":"b",` + mark, `"text":"2",` + mark, `look before you make it again."}],"is_error":true,` + mark} {
		if !strings.Contains(body, at) {
			t.Errorf("no mark at %s in %s", at, body)
		}
	}
}

type anthropicBody struct {
	Messages []struct {
		Role    string
		Content []struct {
			Type, Text, ID, Name string
			Result               string `json:"tool_use_id"`
			Content              []struct{ Text string }
		}
	}
}

// Whatever the history holds, the request is one that the server takes: roles in turn,
// each call's one result first in the next user message, ids of the wire's alphabet and
// unique, nothing blank.
func TestAnthropicRequestsAreSound(t *testing.T) {
	alphabet := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	rapid.Check(t, func(rt *rapid.T) {
		var ms []provider.Message
		var known []event.ToolCall
		id := rapid.SampledFrom([]string{"", "call_1", "call_2", "call_1_1", "own-1", "dup", "a.b", "é", strings.Repeat("z", 65)})
		text := rapid.SampledFrom([]string{"", " ", "hi", "hi \n"})
		for i := range rapid.IntRange(1, 12).Draw(rt, "messages") {
			switch rapid.IntRange(0, 3).Draw(rt, "role") {
			case 0:
				ms = append(ms, user(text.Draw(rt, "text")))
			case 1, 2:
				m := reply(text.Draw(rt, "text"))
				for j := range rapid.IntRange(0, 3).Draw(rt, "calls") {
					m.Calls = append(m.Calls, event.ToolCall{ID: fmt.Sprintf("own-%d-%d", i, j), Provider: id.Draw(rt, "id"), Tool: id.Draw(rt, "tool"), Args: rapid.SampledFrom([]string{"", "{}", `{"a":1}`, `{"cut`}).Draw(rt, "args")})
				}
				known = append(known, m.Calls...)
				ms = append(ms, m)
			case 3:
				if len(known) > 0 {
					c := rapid.SampledFrom(known).Draw(rt, "call")
					ms = append(ms, result(c, c.ID))
				}
			}
		}
		var w anthropicBody
		if err := json.Unmarshal([]byte(wireBody(t, anthropicWire, messages(ms...))), &w); err != nil {
			rt.Fatal(err)
		}
		seen := map[string]bool{}
		for i, m := range w.Messages {
			if want := []string{"user", "assistant"}[i%2]; m.Role != want || len(m.Content) == 0 {
				rt.Fatalf("message %d is %s's with %d blocks", i, m.Role, len(m.Content))
			}
			var open []string
			for _, b := range m.Content {
				switch b.Type {
				case "text":
					if strings.TrimSpace(b.Text) == "" || (m.Role == "assistant" && strings.TrimSpace(b.Text) != b.Text) {
						rt.Fatalf("text %q", b.Text)
					}
				case "tool_use":
					if seen[b.ID] || !alphabet.MatchString(b.ID) || !alphabet.MatchString(b.Name) {
						rt.Fatalf("call %q of %q", b.ID, b.Name)
					}
					seen[b.ID] = true
					open = append(open, b.ID)
				}
			}
			if len(open) == 0 {
				continue
			}
			if i+1 == len(w.Messages) || len(w.Messages[i+1].Content) < len(open) {
				rt.Fatalf("the results of %v are not there", open)
			}
			for j, b := range w.Messages[i+1].Content {
				if (j < len(open)) != (b.Type == "tool_result") || (j < len(open) && b.Result != open[j]) {
					rt.Fatalf("block %d behind the calls %v is %s of %q", j, open, b.Type, b.Result)
				}
			}
		}
	})
}
