package session_test

import (
	"context"
	"strings"
	"testing"

	"tenet/adapters/approvals"
	"tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/core/event"
	"tenet/core/surface"
)

// A tool that panics is a call that failed; the turn and the session go on.
func TestAPanicOfAToolIsTheResultOfItsCall(t *testing.T) {
	bad := session.Tool{Tool: surface.Tool{Name: "bad"}, Run: func(context.Context, *approvals.Gate, surface.Args) (session.Output, error) {
		panic("index out of range")
	}}
	r := event.Reply{Calls: []event.ToolCall{{Tool: "bad", Args: "{}"}}, Stop: "toolUse"}
	s := openWith(t, 0, func(o *session.Options) { o.Tools = append(o.Tools, bad) }, r, answer("I see."))
	e, err := s.Prompt(t.Context(), "go")
	if err != nil || e.How != "answered" {
		t.Fatalf("%+v, %v", e, err)
	}
	res := of[event.Result](s.log)
	if len(res) != 1 || !res[0].Error || !strings.Contains(res[0].Text, "index out of range") || !strings.Contains(res[0].Text, "may have partially run") {
		t.Errorf("%+v", res)
	}
}

// A provider that panics ends the turn as failed, with where it happened in the log, and
// the next turn runs.
func TestAPanicOfAPhaseEndsTheTurnAndNotTheSession(t *testing.T) {
	s := open(t, 0, func(context.Context, provider.Request, func(provider.Delta)) (event.Reply, error) { panic("nil map") }, answer("here"))
	e, err := s.Prompt(t.Context(), "go")
	if err != nil || e.How != "failed" || !strings.Contains(e.Cause, "nil map") {
		t.Fatalf("%+v, %v", e, err)
	}
	if e, err := s.Prompt(t.Context(), "again"); err != nil || e.How != "answered" {
		t.Errorf("%+v, %v", e, err)
	}
}
