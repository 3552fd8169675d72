package agenthook

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"tenet/core/call"
)

// MaxReason is the longest reason that is given to an agent, in bytes.
const MaxReason = 2000

// Reply is what the guard's process gives back: its exit code and all that it writes.
type Reply struct {
	Code           int
	Stdout, Stderr string
}

// exitBlock is the only code that blocks in every agent, and only with a text on
// standard error.
const exitBlock = 2

// Reply puts an answer into the agent's protocol. headless makes an ask a block, for
// runs where no person can be asked. tool and what name the call.
//
// An allow says nothing at all: in every agent that leaves the call to the agent's own
// rules and questions, where an explicit allow would skip them. Cursor alone, by its
// documentation, wants the word.
func (a Agent) Reply(ans Answer, tool, what string, headless bool) Reply {
	switch {
	case ans.Verdict == Allow && a == Cursor:
		return Reply{Stdout: line(map[string]any{"permission": "allow"})}
	case ans.Verdict == Allow:
		return Reply{}
	case ans.Verdict == Ask && hosts[a].asks && !headless:
		return Reply{Stdout: a.question(reason(a, ans, tool, what, true, headless))}
	}
	why := reason(a, ans, tool, what, false, headless)
	return Reply{Code: exitBlock, Stdout: a.refusal(why), Stderr: why + "\n"}
}

// question is the agent's own ask. Only the two agents whose ask was measured to stop
// the call have one here.
func (a Agent) question(why string) string {
	if hosts[a].deny == decision {
		return line(map[string]any{"decision": "ask", "reason": why})
	}
	return line(nestedForm("ask", why))
}

// refusal is the JSON beside exit 2. Each form was measured to do no harm there, in the
// agent it is given to: Codex rejects an answer with one key too many and runs the
// call, and Gemini CLI does not know the form of the others.
func (a Agent) refusal(why string) string {
	switch hosts[a].deny {
	case nested:
		return line(nestedForm("deny", why))
	case decision:
		return line(map[string]any{"decision": "deny", "reason": why})
	case permission:
		return line(map[string]any{"permission": "deny", "user_message": why, "agent_message": why})
	case permissionV2:
		return line(map[string]any{"permissionDecision": "deny", "permissionDecisionReason": why})
	case silent:
	}
	return ""
}

func nestedForm(verdict, why string) map[string]any {
	return map[string]any{"hookSpecificOutput": map[string]any{
		"hookEventName": "PreToolUse", "permissionDecision": verdict, "permissionDecisionReason": why,
	}}
}

func line(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings
	}
	return string(b) + "\n"
}

// reason is one paragraph: what is stopped, why, and what to do next. asked is true when
// the agent puts the question to a person; headless when nobody could be.
func reason(a Agent, ans Answer, tool, what string, asked, headless bool) string {
	var b strings.Builder
	verb := "blocks"
	if asked {
		verb = "asks about"
	}
	fmt.Fprintf(&b, "tenet %s %s", verb, call.OneLine(tool, 80))
	if what != "" && what != tool {
		fmt.Fprintf(&b, " (%s)", call.OneLine(what, 300))
	}
	fmt.Fprintf(&b, ": %s (rule %s).", orElse(sentence(ans.Why), "the rules say so"), orElse(call.OneLine(ans.Rule, 80), "none"))
	if next := sentence(ans.Next); next != "" {
		fmt.Fprintf(&b, " Next: %s.", next)
	}
	if ans.Verdict == Ask && !asked {
		b.WriteString(" " + unasked(a, ans.How, headless))
	}
	return bounded(b.String(), MaxReason)
}

// unasked says how a person allows a call about which they cannot be asked. It is
// addressed to the model: the command is not for it to run.
func unasked(a Agent, how string, headless bool) string {
	why := a.Title() + " has no question that stops a call"
	if headless {
		why = "Nobody can be asked in this run"
	}
	if how == "" {
		return why + ": leave this to a person, and do not try it another way."
	}
	return why + "; do not try it another way. A person can allow it in a terminal of their own: " + call.OneLine(how, 400)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// sentence is a text as the middle of a line: one line, without the full stop.
func sentence(s string) string {
	return strings.TrimRight(call.OneLine(strings.TrimSpace(s), 500), ". ")
}

// bounded cuts a text to at most n bytes, between characters.
func bounded(s string, n int) string {
	const more = "…"
	if len(s) <= n {
		return s
	}
	cut := n - len(more)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + more
}
