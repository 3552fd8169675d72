package event_test

import (
	"reflect"
	"testing"

	"tenet/core/event"
)

// What the origin has under way is not the fork's: its job ends here, once, as lost, its
// waiting message is taken back, and its grants stay behind.
func TestAForkLeavesBehindWhatIsUnderWay(t *testing.T) {
	s := working(
		event.Detachment{Job: "j1", Call: "c1"}, event.Result{Call: "c1"}, event.Result{Call: "c2"},
		event.Submission{ID: "m1", Text: "later", How: event.Queue}, event.Reply{Text: "done"}, event.Ending{How: "answered"},
	)
	s.Grants = []event.Grant{{Pattern: "make", Scope: event.ScopeSession}}
	if !s.Still() {
		t.Fatalf("nothing runs and a fork may not begin here: %+v", s)
	}
	seq, messages := s.Seq, len(s.Messages)
	for i, b := range s.Fork("origin", "abc") {
		s = s.With(seq+uint64(i)+1, b)
	}
	if len(s.Jobs)+len(s.Queue)+len(s.Grants)+len(s.Disorders) != 0 {
		t.Errorf("the fork keeps jobs %v, messages %v, grants %v; contradictions %v", s.Jobs, s.Queue, s.Grants, s.Disorders)
	}
	if want := (&event.Fork{From: "origin", Seq: seq, Sum: "abc"}); !reflect.DeepEqual(s.Forked, want) {
		t.Errorf("forked %+v, want %+v", s.Forked, want)
	}
	s = s.With(s.Seq+1, event.Prompt{Text: "go on"}) // what came meanwhile enters with it
	if len(s.Messages) != messages+2 || !s.Messages[messages].Harness {
		t.Errorf("the model is not told that the job is lost: %+v", s.Messages[messages:])
	}
}

func TestNoForkBeginsInATurn(t *testing.T) {
	for name, s := range map[string]event.State{
		"before anything": {}, "in a call": working(), "in a turn": fold(event.Opening{}, event.Prompt{}),
		"an ended turn with an open call": fold(event.Prompt{}, event.Reply{Calls: []event.ToolCall{{ID: "c"}}}, event.Ending{}),
	} {
		if s.Still() {
			t.Errorf("%s: a fork may begin here", name)
		}
	}
	if !fold(event.Opening{}).Still() {
		t.Error("a session that was only opened cannot be forked")
	}
}

func TestWhereASessionStands(t *testing.T) {
	asks := fold(event.Prompt{}, event.Reply{Calls: []event.ToolCall{{ID: "c"}}}, event.Call{Call: "c"}, event.Question{Call: "c"})
	ended := func(how string) event.State { return fold(event.Prompt{}, event.Ending{How: how}) }
	for _, c := range []struct {
		s    event.State
		held bool
		want string
	}{
		{event.State{}, true, "new"}, {fold(event.Prompt{}), true, "running"}, {fold(event.Prompt{}), false, "interrupted"},
		{asks, true, "open question"}, {asks, false, "interrupted"},
		{ended("answered"), true, "answered"}, {ended("failed"), false, "failed"}, {ended("aborted"), false, "stopped"},
	} {
		if got := c.s.Standing(c.held).String(); got != c.want {
			t.Errorf("%+v held %v stands %q, want %q", c.s, c.held, got, c.want)
		}
	}
}
