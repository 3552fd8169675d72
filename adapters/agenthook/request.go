package agenthook

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Request is one tool call that an agent is about to make, as it described it.
type Request struct {
	Agent Agent
	// Event is the agent's name for the moment; always one before the call.
	Event string
	// Tool is the agent's own name of the tool.
	Tool string
	// Args are the tool's arguments: strings, json.Number, bool, nil, []any and
	// map[string]any.
	Args map[string]any
	// Cwd is the absolute directory that the agent says it is in.
	Cwd string
	// Root is the project's directory: what the agent names, or where it starts its hooks;
	// else Cwd.
	Root string
	// Session and Call are the agent's own ids; either may be empty.
	Session, Call string
	// Truncated is true when the agent says that it cut the arguments: a cut command
	// cannot be judged.
	Truncated bool
}

// Surroundings are what an agent gives its hooks beside their input.
type Surroundings struct {
	// Getenv finds the variables that the agent sets; nil means none.
	Getenv func(string) string
	// Dir is the directory that the hook was started in, absolute; empty when it is not
	// known.
	Dir string
}

// Decode reads what an agent writes to its hook. An error is the reason to block: some
// field is missing or of another type than this agent's protocol has, or nobody knows
// which project the call is in.
func Decode(a Agent, data []byte, in Surroundings) (Request, error) {
	m, err := parse(data)
	if err != nil {
		return Request{}, err
	}
	e := envelope{m: m}
	r := Request{Agent: a}
	switch a {
	case Copilot:
		r = e.copilot()
	case Cursor:
		r = e.cursor()
	case Crush:
		r = e.usual("event")
	case ClaudeCode, Codex, Gemini, Qwen, OpenCode:
		r = e.usual("hook_event_name")
	}
	r.Agent = a
	r.Truncated = e.flag("truncated", "tool_input_truncated", "toolInputTruncated")
	if e.err == nil {
		e.err = r.check()
	}
	if e.err == nil {
		r.Root, e.err = in.root(a, r.Cwd)
	}
	return r, e.err
}

// check holds the parts that every protocol must have filled.
func (r Request) check() error {
	switch {
	case !slices.Contains(hosts[r.Agent].events, r.Event):
		return fmt.Errorf("the event %.60q is not the one before a tool call (%s)", r.Event, strings.Join(hosts[r.Agent].events, ", "))
	case r.Tool == "":
		return fmt.Errorf("the tool has no name")
	case strings.ContainsRune(r.Tool+r.Cwd, 0):
		return fmt.Errorf("a name holds a NUL")
	case !filepath.IsAbs(r.Cwd):
		return fmt.Errorf("the working directory %.80q is not absolute", r.Cwd)
	}
	return nil
}

// root is the directory of the project. Where a model can choose the directory of its
// call, that directory is no measure of what lies inside the project.
func (in Surroundings) root(a Agent, cwd string) (string, error) {
	for _, name := range hosts[a].rootEnv {
		if in.Getenv == nil {
			break
		}
		if dir := in.Getenv(name); filepath.IsAbs(dir) {
			return filepath.Clean(dir), nil
		}
	}
	switch {
	case !hosts[a].rootHere:
		return cwd, nil
	case filepath.IsAbs(in.Dir):
		return filepath.Clean(in.Dir), nil
	}
	return "", errors.New("the directory of the project is not known")
}

// envelope reads the outer fields; the first thing that is wrong with one is kept.
type envelope struct {
	m   map[string]any
	err error
}

func (e *envelope) fail(format string, a ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, a...)
	}
}

// text is a field that must be a string; a missing one is empty unless must is set.
func (e *envelope) text(key string, must bool) string {
	v, there := e.m[key]
	s, ok := v.(string)
	switch {
	case !there && !must, v == nil && !must:
	case !there:
		e.fail("the field %s is missing", key)
	case !ok:
		e.fail("the field %s is no string", key)
	}
	return s
}

// args is the field that holds the tool's arguments.
func (e *envelope) args(key string) map[string]any {
	v, there := e.m[key]
	m, ok := v.(map[string]any)
	switch {
	case !there:
		e.fail("the field %s is missing", key)
	case !ok:
		e.fail("the field %s is no object", key)
	}
	return m
}

// packed is a field that holds its object as JSON text, as Copilot and Cursor write it.
func (e *envelope) packed(key string) map[string]any {
	s, ok := e.m[key].(string)
	if !ok {
		return e.args(key)
	}
	m, err := parse([]byte(s))
	if err != nil {
		e.fail("the field %s: %w", key, err)
	}
	return m
}

// flag is true when any of the fields is set; one that is no boolean counts as set.
func (e *envelope) flag(keys ...string) bool {
	for _, k := range keys {
		if v, there := e.m[k]; there && v != false && v != nil {
			return true
		}
	}
	return false
}

// usual is the form that most agents took over from Claude Code.
func (e *envelope) usual(event string) Request {
	return Request{
		Event: e.text(event, true), Tool: e.text("tool_name", true), Args: e.args("tool_input"),
		Cwd: e.text("cwd", true), Session: e.text("session_id", false), Call: e.text("tool_use_id", false),
	}
}

// copilot has camel-case fields without the event's name, or Claude Code's form.
func (e *envelope) copilot() Request {
	if _, there := e.m["hook_event_name"]; there {
		return e.usual("hook_event_name")
	}
	return Request{
		Event: "PreToolUse", Tool: e.text("toolName", true), Args: e.packed("toolArgs"),
		Cwd: e.text("cwd", true), Session: e.text("sessionId", false),
	}
}

// cursor has one event for all tools and three older ones for a kind of tool each.
func (e *envelope) cursor() Request {
	r := Request{Event: e.text("hook_event_name", true), Session: e.text("conversation_id", false), Call: e.text("tool_use_id", false), Cwd: e.text("cwd", false)}
	if roots, ok := e.m["workspace_roots"].([]any); ok && r.Cwd == "" && len(roots) > 0 {
		r.Cwd, _ = roots[0].(string)
	}
	switch r.Event {
	case "preToolUse":
		r.Tool, r.Args = e.text("tool_name", true), e.packed("tool_input")
	case "beforeShellExecution":
		r.Tool, r.Args = "Shell", map[string]any{"command": e.text("command", true)}
	case "beforeMCPExecution":
		r.Tool, r.Args = "mcp:"+e.text("tool_name", true), e.packed("tool_input")
	case "beforeReadFile":
		r.Tool, r.Args = "Read", map[string]any{"path": e.text("file_path", true)}
	}
	return r
}
