// Package agenthook lets other coding agents ask tenet's gate before they act. Each of
// them runs a command before a tool call, with a description of the call on its
// standard input, and reads an answer in a form of its own. This package reads those
// descriptions, turns every tool they know into calls that the gate can judge, and
// gives the answer in the form that was measured to block in that agent.
//
// The rule of the package: what cannot be read, judged or answered in time is blocked
// with a reason, never let through in silence. Every agent lets a call run when its
// hook fails in any other way.
package agenthook

import "fmt"

// Agent is a coding agent whose hook protocol is known.
type Agent uint8

// The agents. The first six were measured against the real clients; the forms of
// Cursor and Copilot are known from their documentation only.
const (
	ClaudeCode Agent = iota
	Codex
	Gemini
	Qwen
	Crush
	OpenCode
	Cursor
	Copilot
)

// numAgents is the size of the enum.
const numAgents = 8

var agentNames = [numAgents]string{"claude-code", "codex", "gemini", "qwen", "crush", "opencode", "cursor", "copilot"}

// String is the agent's name on the command line.
func (a Agent) String() string {
	if int(a) < len(agentNames) {
		return agentNames[a]
	}
	return fmt.Sprintf("agent(%d)", uint8(a))
}

// Agents lists every agent, in the order of the constants.
func Agents() []Agent {
	out := make([]Agent, numAgents)
	for i := range out {
		out[i] = Agent(i)
	}
	return out
}

// ParseAgent finds an agent by its name on the command line.
func ParseAgent(name string) (a Agent, ok bool) {
	for i, n := range agentNames {
		if n == name {
			return Agent(i), true
		}
	}
	return 0, false
}

// Title is the agent's name in a sentence.
func (a Agent) Title() string { return hosts[a].title }

// Measured reports whether the agent's protocol was seen at work in the real client.
// The others follow their documentation.
func (a Agent) Measured() bool { return a != Cursor && a != Copilot }

// host is what is particular to one agent's protocol.
type host struct {
	title string
	// events are the names of the event before a tool call; anything else is no call.
	events []string
	// rootEnv names the variables in which the agent hands its hooks the project's
	// directory: the directory of the call moves with the agent's cd.
	rootEnv []string
	// rootHere is true where the directory of the call is the model's choice, and the agent
	// starts its hooks in the project's.
	rootHere bool
	// asks is true where the agent's own question was measured to stop the call until a
	// person answers. Elsewhere an ask runs the call, or nobody knows.
	asks bool
	// quietSpawn is true where the calls of a sub-agent were measured to be hooked as
	// well. Elsewhere the call that starts one is the last that the guard sees.
	quietSpawn bool
	// typed is true where text can be typed into a running command past the hook.
	typed bool
	// deny is the form of the block on standard output, beside exit 2.
	deny form
}

// form is a shape of JSON on standard output.
type form uint8

const (
	silent       form = iota // nothing: the exit code and standard error say it all
	nested                   // hookSpecificOutput with hookEventName, and nothing else
	decision                 // decision and reason
	permission               // permission and the two messages
	permissionV2             // permissionDecision at the top
)

var hosts = [numAgents]host{
	ClaudeCode: {title: "Claude Code", events: []string{"PreToolUse"}, rootEnv: []string{"CLAUDE_PROJECT_DIR"}, asks: true, quietSpawn: true, deny: nested},
	Codex:      {title: "Codex", events: []string{"PreToolUse"}, rootHere: true, quietSpawn: true, typed: true, deny: nested},
	Gemini:     {title: "Gemini CLI", events: []string{"BeforeTool"}, rootEnv: []string{"GEMINI_PROJECT_DIR"}, asks: true, deny: decision},
	Qwen:       {title: "Qwen Code", events: []string{"PreToolUse"}, rootEnv: []string{"QWEN_PROJECT_DIR"}, deny: nested},
	Crush:      {title: "Crush", events: []string{"PreToolUse"}, rootEnv: []string{"CRUSH_PROJECT_DIR"}, deny: nested},
	OpenCode:   {title: "OpenCode", events: []string{"PreToolUse"}, deny: silent},
	Cursor:     {title: "Cursor", events: []string{"preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"}, deny: permission},
	Copilot:    {title: "GitHub Copilot CLI", events: []string{"PreToolUse"}, deny: permissionV2},
}
