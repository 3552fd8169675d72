package approvals_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tenet/adapters/approvals"
	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/rules"
)

// question is one call of one asking step, with a yes for the session and two standing
// patterns.
func question(id string, es ...call.Effect) approvals.Question {
	s := step(1, es...)
	s.Text, s.Diff = "npm install \x1b[31mleft-pad", "-a\n+b\n"
	return approvals.Question{
		ID: id + ":1", Call: id, Tool: "bash", Dir: "/w",
		Ruling: gate.Ruling{
			Decision: gate.Decision{Verdict: gate.Ask, Why: "nothing allows exec in advance", Rule: gate.Ref{Name: "outside-auto-set"}},
			Effects:  s.Effects, Digest: "d1",
			Steps: []gate.StepRuling{{
				Step: s, Decision: gate.Decision{Verdict: gate.Ask},
				Requests: []rules.Ruled{
					{Request: call.Request{Capability: call.ProcessExecute, Subject: "npm install left-pad"}},
					{Request: call.Request{Capability: call.FileRead, Subject: "/w"}, Decision: rules.Decision{Action: rules.Allow}},
				},
			}},
		},
		Offers: []gate.Offer{
			{Answer: gate.AllowSession, Pattern: "npm install left-pad"},
			{Answer: gate.AllowAlways, Pattern: "npm install *"},
			{Answer: gate.AllowAlways, Pattern: "npm *"},
		},
	}
}

func attach(t *testing.T, b *approvals.Broker, kind core.Kind) *approvals.Client {
	t.Helper()
	c, err := b.Attach(kind, "terminal")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// shown waits for the next question before a client.
func shown(t *testing.T, c *approvals.Client) *approvals.Approval {
	t.Helper()
	f, err := c.Next(t.Context())
	a, ok := f.(*approvals.Approval)
	if err != nil || !ok {
		t.Fatalf("no question but %+v, %v", f, err)
	}
	return a
}

// asking asks on a goroutine of its own.
func asking(ctx context.Context, a approvals.Asker, q approvals.Question) <-chan approvals.Reply {
	c := make(chan approvals.Reply, 1)
	go func() { c <- a.Ask(ctx, q) }()
	return c
}

func TestACardShowsAllThatRunsAndWhatEachAnswerMeans(t *testing.T) {
	b := approvals.NewBroker(approvals.BrokerOptions{Session: "s1"})
	c := attach(t, b, core.Interactive)
	q := question("call_1", call.Exec, call.Net)
	q.Again = "the file changed"
	reply := asking(t.Context(), b, q)
	a := shown(t, c)
	want := &approvals.Approval{
		ID: "s1/call_1:1", Session: "s1", Call: "call_1", Tool: "bash", Dir: "/w", Digest: "d1", Diff: "-a\n+b\n",
		Steps: []approvals.ApprovalStep{{N: 1, Text: `npm install \x1b[31mleft-pad`, Effects: []string{"exec", "net"}, Notes: []string{}, Class: "simple", Asks: true, Places: []string{}}},
		Requests: []approvals.ApprovalRequest{
			{Capability: "process.execute", Subject: "npm install left-pad", Notes: []string{}, Verdict: "silent"},
			{Capability: "file.read", Subject: "/w", Notes: []string{}, Verdict: "allow", Rule: "what holds without a rule", Source: "default"},
		},
		Notes: []string{"the file changed", "nothing allows exec in advance (rule outside-auto-set)"},
		Answers: []approvals.ApprovalAnswer{
			{Key: "deny", Means: "no; a reason reaches the model"},
			{Key: "allow_once", Means: "yes, this once"},
			{Key: "allow_session", Pattern: "npm install left-pad", Means: "yes, and this very step again in this session"},
			{Key: "allow_always", Pattern: "npm install *", Means: "yes, and always in this project: npm install *"},
			{Key: "allow_always", Pattern: "npm *", Means: "yes, and always in this project: npm *"},
		},
	}
	if !reflect.DeepEqual(a, want) {
		t.Errorf("shown\n%+v\nwant\n%+v", a, want)
	}
	if err := c.Answer(approvals.AnswerApproval{ID: a.ID, Answer: "allow_once", Digest: "d1"}); err != nil {
		t.Fatal(err)
	}
	if r := <-reply; r != (approvals.Reply{Answer: gate.AllowOnce, By: "terminal"}) {
		t.Errorf("replied %+v", r)
	}
}

func TestEachAnswerIsTheReplyThatItNames(t *testing.T) {
	for _, c := range []struct {
		answer approvals.AnswerApproval
		want   approvals.Reply
	}{
		{approvals.AnswerApproval{Answer: "deny"}, approvals.Reply{Answer: gate.Denied}},
		{approvals.AnswerApproval{Answer: "deny", Reason: "use pnpm"}, approvals.Reply{Answer: gate.Denied, Reason: "use pnpm"}},
		{approvals.AnswerApproval{Answer: "deny", Reason: strings.Repeat("é", 1001)}, approvals.Reply{Answer: gate.Denied, Reason: strings.Repeat("é", 1000)}},
		{approvals.AnswerApproval{Answer: "deny", Reason: strings.Repeat("a", 1999) + "é"}, approvals.Reply{Answer: gate.Denied, Reason: strings.Repeat("a", 1999)}},
		{approvals.AnswerApproval{Answer: "allow_once", Reason: "fine"}, approvals.Reply{Answer: gate.AllowOnce}},
		{approvals.AnswerApproval{Answer: "allow_session", Pattern: "npm install left-pad"}, approvals.Reply{Answer: gate.AllowSession, Pattern: "npm install left-pad"}},
		{approvals.AnswerApproval{Answer: "allow_always", Pattern: "npm *"}, approvals.Reply{Answer: gate.AllowAlways, Pattern: "npm *"}},
	} {
		b := approvals.NewBroker(approvals.BrokerOptions{Session: "s1"})
		client := attach(t, b, core.Interactive)
		reply := asking(t.Context(), b, question("call_1", call.Exec))
		c.answer.ID, c.want.By = shown(t, client).ID, "terminal"
		if err := client.Answer(c.answer); err != nil {
			t.Fatal(err)
		}
		if r := <-reply; r != c.want {
			t.Errorf("%+v: replied %+v", c.answer, r)
		}
	}
}

func TestAnAnswerThatIsNoneLeavesTheQuestionOpen(t *testing.T) {
	b := approvals.NewBroker(approvals.BrokerOptions{Session: "s1"})
	c := attach(t, b, core.Interactive)
	reply := asking(t.Context(), b, question("call_1", call.Exec))
	id := shown(t, c).ID
	for code, a := range map[string]approvals.AnswerApproval{
		approvals.CodeMalformed:  {ID: id, Answer: "yes"},
		approvals.CodeNotOffered: {ID: id, Answer: "allow_always", Pattern: "*"},
		approvals.CodeGone:       {ID: "s1/call_2:1", Answer: "allow_once"},
	} {
		err := c.Answer(a)
		var refused *approvals.AnswerError
		if !errors.As(err, &refused) || refused.Code != code || !strings.Contains(err.Error(), code) {
			t.Errorf("%+v: %v, want %s", a, err, code)
		}
	}
	if err := c.Answer(approvals.AnswerApproval{ID: id, Answer: ""}); err == nil {
		t.Error("an empty answer was taken")
	}
	if p := c.Pending(); len(p) != 1 {
		t.Fatalf("open: %v", p)
	}
	b.Close()
	if r := <-reply; r.Answer != gate.Unanswered {
		t.Errorf("replied %+v", r)
	}
}

// Two calls of a session ask at once. A standing yes to one lets the other run, unless
// the gate says that it does not cover it.
func TestAStandingYesAnswersTheCallsThatItCovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		npm := rules.Rule{Capability: "process.execute", Pattern: "step*", Action: rules.Allow, Source: rules.FromProject}
		policies := approvals.NewPolicies(&gate.Policy{Place: rules.Place{Root: "/w"}}, nil)
		b := approvals.NewBroker(approvals.BrokerOptions{Session: "s1", Policies: policies})
		c := attach(t, b, core.Interactive)
		ask := func(call string, s ...gate.StepRuling) <-chan approvals.Reply {
			q := question(call)
			q.Ruling.Steps = s
			q.Offers = []gate.Offer{{Answer: gate.AllowAlways, Pattern: "step*", Rules: []rules.Rule{npm}}}
			reply := asking(t.Context(), b, q)
			shown(t, c)
			return reply
		}
		asks := gate.Decision{Verdict: gate.Ask}
		first := ask("call_1", gate.StepRuling{Step: step(1, call.Exec), Decision: asks})
		covered := ask("call_2", gate.StepRuling{Step: step(2, call.Exec), Decision: asks})
		other := ask("call_3", gate.StepRuling{Step: step(3, call.Write), Decision: asks}, gate.StepRuling{Step: step(4, call.Exec, call.Secret), Decision: asks})
		if err := c.Answer(approvals.AnswerApproval{ID: "s1/call_1:1", Answer: "allow_always", Pattern: "step*"}); err != nil {
			t.Fatal(err)
		}
		if r := <-first; r != (approvals.Reply{Answer: gate.AllowAlways, By: "terminal", Pattern: "step*"}) {
			t.Errorf("the call that was answered: %+v", r)
		}
		if r := <-covered; r != (approvals.Reply{Answer: gate.AllowOnce, By: "terminal, by a grant to another call"}) {
			t.Errorf("the call that is covered: %+v", r)
		}
		if p := c.Pending(); len(p) != 1 || p[0].Call != "call_3" {
			t.Errorf("still open: %v", p)
		}
		b.Close()
		<-other
	})
}

func TestADenialTakesTheTurnAlong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turn := "1"
		b := approvals.NewBroker(approvals.BrokerOptions{Session: "s1", Turn: func() string { return turn }})
		c := attach(t, b, core.Interactive)
		first := asking(t.Context(), b, question("call_1", call.Exec))
		shown(t, c)
		second := asking(t.Context(), b, question("call_2", call.Exec))
		shown(t, c)
		turn = "2"
		later := asking(t.Context(), b, question("call_3", call.Exec))
		shown(t, c)
		if err := c.Answer(approvals.AnswerApproval{ID: "s1/call_1:1", Answer: "deny", Reason: "use pnpm"}); err != nil {
			t.Fatal(err)
		}
		if r := <-first; r.Answer != gate.Denied || r.Reason != "use pnpm" {
			t.Errorf("the one that was answered: %+v", r)
		}
		if r := <-second; r.Answer != gate.Denied || r.Reason != "another call of the same turn was declined" || r.By != "terminal" {
			t.Errorf("its sibling: %+v", r)
		}
		if p := c.Pending(); len(p) != 1 || p[0].Call != "call_3" {
			t.Errorf("still open: %v", p)
		}
		b.Close()
		<-later
	})
}

// Ten years pass and nothing happens; then the caller's deadline passes, and that is no
// answer.
func TestNoPassageOfTimeAllowsACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := approvals.NewBroker(approvals.BrokerOptions{Session: "root"})
		child := approvals.NewBroker(approvals.BrokerOptions{Session: "child", Agent: "scout", Above: root})
		c := attach(t, root, core.Interactive)
		attach(t, root, core.Gateway)
		const years = 10 * 365 * 24 * time.Hour
		ctx, cancel := context.WithTimeout(t.Context(), years)
		defer cancel()
		reply := asking(ctx, child, question("call_1", call.Exec))
		if a := shown(t, c); a.Agent != "scout" || a.Session != "child" {
			t.Errorf("shown as %q of %q", a.Agent, a.Session)
		}
		time.Sleep(years - time.Second)
		select {
		case r := <-reply:
			t.Fatalf("time answered: %+v", r)
		default:
		}
		if r := <-reply; r.Answer != gate.Unanswered || len(c.Pending()) != 0 {
			t.Errorf("replied %+v, still before the client: %v", r, c.Pending())
		}
		if f, err := c.Next(t.Context()); err != nil || *f.(*approvals.Settled) != (approvals.Settled{ID: "child/call_1:1", How: "unanswered", Why: "cancelled"}) {
			t.Errorf("the client was told %+v, %v", f, err)
		}
	})
}

func TestWithoutAClientAQuestionIsUnansweredAtOnceUnlessItComesFromBeforeARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := approvals.NewBroker(approvals.BrokerOptions{Session: "root"})
		child := approvals.NewBroker(approvals.BrokerOptions{Session: "child", Above: root})
		if r := child.Ask(t.Context(), question("call_1", call.Exec)); r != (approvals.Reply{Answer: gate.Unanswered, By: "nobody"}) {
			t.Errorf("replied %+v", r)
		}
		resumed := asking(t.Context(), child.Resumed(), question("call_1", call.Exec))
		time.Sleep(time.Hour)
		c := attach(t, root, core.Interactive)
		if err := c.Answer(approvals.AnswerApproval{ID: shown(t, c).ID, Answer: "allow_once"}); err != nil {
			t.Fatal(err)
		}
		if r := <-resumed; r.Answer != gate.AllowOnce {
			t.Errorf("replied %+v", r)
		}
	})
}

func TestAGatewayIsNeverWaitedFor(t *testing.T) {
	b := approvals.NewBroker(approvals.BrokerOptions{Session: "s1"})
	phone := attach(t, b, core.Gateway)
	if r := b.Ask(t.Context(), question("call_1", call.Exec)); r != (approvals.Reply{Answer: gate.AllowOnce, By: "gateway rule"}) {
		t.Errorf("a program: %+v", r)
	}
	for _, guarded := range []call.Effect{call.Secret, call.Protected} {
		if r := b.Ask(t.Context(), question("call_1", call.Read, guarded)); r.Answer != gate.GatewayRefused || r.By != "gateway rule" || r.Reason == "" {
			t.Errorf("%v: %+v", guarded, r)
		}
	}
	if f, err := phone.Next(cancelled()); err == nil {
		t.Errorf("the gateway got a frame: %+v", f)
	}
}

// cancelled is a context that has ended: a wait with it takes what is there.
func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// Two subagents name their calls alike; their questions are two.
func TestSessionsMayNameTheirCallsAlike(t *testing.T) {
	root := approvals.NewBroker(approvals.BrokerOptions{Session: "root"})
	c := attach(t, root, core.Interactive)
	var replies []<-chan approvals.Reply
	for _, name := range []string{"a", "b"} {
		child := approvals.NewBroker(approvals.BrokerOptions{Session: name, Agent: name, Above: root})
		replies = append(replies, asking(t.Context(), child, question("call_1", call.Exec)))
		shown(t, c)
	}
	for i, answer := range []string{"deny", "allow_once"} {
		if err := c.Answer(approvals.AnswerApproval{ID: string("ab"[i]) + "/call_1:1", Answer: answer}); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := <-replies[0], <-replies[1]; a.Answer != gate.Denied || b.Answer != gate.AllowOnce {
		t.Errorf("replied %+v and %+v", a, b)
	}
}
