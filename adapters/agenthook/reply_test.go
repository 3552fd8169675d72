package agenthook

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Every answer of every agent, byte for byte: the forms are what was measured.
func TestEveryAnswerOfEveryAgent(t *testing.T) {
	deny := Answer{Verdict: Deny, Rule: "no-root-removal", Why: "it removes the root directory", Next: "name the directory that you mean"}
	ask := Answer{Verdict: Ask, Rule: "process.execute *", Why: "its effect exec is not allowed in advance", How: "tenet rules add process.execute allow 'make *'"}
	var b strings.Builder
	for _, a := range Agents() {
		for _, c := range []struct {
			name     string
			ans      Answer
			headless bool
		}{{"allow", Answer{Verdict: Allow, Rule: "r"}, false}, {"ask", ask, false}, {"ask, headless", ask, true}, {"deny", deny, false}} {
			r := a.Reply(c.ans, "Bash", "make all", c.headless)
			fmt.Fprintf(&b, "%v: %s\n  exit %d\n  stdout %q\n  stderr %q\n", a, c.name, r.Code, r.Stdout, r.Stderr)
		}
	}
	golden(t, filepath.Join("testdata", "answers.golden"), b.String())
}

// The forms that were measured to fail: no agent is ever given one of them.
func TestNoAnswerThatFailsOpen(t *testing.T) {
	awkward := []Answer{{}, {Why: "\n"}, {Why: strings.Repeat("é", 5000), Rule: "r"}, {Why: "a\x1b[2Jb\u202ec", Rule: "\x00", Next: "x\r\ny", How: "z\x07"}}
	for _, a := range Agents() {
		for _, ans := range awkward {
			for _, v := range []Verdict{Ask, Deny} {
				ans.Verdict = v
				r := a.Reply(ans, "Ba\x1bsh", "ls\r\n\x00", true)
				failsOpen(t, a, r)
			}
		}
	}
}

func failsOpen(t *testing.T, a Agent, r Reply) {
	t.Helper()
	if r.Code != exitBlock || strings.TrimSpace(r.Stderr) == "" {
		t.Errorf("%v: exit %d with %q does not block everywhere", a, r.Code, r.Stderr)
	}
	if len(r.Stderr) > MaxReason+1 || strings.Count(r.Stderr, "\n") != 1 || strings.ContainsFunc(strings.TrimSuffix(r.Stderr, "\n"), func(c rune) bool { return c < ' ' || c == 0x7f || c == 0x202e }) || !utf8.ValidString(r.Stderr) {
		t.Errorf("%v: the reason is no plain paragraph: %q", a, r.Stderr)
	}
	if r.Stdout == "" {
		return
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(r.Stdout), &m); err != nil || strings.Count(r.Stdout, "\n") != 1 {
		t.Fatalf("%v: standard output is no JSON line: %q %v", a, r.Stdout, err)
	}
	if inner, ok := m["hookSpecificOutput"].(map[string]any); ok {
		if len(m) != 1 || len(inner) != 3 || inner["hookEventName"] != "PreToolUse" || inner["permissionDecision"] != "deny" || inner["permissionDecisionReason"] == "" {
			t.Errorf("%v: an answer with a key too many or too few: %s", a, r.Stdout)
		}
	}
}

// An allow says nothing: an explicit one would skip the agent's own question.
func TestAnAllowSaysNothing(t *testing.T) {
	for _, a := range Agents() {
		if r := a.Reply(Answer{Verdict: Allow}, "Bash", "ls", false); a != Cursor && r != (Reply{}) {
			t.Errorf("%v: %+v", a, r)
		}
	}
}
