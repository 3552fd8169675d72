package session_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	"tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/event"
)

// busy is a session that did everything that a log can hold a part of.
func busy(t *testing.T) (log *memory) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { log = busily(t) })
	return log
}

func busily(t *testing.T) *memory {
	t.Helper()
	var st *stage
	hook := session.Hook{Name: "tests", Run: func() func(ctx) (string, error) {
		n := 0
		return func(ctx) (string, error) {
			if n++; n == 1 {
				return "red", errors.New("exit status 1")
			}
			return "", nil
		}
	}()}
	st = openWith(t, call.Of(call.Write), func(o *session.Options) {
		o.Hooks, o.Inquirer = []session.Hook{hook}, inquirer(func(event.Inquiry) (string, bool) { return "8080", true })
		o.Limits.Rounds = 50
	},
		silent("hm"),
		during(func() { must(st.Submit("not so fast", event.Steer)); must(st.Submit("later", event.Queue)) }, calls(`{"text":"a"}`, `{"text":"b"}`)),
		&provider.Error{Class: provider.Cut, Message: "cut"},
		event.Reply{Text: "I ask", Calls: []event.ToolCall{{Tool: "ask", Args: `{"question":"which port?"}`}, {Tool: "echo", Args: `{"text":"c"}`}}},
		finishes("early"),
		finishes("done", `{"text":"never"}`),
		calls(`{"text": cut`), answer("second"))
	st.prompt(t, t.Context(), "answered")
	if e, ok, err := st.Begin(t.Context()); !ok || err != nil || e.How != "answered" {
		t.Fatal(e, ok, err)
	}
	return st.log
}

// stateAt is the fold of the first n records.
func stateAt(m *memory, n int) (s event.State) {
	for i, b := range m.bodies[:n] {
		s = s.With(uint64(i+1), b)
	}
	return s
}

// answered is an error unless every call of the request has exactly one result, right
// after it.
func wellFormed(r provider.Request) error {
	open := map[string]bool{}
	for i, m := range r.Messages {
		switch {
		case m.Role == provider.Tool && !open[m.Call.ID]:
			return fmt.Errorf("message %d is a result of %q, which waits for none", i, m.Call.ID)
		case m.Role == provider.Tool:
			delete(open, m.Call.ID)
		case len(open) > 0:
			return fmt.Errorf("message %d (%s) stands between a call and its result", i, m.Role)
		}
		for _, c := range m.Calls {
			open[c.ID] = true
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("calls without a result: %v", open)
	}
	return nil
}

// A process may end after any record. The next one goes on with nothing lost and nothing
// run twice: the request it sends first is one that every provider takes, and resuming
// again and again is resuming once.
func TestResumeAtEveryRecord(t *testing.T) {
	log := busy(t)
	for n := 1; n <= len(log.bodies); n++ {
		past := stateAt(log, n)
		again := resumed(t, log, n, 3).State()
		st := resumed(t, log, n, 1)
		once := st.State()
		if len(once.Disorders) > 0 || len(once.Calls) > 0 {
			t.Fatalf("after record %d: disorders %v, open calls %v", n, once.Disorders, once.Calls)
		}
		again.Seq, again.Resumptions = once.Seq, once.Resumptions
		for i := range again.Messages { // the same messages, in records of the same number
			again.Messages[i].Seq = once.Messages[i].Seq
		}
		if !reflect.DeepEqual(once, again) {
			t.Fatalf("after record %d three resumes are not one:\n%+v\n%+v", n, once, again)
		}
		if len(once.Queue) != len(past.Queue) {
			t.Fatalf("after record %d %d messages wait, then %d", n, len(past.Queue), len(once.Queue))
		}
		st.model.answers = []any{answer("ok"), answer("ok"), answer("ok")}
		e, err := goOn(t, st)
		if err != nil || e.How == "failed" {
			t.Fatalf("after record %d the session went on to %+v, %v", n, e, err)
		}
		for _, r := range st.model.asked {
			if err := wellFormed(r); err != nil {
				t.Fatalf("after record %d: %v", n, err)
			}
		}
		after := st.State()
		if len(after.Disorders) > 0 || len(after.Queue) > 0 || after.InTurn {
			t.Fatalf("after record %d: disorders %v, waiting %v, in a turn %v", n, after.Disorders, after.Queue, after.InTurn)
		}
	}
	t.Logf("resumed after each of %d records", len(log.bodies))
}

// resumed takes the log up after n records, several times in a row.
func resumed(t *testing.T, log *memory, n, times int) *stage {
	t.Helper()
	st := &stage{log: &memory{}, model: &model{}}
	st.log.bodies = append(st.log.bodies, log.bodies[:n]...)
	st.log.recs = append(st.log.recs, log.recs[:n]...)
	for range times {
		st.Session = must(session.Resume(st.options(t, call.Of(call.Write)), stateAt(st.log, len(st.log.bodies))))
	}
	return st
}

// goOn continues the open turn, if there is one, and then runs everything that waits.
func goOn(t *testing.T, st *stage) (event.Ending, error) {
	t.Helper()
	e, err := st.Continue(t.Context())
	if err != nil && !errors.Is(err, session.ErrNothingOpen) {
		return e, err
	}
	for {
		next, ok, err := st.Begin(t.Context())
		if err != nil || !ok {
			return e, err
		}
		e = next
	}
}

// What a generation has spent stays spent: the note of the first request after a restart
// names the next attempt, and the budget goes on.
func TestARestartKeepsTheNotesThatWereSpent(t *testing.T) {
	st := openWith(t, 0, func(o *session.Options) { o.Limits.Notes = 3 }, silent("a"), silent("b"), silent("c"), silent("d"))
	st.prompt(t, t.Context(), "failed")
	at := 0 // after the second failure
	for i, b := range st.log.bodies {
		if f, ok := b.(event.Failure); ok && f.Spent == 2 {
			at = i + 1
		}
	}
	next := resumed(t, st.log, at, 1)
	next.Session = must(session.Resume(func() session.Options {
		o := next.options(t, 0)
		o.Limits.Notes = 3
		return o
	}(), stateAt(st.log, at)))
	next.log.recs, next.log.bodies = next.log.recs[:at], next.log.bodies[:at]
	next.model.answers = []any{silent("c"), silent("d")}
	e, err := next.Continue(t.Context())
	if err != nil || e.How != "failed" || len(next.model.asked) != 2 {
		t.Fatalf("%d requests, ended %+v, %v", len(next.model.asked), e, err)
	}
	got := []string{last(next.model.asked[0]).Text, last(next.model.asked[1]).Text}
	if !strings.HasPrefix(got[0], "Harness note, attempt 3: your previous reply was not taken: The model gave no answer") || !strings.HasPrefix(got[1], "Harness note, attempt 4") {
		t.Errorf("notes %q", got)
	}
}

// A turn whose last round reached the cap when the process ended makes no other one.
func TestARestartKeepsTheRounds(t *testing.T) {
	st := open(t, call.Of(call.Write), calls(`{"text":"1"}`), calls(`{"text":"2"}`), calls(`{"text":"3"}`))
	st.prompt(t, t.Context(), "failed")
	next := resumed(t, st.log, len(st.log.bodies)-1, 1) // all but the ending
	e, err := next.Continue(t.Context())
	if err != nil || e.How != "failed" || e.Rounds != 3 || len(next.model.asked) != 0 || !strings.Contains(e.Cause, "cap of 3 tool rounds") {
		t.Errorf("%d requests, ended %+v, %v", len(next.model.asked), e, err)
	}
}

// A new prompt in a session that a crash left in a turn ends that turn as interrupted.
func TestAPromptInsteadOfContinueEndsTheOpenTurn(t *testing.T) {
	st := open(t, 0, answer("ok"))
	st.prompt(t, t.Context(), "answered")
	next := resumed(t, st.log, 2, 1) // killed before the first request
	if s := next.State(); !s.InTurn || s.Messages[0].Text != "go" {
		t.Fatalf("the prompt is gone: %+v", s)
	}
	next.model.answers = []any{answer("hello again")}
	if e, err := next.Prompt(t.Context(), "continue"); err != nil || e.How != "answered" {
		t.Fatal(e, err)
	}
	if e := of[event.Ending](next.log); len(e) != 2 || e[0].How != "aborted" || !strings.Contains(e[0].Cause, "restart") {
		t.Errorf("endings %+v", e)
	}
	if got := words(next.model.asked[0]); got != "user:go user:continue" {
		t.Errorf("the request says %q", got)
	}
}

// What was to steer a turn that nobody goes on with begins turns of its own.
func TestASteerOfAnInterruptedTurnBeginsATurn(t *testing.T) {
	var st *stage
	st = open(t, 0, during(func() { must(st.Submit("a", event.Steer)); must(st.Submit("b", event.Steer)) }, answer("ok")))
	st.prompt(t, t.Context(), "answered")
	next := resumed(t, st.log, 5, 1) // killed while the reply streamed
	next.model.answers = []any{answer("1"), answer("2")}
	for range 2 {
		if e, ok, err := next.Begin(t.Context()); !ok || err != nil || e.How != "answered" {
			t.Fatal(e, ok, err)
		}
	}
	if got, want := words(next.model.asked[1]), "user:go user:a assistant:1 user:b"; got != want {
		t.Errorf("the second turn says %q, want %q", got, want)
	}
}
