package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/core/event"
)

// slow is a provider that answers by job: polls are its answers to them.
type slow struct {
	model
	polls   []any
	dropped []string
	at      []time.Duration
	began   time.Time
}

func (s *slow) Poll(ctx context.Context, job string, on func(provider.Delta)) (event.Reply, error) {
	s.at = append(s.at, time.Since(s.began))
	a := s.polls[0]
	if len(s.polls) > 1 {
		s.polls = s.polls[1:]
	}
	m := model{answers: []any{a}}
	return m.Reply(ctx, provider.Request{}, on)
}

func (s *slow) Drop(_ context.Context, job string) error {
	s.dropped = append(s.dropped, job)
	return errors.New("no such job")
}

func later(expires time.Time) error { return &provider.Deferred{Job: "resp_1", Expires: expires} }

// slowly runs a turn of a provider that answers later, in virtual time.
func slowly(t *testing.T, polls []any, expires time.Duration, judge func(st *stage, s *slow, e event.Ending)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &slow{polls: polls, began: time.Now()}
		var at time.Time
		if expires > 0 {
			at = time.Now().Add(expires)
		}
		s.answers = []any{later(at)}
		st := openWith(t, 0, func(o *session.Options) { o.Provider, o.Limits.Polls = s, 10_000 })
		e, err := st.Prompt(t.Context(), "go")
		if err != nil {
			t.Fatal(err)
		}
		judge(st, s, e)
	})
}

func TestAnAnswerThatComesLaterIsPolledFor(t *testing.T) {
	slowly(t, []any{later(time.Time{}), later(time.Time{}), answer("at last")}, 0, func(st *stage, s *slow, e event.Ending) {
		if e.How != "answered" || st.Answer() != "at last" || len(s.asked) != 1 || len(s.at) != 3 {
			t.Errorf("%d requests, polls at %v, ended %+v", len(s.asked), s.at, e)
		}
		d := of[event.Deferral](st.log)
		if len(d) != 1 || d[0].Job != "resp_1" || d[0].Failures != 0 {
			t.Errorf("checkpoints %+v", d)
		}
		if st.State().Deferred != nil || len(s.dropped) != 0 {
			t.Error("the job is still open")
		}
	})
}

// At the deadline the job is dropped and the turn fails; the default is a day.
func TestADeferredAnswerHasADeadline(t *testing.T) {
	for expires, seconds := range map[time.Duration]int{90 * time.Second: 90, 0: 86400} {
		slowly(t, []any{later(time.Time{})}, expires, func(st *stage, s *slow, e event.Ending) {
			if want := fmt.Sprintf("was not ready by its deadline, %d s after the request", seconds); e.How != "failed" || !strings.Contains(e.Cause, want) {
				t.Errorf("ended %+v, want %q", e, want)
			}
			if len(s.asked) != 1 || len(s.dropped) != 1 {
				t.Errorf("%d requests, dropped %v", len(s.asked), s.dropped)
			}
			if n := of[event.Notice](st.log); len(n) != 1 || !strings.Contains(n[0].Text, "no such job") {
				t.Errorf("notices %+v", n)
			}
		})
	}
}

// A failed poll never sends the request again; a poll that was answered ends the row.
func TestAFailedPollIsMadeAgain(t *testing.T) {
	bad := &provider.Error{Class: provider.Overload, Message: "busy", RetryAfter: 20 * time.Second}
	slowly(t, []any{bad, bad, later(time.Time{}), bad, bad, answer("ok")}, 0, func(st *stage, s *slow, e event.Ending) {
		if e.How != "answered" || len(s.asked) != 1 || len(s.at) != 6 {
			t.Errorf("%d requests, polls at %v, ended %+v", len(s.asked), s.at, e)
		}
		var failures []int
		for _, d := range of[event.Deferral](st.log) {
			failures = append(failures, d.Failures)
		}
		if got := fmt.Sprint(failures); got != "[0 1 2 0 1 2]" {
			t.Errorf("checkpoints %s", got)
		}
	})
	slowly(t, []any{bad, bad, bad}, 0, func(st *stage, s *slow, e event.Ending) {
		if e.How != "failed" || !strings.Contains(e.Cause, "busy") || len(s.asked) != 1 || len(s.dropped) != 1 {
			t.Errorf("%d requests, dropped %v, ended %+v", len(s.asked), s.dropped, e)
		}
	})
}

// A restart polls the same job until the same deadline, and sends nothing again.
func TestARestartPollsTheSameJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := &slow{began: time.Now(), polls: []any{nil}}
		first.answers = []any{later(time.Now().Add(10 * time.Minute))}
		st := openWith(t, 0, func(o *session.Options) { o.Provider = first })
		ctx, cancel := context.WithCancel(t.Context())
		go func() { time.Sleep(time.Minute); cancel() }() // virtual
		st.prompt(t, ctx, "aborted")
		at := 0
		for i, b := range st.log.bodies {
			if _, ok := b.(event.Deferral); ok {
				at = i + 1
			}
		}
		time.Sleep(5 * time.Minute) // virtual: the process was away
		next := &slow{began: time.Now(), polls: []any{later(time.Time{})}}
		log := &memory{bodies: st.log.bodies[:at:at], recs: st.log.recs[:at:at]}
		s := must(session.Resume(func() session.Options {
			o := st.options(t, 0)
			o.Provider, o.Log = next, log
			return o
		}(), stateAt(log, at)))
		e, err := s.Continue(t.Context())
		if err != nil || e.How != "failed" || !strings.Contains(e.Cause, "600 s after the request") || len(next.asked) != 0 || len(next.at) == 0 {
			t.Errorf("%d requests, %d polls, ended %+v, %v", len(next.asked), len(next.at), e, err)
		}
	})
}

func TestAnAbortDropsTheJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{began: time.Now(), polls: []any{nil}}
		s.answers = []any{later(time.Time{})}
		st := openWith(t, 0, func(o *session.Options) { o.Provider = s })
		ctx, cancel := context.WithCancel(t.Context())
		go func() { time.Sleep(time.Second); cancel() }() // virtual
		st.prompt(t, ctx, "aborted")
		if len(s.dropped) != 1 || s.dropped[0] != "resp_1" {
			t.Errorf("dropped %v", s.dropped)
		}
	})
}
