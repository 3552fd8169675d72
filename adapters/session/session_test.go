package session_test

import (
	"context"
	"errors"
	"strings"
	"sync"
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
	"tenet/core/gate"
	"tenet/core/surface"
	"tenet/core/turn"
)

// memory is a log that keeps its records, and fails from a record on when asked to.
type memory struct {
	mu     sync.Mutex
	recs   []event.Record
	bodies []event.Body
	failAt int
}

var errFull = errors.New("no space left on device")

func (m *memory) Commit(bodies ...event.Body) ([]event.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failAt > 0 && len(m.recs)+len(bodies) >= m.failAt {
		return nil, errFull
	}
	var out []event.Record
	for _, b := range bodies {
		r := event.Record{Seq: uint64(len(m.recs) + 1), Kind: event.KindOf(b)}
		m.recs, m.bodies, out = append(m.recs, r), append(m.bodies, b), append(out, r)
	}
	return out, nil
}

// of lists the bodies of one type, in order.
func of[B event.Body](m *memory) (out []B) {
	for _, b := range m.bodies {
		if b, ok := b.(B); ok {
			out = append(out, b)
		}
	}
	return out
}

// model answers from a list; a nil entry blocks until the request is cancelled.
type model struct {
	answers []any // event.Reply, error, or nil
	asked   []provider.Request
}

func (m *model) Name() string { return "fake" }

func (m *model) Reply(ctx context.Context, r provider.Request, _ func(provider.Delta)) (event.Reply, error) {
	m.asked = append(m.asked, r)
	a := m.answers[0]
	m.answers = m.answers[1:]
	switch a := a.(type) {
	case event.Reply:
		return a, nil
	case error:
		return event.Reply{}, a
	default:
		<-ctx.Done()
		return event.Reply{}, context.Cause(ctx)
	}
}

func policies(auto call.Effects) *approvals.Policies {
	return approvals.NewPolicies(&gate.Policy{Auto: auto}, nil)
}

// echo is a tool that writes: it goes through the gate as every tool does.
func echo(ran *[]string) session.Tool {
	return session.Tool{
		Tool: surface.Tool{Name: "echo", Params: []surface.Param{{Name: "text", Type: surface.String, Required: true}}},
		Run: func(ctx context.Context, g *approvals.Gate, args surface.Args) (session.Output, error) {
			text := args.Str("text", "")
			step := call.Step{N: 1, Text: "echo " + text, Effects: call.Of(call.Write)}
			if o := g.Permit(ctx, func() []call.Step { return []call.Step{step} }); !o.Runs {
				return session.Output{}, errors.New(o.Refusal)
			}
			if o := g.Confirm(step, step.Text); !o.Runs {
				return session.Output{}, errors.New(o.Refusal)
			}
			if err := g.Start(ctx); err != nil {
				return session.Output{}, err
			}
			*ran = append(*ran, text)
			return session.Output{Text: text}, nil
		},
	}
}

type stage struct {
	*session.Session
	log   *memory
	model *model
	ran   []string
}

func open(t *testing.T, auto call.Effects, answers ...any) *stage {
	t.Helper()
	st := &stage{log: &memory{}, model: &model{answers: answers}}
	slots, err := admission.New(coreadmission.Limits{Slots: 1, Queue: 8})
	if err != nil {
		t.Fatal(err)
	}
	st.Session, err = session.Open(session.Options{
		ID: "s", Version: "v", Workspace: "/w", Profile: "p", Policies: policies(auto),
		Limits: turn.Config{Rounds: 3, Retries: 2, Notes: 1}, Provider: st.model, Slots: slots,
		Asker: approvals.Nobody{}, Log: st.log, Tools: []session.Tool{echo(&st.ran)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func calls(args ...string) event.Reply {
	r := event.Reply{Stop: "toolUse"}
	for _, a := range args {
		r.Calls = append(r.Calls, event.ToolCall{Provider: "same-id", Tool: "echo", Args: a})
	}
	return r
}

func answer(text string) event.Reply { return event.Reply{Text: text, Stop: "stop"} }

func (st *stage) prompt(t *testing.T, ctx context.Context, how string) event.Ending {
	t.Helper()
	e, err := st.Prompt(ctx, "go")
	if err != nil {
		t.Fatal(err)
	}
	if e.How != how {
		t.Fatalf("ended %s (%s), want %s", e.How, e.Cause, how)
	}
	if s, err := event.Fold(st.records(t)); err != nil || len(s.Disorders) > 0 || len(s.Unresolved()) > 0 {
		t.Fatalf("the log contradicts itself: %v, disorders %v, unresolved %v", err, s.Disorders, s.Unresolved())
	}
	return e
}

// records is the log as a reader would find it.
func (st *stage) records(t *testing.T) (out []event.Record) {
	t.Helper()
	prev, line := event.NoSum, []byte(nil)
	for i, b := range st.log.bodies {
		line, prev = event.Encode(nil, prev, uint64(i+1), time.Unix(0, 0), b)
		h, ok := event.Cut(line[:len(line)-1])
		if !ok {
			t.Fatalf("record %d cannot be read back: %s", i+1, line)
		}
		out = append(out, h.Record())
	}
	return out
}

func TestACallRunsThroughTheGateAndTheTurnAnswers(t *testing.T) {
	st := open(t, call.Of(call.Write), calls(`{"i":"say it","text":"hi"}`), answer("done"))
	st.prompt(t, t.Context(), "answered")
	if len(st.ran) != 1 || st.Answer() != "done" {
		t.Errorf("ran %q, answered %q", st.ran, st.Answer())
	}
	kinds := []event.Kind{}
	for _, r := range st.log.recs {
		kinds = append(kinds, r.Kind)
	}
	want := "opened prompted requested replied called judged dispatched resulted requested replied ended"
	if got := strings.Trim(strings.ReplaceAll(strings.Join(strings.Fields(join(kinds)), " "), ",", ""), " "); got != want {
		t.Errorf("records %s\n   want %s", got, want)
	}
}

func join(ks []event.Kind) string {
	var b strings.Builder
	for _, k := range ks {
		b.WriteString(string(k) + " ")
	}
	return b.String()
}

func TestBadCallsGetAResultAndNothingRuns(t *testing.T) {
	for _, c := range []struct{ name, tool, args, says string }{
		{"unknown tool", "ech", `{}`, `there is no tool "ech"; the tools are echo`},
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
	st := open(t, call.Grantable, silent, silent)
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
		s, err := session.Open(session.Options{ID: "s", Workspace: "/w", Policies: policies(call.Grantable), Limits: turn.Config{Rounds: 3}, Provider: st.model, Slots: slots, Asker: approvals.Nobody{}, Log: st.log, Tools: []session.Tool{deaf}})
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
