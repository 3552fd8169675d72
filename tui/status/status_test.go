package status_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"tenet/core/event"
	"tenet/tui/status"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// at is a record of a body, so many seconds after the start.
func at(seconds int, b event.Body) event.Record {
	line, _ := event.Encode(nil, event.NoSum, 1, start.Add(time.Duration(seconds)*time.Second), b)
	h, _ := event.Cut(line[:len(line)-1])
	return h.Record()
}

func play(bodies ...event.Body) *status.Activity {
	a := &status.Activity{}
	for i, b := range bodies {
		a.Record(at(i, b))
	}
	return a
}

var bash = event.Call{Call: "call_1", Tool: "bash", Args: `{"command":"go test ./..."}`}

// The line says what is true: the phase, what runs, and how long nothing came.
func TestTheLineSaysWhatGoesOn(t *testing.T) {
	now := start.Add(14 * time.Second)
	for _, c := range []struct {
		name, want string
		a          *status.Activity
	}{
		{"nothing", "ready", play()},
		{"a prompt", "preparing 14 s", play(event.Prompt{Text: "x"})},
		{"a request", "waiting for the first byte 13 s", play(event.Prompt{Text: "x"}, event.Request{})},
		{"a call", "running bash `go test ./...` 10 s", play(event.Prompt{Text: "x"}, event.Request{}, event.Reply{}, bash, event.Dispatch{Call: "call_1"})},
		{"a question", "waiting for you 12 s", play(event.Prompt{Text: "x"}, bash, event.Question{ID: "q", Call: "call_1"})},
		{"a retry", "retry in 7 s: overloaded", play(event.Prompt{Text: "x"}, event.Failure{Message: "overloaded", RetryMS: 20_000})},
		{"an answer that comes later", "the answer comes later", play(event.Prompt{Text: "x"}, event.Deferral{})},
		{"an end", "ready", play(event.Prompt{Text: "x"}, bash, event.Ending{How: "answered"})},
	} {
		if got := c.a.Does(now); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Seconds since the last byte tell a slow reply from a dead one.
func TestSilenceIsCounted(t *testing.T) {
	a := play(event.Prompt{Text: "x"}, event.Request{})
	a.Live(event.Live{Kind: event.LiveDelta, Text: "He"}, start.Add(2*time.Second))
	if got := a.Does(start.Add(4 * time.Second)); got != "writing 2 s" {
		t.Errorf("%q", got)
	}
	if got := a.Does(start.Add(40 * time.Second)); got != "writing 38 s, silent 38 s" {
		t.Errorf("%q", got)
	}
	a.Live(event.Live{Kind: event.LiveRetry, Try: 2, Tries: 8, InMS: 12_000, Cause: "the stream stalled"}, start.Add(41*time.Second))
	if got := a.Does(start.Add(41 * time.Second)); got != "retry 2 of 8 in 12 s: the stream stalled" {
		t.Errorf("%q", got)
	}
}

// A stopped turn is stopping until its end is recorded, whatever still arrives.
func TestAStoppedTurnSaysSo(t *testing.T) {
	a := play(event.Prompt{Text: "x"}, event.Request{})
	a.Stop(start.Add(2 * time.Second))
	a.Live(event.Live{Kind: event.LiveDelta, Text: "late"}, start.Add(3*time.Second))
	a.Record(at(4, event.Failure{Message: "cancelled", RetryMS: -1}))
	if got := a.Does(start.Add(5 * time.Second)); got != "stopping 3 s" {
		t.Errorf("%q", got)
	}
	if a.Record(at(6, event.Ending{How: "aborted"})); a.Busy() {
		t.Error("busy after the end")
	}
}

// Case tui-015: exactly one spinner, and it lives iff a turn runs: whatever a stream says,
// the activity is busy exactly while the fold of the log is in a turn.
func TestBusyIffATurnRuns(t *testing.T) {
	bodies := []event.Body{
		event.Prompt{Text: "x"}, event.Prompt{Text: "y", Steer: true}, event.Request{}, event.Reply{Text: "t"}, event.Failure{RetryMS: 5}, event.Failure{RetryMS: -1},
		bash, event.Judgement{Call: "call_1"}, event.Question{ID: "q1", Call: "call_1"}, event.Dispatch{Call: "call_1"}, event.Result{Call: "call_1"}, event.Ending{How: "answered"},
		event.Submission{ID: "m", Text: "z", How: event.Queue}, event.Withdrawal{ID: "m"}, event.Deferral{Job: "j"}, event.Notice{Text: "n"}, event.Settlement{Job: "job_1"},
	}
	rapid.Check(t, func(rt *rapid.T) {
		a, s := &status.Activity{}, event.State{}
		for range rapid.IntRange(0, 30).Draw(rt, "records") {
			b := rapid.SampledFrom(bodies).Draw(rt, "body")
			if p, ok := b.(event.Prompt); ok && p.Steer && !s.InTurn {
				continue // a message steers a turn that runs
			}
			if !s.InTurn && !beside(b) {
				continue // what belongs to a turn comes in one
			}
			last := at(0, b)
			s, _ = s.Apply(last)
			a.Record(last)
			a.Live(event.Live{Kind: event.LiveDelta, Text: "x"}, start)
			if a.Busy() != s.InTurn {
				rt.Fatalf("busy %v, in a turn %v after %s", a.Busy(), s.InTurn, last.Kind)
			}
		}
	})
}

func beside(b event.Body) bool {
	switch b.(type) {
	case event.Prompt, event.Submission, event.Withdrawal, event.Notice, event.Settlement:
		return true
	}
	return false
}

// A call of the person's own ends with its result, stopped or not, and after a crash nothing
// runs until somebody goes on.
func TestNothingRunsAfterAnOwnCallOrACrash(t *testing.T) {
	own := event.Call{Call: "call_9", Tool: "bash", Args: `{"command":"ls"}`, By: event.Person}
	a := play(event.Prompt{Text: "x"}, event.Ending{How: "answered"}, own)
	if !a.Busy() {
		t.Error("an own call runs, and the line says ready")
	}
	a.Record(at(4, event.Judgement{Call: "call_9"}))
	a.Record(at(5, event.Dispatch{Call: "call_9"}))
	a.Stop(start)
	if a.Record(at(6, event.Result{Call: "call_9"})); a.Busy() {
		t.Error("busy after the result of an own call")
	}
	b := play(event.Prompt{Text: "x"}, bash, event.Dispatch{Call: "call_1"}, event.Resumption{Interrupted: []string{"call_1"}}, event.Result{Call: "call_1"})
	if b.Busy() {
		t.Error("busy after a crash, before anybody goes on")
	}
}

// A narrow line keeps what is most wanted, whole.
func TestANarrowLineKeepsTheFirstParts(t *testing.T) {
	a := play(event.Submission{ID: "m", Text: "z", How: event.Queue}, event.Reply{Input: 30_000, Output: 400})
	parts := a.Parts(status.Facts{Profile: "balanced", Model: "mock", Window: 100_000, Cost: -1})
	wide := status.Fit(parts, 80, func(s string) int { return len(s) })
	if wide != "queue 1 · context 30% · balanced · mock · 30.4k tokens" {
		t.Errorf("%q", wide)
	}
	if got := status.Fit(parts, 21, func(s string) int { return len(s) }); got != "queue 1 · context 30%" {
		t.Errorf("%q", got)
	}
}
