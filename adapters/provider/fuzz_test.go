package provider_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"tenet/adapters/provider"
	"tenet/core/event"
)

// Any bytes as a stream: the same reply or the same class of error however they are
// cut, a reply only with a finish reason in it, and never a panic.
func FuzzStream(f *testing.F) {
	for _, c := range streams {
		f.Add(c.stream, uint8(3))
	}
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		whole, cut := show(accumulate(s, len(s)+1)), show(accumulate(s, int(n)+1))
		if whole != cut {
			t.Fatalf("whole %s\nin reads of %d %s", whole, int(n)+1, cut)
		}
		if !strings.HasPrefix(whole, "error") && !strings.Contains(strings.ToLower(s), `"finish_reason"`) && !strings.Contains(s, `\u`) {
			t.Fatalf("a reply without a finish reason: %s", whole)
		}
		if strings.Contains(whole, "not a provider error") && !strings.Contains(whole, "larger than") {
			t.Fatalf("an error without a class: %s", whole)
		}
	})
}

// Any answer to a request: a reply, or an *Error with words and a bounded body.
func FuzzAnswer(f *testing.F) {
	f.Add(200, "text/event-stream", "", stream(say("a"), end("stop")))
	f.Add(401, "application/json", "", `{"error":{"message":"no","code":401}}`)
	f.Add(429, "", "Thu, 01 Jan 2015 00:00:30 GMT", `[{"error":"x"}]`)
	f.Add(200, "text/html", "7", `<html>`)
	f.Add(200, "", "", ": x\n\ndata: {}")
	f.Fuzz(func(t *testing.T, status int, kind, after, body string) {
		c, err := provider.NewChat(provider.Options{Model: "m", Key: "sk-0123456789", Transport: transport(func(*http.Request) (*http.Response, error) {
			h := http.Header{"Content-Type": {kind}, "Retry-After": {after}}
			return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}, nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Reply(t.Context(), hello, nil)
		var e *provider.Error
		if err == nil {
			return
		}
		if !errors.As(err, &e) || e.Message == "" || e.Class == "" || e.RetryAfter < 0 || len(e.Body) > provider.MaxBody+100 {
			t.Fatalf("%#v", err)
		}
		if strings.Contains(e.Message+e.Body, "sk-0123456789") {
			t.Fatalf("the key is in %v", e)
		}
	})
}

// Calls however they are split, indexed and named: no byte of an argument moves
// from one call to another id, and nothing is added. The fuzzer writes a list of
// pieces; the sum of what comes out is the sum of what went in, or less by pieces
// that repeat a whole call.
func FuzzCalls(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7})
	f.Add([]byte{0x11, 0x92, 0x33, 0x54, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		var s strings.Builder
		byID := map[string]int{}
		for _, c := range b {
			p := piece(c)
			byID[p.ID] += len(p.Function.Arguments)
			j, _ := json.Marshal(p)
			s.WriteString(tool(string(j)))
		}
		r, err := accumulate(s.String()+end("tool_calls"), 512)
		if err != nil {
			if class(err) == provider.TooLarge && len(b) > 512 {
				return
			}
			t.Fatal(err)
		}
		check(t, r.Calls, byID, s.String())
	})
}

type wirePiece struct {
	Index    *int   `json:"index,omitempty"`
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// piece is one piece of a call, spelled by a byte: index, id, name, arguments.
func piece(b byte) (p wirePiece) {
	if i := int(b & 3); i < 3 {
		p.Index = &i
	}
	p.ID = []string{"", "", "c1", "c2"}[b>>2&3]
	p.Function.Name = []string{"", "", "f", "g"}[b>>4&3]
	p.Function.Arguments = []string{"", "{}", `{"x":`, "1}"}[b>>6&3]
	return p
}

func check(t *testing.T, calls []event.ToolCall, byID map[string]int, s string) {
	t.Helper()
	out := map[string]int{}
	total := 0
	for _, c := range calls {
		out[c.Provider] += len(c.Args)
		total += len(c.Args)
	}
	in := 0
	for id, n := range byID {
		in += n
		// What came under an id may gain pieces that had none, never those of another.
		if id != "" && out[id] > n+byID[""] {
			t.Fatalf("call %s has %d bytes of arguments, of %d under its id and %d under none, from\n%s", id, out[id], n, byID[""], s)
		}
	}
	if total > in {
		t.Fatalf("%d bytes of arguments came of %d, from\n%s", total, in, s)
	}
}
