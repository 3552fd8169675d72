package rehearsal_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tenet/adapters/provider"
	"tenet/adapters/rehearsal"
	"tenet/core/event"
)

const story = `
// The model looks, runs the tests, and answers.
{"thinking": "Let me look.", "calls": [{"tool": "list_dir", "args": {"path": "."}}]}
{
  "text": "I will run http://x // not a comment.", // this is one
  "expect": ["go.mod", "main.go"],
  "calls": [
    {"tool": "bash", "args": {"command": "go test ./..."}, "id": "call_0"},
    {"tool": "write", "args": "{\"path\": \"a"}
  ],
  "input_tokens": 12, "output_tokens": 3
}
{"fail": "limited", "message": "too fast", "status": 429, "retry_after_ms": 1500}
{"text": "All green.", "pieces": 4}
`

func parse(t *testing.T, text string) *rehearsal.Script {
	t.Helper()
	s, err := rehearsal.Parse(strings.NewReader(text), "story.rehearsal")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asked is a request whose last messages are the given results.
func asked(results ...string) provider.Request {
	r := provider.Request{Messages: []provider.Message{{Role: provider.User, Text: "go"}, {Role: provider.Assistant, Text: "so"}}}
	for _, s := range results {
		r.Messages = append(r.Messages, provider.Message{Role: provider.Tool, Text: s})
	}
	return r
}

func TestPlayGivesTheRepliesInOrder(t *testing.T) {
	p := parse(t, story).Play()
	r, err := p.Reply(t.Context(), asked(), nil)
	if err != nil || r.Thinking != "Let me look." || r.Stop != provider.StopTools || fmt.Sprint(r.Calls) != `[{  list_dir {"path":"."}}]` {
		t.Fatalf("first reply: %+v, %v", r, err)
	}
	r, err = p.Reply(t.Context(), asked("a go.mod", "b main.go"), nil)
	if err != nil || r.Text != "I will run http://x // not a comment." || r.Input != 12 || r.Output != 3 || r.Calls[0].Provider != "call_0" || r.Calls[1].Args != `{"path": "a` {
		t.Fatalf("second reply: %+v, %v", r, err)
	}
	_, err = p.Reply(t.Context(), asked(), nil)
	var e *provider.Error
	if !errors.As(err, &e) || e.Class != provider.Limited || e.RetryAfter != 1500*time.Millisecond || e.Status != 429 || !e.Transient() {
		t.Fatalf("the failure: %+v", err)
	}
	var said []string
	r, err = p.Reply(t.Context(), asked(), func(d provider.Delta) { said = append(said, d.Text) })
	if err != nil || r.Text != "All green." || r.Stop != provider.StopEnd || strings.Join(said, "|") != "All |gree|n." {
		t.Fatalf("last reply: %+v, %v, said %q", r, err, said)
	}
	if p.Name() != "rehearsal:story.rehearsal" {
		t.Errorf("name %q", p.Name())
	}
}

func TestPlayEndsWithACountOfItsReplies(t *testing.T) {
	p := parse(t, `{"text": "one"}`).Play()
	_, _ = p.Reply(t.Context(), asked(), nil)
	for range 2 {
		_, err := p.Reply(t.Context(), asked(), nil)
		wantClass(t, err, provider.Exhausted, "has 1 reply, and the session asked for one more")
	}
}

func TestEachPlayBeginsAnew(t *testing.T) {
	s := parse(t, `{"text": "one"} {"text": "two"}`)
	for range 2 {
		if r, err := s.Play().Reply(t.Context(), asked(), nil); err != nil || r.Text != "one" {
			t.Fatalf("got %q, %v; want the first reply", r.Text, err)
		}
	}
	if s.Len() != 2 {
		t.Errorf("%d replies, want 2", s.Len())
	}
}

func TestAStoryThatDriftsStopsWhereItDrifts(t *testing.T) {
	const s = "{\"text\": \"first\"}\n{\"text\": \"fixed\", \"expect\": [\"FAIL\", \"total 3\"]}"
	p := parse(t, s).Play()
	_, _ = p.Reply(t.Context(), asked(), nil)
	_, err := p.Reply(t.Context(), asked("ok", "total 3"), nil)
	wantClass(t, err, provider.Exhausted, `reply 2 of story.rehearsal (line 2): it expects "FAIL", and what came is "ok\ntotal 3"`)

	p = parse(t, `{"text": "hi", "expect": "hello"}`).Play()
	if _, err := p.Reply(t.Context(), provider.Request{Messages: []provider.Message{{Role: provider.User, Text: "hello there"}}}, nil); err != nil {
		t.Errorf("the first reply may expect the prompt: %v", err)
	}
	p = parse(t, `{"text": "hi", "expect": "hello"}`).Play()
	_, err = p.Reply(t.Context(), provider.Request{}, nil)
	wantClass(t, err, provider.Exhausted, "what came is nothing")

	p = parse(t, `{"text": "hi", "expect": "old"}`).Play()
	r := asked("new")
	r.Messages[0].Text = "old words, which the last reply answered"
	_, err = p.Reply(t.Context(), r, nil)
	wantClass(t, err, provider.Exhausted, `what came is "new"`)
}

func wantClass(t *testing.T, err error, class provider.Class, says string) {
	t.Helper()
	var e *provider.Error
	if !errors.As(err, &e) || e.Class != class || !strings.Contains(e.Message, says) {
		t.Fatalf("got %v, want class %s and %q", err, class, says)
	}
}

func TestAFailureMayComeInTheMiddleOfTheText(t *testing.T) {
	var said string
	p := parse(t, `{"text": "half an ans", "fail": "cut"}`).Play()
	_, err := p.Reply(t.Context(), asked(), func(d provider.Delta) { said += d.Text })
	wantClass(t, err, provider.Cut, "plays a failure (cut)")
	if said != "half an ans" {
		t.Errorf("said %q", said)
	}
}

func TestEveryClassCanBePlayed(t *testing.T) {
	for _, c := range provider.Classes() {
		_, err := parse(t, fmt.Sprintf(`{"fail": %q}`, c)).Play().Reply(t.Context(), asked(), nil)
		wantClass(t, err, c, string(c))
	}
}

func TestACancelEndsTheWaitAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := parse(t, `{"text": "slow", "wait_ms": 60000} {"text": "after"}`).Play()
		stop := errors.New("the person pressed a key")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(stop) })
		start := time.Now()
		if _, err := p.Reply(ctx, asked(), nil); !errors.Is(err, stop) || time.Since(start) != time.Second {
			t.Fatalf("got %v after %s, want the cause after 1s", err, time.Since(start))
		}
		start = time.Now()
		if r, err := parse(t, `{"text": "slow", "wait_ms": 60000}`).Play().Reply(t.Context(), asked(), nil); err != nil || r.Text != "slow" || time.Since(start) != time.Minute {
			t.Fatalf("got %q, %v after %s, want the reply after 1m", r.Text, err, time.Since(start))
		}
	})
}

func TestACancelledRequestTakesNoReply(t *testing.T) {
	p := parse(t, `{"text": "one"}`).Play()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Reply(ctx, asked(), nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if r, err := p.Reply(t.Context(), asked(), nil); err != nil || r.Text != "one" {
		t.Fatalf("got %q, %v; want the reply that was not taken", r.Text, err)
	}
}

func TestRequestsAtTheSameTimeTakeDifferentReplies(t *testing.T) {
	const n = 50
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "{\"text\": \"%d\"}\n", i)
	}
	p := parse(t, text.String()).Play()
	var mu sync.Mutex
	var wg sync.WaitGroup
	seen := map[string]bool{}
	for range n {
		wg.Go(func() {
			r, err := p.Reply(t.Context(), asked(), nil)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			seen[r.Text] = true
		})
	}
	wg.Wait()
	if len(seen) != n {
		t.Fatalf("%d different replies, want %d", len(seen), n)
	}
}

func TestAReplyIsNotSharedBetweenPlays(t *testing.T) {
	s := parse(t, `{"calls": [{"tool": "read"}]}`)
	r, _ := s.Play().Reply(t.Context(), asked(), nil)
	r.Calls[0].ID = "mine"
	again, _ := s.Play().Reply(t.Context(), asked(), nil)
	if again.Calls[0] != (event.ToolCall{Tool: "read", Args: "{}"}) {
		t.Fatalf("a second play sees the first one's writing: %+v", again.Calls[0])
	}
}

func TestAScriptThatCannotBePlayedNamesItsLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nothing":               {"", `1: the rehearsal has no reply`},
		"only comments":         {"// one\n// two\n", `3: the rehearsal has no reply`},
		"a list":                {"\n[{\"text\": \"a\"}]", `2: a reply begins with {, not with '['`},
		"commas between":        {"{\"text\": \"a\"},\n{\"text\": \"b\"}", `1: a reply begins with {, not with ','`},
		"unknown member":        {"{\"text\": \"a\"}\n{\n \"texd\": \"b\"}", `3: a reply has no "texd"; it has text, thinking, calls`},
		"a member twice":        {"{\"text\": \"a\",\n\"text\": \"b\"}", `2: a reply has "text" twice`},
		"broken JSON":           {"{\"text\": \"a\"}\n\n{\"text\": \n oops}", `4: this is no JSON`},
		"an end too early":      {"{\"text\": \"a\"}\n{\"text\": [", `2: the file ends in the middle of the reply that began on line 2`},
		"a string over lines":   {"{\"text\": \"a\nb\"}", `1: a string ends on the line it began`},
		"a text that is none":   {"{\n\"text\": 7}", `2: "text" is a text, not 7`},
		"null":                  {"{\"text\": null}", `1: "text" is a text, not null`},
		"calls of no shape":     {"{\"calls\": {\"tool\": \"x\"}}", `1: "calls" is a list like`},
		"no calls":              {"{\"calls\": []}", `1: "calls" is a list like`},
		"a call of no shape":    {"{\"calls\": [\n\"ls\"]}", `2: a call is an object like`},
		"a call without a tool": {"{\"calls\": [{\"args\": {}},\n{\"args\": {}}]}", `1: "tool" is missing`},
		"an unknown in a call":  {"{\"calls\": [\n{\"tool\": \"a\"},\n{\"tool\": \"a\", \"arguments\": {}}]}", `3: a call has no "arguments"; it has tool, args, id`},
		"arguments in a list":   {"{\"calls\": [{\"tool\": \"a\",\n\"args\": [1]}]}", `2: "args" is an object, or a text`},
		"an unknown class":      {"{\"fail\": \"tired\"}", `1: "fail" is one of cut, stalled, malformed`},
		"a failure with calls":  {"{\"fail\": \"cut\", \"calls\": [{\"tool\": \"a\"}]}", `1: "calls" cannot stand beside a failure`},
		"a status alone":        {"{\"text\": \"a\",\n\"status\": 429}", `2: "status" belongs to a failure`},
		"an unknown stop":       {"{\"text\": \"a\", \"stop\": \"tool_calls\"}", `1: "stop" is one of stop, length, toolUse`},
		"a negative wait":       {"{\"text\": \"a\", \"wait_ms\": -1}", `1: "wait_ms" is a whole number from 0 to 600000`},
		"a fraction":            {"{\"text\": \"a\", \"pieces\": 1.5}", `1: "pieces" is a whole number`},
		"an empty expectation":  {"{\"text\": \"a\", \"expect\": []}", `1: "expect" is a text or a list of texts`},
		"a null expectation":    {"{\"text\": \"a\", \"expect\": [null]}", `1: "expect" is a text or a list of texts`},
		"a reply of nothing":    {"{\"text\": \"a\"}\n{\"expect\": \"x\"}", `2: the reply says nothing (it has 1 members: expect)`},
		"no UTF-8":              {"{\"text\": \"a\"}\n{\"text\": \"\xff\"}", `2: this is not UTF-8`},
		"words":                 {"hello", `1: a reply begins with {`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rehearsal.Parse(strings.NewReader(c.text), "s")
			var e *rehearsal.Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "s:"+c.want) {
				t.Fatalf("got  %v\nwant s:%s", err, c.want)
			}
		})
	}
}

func TestAScriptFromAnotherEditorIsRead(t *testing.T) {
	s := parse(t, "\ufeff{\"text\": \"a\"}\r\n// b\r\n{\"text\": \"\\\"// c\"}\r\n")
	p := s.Play()
	_, _ = p.Reply(t.Context(), asked(), nil)
	if r, err := p.Reply(t.Context(), asked(), nil); err != nil || r.Text != `"// c` {
		t.Fatalf("got %q, %v", r.Text, err)
	}
}

func TestAScriptIsBounded(t *testing.T) {
	big := `{"text": "` + strings.Repeat("x", rehearsal.MaxScript) + `"}`
	if _, err := rehearsal.Parse(strings.NewReader(big), "s"); err == nil || !strings.Contains(err.Error(), "16 MiB") {
		t.Fatalf("got %v", err)
	}
}

// Any bytes are either a script whose replies all play, or an error with a line.
func FuzzParse(f *testing.F) {
	f.Add(story)
	f.Add(`{"calls":[{"tool":"a","args":"x"}]}`)
	f.Add(`{"text":"a//b"}//c`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := rehearsal.Parse(strings.NewReader(text), "s")
		if err != nil {
			var e *rehearsal.Error
			if !errors.As(err, &e) || e.Line < 1 || e.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("%v", err)
			}
			return
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // a wait in a fuzzed script is not waited for
		if _, err := s.Play().Reply(ctx, asked(), nil); !errors.Is(err, context.Canceled) {
			t.Fatalf("%v", err)
		}
	})
}
