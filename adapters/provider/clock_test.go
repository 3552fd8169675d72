package provider_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tenet/adapters/provider"
	"tenet/core/event"
)

// play is a server in virtual time: a text is sent, a duration is waited for,
// unless the client hangs up.
func play(parts ...any) script {
	return func(c net.Conn, _ *http.Request) {
		gone := make(chan struct{})
		go func() { silent(c); close(gone) }()
		for _, p := range parts {
			switch p := p.(type) {
			case string:
				if _, err := io.WriteString(c, p); err != nil {
					return
				}
			case time.Duration:
				select {
				case <-time.After(p):
				case <-gone:
					return
				}
			}
		}
	}
}

// every repeats a text, n times with a pause after each.
func every(pause time.Duration, n int, text string) []any {
	var out []any
	for range n {
		out = append(out, text, pause)
	}
	return out
}

func parts(ps ...any) []any {
	var out []any
	for _, p := range ps {
		if l, ok := p.([]any); ok {
			out = append(out, l...)
			continue
		}
		out = append(out, p)
	}
	return out
}

const (
	second = time.Second
	minute = time.Minute
	queued = ": queued\n\n"
	ever   = 1000 * time.Hour
)

// The clocks of a reply: what the server does, and what comes of it after how long.
var clocks = []struct {
	name   string
	server []any
	want   string
	after  time.Duration
}{
	{"prov-017 no headers", parts(ever), "error stalled", 300 * second},
	{"headers just in time", parts(299*second, streamHead, say("a"), end("stop")), `"a" stop`, 299 * second},
	{"a slow start is no stall", parts(299*second, streamHead, 299*second, say("a"), end("stop")), `"a" stop`, 598 * second},
	{"no first byte", parts(streamHead, ever), "error stalled", 300 * second},
	{"prov-018 one event and then silence", parts(streamHead, say("a"), ever), "error stalled", 120 * second},
	{"silence inside an event", parts(streamHead, say("a"), `data: {"choi`, ever), "error stalled", 120 * second},
	{"a role and then a long prompt", parts(streamHead, chunk(`"delta":{"role":"assistant","content":""}`), 299*second, say("a"), end("stop")), `"a" stop`, 299 * second},
	{"pieces that keep coming", parts(streamHead, every(119*second, 20, say("a")), end("stop")), `"aaaaaaaaaaaaaaaaaaaa" stop`, 20 * 119 * second},
	{"prov-016 comments for nine minutes, then the answer", parts(streamHead, every(5*second, 108, queued), say("a"), end("stop")), `"a" stop`, 9 * minute},
	{"comments for ever", parts(streamHead, every(5*second, 1000, queued)), "error stalled", 10 * minute},
	{"comments for ever after a piece", parts(streamHead, say("a"), every(5*second, 1000, queued)), "error stalled", 10 * minute},
	{"empty pieces for ever", parts(streamHead, every(5*second, 1000, chunk(`"delta":{}`))), "error stalled", 10 * minute},
	{"comments, then silence", parts(streamHead, say("a"), 100*second, queued, 100*second, queued, ever), "error stalled", 320 * second},
	{"comments bridge a gap between pieces", parts(streamHead, say("a"), 100*second, queued, 100*second, say("b"), end("stop")), `"ab" stop`, 200 * second},
	{"an answer that is no stream and stays open", parts("HTTP/1.1 500 X\r\n\r\nno", ever), "error overload", 5 * second},
	{"prov-019 an error with the socket left open", parts(streamHead, say("a"), `data: {"error":{"message":"x"}}`+"\n\n", ever), "error overload", 0},
	{"the end mark without a finish reason, left open", parts(streamHead, say("a"), done, ever), "error cut", 0},
	{"the finish reason with the socket left open", parts(streamHead, say("a"), end("stop"), ever), `"a" stop`, 5 * second},
	{"comments after the finish reason", parts(streamHead, say("a"), end("stop"), every(second, 1000, queued)), `"a" stop`, 5 * second},
	{"the end mark with the socket left open", parts(streamHead, say("a"), end("stop"), done, ever), `"a" stop`, 200 * time.Millisecond},
	{"usage that comes late", parts(streamHead, say("a"), end("stop"), 4*second, `data: {"choices":[],"usage":{"completion_tokens":1}}`+"\n\n", done), `"a" stop`, 4 * second},
}

func TestEveryWaitHasItsDeadline(t *testing.T) {
	for _, c := range clocks {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				r, err := ask(t, play(c.server...))
				if got, after := show(r, err), time.Since(start); got != c.want || after != c.after {
					t.Fatalf("got %s after %s, want %s after %s", got, after, c.want, c.after)
				}
			})
		})
	}
}

// A stall says how long the silence was, and a retry may allow twice as much.
func TestARetryMayWaitLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := chatWith(t, play(parts(streamHead, say("a"), 200*second, say("b"), end("stop"))...))
		_, err := c.Reply(t.Context(), hello, nil)
		e := asError(t, err)
		if e.Class != provider.Stalled || e.Silent != 120*second || !e.Transient() {
			t.Fatalf("got %v, silent for %s", err, e.Silent)
		}
		again := hello
		again.Idle = 2 * e.Silent
		if r, err := c.Reply(t.Context(), again, nil); err != nil || r.Text != "ab" {
			t.Fatalf("got %s", show(r, err))
		}
	})
}

func TestDeadlinesCanBeSet(t *testing.T) {
	set := func(o *provider.Options) {
		o.Deadlines = provider.Deadlines{Headers: 2 * second, FirstByte: 3 * second, Progress: 4 * second, Connection: 50 * second, Tail: second}
	}
	for name, c := range map[string]struct {
		server []any
		after  time.Duration
	}{
		"headers":    {parts(ever), 2 * second},
		"first byte": {parts(streamHead, ever), 3 * second},
		"progress":   {parts(streamHead, say("a"), ever), 4 * second},
		"connection": {parts(streamHead, every(second, 1000, queued)), 50 * second},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			_, err := ask(t, play(c.server...), set)
			if after := time.Since(start); class(err) != provider.Stalled || after != c.after {
				t.Errorf("%s: got %v after %s, want a stall after %s", name, err, after, c.after)
			}
		})
	}
}

func TestNoConnectionWithinTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := ask(t, nil, func(o *provider.Options) {
			o.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
		})
		if after := time.Since(start); class(err) != provider.Unreached || after != 10*second || !strings.Contains(err.Error(), "no connection within 10s") {
			t.Fatalf("got %v after %s", err, after)
		}
	})
}

// The stall clock starts when Reply is called: a queue before that is no stall (H6).
func TestAQueueBeforeTheRequestIsNoStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := chatWith(t, play(streamHead, say("a"), end("stop")))
		time.Sleep(5 * time.Hour)
		if r, err := c.Reply(t.Context(), hello, nil); err != nil {
			t.Fatalf("got %s", show(r, err))
		}
	})
}

var errEnough = errors.New("the person pressed a key")

// A cancel ends the reply at once with its own cause, whatever the server does.
func TestACancelEndsEveryWaitAtOnce(t *testing.T) {
	for name, server := range map[string][]any{
		"before the headers":     parts(ever),
		"before the first byte":  parts(streamHead, ever),
		"between two pieces":     parts(streamHead, say("a"), ever),
		"among comments":         parts(streamHead, every(7*second, 1000, queued)),
		"among pieces":           parts(streamHead, every(7*second, 1000, say("a"))),
		"in an error page":       parts("HTTP/1.1 500 X\r\n\r\nno", ever),
		"run-015 before a call":  parts(streamHead, say("a"), 1200*time.Millisecond, tool(`{"index":0,"function":{"name":"f","arguments":"{}"}}`), end("stop"), done),
		"while the tail is due":  parts(time.Millisecond*500, streamHead, say("a"), end("stop"), ever),
		"before it was sent":     nil,
		"in an untyped answer":   parts("HTTP/1.1 200 OK\r\n\r\n", ever),
		"in a compressed answer": parts("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"+streamType+"\r\n", ever),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				wait := second
				if server == nil {
					cancel(errEnough)
					wait = 0
				}
				time.AfterFunc(second, func() { cancel(errEnough) })
				start := time.Now()
				calls := 0
				r, err := chatWith(t, play(server...)).Reply(ctx, hello, func(provider.Delta) {
					if ctx.Err() != nil {
						calls++
					}
				})
				if after := time.Since(start); err != errEnough || after != wait || show(r, nil) != show(event.Reply{}, nil) {
					t.Fatalf("got %s, %v after %s; want the cause after %s and no reply", show(r, nil), err, after, wait)
				}
				if calls != 0 {
					t.Errorf("%d pieces were shown after the cancel", calls)
				}
			})
		})
	}
}

// A caller's own deadline is the caller's cause, not a stall of the server.
func TestACallersDeadlineIsItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), minute)
		defer cancel()
		_, err := chatWith(t, play(ever)).Reply(ctx, hello, nil)
		if !errors.Is(err, context.DeadlineExceeded) || class(err) == provider.Stalled {
			t.Fatalf("got %v", err)
		}
	})
}

// Whoever watches sees that the server is alive while it queues the request.
func TestWaitingIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []provider.Delta
		c := chatWith(t, play(parts(streamHead, every(5*second, 3, queued), say("a"), end("stop"))...))
		if _, err := c.Reply(t.Context(), hello, func(d provider.Delta) { seen = append(seen, d) }); err != nil {
			t.Fatal(err)
		}
		want := []provider.Delta{{Waiting: true}, {Waiting: true}, {Waiting: true}, {Text: "a"}}
		if len(seen) != len(want) {
			t.Fatalf("saw %+v, want %+v", seen, want)
		}
		for i := range want {
			if seen[i] != want[i] {
				t.Fatalf("saw %+v, want %+v", seen, want)
			}
		}
	})
}

// prov-038: whoever watches sees whole characters, also where the server cuts them.
func TestCharactersAreShownWhole(t *testing.T) {
	var said []string
	c := chatWith(t, raw(streamHead+chunk(`"delta":{"content":"a\ud83d"}`)+chunk(`"delta":{"content":"\ude00b"}`)+end("stop")))
	r, err := c.Reply(t.Context(), hello, func(d provider.Delta) { said = append(said, d.Text) })
	if got := strings.Join(said, "|"); err != nil || got != "a|😀b" || r.Text != "a😀b" {
		t.Fatalf("said %q, reply %q, %v", got, r.Text, err)
	}
}

// closing is a body that knows whether it was closed.
type closing struct {
	io.Reader
	closed chan struct{}
}

func (c *closing) Close() error {
	select {
	case <-c.closed:
	default:
		close(c.closed)
	}
	return nil
}

// However a reply ends, its body is closed: an open one holds a connection.
func TestTheBodyIsAlwaysClosed(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
	}{
		"a reply": {200, stream(say("a"), end("stop"), done)}, "cut": {200, say("a")}, "a page": {200, "<p>"}, "empty": {200, ""},
		"refused": {401, "no"}, "an error inside": {200, "event: error\ndata: x\n\n"}, "too large": {200, "data: " + strings.Repeat("x", 9<<20)},
	} {
		body := &closing{strings.NewReader(c.body), make(chan struct{})}
		_, _ = ask(t, nil, func(o *provider.Options) {
			o.Transport = transport(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: c.status, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body}, nil
			})
		})
		select {
		case <-body.closed:
		default:
			t.Errorf("%s: the body is left open", name)
		}
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRetryAfterIsALowerBound(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"Retry-After: 120":                           120 * second,
		"Retry-After: 1.5":                           1500 * time.Millisecond,
		"Retry-After: 0":                             0,
		"Retry-After: -5":                            0,
		"Retry-After: soon":                          0,
		"Retry-After: NaN":                           0,
		"Retry-After: 1e99":                          10 * 365 * 24 * time.Hour,
		"Retry-After-Ms: 250.5\r\nRetry-After: 7":    250500 * time.Microsecond,
		"Retry-After: Sat, 01 Jan 2000 00:01:00 GMT": minute,
		"Retry-After: Fri, 31 Dec 1999 00:00:00 GMT": 0,
		"Date: Thu, 01 Jan 2015 00:00:00 GMT\r\nRetry-After: Thu, 01 Jan 2015 00:00:30 GMT": 30 * second,
		"Date: no date\r\nRetry-After: Sat, 01 Jan 2000 00:01:00 GMT":                       minute,
		"X-Other: 1": 0,
	} {
		synctest.Test(t, func(t *testing.T) { // whose clock starts on 1 January 2000
			_, err := ask(t, answer(429, header+"\r\n", "slow down"))
			if e := asError(t, err); e.Class != provider.Limited || e.RetryAfter != want {
				t.Errorf("%s: class %s, %s; want %s", header, e.Class, e.RetryAfter, want)
			}
		})
	}
}
