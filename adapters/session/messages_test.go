package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/event"
)

// during is a reply of the model while which the test does something.
func during(do func(), r event.Reply) func(context.Context, provider.Request, func(provider.Delta)) (event.Reply, error) {
	return func(context.Context, provider.Request, func(provider.Delta)) (event.Reply, error) {
		do()
		return r, nil
	}
}

// words is the context that a request carried, one line a message.
func words(r provider.Request) string {
	var b strings.Builder
	for _, m := range r.Messages[1:] {
		fmt.Fprintf(&b, "%s:%s ", m.Role, m.Text)
	}
	return strings.TrimSpace(b.String())
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A steer goes in between rounds: after the results of the round that ran when it came.
func TestASteerGoesIntoTheRunningTurnAfterTheResults(t *testing.T) {
	var st *stage
	var id string
	st = open(t, call.Of(call.Write),
		during(func() { id = must(st.Submit("not so fast", event.Steer)) }, calls(`{"text":"a"}`, `{"text":"b"}`)),
		answer("done"))
	st.prompt(t, t.Context(), "answered")
	if got, want := words(st.model.asked[1]), "user:go assistant: tool:a tool:b user:not so fast"; got != want {
		t.Errorf("the second request says %q, want %q", got, want)
	}
	p := of[event.Prompt](st.log)
	if len(p) != 2 || p[1].Submission != id || !p[1].Steer {
		t.Errorf("prompts %+v, want the steer with its submission %s", p, id)
	}
	if s := st.State(); len(s.Queue) != 0 || s.Turns != 1 {
		t.Errorf("%d messages wait after %d turns", len(s.Queue), s.Turns)
	}
}

// A queued message waits on the disk and begins the next turn, once.
func TestAQueuedMessageBeginsTheNextTurn(t *testing.T) {
	var st *stage
	st = open(t, call.Of(call.Write),
		during(func() { must(st.Submit("and then this", event.Queue)) }, calls(`{"text":"a"}`)),
		answer("first"), answer("second"))
	st.prompt(t, t.Context(), "answered")
	if got := st.kinds(); !strings.Contains(got, "requested submitted replied") {
		t.Errorf("the message was not on the disk while the reply streamed: %s", got)
	}
	w, err := st.Next(t.Context())
	if err != nil || w.Message != "msg_1" {
		t.Fatalf("next is %+v, %v", w, err)
	}
	e, ok, err := st.Begin(t.Context())
	if !ok || err != nil || e.How != "answered" || st.Answer() != "second" {
		t.Errorf("began %v, ended %+v with %v: %q", ok, e, err, st.Answer())
	}
	if _, ok, _ := st.Begin(t.Context()); ok {
		t.Error("the message began a second turn")
	}
}

// What came too late to steer is not lost: it begins a turn of its own.
func TestASteerThatComesTooLateBeginsTheNextTurn(t *testing.T) {
	var st *stage
	st = open(t, call.Of(call.Write),
		during(func() { must(st.Submit("wait", event.Steer)) }, answer("first")),
		answer("second"))
	st.prompt(t, t.Context(), "answered")
	if q := st.State().Queue; len(q) != 1 || q[0].How != event.Queue {
		t.Fatalf("after the turn these wait: %+v", q)
	}
	if e, ok, err := st.Begin(t.Context()); !ok || err != nil || e.How != "answered" {
		t.Errorf("began %v, ended %+v, %v", ok, e, err)
	}
	if got, want := words(st.model.asked[1]), "user:go assistant:first user:wait"; got != want {
		t.Errorf("the second turn says %q, want %q", got, want)
	}
}

func TestAWaitingMessageCanBeEditedAndTakenBack(t *testing.T) {
	var st *stage
	st = open(t, call.Of(call.Write), during(func() {
		a, b := must(st.Submit("one", event.Queue)), must(st.Submit("two", event.Steer))
		if err := errors.Join(st.Edit(a, "one, but better"), st.Withdraw(b)); err != nil {
			t.Error(err)
		}
		if err := st.Withdraw(b); !errors.Is(err, session.ErrNotWaiting) {
			t.Errorf("taken back twice: %v", err)
		}
		if err := st.Edit("msg_9", "x"); !errors.Is(err, session.ErrNotWaiting) {
			t.Errorf("edited what never was: %v", err)
		}
	}, calls(`{"text":"a"}`)), answer("first"), answer("second"))
	st.prompt(t, t.Context(), "answered")
	if _, ok, err := st.Begin(t.Context()); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if got := words(st.model.asked[2]); !strings.HasSuffix(got, "user:one, but better") || strings.Contains(got, "two") {
		t.Errorf("the last request says %q", got)
	}
}

// Prompts of several clients run one at a time, in the order they came.
func TestPromptsDuringATurnWaitForTheirs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var st *stage
		var mu sync.Mutex
		var ended []string
		var both sync.WaitGroup
		both.Add(2)
		st = open(t, call.Of(call.Write),
			func(ctx context.Context, _ provider.Request, _ func(provider.Delta)) (event.Reply, error) {
				for _, text := range []string{"second", "third"} {
					go func() {
						e, err := st.Prompt(t.Context(), text)
						mu.Lock()
						ended = append(ended, text+" "+e.How)
						mu.Unlock()
						if err != nil {
							t.Error(err)
						}
						both.Done()
					}()
					synctest.Wait()
				}
				return answer("1"), nil
			}, answer("2"), answer("3"))
		st.prompt(t, t.Context(), "answered")
		both.Wait()
		slices.Sort(ended)
		if got := strings.Join(ended, ", "); got != "second answered, third answered" {
			t.Errorf("ended %s", got)
		}
		if got, want := words(st.model.asked[2]), "user:go assistant:1 user:second assistant:2 user:third"; got != want {
			t.Errorf("the last request says %q, want %q", got, want)
		}
	})
}

// Whoever writes at the moment at which a turn ends begins the next, and nobody a second
// beside it: no turn is ended as one that a restart interrupted.
func TestManyWhoWriteAtOnceGetOneTurnEach(t *testing.T) {
	const people, each = 8, 40
	st := openWith(t, call.Of(call.Write), func(o *session.Options) { o.Provider = echoing{} })
	var all sync.WaitGroup
	for range people {
		all.Go(func() {
			for range each {
				if e, err := st.Prompt(t.Context(), "go"); err != nil || e.How != "answered" {
					t.Errorf("ended %+v, %v", e, err)
				}
			}
		})
	}
	all.Wait()
	if e := of[event.Ending](st.log); len(e) != people*each {
		t.Errorf("%d turns ended, %d were begun", len(e), people*each)
	}
	if s := st.State(); s.Turns != people*each || s.InTurn || len(s.Queue) > 0 || len(s.Disorders) > 0 {
		t.Errorf("%d turns, %d wait, disorders %v", s.Turns, len(s.Queue), s.Disorders)
	}
}

// echoing is a model that answers at once, also several at a time.
type echoing struct{}

func (echoing) Name() string { return "echoing" }

func (echoing) Reply(context.Context, provider.Request, func(provider.Delta)) (event.Reply, error) {
	return answer("done"), nil
}

func TestAPromptThatIsStoppedWhileItWaitsIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var st *stage
		st = open(t, call.Of(call.Write), func(context.Context, provider.Request, func(provider.Delta)) (event.Reply, error) {
			ctx, cancel := context.WithCancel(t.Context())
			go func() { synctest.Wait(); cancel() }()
			if e, err := st.Prompt(ctx, "never"); err != nil || e.How != "aborted" {
				t.Errorf("ended %+v, %v", e, err)
			}
			return answer("ok"), nil
		})
		st.prompt(t, t.Context(), "answered")
		if s := st.State(); len(s.Queue) != 0 || len(of[event.Withdrawal](st.log)) != 1 {
			t.Errorf("these wait: %+v", s.Queue)
		}
	})
}

// An open question blocks new messages, and the error names it.
func TestAnOpenQuestionBlocksNewMessages(t *testing.T) {
	var st *stage
	asked := inquirer(func(q event.Inquiry) (string, bool) {
		for _, how := range []string{event.Queue, event.Steer} {
			_, err := st.Submit("hello?", how)
			var b *session.Blocked
			if !errors.As(err, &b) || b.ID != q.ID || !strings.Contains(err.Error(), "which port?") {
				t.Errorf("a %s during the question: %v", how, err)
			}
		}
		if _, err := st.Prompt(t.Context(), "hello?"); err == nil || !strings.Contains(err.Error(), q.ID) {
			t.Errorf("a prompt during the question: %v", err)
		}
		return "8080", true
	})
	st = openWith(t, call.Of(call.Write), func(o *session.Options) { o.Inquirer = asked },
		event.Reply{Calls: []event.ToolCall{{Tool: "ask", Args: `{"question":"which port?"}`}}}, answer("ok"))
	st.prompt(t, t.Context(), "answered")
	if a := of[event.Answer](st.log); len(a) != 1 || a[0].Text != "8080" || a[0].By != "terminal" {
		t.Errorf("answers %+v", a)
	}
	if r := of[event.Result](st.log); r[0].Text != "8080" || r[0].Error {
		t.Errorf("the model reads %+v", r[0])
	}
	if s := of[event.Submission](st.log); len(s) != 0 {
		t.Errorf("a refused message was recorded: %+v", s)
	}
}

type inquirer func(q event.Inquiry) (string, bool)

func (f inquirer) Inquire(_ context.Context, q event.Inquiry) (string, string, bool) {
	text, ok := f(q)
	return text, "terminal", ok
}

func TestAQuestionToNobodyEndsAtOnceAndSaysWhatToDo(t *testing.T) {
	st := open(t, 0, event.Reply{Calls: []event.ToolCall{{Tool: "ask", Args: `{"question":"which port?"}`}}}, answer("ok"))
	st.prompt(t, t.Context(), "answered")
	if a := of[event.Answer](st.log); len(a) != 1 || !a[0].Unanswered {
		t.Errorf("answers %+v", a)
	}
	if r := of[event.Result](st.log); !r[0].Error || !strings.Contains(r[0].Text, "Do not wait and do not ask again") {
		t.Errorf("the model reads %+v", r[0])
	}
}

func finishes(text string, more ...string) event.Reply {
	r := event.Reply{Calls: []event.ToolCall{{Tool: "finish", Args: fmt.Sprintf(`{"result":%q}`, text)}}}
	for _, m := range more {
		r.Calls = append(r.Calls, event.ToolCall{Tool: "echo", Args: m})
	}
	return r
}

// Finish ends the turn only after the stop hooks pass; one that fails sends it on.
func TestFinishPassesTheStopHooks(t *testing.T) {
	var ran []string
	tries := 0
	hook := func(name string, fails int) session.Hook {
		return session.Hook{Name: name, Run: func(context.Context) (string, error) {
			ran = append(ran, name)
			if tries++; tries <= fails {
				return "2 tests fail", errors.New("exit status 1")
			}
			return "fine", nil
		}}
	}
	st := openWith(t, call.Of(call.Write), func(o *session.Options) { o.Hooks = []session.Hook{hook("tests", 1), hook("lint", 0)} },
		finishes("done"), finishes("really done", `{"text":"never"}`))
	st.prompt(t, t.Context(), "answered")
	if got := strings.Join(ran, " "); got != "tests tests lint" {
		t.Errorf("hooks ran %s", got)
	}
	r := of[event.Result](st.log)
	if len(r) != 3 || !r[0].Error || !strings.Contains(r[0].Text, "2 tests fail") || !strings.Contains(r[0].Text, `"tests"`) || r[1].Error {
		t.Errorf("results %+v", r)
	}
	if !r[2].Error || !strings.Contains(r[2].Text, "a call before it finished the turn") || len(st.ran) != 0 {
		t.Errorf("the call after finish: %+v, ran %q", r[2], st.ran)
	}
	if st.Answer() != "really done" || of[event.Ending](st.log)[0].Answer != "really done" {
		t.Errorf("answered %q", st.Answer())
	}
}

func TestACancelDuringAStopHookEndsTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		st := openWith(t, 0, func(o *session.Options) {
			o.Hooks = []session.Hook{{Name: "slow", Run: func(ctx context.Context) (string, error) {
				cancel()
				<-ctx.Done()
				return "", nil
			}}}
		}, finishes("done"))
		st.prompt(t, ctx, "aborted")
		if st.State().Last.Answer != "" {
			t.Error("a stopped turn has finish's answer")
		}
	})
}

// A settled job wakes an idle session; its row stands after the results of a round.
func TestASettledJobIsToldAtTheNextRequestAndWakesAnIdleSession(t *testing.T) {
	var st *stage
	st = open(t, call.Of(call.Write), calls(`{"text":"a"}`),
		during(func() { settle(t, st, "job_1") }, answer("first")), answer("saw it"))
	st.Session = must(session.Open(func() session.Options {
		o := st.options(t, call.Of(call.Write))
		o.Tools[0] = detaching(&st.ran)
		return o
	}()))
	st.log.recs, st.log.bodies = st.log.recs[1:], st.log.bodies[1:]
	if e := must(st.Prompt(t.Context(), "go")); e.How != "answered" {
		t.Fatalf("ended %+v", e)
	}
	w, err := st.Next(t.Context())
	if err != nil || w.Message != "" {
		t.Fatalf("next is %+v, %v: want a wake without a message", w, err)
	}
	e, ok, err := st.Begin(t.Context())
	if !ok || err != nil || e.How != "answered" || e.Rounds != 0 {
		t.Fatalf("ended %+v, %v", e, err)
	}
	if got, want := words(st.model.asked[2]), "user:go assistant: tool:a goes on as job_1 assistant:first user:[job-settled job:job_1 status:finished]\nok"; got != want {
		t.Errorf("the continuation says %q, want %q", got, want)
	}
	if err := st.Settle(event.Settlement{Job: "job_1", Status: "finished"}); err == nil {
		t.Error("a job ended twice")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if _, err := st.Next(ctx); err == nil || err.Error() != "enough" {
		t.Errorf("with nothing to do, next says %v", err)
	}
}

// A person who stops a woken turn before its request has the settlement before them: the
// session is not woken for it again, and the next request still says it.
func TestAStoppedWokenTurnIsNotWokenAgain(t *testing.T) {
	var st *stage
	var ran []string
	st = openWith(t, call.Of(call.Write), func(o *session.Options) { o.Tools[0] = detaching(&ran) },
		calls(`{"text":"a"}`), during(func() { settle(t, st, "job_1") }, answer("first")), answer("saw it"))
	st.prompt(t, t.Context(), "answered")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if e, ok, err := st.Begin(stopped); !ok || err != nil || e.How != "aborted" {
		t.Fatalf("began %v, ended %+v, %v", ok, e, err)
	}
	if e, ok, err := st.Begin(stopped); ok || err != nil {
		t.Fatalf("woken again: ended %+v, %v", e, err)
	}
	st.prompt(t, t.Context(), "answered")
	if got := words(st.model.asked[2]); !strings.Contains(got, "[job-settled job:job_1 status:finished]") {
		t.Errorf("the next request says %q, without the settlement", got)
	}
}

func settle(t *testing.T, st *stage, job string) {
	t.Helper()
	if err := st.Settle(event.Settlement{Job: job, Status: "finished", Text: "ok"}); err != nil {
		t.Error(err)
	}
}

// detaching is echo as a job: its call is answered while it still runs, and its recorder
// stays good.
func detaching(ran *[]string) session.Tool {
	tool := echo(ran)
	run := tool.Run
	tool.Run = func(ctx context.Context, g *gateOf, args argsOf) (session.Output, error) {
		out, err := run(ctx, g, args)
		if err != nil {
			return out, err
		}
		if err := g.Log.Record(event.Detachment{Job: "job_1", Call: g.Call, Kind: "shell", Command: "echo"}); err != nil {
			return out, err
		}
		out.Text += " goes on as job_1"
		return out, nil
	}
	return tool
}

// The recorder of a call is good after its phase, and from several goroutines.
func TestADetachedCallStillRecordsItsSteps(t *testing.T) {
	var later func() error
	st := openWith(t, call.Of(call.Write), func(o *session.Options) {
		tool := detaching(new([]string))
		run := tool.Run
		tool.Run = func(ctx context.Context, g *gateOf, args argsOf) (session.Output, error) {
			out, err := run(ctx, g, args)
			later = func() error { return g.Log.Record(event.Dispatch{Call: g.Call, Steps: []int{1}}) }
			return out, err
		}
		o.Tools[0] = tool
	}, calls(`{"text":"a"}`), answer("ok"))
	st.prompt(t, t.Context(), "answered")
	failed := make(chan error, 8)
	for range cap(failed) {
		go func() { failed <- later() }()
	}
	for range cap(failed) {
		if err := <-failed; err != nil {
			t.Errorf("a step of a job was not recorded: %v", err)
		}
	}
	if d := st.State().Disorders; len(d) > 0 {
		t.Error(d)
	}
}

func TestNextWakesWhenAMessageComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := open(t, 0, answer("ok"))
		woken := make(chan session.Work)
		go func() { woken <- must(st.Next(t.Context())) }()
		synctest.Wait()
		id := must(st.Submit("now", event.Steer)) // there is no turn that it could steer
		if w := <-woken; w.Message != id {
			t.Errorf("woken by %+v, want %s", w, id)
		}
		if e, ok, err := st.Begin(t.Context()); !ok || err != nil || e.How != "answered" {
			t.Errorf("ended %+v, %v", e, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := st.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("next ended with %v", err)
		}
	})
}

func TestTooManyMessagesAreTurnedAway(t *testing.T) {
	st := open(t, 0)
	for range 100 {
		must(st.Submit("more", event.Queue))
	}
	if _, err := st.Submit("too much", event.Queue); !errors.Is(err, session.ErrFull) {
		t.Errorf("the 101st message: %v", err)
	}
	for _, bad := range []struct{ text, how string }{{"", event.Queue}, {" \n", event.Steer}, {"x", "shout"}} {
		if _, err := st.Submit(bad.text, bad.how); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

// A message that the log did not take was not taken.
func TestAMessageIsNotAcknowledgedWithoutTheLog(t *testing.T) {
	st := open(t, 0)
	st.log.failAt = 1
	if id, err := st.Submit("now", event.Queue); !errors.Is(err, errFull) || id != "" {
		t.Errorf("acknowledged %q with %v", id, err)
	}
	if len(st.State().Queue) != 0 {
		t.Error("it waits all the same")
	}
}
