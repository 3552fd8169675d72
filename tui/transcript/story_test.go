package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenet/core/event"
)

func allowed(id, name string, effects ...string) event.Judgement {
	return event.Judgement{Call: id, Tool: name, Ruling: event.Ruling{Verdict: "allow", Stage: "auto", Rule: event.Rule{Name: "within-auto-set", Source: "auto"}, Why: "its effects run unasked", Effects: effects}}
}

// story has every kind of row.
func story() []event.Body {
	deny := event.Ruling{Verdict: "deny", Stage: "floor", Rule: event.Rule{Name: "wipe-root-or-home", Source: "floor"}, Why: "it would remove the home directory", Next: "Choose another way.", Effects: []string{"protected", "write"}, Floor: true,
		Steps: []event.JudgedStep{{N: 1, Text: "cd /tmp", Verdict: "allow", Rule: event.Rule{Name: "within-auto-set", Source: "auto"}, Effects: []string{"exec"}}, {N: 2, Text: "rm -rf ~", Verdict: "deny", Rule: event.Rule{Name: "wipe-root-or-home", Source: "floor"}, Effects: []string{"protected"}}}}
	ask := event.Ruling{Verdict: "ask", Stage: "rules", Rule: event.Rule{Name: "outside-asks", Source: "default", Position: 1}, Why: "it writes outside the workspace", Effects: []string{"outside", "write"}, Steps: []event.JudgedStep{{N: 1, Text: "write ../x"}}}
	d := "--- a/../x\n+++ b/../x\n@@ -1,2 +1,2 @@\n one\n-two words\n+two other words\n"
	return []event.Body{
		event.Opening{Session: "20260102-a", Version: "1.0", Workspace: "/home/a/work", Model: "m", Profile: "balanced", Auto: []string{"read", "write"}},
		event.Prompt{Text: "Fix the tests.\nThen copy it."}, event.Request{},
		event.Reply{Text: "I look **first**:\n\n1. `core/gate`\n2. the tests", Thinking: "Where is it?\nMaybe in core.", Calls: []event.ToolCall{{ID: "c1"}}, Input: 12000, Output: 300, Cached: 9000},
		event.Call{Call: "c1", Tool: "read", Args: `{"i":"look","path":"/home/a/work/core/gate/gate.go"}`}, allowed("c1", "read", "read"), event.Dispatch{Call: "c1", Steps: []int{1}}, event.Result{Call: "c1", Text: "[core/gate/gate.go#1234]\n1:package gate\n"},
		event.Call{Call: "c2", Tool: "grep", Args: `{"pattern":"func Gate","path":"core"}`}, allowed("c2", "grep", "read"), event.Dispatch{Call: "c2", Steps: []int{1}}, event.Result{Call: "c2", Text: "core/gate/gate.go:12: func Gate\n"},
		event.Call{Call: "c3", Tool: "bash", Args: `{"i":"run the tests","command":"go test ./...\ngo vet ./..."}`}, allowed("c3", "bash", "exec"), event.Dispatch{Call: "c3", Steps: []int{1}}, event.Result{Call: "c3", Text: "ok\tcore/call\nok\tcore/event\n--- FAIL: TestGate\nFAIL\tcore/gate\n[exit status 1]\n"},
		event.Call{Call: "c4", Tool: "bash", Args: `{"command":"cd /tmp; rm -rf ~"}`}, event.Judgement{Call: "c4", Tool: "bash", Ruling: deny}, event.Result{Call: "c4", Error: true, Text: "[refused: nothing of it ran]"},
		event.Call{Call: "c5", Tool: "write", Args: `{"path":"../x","content":"one\ntwo other words\n"}`}, event.Question{ID: "q1", Call: "c5", Tool: "write", Ruling: ask, Diffs: []string{d}},
		event.Judgement{Call: "c5", Tool: "write", Ruling: ask, Answer: "allow_session", By: "terminal", Grants: []event.Grant{{Capability: "file.write.outsideProject", Pattern: "/home/a/x", Scope: "session"}}}, event.Dispatch{Call: "c5", Steps: []int{1}}, event.Result{Call: "c5", Text: "changed ../x\n"},
		event.Call{Call: "c6", Tool: "search_replace", Args: `{"path":"a.go","old":"x := 1\n","new":"x := 2\ny := 3\n"}`}, allowed("c6", "search_replace", "write"), event.Dispatch{Call: "c6", Steps: []int{1}},
		event.Change{Call: "c6", Sides: []event.Side{{Path: "/home/a/work/a.go"}}, Added: 2, Removed: 1, Diff: "--- a/a.go\n+++ b/a.go\n@@ -7,2 +7,3 @@\n func f() {\n-x := 1\n+x := 2\n+y := 3\n"}, event.Result{Call: "c6", Text: "changed a.go\n"},
		event.Call{Call: "c7", Tool: "run", Args: `{"argv":["make","all"]}`}, allowed("c7", "run", "exec"), event.Dispatch{Call: "c7", Steps: []int{1}}, event.Detachment{Job: "job_1", Call: "c7", Kind: "run", Command: "make all", Output: "building\n"}, event.Result{Call: "c7", Text: "goes on as job_1"},
		event.Submission{ID: "s1", Text: "also the docs", How: event.Steer}, event.Prompt{Text: "also the docs", Submission: "s1", Steer: true},
		event.Call{Call: "c8", Tool: "ask", Args: `{"question":"Which docs?"}`}, event.Inquiry{ID: "i1", Call: "c8", Text: "Which docs?", Options: []string{"README", "docs/"}}, event.Answer{ID: "i1", Text: "README", By: "terminal"}, event.Result{Call: "c8", Text: "README"},
		event.Failure{Class: "overloaded", Message: "the provider is overloaded", Status: 529, RetryMS: 2000}, event.Failure{Class: "empty", Message: "the reply is empty", Noted: true, Spent: 1, RetryMS: 0, Thinking: "hm"},
		event.Compaction{Reason: "threshold", Summary: "- read the gate\n- ran the tests", Tokens: 120000},
		event.Notice{Type: "tenet.fallback", Text: "the model m2 replies now"}, event.Setting{Key: "model", Value: []byte(`"m2"`)},
		event.Settlement{Job: "job_1", Status: "failed", Exit: 2, Text: "building\nerror: x\n"},
		event.Reply{Text: "Done, but for the job.", Input: 800, Output: 20}, event.Submission{ID: "s2", Text: "again", How: event.Queue}, event.Ending{How: "answered", Rounds: 5},
		event.Prompt{Text: "again", Submission: "s2"}, event.Call{Call: "c0", Tool: "bash", Args: `{"command":"ls"}`, By: "person"}, event.Result{Call: "c0", Text: "a.go\n"}, event.Ending{How: "aborted", Cause: "you pressed Esc", Rounds: 1},
		event.Call{Call: "c9", Tool: "bash", Args: `{"command":"make install"}`}, event.Dispatch{Call: "c9", Steps: []int{1}}, event.Resumption{Interrupted: []string{"c9"}}, event.Result{Call: "c9", Error: true, Text: "Tool bash was interrupted"},
		event.Ending{How: "failed", Cause: "no provider", Rounds: 0},
		event.Change{Call: "undo_1", Sides: []event.Side{{Path: "/home/a/work/a.go"}}, Added: 1, Removed: 1, Undoes: 40, Diff: "--- a/a.go\n+++ b/a.go\n@@ -8,1 +8,1 @@\n-x := 2\n+x := 1\n"},
		event.Repair{LostBytes: 12, Kept: "x.torn"}, event.Fork{From: "20260101-b", Seq: 7}, event.Deferral{Job: "resp_1", Deadline: "2026-01-02T04:00:00Z"},
	}
}

// golden compares a text with the file of the name; UPDATE=1 writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: UPDATE=1 writes it", err)
	}
	if got != string(want) {
		t.Errorf("%s is not what it was; UPDATE=1 writes it anew when that is meant:\n%s", path, got)
	}
}

// The same session at the widths of a phone, of a split and of a wide terminal.
func TestAStoryAtEachWidth(t *testing.T) {
	for _, w := range []int{1, 20, 40, 80, 120, 200} {
		r := newRig(t, w, 1)
		r.add(story()...)
		r.Note("warning", "keys: unknown action")
		rows := 0
		for i := range r.list.len() {
			rows += r.height(i)
		}
		r.SetSize(w, rows)
		folded := r.seen()
		if w < 20 {
			continue // the geometry is what there is to see
		}
		golden(t, fmt.Sprintf("story-%d", w), folded+"\n")
	}
}

func TestAStoryInFull(t *testing.T) {
	r := newRig(t, 80, 1)
	r.add(story()...)
	r.ExpandAll(true)
	rows := 0
	for i := range r.list.len() {
		rows += r.height(i)
	}
	r.SetSize(80, rows)
	golden(t, "story-open-80", r.seen()+"\n")
}

// A real session's log gives rows, twice the same records no more of them.
func TestARealLog(t *testing.T) {
	r := newRig(t, 100, 30)
	records := demo(t)
	r.Add(records...)
	n := len(r.list.items)
	r.Add(records...)
	if len(r.list.items) != n || n < 15 {
		t.Errorf("%d rows, after the same records again %d", n, len(r.list.items))
	}
	if s := r.Tail(1000); !strings.Contains(s, "⊘ Run rm -rf ~") || !strings.Contains(s, "refused: floor") {
		t.Errorf("the refusal is not seen:\n%s", s)
	}
}
