package session_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	"tenet/adapters/provider"
	"tenet/adapters/session"
	coreadmission "tenet/core/admission"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/surface"
)

func TestACallRunsThroughTheGateAndTheTurnAnswers(t *testing.T) {
	st := open(t, call.Of(call.Write), calls(`{"i":"say it","text":"hi"}`), answer("done"))
	st.prompt(t, t.Context(), "answered")
	if len(st.ran) != 1 || st.Answer() != "done" {
		t.Errorf("ran %q, answered %q", st.ran, st.Answer())
	}
	want := "opened prompted requested replied called judged dispatched resulted requested replied ended"
	if got := st.kinds(); got != want {
		t.Errorf("records %s\n   want %s", got, want)
	}
}

func TestBadCallsGetAResultAndNothingRuns(t *testing.T) {
	for _, c := range []struct{ name, tool, args, says string }{
		{"unknown tool", "ech", `{}`, `there is no tool "ech"; the tools are echo, ask, finish`},
		{"no JSON", "echo", `{"text": "hi`, "not valid JSON"},
		{"no object", "echo", `["hi"]`, "not one JSON object"},
		{"missing argument", "echo", `{}`, `needs the argument "text"`},
		{"wrong type", "echo", `{"text": 5}`, "expected string, got 5"},
		{"unknown argument", "echo", `{"text":"a","loud":true}`, `no argument "loud"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := open(t, call.Grantable, event.Reply{Calls: []event.ToolCall{{Tool: c.tool, Args: c.args}}}, answer("ok"))
			st.prompt(t, t.Context(), "answered")
			res := of[event.Result](st.log)
			if len(st.ran) != 0 || len(res) != 1 || !res[0].Error || !strings.Contains(res[0].Text, c.says) {
				t.Errorf("ran %q, results %+v, want an error that says %q", st.ran, res, c.says)
			}
		})
	}
}

func TestARefusedStepIsAnErrorResultWithANextStep(t *testing.T) {
	st := open(t, 0, calls(`{"text":"hi"}`), answer("ok"))
	st.prompt(t, t.Context(), "answered")
	res := of[event.Result](st.log)
	if len(st.ran) != 0 || !res[0].Error || !strings.Contains(res[0].Text, "nobody can answer") {
		t.Errorf("ran %q, result %q", st.ran, res[0].Text)
	}
	if d := of[event.Dispatch](st.log); len(d) != 0 {
		t.Errorf("a refused step was dispatched: %v", d)
	}
}

func TestNoCallOfACutReplyRuns(t *testing.T) {
	cut := calls(`{"text":"hi"}`, `{"text":"the`)
	cut.Stop, cut.Output = "length", 4096
	st := open(t, call.Grantable, cut, answer("ok"))
	st.prompt(t, t.Context(), "answered")
	res := of[event.Result](st.log)
	if len(st.ran) != 0 || len(res) != 2 || !strings.Contains(res[1].Text, "hit the 4096-token output limit") {
		t.Errorf("ran %q, results %+v", st.ran, res)
	}
}

func TestTheRoundCapEndsTheTurnAndNamesTheCap(t *testing.T) {
	c := calls(`{"text":"again"}`)
	st := open(t, call.Grantable, c, c, c, c)
	if e := st.prompt(t, t.Context(), "failed"); !strings.Contains(e.Cause, "cap of 3 tool rounds") || e.Rounds != 3 {
		t.Errorf("ended %+v", e)
	}
}

func TestCallIDsAreOursAndNeverRepeat(t *testing.T) {
	st := open(t, call.Grantable, calls(`{"text":"a"}`, `{"text":"b"}`), calls(`{"text":"c"}`), answer("ok"))
	st.prompt(t, t.Context(), "answered")
	seen := map[string]bool{}
	for _, c := range of[event.Call](st.log) {
		if seen[c.Call] {
			t.Errorf("call id %s twice", c.Call)
		}
		seen[c.Call] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d calls, want 3", len(seen))
	}
}

func TestNothingIsNoAnswer(t *testing.T) {
	silent := event.Reply{Stop: "stop", Text: " \n", Thinking: "hm"}
	st := open(t, call.Grantable, silent, silent, silent)
	if e := st.prompt(t, t.Context(), "failed"); !strings.Contains(e.Cause, "only 2 characters of thinking") {
		t.Errorf("ended %+v", e)
	}
}

func TestTransientFailuresAreTriedAgainAfterTheServersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := open(t, call.Grantable, &provider.Error{Class: provider.Limited, Message: "slow down", RetryAfter: 30 * time.Second}, &provider.Error{Class: provider.Cut, Message: "cut"}, answer("ok"))
		start := time.Now()
		st.prompt(t, t.Context(), "answered")
		if took := time.Since(start); took != 34*time.Second {
			t.Errorf("waited %v, want the server's 30 s and then our 4 s", took)
		}
		if f := of[event.Failure](st.log); len(f) != 2 || f[0].RetryMS != 30_000 || f[1].RetryMS != 4_000 {
			t.Errorf("failures %+v", f)
		}
	})
}

func TestAStalledReplyGetsTwiceTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stalled := &provider.Error{Class: provider.Stalled, Message: "silent", Silent: 2 * time.Minute}
		st := open(t, call.Grantable, stalled, answer("ok"))
		st.prompt(t, t.Context(), "answered")
		if got := st.model.asked[1].Idle; got != 4*time.Minute {
			t.Errorf("the second request may be silent for %v, want twice the first's 2m", got)
		}
	})
}

func TestFailuresThatEndTheTurn(t *testing.T) {
	cut := &provider.Error{Class: provider.Cut, Message: "the stream was cut"}
	for _, c := range []struct {
		name    string
		answers []any
		says    string
	}{
		{"a wait longer than ours", []any{&provider.Error{Class: provider.Limited, Message: "quota", RetryAfter: time.Hour}}, "asks to wait 1h0m0s"},
		{"a bad key", []any{&provider.Error{Class: provider.Auth, Message: "the key was refused", Status: 401}}, "the key was refused (HTTP 401)"},
		{"the last retry", []any{cut, cut, cut}, "the stream was cut"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := open(t, call.Grantable, c.answers...)
				if e := st.prompt(t, t.Context(), "failed"); !strings.Contains(e.Cause, c.says) {
					t.Errorf("ended %+v, want %q", e, c.says)
				}
			})
		})
	}
}

func TestAnAbortEndsAWaitingRequestAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := open(t, call.Grantable, nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { synctest.Wait(); cancel() }()
		start := time.Now()
		st.prompt(t, ctx, "aborted")
		if time.Since(start) != 0 {
			t.Errorf("the abort took %v", time.Since(start))
		}
	})
}

func TestAPhaseThatIgnoresTheAbortIsDroppedAfterTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := open(t, call.Grantable, calls(`{"text":"hi"}`))
		stuck, late := make(chan struct{}), make(chan error, 1)
		deaf := session.Tool{Tool: surface.Tool{Name: "echo", Params: []surface.Param{{Name: "text"}}}, Run: func(ctx context.Context, g *approvals.Gate, _ surface.Args) (session.Output, error) {
			<-stuck
			o := g.Permit(context.Background(), func() []call.Step { return []call.Step{{N: 1, Text: "late", Effects: call.Of(call.Read)}} })
			if o.Runs {
				late <- errors.New("a step of an aborted turn was let through")
			}
			late <- nil
			return session.Output{}, nil
		}}
		slots, _ := admission.New(coreadmission.Limits{Slots: 1, Queue: 8})
		s, err := session.Open(session.Options{ID: "s", Workspace: "/w", Policies: policies(call.Grantable), Limits: limits, Provider: st.model, Slots: slots, Asker: approvals.Nobody{}, Log: st.log, Tools: []session.Tool{deaf}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() { synctest.Wait(); cancel() }()
		start := time.Now()
		e, err := s.Prompt(ctx, "go")
		if err != nil || e.How != "aborted" || time.Since(start) != session.Grace {
			t.Errorf("ended %+v, %v after %v", e, err, time.Since(start))
		}
		close(stuck)
		if err := <-late; err != nil {
			t.Error(err)
		}
	})
}

func TestALogThatCannotBeWrittenStopsTheTurnBeforeTheEffect(t *testing.T) {
	for failAt := 2; failAt <= 11; failAt++ {
		st := open(t, call.Of(call.Write), calls(`{"text":"hi"}`), answer("done"))
		st.log.failAt = failAt
		e, err := st.Prompt(t.Context(), "go")
		if !errors.Is(err, errFull) {
			t.Errorf("fail at record %d: ended %+v with %v", failAt, e, err)
		}
		if dispatched := len(of[event.Dispatch](st.log)); len(st.ran) > dispatched {
			t.Errorf("fail at record %d: the step ran without its dispatch", failAt)
		}
	}
}
