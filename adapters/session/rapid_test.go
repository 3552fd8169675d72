package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/turn"
)

// wild is a provider, a person and a tool that may do anything at any time.
type wild struct {
	t    *rapid.T
	s    *session.Session
	stop context.CancelFunc
	n    int
	bad  error
}

func (w *wild) Name() string { return "wild" }

// person is what somebody does while the provider works.
func (w *wild) person() {
	switch rapid.IntRange(0, 11).Draw(w.t, "person") {
	case 0:
		_, _ = w.s.Submit("more", event.Queue)
	case 1:
		_, _ = w.s.Submit("wait", event.Steer)
	case 2:
		if q := w.s.State().Queue; len(q) > 0 {
			_ = w.s.Withdraw(q[0].ID)
		}
	case 3:
		if q := w.s.State().Queue; len(q) > 0 {
			_ = w.s.Edit(q[len(q)-1].ID, "other words")
		}
	case 4:
		for _, j := range w.s.State().Jobs {
			_ = w.s.Settle(event.Settlement{Job: j.Job, Status: "finished"})
		}
	case 5:
		if rapid.IntRange(0, 9).Draw(w.t, "stop") == 0 {
			w.stop()
		}
	}
}

// Reply checks the request and answers anything.
func (w *wild) Reply(ctx context.Context, r provider.Request, on func(provider.Delta)) (event.Reply, error) {
	if err := wellFormed(r); err != nil && w.bad == nil {
		w.bad = err
	}
	w.person()
	return w.anything(ctx, on, true)
}

func (w *wild) Poll(ctx context.Context, _ string, on func(provider.Delta)) (event.Reply, error) {
	w.person()
	return w.anything(ctx, on, rapid.Bool().Draw(w.t, "still"))
}

func (w *wild) Drop(context.Context, string) error { return nil }

func (w *wild) anything(ctx context.Context, on func(provider.Delta), defers bool) (event.Reply, error) {
	w.n++
	stop := rapid.SampledFrom([]string{"stop", "length", "toolUse"}).Draw(w.t, "stop reason")
	switch rapid.IntRange(0, 9).Draw(w.t, "reply") {
	case 0:
		return event.Reply{Text: "done", Stop: stop}, nil
	case 1:
		return event.Reply{Thinking: "hm", Stop: stop}, nil
	case 2:
		for range 300 {
			on(provider.Delta{Text: "the very same line\n"})
		}
		return event.Reply{Text: "the very same line", Stop: stop}, nil
	case 3:
		if !defers {
			return event.Reply{Text: "late", Stop: stop}, nil
		}
		return event.Reply{}, later(time.Time{})
	case 4:
		c := rapid.SampledFrom(provider.Classes()).Draw(w.t, "class")
		wait := rapid.SampledFrom([]time.Duration{0, time.Second, time.Hour}).Draw(w.t, "wait")
		return event.Reply{}, &provider.Error{Class: c, Message: string(c), RetryAfter: wait, Silent: time.Minute}
	case 5:
		return event.Reply{}, errors.New("nothing that anybody knows")
	case 6:
		return event.Reply{Text: "<tool_call>{\"name\":\"echo\",\"arguments\":{\"text\":\"leak\"}}</tool_call>", Stop: stop}, nil
	case 7:
		return finishes("done", `{"text":"x"}`), nil
	}
	r := event.Reply{Text: "look", Stop: stop}
	for range rapid.IntRange(1, 3).Draw(w.t, "calls") {
		args := rapid.SampledFrom([]string{`{"text":"same"}`, fmt.Sprintf(`{"text":"%d"}`, w.n), `{"text":`, `[]`, ``, `{"question":"q"}`}).Draw(w.t, "args")
		tool := rapid.SampledFrom([]string{"echo", "detach", "ask", "nothing"}).Draw(w.t, "tool")
		r.Calls = append(r.Calls, event.ToolCall{Provider: "same", Tool: tool, Args: args})
	}
	return r, nil
}

// detach is a tool whose call goes on as a job.
func (w *wild) detach() session.Tool {
	tool := echo(new([]string))
	tool.Tool.Name = "detach"
	run := tool.Run
	tool.Run = func(ctx context.Context, g *gateOf, args argsOf) (session.Output, error) {
		out, err := run(ctx, g, args)
		w.person()
		if err == nil {
			err = g.Log.Record(event.Detachment{Job: "job of " + g.Call, Call: g.Call, Kind: "shell", Command: "x"})
		}
		return out, err
	}
	return tool
}

// Whatever a provider, a model and a person do, every turn ends, every request is one that
// a provider takes, and the log contradicts itself nowhere.
func TestEveryTurnEnds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var fault error
		synctest.Test(t, func(t *testing.T) {
			w := &wild{t: rt}
			st := openWith(t, call.Of(call.Write), func(o *session.Options) {
				o.Provider = w
				o.Limits = turn.Config{Rounds: 4, Retries: 2, Notes: 3, Compactions: 2, Polls: 5}
				o.Tools = append(o.Tools, w.detach())
				o.Hooks = []session.Hook{{Name: "h", Run: func(context.Context) (string, error) {
					if rapid.Bool().Draw(rt, "hook") {
						return "", errors.New("exit status 1")
					}
					return "", nil
				}}}
			})
			w.s = st.Session
			for i := range 3 {
				ctx, cancel := context.WithCancel(t.Context())
				w.stop = cancel
				began := time.Now()
				e, err := st.Prompt(ctx, fmt.Sprintf("prompt %d", i))
				if i == 2 {
					for ok := true; ok && err == nil; { // what still waits
						_, ok, err = st.Begin(ctx)
					}
				}
				cancel()
				if err != nil || e.How == "" || time.Since(began) > 24*time.Hour {
					fault = fmt.Errorf("ended %+v, %v after %v", e, err, time.Since(began))
					return
				}
			}
			fault = judgeLog(st, w)
		})
		if fault != nil {
			rt.Fatal(fault)
		}
	})
}

func judgeLog(st *stage, w *wild) error {
	s := stateAt(st.log, len(st.log.bodies))
	if w.bad != nil || len(s.Disorders) > 0 || len(s.Calls) > 0 || s.InTurn || len(s.Queue) > 0 || len(s.Inquiries) > 0 {
		return fmt.Errorf("bad request: %v; disorders %v, open calls %v, in a turn %v, waiting %v\n%s", w.bad, s.Disorders, s.Calls, s.InTurn, s.Queue, st.kinds())
	}
	delivered := map[string]int{}
	for _, p := range of[event.Prompt](st.log) {
		if delivered[p.Submission]++; p.Submission != "" && delivered[p.Submission] > 1 {
			return fmt.Errorf("message %s was delivered twice", p.Submission)
		}
	}
	for _, m := range s.Messages {
		if strings.HasPrefix(m.Text, "Harness note") {
			return fmt.Errorf("a note is in the log: %q", m.Text)
		}
	}
	return nil
}
