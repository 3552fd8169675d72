package agenthook

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"
)

// Timeout is what an installed hook is given by its agent, in seconds.
const Timeout = 20

// Scope says whose settings the guard is installed in.
type Scope uint8

// The scopes.
const (
	UserScope    Scope = iota // every project of this user
	ProjectScope              // one project
)

// Place is where settings are looked for.
type Place struct {
	// Home is the user's home directory, Project the project's, both absolute.
	Home, Project string
	// Getenv finds the variables that move an agent's settings; nil means none.
	Getenv func(string) string
}

func (p Place) env(name string) string {
	if p.Getenv == nil {
		return ""
	}
	return p.Getenv(name)
}

// moved is the directory that a variable names, else one below the home directory.
func (p Place) moved(variable string, below ...string) string {
	if dir := p.env(variable); dir != "" && filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(append([]string{p.Home}, below...)...)
}

// Installable lists the agents that `guard install` knows: those that were measured.
func Installable() []Agent {
	return []Agent{ClaudeCode, Codex, Gemini, Qwen, Crush, OpenCode}
}

// SettingsFile is the file that holds an agent's hooks.
func SettingsFile(a Agent, s Scope, p Place) (string, error) {
	type two struct{ user, project string }
	var f two
	switch a {
	case ClaudeCode:
		f = two{filepath.Join(p.moved("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"), ".claude/settings.json"}
	case Codex:
		f = two{filepath.Join(p.moved("CODEX_HOME", ".codex"), "hooks.json"), ".codex/hooks.json"}
	case Gemini:
		f = two{filepath.Join(p.Home, ".gemini/settings.json"), ".gemini/settings.json"}
	case Qwen:
		f = two{filepath.Join(p.Home, ".qwen/settings.json"), ".qwen/settings.json"}
	case Crush:
		f = two{filepath.Join(p.moved("XDG_CONFIG_HOME", ".config"), "crush/crush.json"), crushProject(p.Project)}
	case OpenCode:
		f = two{filepath.Join(p.moved("XDG_CONFIG_HOME", ".config"), "opencode/plugins", pluginName), ".opencode/plugins/" + pluginName}
	case Cursor, Copilot:
		return "", fmt.Errorf("the hooks of %s were never seen at work, so they are not installed; the guard itself reads its calls: see docs/agents.md", a.Title())
	}
	if s == ProjectScope {
		return filepath.Join(p.Project, f.project), nil
	}
	return f.user, nil
}

// crushProject is the file of the two that Crush reads which is there, else the one
// with the plain name.
func crushProject(dir string) string {
	if _, err := os.Stat(filepath.Join(dir, ".crush.json")); err == nil {
		return ".crush.json"
	}
	return "crush.json"
}

// marker stands in every command line that install writes, and in no other.
const marker = "tenet guard doctor"

// Command is the command line that an agent runs: the guard, and a block when it could
// not run. A missing or killed program ends with another code than 2, which every
// agent takes for leave to go on.
//
// Crush runs it in a shell of its own that stops at a missing program, so it is handed
// to /bin/sh as a whole; that shell may also read $ in the settings, so there is none.
func Command(a Agent, program string, headless bool) string {
	guard := shellWord(program) + " guard " + a.String()
	if headless {
		guard += " --headless"
	}
	say := fmt.Sprintf("echo %s >&2; exit 2; }", shellWord("tenet could not judge this call, so it is blocked; a person can find out why with: "+marker+" "+a.String()))
	if a == Crush {
		return "/bin/sh -c " + shellWord(guard+" || { "+say)
	}
	return guard + " || { [ $? -eq 2 ] || " + say
}

// shellWord is a word for a POSIX shell.
func shellWord(w string) string {
	if w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,@") == "" {
		return w
	}
	return quoted(w)
}

// event is the member of the settings' hooks that holds the guard.
func event(a Agent) string { return hosts[a].events[0] }

// entry is the guard's element in the list of an event.
func entry(a Agent, command string) string {
	timeout := Timeout
	if a == Gemini || a == Qwen {
		timeout *= 1000 // these two count milliseconds
	}
	if a == Crush {
		return fmt.Sprintf("{\n  \"name\": \"tenet-guard\",\n  \"command\": %s,\n  \"timeout\": %d\n}", jsonText(command), timeout)
	}
	matcher, name := ".*", ""
	switch a {
	case ClaudeCode:
		matcher = "*"
	case Gemini, Qwen:
		name = "      \"name\": \"tenet-guard\",\n"
	case Codex, Crush, OpenCode, Cursor, Copilot:
	}
	return fmt.Sprintf("{\n  \"matcher\": %q,\n  \"hooks\": [\n    {\n      \"type\": \"command\",\n%s      \"command\": %s,\n      \"timeout\": %d\n    }\n  ]\n}",
		matcher, name, jsonText(command), timeout)
}

// jsonText is a JSON string that keeps <, > and & readable.
func jsonText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ours reports whether an element of an event's list holds a command line that install
// wrote for this agent.
func ours(a Agent, v hujson.Value) (command string, ok bool) {
	v = v.Clone()
	v.Standardize()
	var e struct {
		Command string
		Hooks   []struct{ Command string }
	}
	if json.Unmarshal(v.Pack(), &e) != nil {
		return "", false
	}
	lines := []string{e.Command}
	for _, h := range e.Hooks {
		lines = append(lines, h.Command)
	}
	for _, l := range lines {
		if strings.Contains(l, marker) && strings.Contains(l, " guard "+a.String()) {
			return l, true
		}
	}
	return "", false
}
