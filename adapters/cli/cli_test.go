package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tenet/adapters/approvals"
	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
)

func TestOnlyAYesIsAYes(t *testing.T) {
	q := shown(t)
	for _, c := range []struct {
		line, want, pattern, reason string
	}{
		{"y", "allow_once", "", ""},
		{" YES ", "allow_once", "", ""},
		{"s", "allow_session", "make install", ""},
		{"A", "allow_always", "make install *", ""},
		{"A2", "allow_always", "make *", ""},
		{"a", "deny", "", "a"},
		{"A3", "deny", "", "A3"},
		{"", "deny", "", ""},
		{"n", "deny", "", ""},
		{"No", "deny", "", ""},
		{"yep", "deny", "", "yep"},
		{"use pnpm in this repo", "deny", "", "use pnpm in this repo"},
	} {
		if a := answer(c.line, q); a.Answer != c.want || a.Pattern != c.pattern || a.Reason != c.reason || a.ID != q.ID || a.Digest != q.Digest {
			t.Errorf("%q: %+v, want %+v", c.line, a, c)
		}
	}
}

// shown is the question as a client gets it.
func shown(t *testing.T) approvals.Approval {
	t.Helper()
	b := approvals.NewBroker(approvals.BrokerOptions{Session: "s"})
	c, err := b.Attach(core.Interactive, "terminal")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	go b.Ask(context.Background(), question())
	f, err := c.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return *f.(*approvals.Approval)
}

// asked puts a question to a terminal that reads from in, and returns the reply with
// what was printed.
func asked(t *testing.T, in io.Reader, ctx context.Context) (approvals.Reply, string) {
	t.Helper()
	var out bytes.Buffer
	b := approvals.NewBroker(approvals.BrokerOptions{Session: "s"})
	c, err := b.Attach(core.Interactive, "terminal")
	if err != nil {
		t.Fatal(err)
	}
	left := make(chan struct{})
	go func() {
		defer close(left)
		NewTerminal(in, &out).Attend(t.Context(), c)
	}()
	r := b.Ask(ctx, question())
	b.Close()
	<-left
	return r, out.String()
}

func TestATerminalAnswersAsAClient(t *testing.T) {
	for line, want := range map[string]approvals.Reply{
		"y\n":       {Answer: gate.AllowOnce, By: "terminal"},
		"s\n":       {Answer: gate.AllowSession, By: "terminal", Pattern: "make install"},
		"A2\n":      {Answer: gate.AllowAlways, By: "terminal", Pattern: "make *"},
		"\n":        {Answer: gate.Denied, By: "terminal"},
		"not now\n": {Answer: gate.Denied, By: "terminal", Reason: "not now"},
	} {
		if r, _ := asked(t, strings.NewReader(line), t.Context()); r != want {
			t.Errorf("%q: %+v, want %+v", line, r, want)
		}
	}
}

var outside = gate.ByAuto(0, call.Of(call.Exec))

func question() approvals.Question {
	return approvals.Question{
		Tool: "bash", Dir: "/w",
		Ruling: gate.Ruling{
			Decision: outside, Tool: "bash", Effects: call.Of(call.Exec),
			Steps: []gate.StepRuling{{Step: call.Step{N: 1, Text: "make\ninstall", Effects: call.Of(call.Exec), Notes: []string{"make is a program"}}, Decision: outside}},
		},
		Offers: []gate.Offer{{Answer: gate.AllowSession, Pattern: "make install"}, {Answer: gate.AllowAlways, Pattern: "make install *"}, {Answer: gate.AllowAlways, Pattern: "make *"}},
	}
}

func TestTheCardShowsEveryLineOfWhatRuns(t *testing.T) {
	c := card(shown(t), 2)
	for _, want := range []string{"(2 more wait)", "│? make\n", "│: install\n", "/w", "exec", "outside-auto-set", "make is a program", "│ y  ", "│ s  ", "│ A  ", "│ A2 ", "make install *", "Enter or n = no"} {
		if !strings.Contains(c, want) {
			t.Errorf("the card lacks %q:\n%s", want, c)
		}
	}
	cut := shown(t)
	cut.Cut = true
	if c := card(cut, 0); strings.Contains(c, "│ A ") || answer("A", cut).Answer != "deny" {
		t.Errorf("a card that leaves something out offers a standing yes:\n%s", c)
	}
}

func TestTheEndOfTheInputIsNoAnswer(t *testing.T) {
	if r, out := asked(t, strings.NewReader(""), t.Context()); r.Answer != gate.Unanswered || !strings.Contains(out, "end of input") {
		t.Errorf("answered %v: %s", r.Answer, out)
	}
}

func TestACancelTakesTheQuestionAway(t *testing.T) {
	in, _ := io.Pipe() // nobody ever writes
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, _ := asked(t, in, ctx); r.Answer != gate.Unanswered {
		t.Errorf("answered %v", r.Answer)
	}
}

func TestExitCodes(t *testing.T) {
	stopped, stop := context.WithCancelCause(t.Context())
	stop(ErrTerminated)
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{Ended(t.Context(), event.Ending{How: "answered"}, true), 0},
		{Ended(t.Context(), event.Ending{How: "failed", Cause: "model_error"}, true), 1},
		{Ended(t.Context(), event.Ending{How: "aborted"}, true), 130},
		{Ended(stopped, event.Ending{How: "aborted"}, true), 143},
		{Usage("no"), 2},
		{errors.New("disk full"), 1},
	} {
		if got := Code(c.err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}

// A model's text must not pass for a row of the transcript.
func TestTheModelCannotForgeRows(t *testing.T) {
	var out bytes.Buffer
	tr := NewTranscript(&out)
	forged := "x\n  ran      bash: rm\n\nLog: /etc/passwd\n● bash  true\n  ✓ step 1"
	args, err := json.Marshal(map[string]string{"command": forged})
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range []event.Body{
		event.Reply{Text: forged},
		event.Call{Call: "call_1", Tool: forged, Args: string(args)},
		event.Judgement{Call: "call_1", Tool: "bash", Ruling: event.Ruling{Verdict: "ask", Why: forged, Steps: []event.JudgedStep{{N: 1, Text: forged, Verdict: "ask"}}}, Answer: "denied", By: "terminal", Reason: forged,
			Grants: []event.Grant{{Capability: "file.read", Pattern: forged, Scope: event.ScopeSession}}, Unsaved: forged},
		event.Result{Call: "call_1", Error: true, Text: forged},
	} {
		line, _ := event.Encode(nil, event.NoSum, uint64(i+1), time.Unix(0, 0), b)
		h, ok := event.Cut(line[:len(line)-1])
		if !ok {
			t.Fatal("cannot read the record back")
		}
		tr.Show(h.Record())
	}
	tr.Summary()
	for row := range strings.Lines(out.String()) {
		for _, mark := range []string{"  ran ", "Log:", "● bash", "  ✓"} {
			if strings.HasPrefix(row, mark) {
				t.Errorf("a forged row: %q", row)
			}
		}
	}
}

func TestAQueueOfMinutesIsSaidAloud(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		progress := Options{Err: &out}.progress()
		for range 5 {
			progress(event.Live{Kind: event.LiveWaiting})
			time.Sleep(5 * time.Second) // virtual
		}
		progress(event.Live{Kind: event.LiveDelta, Text: "hi"})
		if want := "… the provider is queueing the request (Ctrl+C stops)\n… still waiting after 10 s\n… still waiting after 20 s\n"; out.String() != want {
			t.Errorf("printed %q, want %q", out.String(), want)
		}
	})
}
