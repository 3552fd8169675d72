package provider_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"tenet/adapters/provider"
	"tenet/adapters/provider/sse"
	"tenet/core/event"
)

// chunk is one event of a stream with the given choice members.
func chunk(choice string) string {
	return `data: {"id":"a","object":"chat.completion.chunk","choices":[{"index":0,` + choice + `}]}` + "\n\n"
}

// say is a piece of text, tool a piece of a call, end the finish reason.
func say(text string) string    { return chunk(`"delta":{"content":` + quote(text) + `}`) }
func tool(calls string) string  { return chunk(`"delta":{"tool_calls":[` + calls + `]}`) }
func end(reason string) string  { return chunk(`"delta":{},"finish_reason":` + quote(reason)) }
func quote(s string) string     { b, _ := json.Marshal(s); return string(b) }
func stream(s ...string) string { return strings.Join(s, "") }

const done = "data: [DONE]\n\n"

// accumulate reads a stream in pieces of n bytes without a network.
func accumulate(s string, n int) (event.Reply, error) {
	var p sse.Parser
	var a provider.Accumulator
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

// show is a reply on one line: text, thinking, each call, the stop reason.
func show(r event.Reply, err error) string {
	if err != nil {
		return "error " + string(class(err))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%q", r.Text)
	if r.Thinking != "" {
		fmt.Fprintf(&b, " thinking %q", r.Thinking)
	}
	for _, c := range r.Calls {
		fmt.Fprintf(&b, " %s#%s(%s)", c.Tool, c.Provider, c.Args)
	}
	return b.String() + " " + r.Stop
}

// class is the class of a failed reply, or the error itself when it is no *Error.
func class(err error) provider.Class {
	var e *provider.Error
	if errors.As(err, &e) {
		return e.Class
	}
	return provider.Class(fmt.Sprint("not a provider error: ", err))
}

func asError(t *testing.T, err error) *provider.Error {
	t.Helper()
	var e *provider.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v (%T), want a *provider.Error", err, err)
	}
	return e
}

// script is a server's whole behaviour on one connection after the request was
// read; when it returns, the connection closes.
type script func(c net.Conn, req *http.Request)

// raw writes s and closes.
func raw(s string) script {
	return func(c net.Conn, _ *http.Request) { _, _ = io.WriteString(c, s) }
}

// streamHead is the head of an answer whose body ends with the connection.
const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

// silent waits until the client hangs up.
func silent(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// optionsFor lead connections to s, in memory, so that virtual time drives the
// deadlines.
func optionsFor(s script, change ...func(*provider.Options)) provider.Options {
	o := provider.Options{BaseURL: "http://model.test/v1", Key: "sk-secret-0123456789", Model: "m1", Version: "1.2.3"}
	o.Dial = func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			req, err := http.ReadRequest(bufio.NewReader(server))
			if err != nil {
				return
			}
			body, _ := io.ReadAll(req.Body)
			req.Body = io.NopCloser(strings.NewReader(string(body)))
			s(server, req)
		}()
		return client, nil
	}
	for _, f := range change {
		f(&o)
	}
	return o
}

// bodyOf is the body of a request.
func bodyOf(req *http.Request) string {
	b, _ := io.ReadAll(req.Body)
	return string(b)
}

// chatWith is a Chat whose connections lead to s, in memory.
func chatWith(t *testing.T, s script, change ...func(*provider.Options)) *provider.Chat {
	t.Helper()
	c, err := provider.NewChat(optionsFor(s, change...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

var hello = provider.Request{Messages: []provider.Message{{Role: provider.User, Text: "hello"}}}

func ask(t *testing.T, s script, change ...func(*provider.Options)) (event.Reply, error) {
	t.Helper()
	return chatWith(t, s, change...).Reply(t.Context(), hello, nil)
}
