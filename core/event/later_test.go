package event_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tenet/core/event"
)

// working is a session whose first call runs, and has started its first step.
func working(more ...event.Body) event.State {
	return fold(append([]event.Body{
		event.Prompt{Text: "go"}, event.Reply{Calls: []event.ToolCall{{ID: "c1", Tool: "bash"}, {ID: "c2", Tool: "bash"}}},
		event.Call{Call: "c1"}, event.Judgement{Call: "c1", Ruling: event.Ruling{Verdict: "allow", Steps: []event.JudgedStep{{N: 1}, {N: 2}}}},
		event.Dispatch{Call: "c1", Steps: []int{1}},
	}, more...)...)
}

func texts(s event.State) string {
	var out []string
	for _, m := range s.Messages {
		out = append(out, m.Text)
	}
	return strings.Join(out, "|")
}

func TestWaitingMessagesKeepTheirPlaceUntilTheyAreDelivered(t *testing.T) {
	queue := []event.Body{
		event.Prompt{Text: "go"}, event.Submission{ID: "m1", Text: "a", How: event.Queue}, event.Submission{ID: "m2", Text: "b", How: event.Steer},
		event.Submission{ID: "m1", Text: "A", How: event.Queue}, event.Submission{ID: "m3", Text: "c", How: event.Queue}, event.Withdrawal{ID: "m3"},
	}
	s := fold(queue...)
	if len(s.Queue) != 2 || s.Queue[0].Text != "A" || s.Queue[1].ID != "m2" || s.Submitted != 3 {
		t.Errorf("queue %+v", s.Queue)
	}
	s = fold(append(queue, event.Prompt{Text: "b", Submission: "m2", Steer: true})...)
	if len(s.Queue) != 1 || s.Turns != 1 || texts(s) != "go|b" {
		t.Errorf("after the steer: queue %+v, %d turns, %s", s.Queue, s.Turns, texts(s))
	}
}

func TestAJobMayStartStepsUntilItSettlesAndSettlesOnce(t *testing.T) {
	job := []event.Body{event.Detachment{Job: "j1", Call: "c1"}, event.Result{Call: "c1", Text: "so far"}, event.Dispatch{Call: "c1", Steps: []int{2}}}
	s := working(job...)
	if len(s.Disorders) > 0 || len(s.Jobs) != 1 || s.Detached != 1 {
		t.Fatalf("disorders %v, jobs %+v", s.Disorders, s.Jobs)
	}
	s = working(append(job, event.Settlement{Job: "j1", Status: "finished", Text: "done"})...)
	if len(s.Disorders) > 0 || len(s.Jobs) != 0 {
		t.Errorf("disorders %v, jobs %+v", s.Disorders, s.Jobs)
	}
	for what, more := range map[string]event.Body{
		"settled twice":          event.Settlement{Job: "j1"},
		"a step after the end":   event.Dispatch{Call: "c1", Steps: []int{2}},
		"a group after the end":  event.Spawn{Job: "j1"},
		"detached a second time": event.Detachment{Job: "j2", Call: "c1"},
	} {
		if s := working(append(job, event.Settlement{Job: "j1"}, more)...); len(s.Disorders) != 1 {
			t.Errorf("%s: disorders %v", what, s.Disorders)
		}
	}
	for what, more := range map[string][]event.Body{
		"a step that was not judged":              {event.Dispatch{Call: "c1", Steps: []int{3}}},
		"a step of a job that a process left":     {event.Resumption{Interrupted: []string{"c2"}}, event.Dispatch{Call: "c1", Steps: []int{2}}},
		"a second verdict of a call that has one": {event.Judgement{Call: "c1"}},
	} {
		if s := working(append(job, more...)...); len(s.Disorders) != 1 {
			t.Errorf("%s: disorders %v", what, s.Disorders)
		}
	}
}

// A provider refuses a context where something stands between a call and its result.
func TestASettledJobNeverStandsBetweenACallAndItsResult(t *testing.T) {
	s := working(event.Detachment{Job: "j1", Call: "c1"}, event.Result{Call: "c1", Text: "r1"}, event.Call{Call: "c2"},
		event.Settlement{Job: "j1", Status: "finished", Text: "out"})
	if got := texts(s); got != "go||r1" {
		t.Errorf("before the result: %q", got)
	}
	s = s.With(s.Seq+1, event.Result{Call: "c2", Text: "r2"})
	if got := texts(s); got != "go||r1|r2" {
		t.Errorf("before a request: %q", got)
	}
	s = s.With(s.Seq+1, event.Request{})
	if got := texts(s); got != "go||r1|r2|[job-settled job:j1 status:finished]\nout" || !s.Messages[4].Harness {
		t.Errorf("after it: %q", got)
	}
}

func TestACompactionKeepsWhatStandsFromARecordOn(t *testing.T) {
	s := fold(event.Prompt{Text: "one"}, event.Reply{Text: "two", Input: 5, Output: 1}, event.Prompt{Text: "three"}, event.Compaction{Summary: "sum", Kept: 3})
	if texts(s) != event.SummaryTitle+"\n\nsum|three" || s.Measured != (event.Measure{}) || s.Compactions != 1 {
		t.Errorf("%q, %+v", texts(s), s.Measured)
	}
}

func TestAGenerationKeepsItsBudgetsOverARestart(t *testing.T) {
	tries := []event.Body{event.Prompt{Text: "go"}, event.Failure{RetryMS: 10}, event.Failure{RetryMS: -1, Noted: true, Cause: "leak", Row: 1, Spent: 1}, event.Failure{RetryMS: 10}}
	if s := fold(tries...); s.Retries != 2 || s.Notes != (event.Notes{Spent: 1, Row: 1, Cause: "leak"}) {
		t.Errorf("retries %d, notes %+v", s.Retries, s.Notes)
	}
	if s := fold(append(tries, event.Reply{Text: "x"})...); s.Retries != 0 || s.Notes != (event.Notes{}) {
		t.Errorf("after a reply: retries %d, notes %+v", s.Retries, s.Notes)
	}
}

func TestQuestionsOfTheModelEndWithTheirAnswerTheirCallOrTheTurn(t *testing.T) {
	ask := event.Inquiry{ID: "q1", Call: "c1", Text: "which?"}
	for what, more := range map[string]event.Body{"answer": event.Answer{ID: "q1"}, "result": event.Result{Call: "c1"}, "end": event.Ending{How: "aborted"}} {
		if s := working(ask, more); len(s.Inquiries) != 0 {
			t.Errorf("%s leaves %+v", what, s.Inquiries)
		}
	}
	if s := working(ask); len(s.Inquiries) != 1 {
		t.Error("the question is not open")
	}
}

func TestSettingsDeferralsAndOrigins(t *testing.T) {
	s := fold(event.Setting{Key: "name", Value: json.RawMessage(`"a"`)}, event.Setting{Key: "name", Value: json.RawMessage(`"b"`)},
		event.Deferral{Job: "r1"}, event.Deferral{Job: "r1", Failures: 1}, event.Fork{From: "s0", Seq: 4}, event.Notice{Text: "n"})
	if string(s.Settings["name"]) != `"b"` || s.Deferred.Failures != 1 || s.Forked.From != "s0" || len(s.Messages) != 0 {
		t.Errorf("%+v", s)
	}
	if s = s.With(7, event.Reply{Text: "x"}); s.Deferred != nil {
		t.Error("the answer came and is still awaited")
	}
	if s = s.With(8, event.Ending{How: "answered", Answer: "the result"}); s.Answer() != "the result" {
		t.Errorf("answer %q", s.Answer())
	}
}
