package provider_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tenet/adapters/provider"
	"tenet/core/event"
)

// The clocks are the same for every wire format: what the server does, and what comes
// of it after how long. A ping of Anthropic and a comment are signs of life, no progress.
func wireClocks(f wireFormat) []struct {
	name   string
	server []any
	want   string
	after  time.Duration
} {
	answer, closed := f.say("a")+f.end(false), 200*time.Millisecond
	return []struct {
		name   string
		server []any
		want   string
		after  time.Duration
	}{
		{"prov-017 no headers", parts(ever), "error stalled", 300 * second},
		{"a slow start is no stall", parts(299*second, streamHead, 299*second, f.begin, answer), `"a" stop`, 598 * second},
		{"no first byte", parts(streamHead, ever), "error stalled", 300 * second},
		{"a start and then a long prompt", parts(streamHead, f.begin, 299*second, answer), `"a" stop`, 299 * second},
		{"prov-018 one event and then silence", parts(streamHead, f.begin, f.say("a"), ever), "error stalled", 120 * second},
		{"silence inside an event", parts(streamHead, f.begin, f.say("a"), "data: {\"ty", ever), "error stalled", 120 * second},
		{"pieces that keep coming", parts(streamHead, f.begin, every(119*second, 20, f.say("a")), f.end(false)), `"aaaaaaaaaaaaaaaaaaaa" stop`, 20 * 119 * second},
		{"prov-022 a start, then only signs of life", parts(streamHead, f.begin, every(5*second, 1000, f.alive)), "error stalled", 10 * minute},
		{"prov-016 signs of life for nine minutes, then the answer", parts(streamHead, every(5*second, 108, f.alive), f.begin, answer), `"a" stop`, 9 * minute},
		{"signs of life for ever after a piece", parts(streamHead, f.begin, f.say("a"), every(5*second, 1000, f.alive)), "error stalled", 10 * minute},
		{"signs of life bridge a gap", parts(streamHead, f.begin, f.say("a"), 100*second, f.alive, 100*second, answer), `"aa" stop`, 200 * second},
		{"signs of life, then silence", parts(streamHead, f.begin, f.say("a"), 100*second, f.alive, 100*second, f.alive, ever), "error stalled", 320 * second},
		{"comments for ever", parts(streamHead, f.begin, every(5*second, 1000, queued)), "error stalled", 10 * minute},
		{"empty pieces for ever", parts(streamHead, f.begin, every(5*second, 1000, f.say(""))), "error stalled", 10 * minute},
		{"prov-019 an error with the socket left open", parts(streamHead, f.begin, f.say("a"), f.fault("x", "y"), ever), "error overload", 0},
		{"the end with the socket left open", parts(streamHead, f.begin, answer, ever), `"a" stop`, closed},
		{"signs of life after the end", parts(streamHead, f.begin, answer, every(50*time.Millisecond, 1000, f.alive)), `"a" stop`, closed},
		{"an answer that is no stream and stays open", parts("HTTP/1.1 500 X\r\n\r\nno", ever), "error overload", 5 * second},
	}
}

func TestEveryFormatHasItsDeadlines(t *testing.T) {
	for _, f := range formats {
		for _, c := range wireClocks(f) {
			t.Run(f.name+"/"+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					start := time.Now()
					r, err := wireClient(t, f, play(c.server...)).Reply(t.Context(), hello, nil)
					if got, after := show(r, err), time.Since(start); got != c.want || after != c.after {
						t.Fatalf("got %s after %s, want %s after %s", got, after, c.want, c.after)
					}
				})
			})
		}
	}
}

// A Responses server says in its own words that a response failed, at once, although the
// socket stays open (prov-019).
func TestAFailedResponseEndsAtOnce(t *testing.T) {
	for _, end := range []string{
		rEvent(`{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"its own words"}}}`),
		rEvent(`{"type":"error","code":"server_error","message":"its own words"}`),
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			_, err := wireClient(t, responsesWire, play(parts(streamHead, rBegin, end, every(5*second, 100, queued))...)).Reply(t.Context(), hello, nil)
			if e := asError(t, err); time.Since(start) != 0 || e.Class != provider.Overload || !strings.Contains(e.Message, "its own words") {
				t.Errorf("after %s: %v", time.Since(start), err)
			}
		})
	}
}

// A cancel ends the reply at once with its own cause: nothing of it comes back, not even
// a call that was whole, and nothing is shown after it.
func TestACancelEndsEveryFormatAtOnce(t *testing.T) {
	for _, f := range formats {
		call := f.work(0, "c1", "bash", "{}")
		for name, server := range map[string][]any{
			"before the headers":    parts(ever),
			"before the first byte": parts(streamHead, ever),
			"among signs of life":   parts(streamHead, every(7*second, 1000, f.alive)),
			"between two pieces":    parts(streamHead, f.begin, f.say("a"), ever),
			"behind a whole call":   parts(streamHead, f.begin, call, ever),
			"before a call":         parts(streamHead, f.begin, f.say("a"), 1200*time.Millisecond, call, f.end(true)),
			"while the tail is due": parts(900*time.Millisecond, streamHead, f.begin, call, f.end(true), ever),
		} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(second, func() { cancel(errEnough) })
				start, late := time.Now(), 0
				r, err := wireClient(t, f, play(server...)).Reply(ctx, hello, func(provider.Delta) {
					if ctx.Err() != nil {
						late++
					}
				})
				if after := time.Since(start); err != errEnough || after != second || show(r, nil) != show(event.Reply{}, nil) || late > 0 {
					t.Errorf("%s, %s: got %s, %v after %s, %d pieces shown after it", f.name, name, show(r, nil), err, after, late)
				}
			})
		}
	}
}

// Whoever watches sees the pieces as they come, whole characters, and signs of life.
func TestEveryFormatShowsItsPieces(t *testing.T) {
	for _, f := range formats {
		synctest.Test(t, func(t *testing.T) {
			var seen []string
			server := play(parts(streamHead, f.begin, second, f.alive, second, f.say("日"), second, strings.Replace(f.say("XX"), "XX", `\ud83d`, 1), second, strings.Replace(f.say("XX"), "XX", `\ude00`, 1), second, f.end(false))...)
			_, err := wireClient(t, f, server).Reply(t.Context(), hello, func(d provider.Delta) {
				if d.Waiting {
					d.Text += "~"
				}
				seen = append(seen, d.Text)
			})
			if got := strings.TrimLeft(strings.Join(seen, "|"), "~|"); err != nil || got != "日|😀" || !strings.Contains(strings.Join(seen, ""), "~") {
				t.Errorf("%s: saw %v, %v", f.name, seen, err)
			}
		})
	}
}

// A retry may allow a longer silence, in every format.
func TestARetryMayWaitLongerInEveryFormat(t *testing.T) {
	for _, f := range formats {
		synctest.Test(t, func(t *testing.T) {
			c := wireClient(t, f, play(parts(streamHead, f.begin, f.say("a"), 200*second, f.say("b"), f.end(false))...))
			_, err := c.Reply(t.Context(), hello, nil)
			e := asError(t, err)
			again := hello
			again.Idle = 2 * e.Silent
			if r, err := c.Reply(t.Context(), again, nil); e.Class != provider.Stalled || e.Silent != 120*second || err != nil || r.Text != "ab" {
				t.Errorf("%s: %v, then %s", f.name, e, show(r, err))
			}
		})
	}
}
