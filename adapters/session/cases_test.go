package session_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tenet/adapters/approvals"
	"tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
)

// run-012: a message that comes while a reply stalls is on the disk, and goes to the model
// after the stall is recovered, once.
func TestAMessageDuringAStallIsDeliveredAfterIt(t *testing.T) {
	var st *stage
	st = open(t, 0, func(context.Context, provider.Request, func(provider.Delta)) (event.Reply, error) {
		must(st.Submit("are you there?", event.Steer))
		return event.Reply{}, &provider.Error{Class: provider.Stalled, Message: "silent", Silent: time.Minute}
	}, answer("yes"))
	st.prompt(t, t.Context(), "answered")
	if got := words(st.model.asked[1]); !strings.HasPrefix(got, "user:go user:are you there? user:Harness note, attempt 2: your previous reply produced no output for 60 s") {
		t.Errorf("the second request says %q", got)
	}
	if got := st.kinds(); got != "opened prompted requested submitted failed prompted requested replied ended" {
		t.Errorf("records %s", got)
	}
}

// yes is a person who allows what is asked, and counts.
type yes struct{ asked int }

func (y *yes) Ask(context.Context, approvals.Question) approvals.Reply {
	y.asked++
	return approvals.Reply{Answer: gate.AllowOnce, By: "terminal"}
}

// run-016: a turn that is gone on with after a restart asks for its calls as a fresh one.
func TestAResumedTurnAsksAsAFreshOne(t *testing.T) {
	st := open(t, 0, answer("never"))
	st.prompt(t, t.Context(), "answered")
	next := resumed(t, st.log, 3, 1) // killed while the first request was out
	person := &yes{}
	o := next.options(t, 0)
	o.Asker = person
	next.Session = must(session.Resume(o, stateAt(next.log, len(next.log.bodies))))
	next.model.answers = []any{calls(`{"text":"hi"}`), answer("ok")}
	e, err := next.Continue(t.Context())
	if err != nil || e.How != "answered" || person.asked != 1 || len(next.ran) != 1 {
		t.Errorf("asked %d times, ran %q, ended %+v, %v", person.asked, next.ran, e, err)
	}
}

// prov-041: two calls of one reply with the same id are two calls, each with its result.
func TestTwoCallsWithOneIDAreTwo(t *testing.T) {
	twice := event.Reply{Calls: []event.ToolCall{{ID: "dup", Provider: "dup", Tool: "echo", Args: `{"text":"a"}`}, {ID: "dup", Provider: "dup", Tool: "echo", Args: `{"text":"b"}`}}}
	st := open(t, call.Of(call.Write), twice, answer("ok"))
	st.prompt(t, t.Context(), "answered")
	if err := wellFormed(st.model.asked[1]); err != nil || strings.Join(st.ran, "") != "ab" {
		t.Errorf("ran %q, %v", st.ran, err)
	}
}

// prov-034, prov-035: a limit of the account ends the turn with the server's words; a
// server that is too busy for a while is waited for.
func TestAnAccountLimitIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := open(t, 0, &provider.Error{Class: provider.Quota, Message: "session limit, resets 4pm", Status: 429, RetryAfter: time.Second})
		if e := st.prompt(t, t.Context(), "failed"); !strings.Contains(e.Cause, "resets 4pm") || len(st.model.asked) != 1 {
			t.Errorf("%d requests, ended %+v", len(st.model.asked), e)
		}
	})
}

// prov-025, prov-026: the log keeps what was thought, for people, and the answer is not
// made of it.
func TestThinkingIsNeverPromotedToAnAnswer(t *testing.T) {
	st := open(t, 0, silent("The answer is 42."), silent("The answer is 42."), silent("The answer is 42."))
	st.prompt(t, t.Context(), "failed")
	f := of[event.Failure](st.log)
	if st.Answer() != "" || f[len(f)-1].Thinking != "The answer is 42." {
		t.Errorf("answered %q, failures %+v", st.Answer(), f)
	}
}

// A wait for a retry is cut short by a cancel.
func TestACancelEndsTheWaitForARetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := open(t, 0, &provider.Error{Class: provider.Limited, Message: "slow", RetryAfter: 50 * time.Second})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		began := time.Now()
		st.prompt(t, ctx, "aborted")
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("the cancel took %v", took)
		}
	})
}

// A log that fails while a prompt waits for its turn gives the prompt back at once.
func TestAWaitingPromptEndsWhenTheLogFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var st *stage
		waited := make(chan error, 1)
		st = open(t, 0, func(context.Context, provider.Request, func(provider.Delta)) (event.Reply, error) {
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				_, err := st.Prompt(ctx, "next")
				waited <- err
			}()
			synctest.Wait()
			st.log.mu.Lock()
			st.log.failAt = 1
			st.log.mu.Unlock()
			cancel()
			return answer("ok"), nil
		})
		if _, err := st.Prompt(t.Context(), "go"); err == nil {
			t.Error("a turn without a log ended well")
		}
		if err := <-waited; err == nil {
			t.Error("the waiting prompt was acknowledged by a log that is gone")
		}
	})
}
