package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"tenet/adapters/approvals"
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
		{"y", gate.Approved, ""},
		{" YES ", gate.Approved, ""},
		{"", gate.Denied, ""},
		{"n", gate.Denied, ""},
		{"no", gate.Denied, ""},
		{"yep", gate.Denied, "yep"},
		{"use pnpm in this repo", gate.Denied, "use pnpm in this repo"},
	} {
		if r := answer(c.line); r.Answer != c.want || r.Reason != c.reason {
			t.Errorf("%q: %v %q, want %v %q", c.line, r.Answer, r.Reason, c.want, c.reason)
		}
	}
}

func question() approvals.Question {
	return approvals.Question{
		Tool: "bash", Dir: "/w", Step: call.Step{N: 1, Text: "make\ninstall", Effects: call.Of(call.Exec), Notes: []string{"make is a program"}},
		Decision: gate.Decision{Verdict: gate.Ask, Rule: gate.OutsideAuto, Over: call.Of(call.Exec)},
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
		{Ended(t.Context(), event.Ending{How: "answered"}), 0},
		{Ended(t.Context(), event.Ending{How: "failed", Cause: "model_error"}), 1},
		{Ended(t.Context(), event.Ending{How: "aborted"}), 130},
		{Ended(stopped, event.Ending{How: "aborted"}), 143},
		{Usage("no"), 2},
		{errors.New("disk full"), 1},
	} {
		if got := Code(c.err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}
