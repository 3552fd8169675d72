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
	"tenet/adapters/provider"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
)

func TestOnlyAYesIsAYes(t *testing.T) {
	for _, c := range []struct {
		line   string
		want   gate.Answer
		reason string
	}{
		{"y", gate.AllowOnce, ""},
		{" YES ", gate.AllowOnce, ""},
		{"s", gate.AllowSession, ""},
		{"A", gate.AllowAlways, ""},
		{"A2", gate.AllowAlways, ""},
		{"a", gate.Denied, "a"},
		{"A3", gate.Denied, "A3"},
		{"", gate.Denied, ""},
		{"n", gate.Denied, ""},
		{"no", gate.Denied, ""},
		{"yep", gate.Denied, "yep"},
		{"use pnpm in this repo", gate.Denied, "use pnpm in this repo"},
	} {
		if r := answer(c.line, question()); r.Answer != c.want || r.Reason != c.reason {
			t.Errorf("%q: %v %q, want %v %q", c.line, r.Answer, r.Reason, c.want, c.reason)
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
	c := card(question())
	for _, want := range []string{"│   make\n", "│   install\n", "/w", "exec", "outside-auto-set", "make is a program", "Enter or n = no"} {
		if !strings.Contains(c, want) {
			t.Errorf("the card lacks %q:\n%s", want, c)
		}
	}
}

func TestTheEndOfTheInputIsNoAnswer(t *testing.T) {
	var out bytes.Buffer
	term := NewTerminal(strings.NewReader(""), &out)
	if r := term.Ask(t.Context(), question()); r.Answer != gate.Unanswered {
		t.Errorf("answered %v", r.Answer)
	}
}

func TestACancelEndsAQuestion(t *testing.T) {
	in, _ := io.Pipe() // nobody ever writes
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := NewTerminal(in, io.Discard).Ask(ctx, question()); r.Answer != gate.Unanswered {
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
			progress(provider.Delta{Waiting: true})
			time.Sleep(5 * time.Second) // virtual
		}
		progress(provider.Delta{Text: "hi"})
		if want := "… the provider is queueing the request (Ctrl+C stops)\n… still queueing after 10 s\n… still queueing after 20 s\n"; out.String() != want {
			t.Errorf("printed %q, want %q", out.String(), want)
		}
	})
}
