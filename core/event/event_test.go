package event_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"tenet/core/event"
)

var at = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)

// ruling has every member of a ruling.
var ruling = event.Ruling{
	Verdict: "ask", Stage: "rules", Rule: event.Rule{Name: "r", Source: "user", Position: 1}, Law: "l", Why: "w", Next: "n",
	Effects: []string{"read"}, Over: []string{"read"}, Floor: true,
	Steps: []event.JudgedStep{{
		N: 1, Text: "ls", Dir: "/d", Effects: []string{"read"}, Class: "simple", Verdict: "ask", Stage: "rules", Rule: event.Rule{Name: "r"}, Why: "w", Notes: []string{"n"},
		Requests: []event.JudgedRequest{{Capability: "file.read", Subject: "/w", Verdict: "ask", Rule: &event.Rule{Name: "r", Source: "user", Position: 1}}},
	}},
}

// allowed lets the first step run.
var allowed = event.Ruling{Verdict: "allow", Steps: []event.JudgedStep{{N: 1}}}

// full has every member of every body set.
var full = []event.Body{
	event.Opening{Session: "s", Version: "1", Workspace: "/w", Model: "m", Profile: "open", Auto: []string{"read"}, Tools: []string{"bash"}},
	event.Prompt{Text: "a <b> & \"c\" \\ \u2028 \n\t\x00 ünïcödé", Images: []event.Image{{Media: "image/png", Data: []byte{1}}}, Submission: "m1", Steer: true},
	event.Request{Round: 1, Attempt: 2, Messages: 3},
	event.Reply{Text: "t", Thinking: "h", Calls: []event.ToolCall{{ID: "c1", Provider: "p", Tool: "bash", Args: "{"}}, Stop: "toolUse", Input: 1, Output: 2,
		Cached: 1, Thoughts: []event.Thought{{Wire: "anthropic", Model: "m", Raw: json.RawMessage(`{"type":"thinking"}`)}}, Model: "m", Rebuilt: "hermes"},
	event.Failure{Class: "cut", Message: "m", Status: 500, Body: "b", RetryMS: -1, Noted: true, Cause: "leak", Row: 1, Spent: 2, Text: "t", Thinking: "h"},
	event.Call{Call: "c1", Tool: "bash", Args: "{}", By: event.Person},
	event.Judgement{Call: "c1", Tool: "bash", Ruling: ruling, Digest: "d", Answer: "allow_always", By: "terminal", Reason: "why",
		Grants: []event.Grant{{Capability: "process.execute", Pattern: "ls *", Exact: true, Scope: event.ScopeProject}}, Unsaved: "no"},
	event.Question{ID: "c1:1", Call: "c1", Tool: "bash", Dir: "/w", Ruling: ruling, Digest: "d", Diffs: []string{"+a"}, Again: "changed"},
	event.Dispatch{Call: "c1", Steps: []int{1, 2}, Texts: []string{"ls a", "ls b"}},
	event.Result{Call: "c1", Error: true, Text: "t", Dropped: 9},
	event.Ending{How: "answered", Cause: "c", Rounds: 1, Answer: "a"},
	event.Repair{LostBytes: 7, Kept: "s.jsonl.torn-1"},
	event.Resumption{Interrupted: []string{"c1"}},
	event.Submission{ID: "m1", Text: "t", How: event.Steer, Images: []event.Image{{Media: "image/png", Data: []byte{1}}}},
	event.Withdrawal{ID: "m1"},
	event.Deferral{Job: "r1", Sent: "s", Deadline: "d", Failures: 1},
	event.Compaction{Reason: "overflow", Summary: "s", Kept: 3, Tokens: 4, Model: "m"},
	event.Detachment{Job: "j1", Call: "c1", Kind: "shell", Command: "sleep 9", Output: "o", Artifact: "/f", Groups: []event.Group{{PID: 1, Start: 2, Name: "sleep"}}},
	event.Spawn{Job: "j1", Group: event.Group{PID: 1, Start: 2, Name: "sleep"}},
	event.Settlement{Job: "j1", Status: "killed", Exit: -1, Text: "t", Dropped: 1, By: "user", Survivors: []string{"9 sh"}},
	event.Inquiry{ID: "q1", Call: "c1", Text: "which?", Options: []string{"a", "b"}},
	event.Answer{ID: "q1", Text: "a", By: "terminal", Unanswered: true},
	event.Setting{Key: "name", Value: json.RawMessage(`"n"`)},
	event.Notice{Type: "tenet.tool_issue", Text: "t", Key: "k"},
	event.Fork{From: "s0", Seq: 9, Sum: "00"},
	event.Change{Call: "c1", Sides: []event.Side{{Path: "/w/a", Before: event.Content{Sum: "aa", Size: 1, Mode: 0o644, Bytes: []byte("x"), File: "f", Lost: "l"}}}, Added: 1, Removed: 2, Diff: "d", Undoes: 3},
}

func TestEveryKindHasABodyThatComesBack(t *testing.T) {
	kinds := event.Kinds()
	if len(full) != len(kinds) {
		t.Fatalf("%d bodies for %d kinds", len(full), len(kinds))
	}
	for i, b := range full {
		if event.KindOf(b) != kinds[i] {
			t.Errorf("%T is the body of %s, want %s", b, event.KindOf(b), kinds[i])
		}
		line, sum := event.Encode(nil, event.NoSum, 1, at, b)
		if strings.Count(string(line), "\n") != 1 {
			t.Errorf("%T has several lines: %s", b, line)
		}
		c := event.Begin()
		h, flaw := c.Follow(line, true)
		if flaw != event.Sound || c.Sum != sum {
			t.Fatalf("%T: %v", b, flaw)
		}
		back, err := event.Decode(h.Record())
		if err != nil || !reflect.DeepEqual(back, b) {
			t.Errorf("%T came back as %+v (%v)", b, back, err)
		}
	}
}

// A line is also what any JSON reader takes it for: Record.
func TestALineIsJSON(t *testing.T) {
	line, sum := event.Encode(nil, event.NoSum, 7, at, full[1])
	var r event.Record
	if err := json.Unmarshal(line, &r); err != nil {
		t.Fatal(err)
	}
	if r.Seq != 7 || r.Kind != event.Prompted || r.Sum != sum.String() || r.Prev != strings.Repeat("0", 64) || r.At != "2026-01-02T03:04:05.000000006Z" {
		t.Errorf("read as %+v", r)
	}
	if !strings.Contains(string(line), "a <b> & ") {
		t.Errorf("HTML was escaped: %s", line)
	}
}

// What a strict reader refuses: a number with two spellings, members in another
// order, blanks, a second value in the body.
func TestALineHasOneForm(t *testing.T) {
	good, _ := event.Encode(nil, event.NoSum, 12, at, full[0])
	line := strings.TrimSuffix(string(good), "\n")
	if _, ok := event.Cut([]byte(line)); !ok {
		t.Fatal("the sound line is refused")
	}
	for what, from := range map[string][2]string{
		"a leading zero":      {`"seq":12`, `"seq":012`},
		"a sign":              {`"seq":12`, `"seq":+12`},
		"no number":           {`"seq":12`, `"seq":`},
		"a fraction":          {`"seq":12`, `"seq":12.0`},
		"a number too large":  {`"seq":12`, `"seq":12345678901234567890123`},
		"a blank":             {`,"at":`, `, "at":`},
		"another member":      {`,"at":`, `,"x":1,"at":`},
		"an empty kind":       {`"kind":"opened"`, `"kind":""`},
		"an escape in a kind": {`"kind":"opened"`, `"kind":"ope\u006eed"`},
		"a long kind":         {`"kind":"opened"`, `"kind":"` + strings.Repeat("o", 41) + `"`},
		"a body that is none": {`"body":{`, `"body":[{`},
		"a sum of other name": {`,"sum":"`, `,"som":"`},
	} {
		if bad := strings.Replace(line, from[0], from[1], 1); bad == line {
			t.Errorf("%s: the edit does not fit", what)
		} else if _, ok := event.Cut([]byte(bad)); ok {
			t.Errorf("%s is taken: %s", what, bad)
		}
	}
}

func TestDecodeSkipsNothing(t *testing.T) {
	for what, r := range map[string]event.Record{
		"an unknown kind":   {Seq: 3, Kind: "dreamt", Body: json.RawMessage(`{}`)},
		"an unknown member": {Seq: 3, Kind: event.Prompted, Body: json.RawMessage(`{"text":"x","tone":"y"}`)},
		"a second value":    {Seq: 3, Kind: event.Prompted, Body: json.RawMessage(`{"text":"x"},"kind":{}`)},
		"no JSON":           {Seq: 3, Kind: event.Prompted, Body: json.RawMessage(`{"text":}`)},
		"another type":      {Seq: 3, Kind: event.Prompted, Body: json.RawMessage(`{"text":1}`)},
	} {
		if b, err := event.Decode(r); err == nil || !strings.Contains(err.Error(), "record 3") {
			t.Errorf("%s is read as %+v (%v)", what, b, err)
		}
	}
}

func fold(bodies ...event.Body) event.State {
	var s event.State
	for i, b := range bodies {
		s = s.With(uint64(i+1), b)
	}
	return s
}

func TestFoldIsTheContextOfTheNextRequest(t *testing.T) {
	call := event.ToolCall{ID: "c1", Provider: "p1", Tool: "bash", Args: "{}"}
	s := fold(
		event.Prompt{Text: "go"}, event.Request{}, event.Failure{Class: "cut"}, event.Request{Attempt: 2},
		event.Reply{Text: "look", Calls: []event.ToolCall{call}}, event.Call{Call: "c1", Tool: "bash"},
		event.Judgement{Call: "c1", Ruling: allowed}, event.Dispatch{Call: "c1", Steps: []int{1}},
		event.Result{Call: "c1", Text: "out"}, event.Reply{Text: "done", Stop: "stop"}, event.Ending{How: "answered", Rounds: 1},
	)
	want := []event.Message{
		{Seq: 1, Role: event.User, Text: "go"},
		{Seq: 5, Role: event.Assistant, Text: "look", Calls: []event.ToolCall{call}},
		{Seq: 9, Role: event.Tool, Text: "out", Call: call},
		{Seq: 10, Role: event.Assistant, Text: "done"},
	}
	if !reflect.DeepEqual(s.Messages, want) {
		t.Errorf("messages %+v", s.Messages)
	}
	if s.InTurn || s.Turns != 1 || s.Rounds != 1 || s.Last.How != "answered" || s.Answer() != "done" || s.Made != 1 || len(s.Calls)+len(s.Disorders) != 0 {
		t.Errorf("state %+v", s)
	}
}

func TestAQuestionIsOpenUntilItsCallIsJudged(t *testing.T) {
	asked := []event.Body{
		event.Prompt{}, event.Reply{Calls: []event.ToolCall{{ID: "c1"}, {ID: "c2"}}}, event.Call{Call: "c1"},
		event.Question{ID: "c1:1", Call: "c1"}, event.Question{ID: "c2:1", Call: "c2"}, event.Question{ID: "c1:2", Call: "c1", Again: "changed"},
	}
	if s := fold(asked...); len(s.Questions) != 2 {
		t.Fatalf("open: %+v", s.Questions)
	}
	for what, b := range map[string]event.Body{
		"its judgement":   event.Judgement{Call: "c1", Ruling: event.Ruling{Verdict: "ask"}, Answer: "denied"},
		"its call's end":  event.Result{Call: "c1"},
		"nothing of both": event.Judgement{Call: "c3", Ruling: allowed},
	} {
		want := 1
		if what == "nothing of both" {
			want = 2
		}
		if s := fold(append(asked, b)...); len(s.Questions) != want {
			t.Errorf("after %s: %+v", what, s.Questions)
		}
	}
	if s := fold(append(asked, event.Ending{How: "aborted"})...); len(s.Questions) != 0 {
		t.Errorf("after the turn: %+v", s.Questions)
	}
}

func TestResumeSaysWhatMayHaveRun(t *testing.T) {
	s := fold(
		event.Prompt{}, event.Reply{Calls: []event.ToolCall{{ID: "c1", Tool: "bash"}, {ID: "c2", Tool: "write"}}},
		event.Call{Call: "c1"}, event.Judgement{Call: "c1", Ruling: allowed}, event.Dispatch{Call: "c1", Steps: []int{1}},
	)
	bodies := event.Resume(s)
	want := []event.Body{
		event.Resumption{Interrupted: []string{"c1", "c2"}},
		event.Result{Call: "c1", Error: true, Text: "Tool bash was interrupted by a restart and may have partially run. Check the state it changes (files, processes, jobs) before you run it again."},
		event.Result{Call: "c2", Error: true, Text: "Tool write was interrupted by a restart before any step of it started. Nothing of it ran; make the call again if it is still needed."},
	}
	if !reflect.DeepEqual(bodies, want) {
		t.Fatalf("resume appends %+v", bodies)
	}
	for i, b := range bodies {
		s = s.With(uint64(100+i), b)
	}
	if len(s.Calls) != 0 || len(s.Disorders) != 0 || s.Resumptions != 1 {
		t.Errorf("after the resumption %+v", s)
	}
}

func TestASecondVerdictOfACallIsAContradictionAndLetsNothingRun(t *testing.T) {
	judged := event.Judgement{Call: "c1", Ruling: allowed}
	s := fold(event.Prompt{}, event.Reply{Calls: []event.ToolCall{{ID: "c1", Tool: "bash"}}}, event.Call{Call: "c1"}, judged, judged, event.Dispatch{Call: "c1", Steps: []int{1}})
	if len(s.Disorders) != 2 || s.Disorders[0].What != event.JudgedTwice || s.Disorders[1].What != event.NotAllowed {
		t.Errorf("disorders %v", s.Disorders)
	}
}

func TestASessionKeepsItsOwnGrants(t *testing.T) {
	g := event.Grant{Capability: "process.execute", Pattern: "make", Exact: true, Scope: event.ScopeSession}
	project := event.Grant{Capability: "process.execute", Pattern: "go test *", Scope: event.ScopeProject}
	s := fold(event.Prompt{}, event.Reply{Calls: []event.ToolCall{{ID: "c1"}}}, event.Call{Call: "c1"},
		event.Judgement{Call: "c1", Ruling: event.Ruling{Verdict: "ask"}, Answer: "allow_session", Grants: []event.Grant{g, project}})
	if !reflect.DeepEqual(s.Grants, []event.Grant{g}) {
		t.Errorf("grants %+v", s.Grants)
	}
}

// A verdict or an answer that this tenet does not know lets nothing through.
func TestPermitsFailsClosed(t *testing.T) {
	for _, c := range []struct {
		verdict, answer string
		want            bool
	}{
		{"allow", "", true}, {"ask", "allow_once", true}, {"ask", "allow_session", true}, {"ask", "allow_always", true},
		{"ask", "", false}, {"deny", "", false}, {"ask", "denied", false}, {"ask", "unanswered", false}, {"allow", "denied", false}, {"allow", "allow_once", false}, {"deny", "allow_once", false}, {"run", "", false}, {"", "", false}, {"Allow", "", false},
	} {
		if got := event.Permits(c.verdict, c.answer); got != c.want {
			t.Errorf("verdict %q, answer %q: %v", c.verdict, c.answer, got)
		}
	}
}

func TestCutPanicsOnNothing(t *testing.T) {
	line, _ := event.Encode(nil, event.NoSum, 1, at, full[6])
	for i := range line {
		event.Cut(line[:i])
		event.Cut(line[i:])
		event.Stands(line[i:])
	}
}
