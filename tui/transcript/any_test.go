package transcript

import (
	"strings"
	"testing"
	"time"

	"tenet/core/event"
	"tenet/tui/theme"

	"pgregory.net/rapid"
)

// nasty are texts for every field that somebody else fills.
var nasty = []string{
	"", "word", "two words", "a\nb\nc", "日本語テキスト", "🇺🇸👩‍👩‍👧👍🏽1️⃣⚠️", "\x1b[31mred\x1b]52;c;aGk=\a\x1b[2J", "a\rb\r\n", "\u202egnp.exe\u2066\u200b", "\t\t", "\xff\xfe\x00", "e\u0301\u0301\u0301",
	"# h\n\n- a\n  - b\n\n```go\nfunc f() {}\n```\n\n|a|b|\n|-|-|\n|1|2|", strings.Repeat("long ", 200), strings.Repeat("x", 500), "שלום עולם", "/home/a/work/src/x.go", "\n\n\n", "@@ -1 +1 @@\n-a\n+b\n", "[exit status 2]\n",
	"नमस्ते क्षि", strings.Repeat("line\n", 60),
}

func words(r *rapid.T, name string) string { return rapid.SampledFrom(nasty).Draw(r, name) }

var calls = []string{"c1", "c2", "c3", "c4", "c5"}

// anyBody is any record, in any order: also one that no tenet would write there.
func anyBody(r *rapid.T) event.Body {
	w := func(name string) string { return words(r, name) }
	id := rapid.SampledFrom(calls).Draw(r, "call")
	args := rapid.SampledFrom([]string{`{"i":"x","path":"/home/a/work/src/x.go"}`, `{"command":"go test ./...\nrm -rf \u001b[31m"}`, `{"path":"a","old":"x\ny","new":"z\n"}`, `{"argv":["a","b"]}`, `{"patch":"[a.go#1234]\nPUT 3:\n+x\n"}`, "no json", "{", ""}).Draw(r, "args")
	name := rapid.SampledFrom([]string{"read", "grep", "list_dir", "glob", "bash", "search_replace", "write", "edit", "odd\x1b[1m", "job"}).Draw(r, "tool")
	ruling := event.Ruling{Verdict: rapid.SampledFrom([]string{"allow", "ask", "deny"}).Draw(r, "verdict"), Stage: w("stage"), Rule: event.Rule{Name: w("rule"), Source: "user", Position: 3}, Why: w("why"), Next: w("next"),
		Effects: []string{"read"}, Steps: []event.JudgedStep{{N: 1, Text: w("step"), Notes: []string{w("note")}}, {N: 2, Text: w("step")}}}
	switch rapid.IntRange(0, 24).Draw(r, "kind") {
	case 0:
		return event.Opening{Session: w("s"), Version: "1", Workspace: w("ws"), Model: w("m"), Profile: w("p")}
	case 1:
		return event.Prompt{Text: w("text"), Submission: rapid.SampledFrom([]string{"", "s1"}).Draw(r, "sub"), Steer: rapid.Bool().Draw(r, "steer"), Woken: rapid.Bool().Draw(r, "woken")}
	case 2:
		return event.Request{Round: 1}
	case 3:
		return event.Reply{Text: w("text"), Thinking: w("thinking"), Stop: "stop", Input: 12345, Output: 99}
	case 4:
		return event.Failure{Class: "x", Message: w("message"), RetryMS: rapid.Int64Range(-1, 2000).Draw(r, "ms"), Noted: rapid.Bool().Draw(r, "noted"), Text: w("text"), Thinking: w("thinking")}
	case 5, 6, 7, 8:
		return event.Call{Call: id, Tool: name, Args: args}
	case 9:
		return event.Judgement{Call: id, Tool: name, Ruling: ruling, Answer: rapid.SampledFrom([]string{"", "allow_once", "deny", "?"}).Draw(r, "answer"), By: w("by"), Reason: w("reason"), Grants: []event.Grant{{Capability: "x", Pattern: w("pattern")}}}
	case 10:
		return event.Question{ID: "q", Call: id, Tool: name, Ruling: ruling, Diffs: []string{w("diff")}, Again: w("again")}
	case 11:
		return event.Dispatch{Call: id, Steps: []int{1}, Texts: []string{w("ran")}}
	case 12, 13:
		return event.Result{Call: id, Error: rapid.Bool().Draw(r, "error"), Text: w("text"), Dropped: 5}
	case 14:
		return event.Ending{How: rapid.SampledFrom([]string{"answered", "aborted", "failed", "?"}).Draw(r, "how"), Cause: w("cause"), Rounds: 3, Answer: w("answer")}
	case 15:
		return event.Repair{LostBytes: 3, Kept: w("kept")}
	case 16:
		return event.Resumption{Interrupted: []string{id, w("id")}}
	case 17:
		return event.Compaction{Reason: w("reason"), Summary: w("summary"), Tokens: 5}
	case 18:
		return event.Detachment{Job: "j" + id, Call: id, Kind: "shell", Command: w("command"), Output: w("output")}
	case 19:
		return event.Settlement{Job: "j" + id, Status: rapid.SampledFrom([]string{"finished", "failed", "killed", "lost"}).Draw(r, "status"), Exit: 3, Text: w("text"), By: w("by"), Survivors: []string{w("survivor")}}
	case 20:
		return event.Inquiry{ID: "i" + id, Text: w("text"), Options: []string{w("option"), w("option")}}
	case 21:
		return event.Answer{ID: "i" + id, Text: w("text"), By: w("by")}
	case 23:
		return event.Change{Call: id, Sides: []event.Side{{Path: w("path")}}, Added: 3, Diff: w("diff"), Undoes: 3}
	case 22:
		return event.Notice{Type: w("type"), Text: w("text"), Key: "k"}
	}
	return event.Setting{Key: "model", Value: []byte(`"x"`)}
}

// Whatever comes, at whatever size, and whatever a person does: no panic, and every view
// has its geometry (case tui-019).
func TestAnythingKeepsTheGeometry(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rig := newRig(t, rapid.IntRange(0, 130).Draw(r, "w"), rapid.IntRange(0, 30).Draw(r, "h"))
		rig.list.budget, rig.list.most, rig.list.drawn.budget = 20_000, 30, 4000
		for range rapid.IntRange(1, 60).Draw(r, "steps") {
			switch rapid.IntRange(0, 21).Draw(r, "act") {
			case 0, 1, 2, 3, 4, 5, 6, 7:
				rig.add(anyBody(r))
			case 8:
				rig.Live(event.Live{Kind: event.LiveDelta, Text: words(r, "delta"), Thinking: words(r, "think")})
			case 9:
				rig.Live(event.Live{Kind: event.LiveOutput, Call: "c1", Text: words(r, "output")})
			case 10:
				rig.Scroll(rapid.IntRange(-40, 40).Draw(r, "lines"))
			case 11:
				rig.Move(rapid.IntRange(-3, 3).Draw(r, "move"))
			case 12:
				rig.Toggle()
			case 13:
				rig.ExpandAll(rapid.Bool().Draw(r, "all"))
			case 14:
				rig.SetSize(rapid.IntRange(0, 200).Draw(r, "w"), rapid.IntRange(0, 40).Draw(r, "h"))
			case 15:
				rig.Search(rapid.SampledFrom([]string{"a", "word", "日本", "", "long"}).Draw(r, "query"))
			case 16:
				rig.Match(rapid.IntRange(-2, 2).Draw(r, "match"))
			case 17:
				rig.Home()
			case 18:
				rig.End()
			case 19:
				rig.Note(rapid.SampledFrom([]string{"note", "warning", "help", "error", "odd"}).Draw(r, "kind"), words(r, "note"))
			case 20:
				th, _ := theme.Named(rapid.SampledFrom(theme.Names()).Draw(r, "theme"))
				rig.SetTheme(th)
			case 21:
				rig.now = rig.now.Add(time.Minute)
				rig.Copy()
				rig.Tail(10)
				rig.Selected()
				rig.ClearSearch()
			}
			checked(t, rig.Transcript)
			consistent(t, rig.Transcript)
		}
	})
}

// consistent: what is counted is what is there.
func consistent(t *testing.T, tr *Transcript) {
	t.Helper()
	kept, size := 0, 0
	for _, it := range tr.list.items {
		kept += it.kept()
		size += it.size
	}
	if kept != tr.list.kept {
		t.Fatalf("%d bytes are kept, %d are counted", kept, tr.list.kept)
	}
	if size != tr.list.drawn.size {
		t.Fatalf("%d bytes are laid out, %d are counted", size, tr.list.drawn.size)
	}
	if n := tr.Unseen(); n < 0 || n > tr.list.made {
		t.Fatalf("%d unseen of %d", n, tr.list.made)
	}
}
