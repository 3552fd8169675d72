package agenthook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tenet/core/call"
)

// Grade is how a finding of the doctor stands.
type Grade uint8

// The grades.
const (
	Good Grade = iota // as it should be
	Note              // worth knowing
	Bad               // the agent is not guarded, or may not be
)

// String is the mark in front of a finding.
func (g Grade) String() string { return [...]string{"ok", "note", "BAD"}[g] }

// Finding is one thing that the doctor looked at.
type Finding struct {
	Grade Grade
	Text  string
}

// doctorWait bounds each run of the installed command line.
const doctorWait = Timeout * time.Second

// Doctor looks at the guard of one agent.
type Doctor struct {
	Agent Agent
	Setup Setup
	// Look finds a program on the path; exec.LookPath.
	Look func(string) (string, error)

	findings []Finding
}

func (d *Doctor) say(g Grade, format string, a ...any) {
	d.findings = append(d.findings, Finding{g, fmt.Sprintf(format, a...)})
}

// Examine looks at the settings, runs the installed command line as the agent would,
// and says what it found. It changes nothing but the guard's own log.
func (d *Doctor) Examine(ctx context.Context) []Finding {
	found := 0
	for _, scope := range []Scope{UserScope, ProjectScope} {
		s := d.Setup
		s.Scope = scope
		if d.file(ctx, s) {
			found++
		}
	}
	if found == 0 {
		d.say(Bad, "the guard is installed neither for this user nor for this project: tenet guard install %v", d.Agent)
	}
	if found == 2 {
		d.say(Note, "it is installed for the user and for the project: each call is judged twice")
	}
	d.client(ctx, found > 0)
	d.holes()
	return d.findings
}

// file examines one settings file; true when it holds the guard.
func (d *Doctor) file(ctx context.Context, s Setup) bool {
	name, err := SettingsFile(d.Agent, s.Scope, s.Place)
	if err != nil {
		d.say(Bad, "%v", err)
		return false
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		d.say(Bad, "%v", err)
		return false
	}
	for _, h := range hindrances(d.Agent, s.Place, text) {
		d.say(Bad, "%s: %s", name, h)
	}
	if d.Agent == OpenCode {
		return d.plugin(ctx, name, text)
	}
	if _, err := readTree(name, text); err != nil {
		d.say(Bad, "%v", err)
		return false
	}
	command := installed(d.Agent, text)
	if command == "" {
		return false
	}
	d.say(Good, "%s has the guard, for every tool", name)
	d.form(command, s.Program)
	d.trial(ctx, []string{"/bin/sh", "-c", command}, s.Program)
	return true
}

// form compares the installed command line with the one that install would write now.
func (d *Doctor) form(command, program string) {
	if command == Command(d.Agent, program, false) || command == Command(d.Agent, program, true) {
		d.say(Good, "it runs this program, %s", program)
		return
	}
	installed := programOf(d.Agent, command)
	if _, err := exec.LookPath(installed); err != nil {
		d.say(Bad, "it runs %s, which cannot be run: %v; install again with: tenet guard install %v", call.OneLine(installed, 200), err, d.Agent)
		return
	}
	d.say(Bad, "its command line is not the one of this program (%s): it runs %s; install again with: tenet guard install %v", program, call.OneLine(installed, 200), d.Agent)
}

// programOf is the program that an installed command line runs.
func programOf(a Agent, command string) string {
	head, _, _ := strings.Cut(command, " guard "+a.String())
	head = strings.TrimPrefix(head, "/bin/sh -c '")
	return strings.ReplaceAll(strings.ReplaceAll(head, `'\''`, ""), "'", "")
}

// plugin examines the plugin of OpenCode.
func (d *Doctor) plugin(ctx context.Context, name string, text []byte) bool {
	program, ok := pluginProgram(text)
	if !ok {
		d.say(Bad, "%s is not the plugin that tenet wrote", name)
		return false
	}
	headless := string(text) == pluginText(program, true)
	if !headless && string(text) != pluginText(program, false) {
		d.say(Bad, "%s was changed, and OpenCode drops a plugin that fails without a word; install again with: tenet guard install opencode", name)
	}
	if program != d.Setup.Program {
		d.say(Bad, "%s runs %s and not this program (%s); install again with: tenet guard install opencode", name, program, d.Setup.Program)
	} else {
		d.say(Good, "%s runs this program, %s", name, program)
	}
	d.trial(ctx, []string{program, "guard", OpenCode.String()}, program)
	return true
}

// trial runs the installed command line as the agent would, on a call that is always
// blocked, on one that touches nothing, on half an input, and with the program away.
func (d *Doctor) trial(ctx context.Context, argv []string, program string) {
	dir, err := os.MkdirTemp("", "tenet-guard-")
	if err != nil {
		d.say(Bad, "no place for a trial: %v", err)
		return
	}
	defer os.RemoveAll(dir)
	canary := input(d.Agent, dir, shellTool[d.Agent], map[string]any{"command": "touch " + filepath.Join(dir, CanaryWord)})
	d.blocks(ctx, dir, argv, canary, "a canary command")
	d.blocks(ctx, dir, argv, canary[:len(canary)/2], "a call that was cut off")
	if free := free[d.Agent]; len(free) > 0 {
		r, err := runHook(ctx, dir, argv, input(d.Agent, dir, free[0], map[string]any{}))
		if err != nil || r != (Reply{}) {
			d.say(Bad, "a call that touches nothing is not let through in silence: exit %d, %s %v", r.Code, call.OneLine(r.Stdout+r.Stderr, 200), err)
		} else {
			d.say(Good, "a call that touches nothing is let through, without a word that would skip %s's own questions", d.Agent.Title())
		}
	}
	d.judges(ctx, argv, dir)
	if argv[0] == "/bin/sh" && strings.Contains(argv[2], program) {
		gone := []string{argv[0], argv[1], strings.ReplaceAll(argv[2], program, filepath.Join(dir, "gone"))}
		d.blocks(ctx, dir, gone, canary, "a call while the program is away")
	}
}

// judges shows that the settings can be used: a plain read goes through the whole gate.
func (d *Doctor) judges(ctx context.Context, argv []string, dir string) {
	r, err := runHook(ctx, dir, argv, input(d.Agent, dir, readTool[d.Agent], map[string]any{"file_path": filepath.Join(dir, "note")}))
	switch {
	case err == nil && r.Code == 0 && (r.Stdout == "" || d.Agent == Cursor):
		d.say(Good, "a plain read of a file in an empty directory is allowed")
	case strings.Contains(r.Stderr, "(rule settings)"):
		d.say(Bad, "every call is blocked: %s", call.OneLine(strings.TrimSpace(r.Stderr), 400))
	default:
		d.say(Note, "a plain read of a file in an empty directory is not allowed: %s %v", call.OneLine(strings.TrimSpace(r.Stdout+r.Stderr), 400), err)
	}
}

func (d *Doctor) blocks(ctx context.Context, dir string, argv []string, in []byte, what string) {
	r, err := runHook(ctx, dir, argv, in)
	if err != nil || r.Code != exitBlock || strings.TrimSpace(r.Stderr) == "" {
		d.say(Bad, "%s is not blocked: exit %d, %q on standard error %v", what, r.Code, call.OneLine(r.Stderr, 200), err)
		return
	}
	d.say(Good, "%s is blocked, with a reason", what)
}

// shellTool is each agent's own name of its shell.
var shellTool = [numAgents]string{"Bash", "Bash", "run_shell_command", "run_shell_command", "bash", "bash", "Shell", "bash"}

// readTool is each agent's own name of the tool that reads a file.
var readTool = [numAgents]string{"Read", "read_file", "read_file", "read_file", "view", "read", "Read", "view"}

// input is a call as the agent describes it.
func input(a Agent, dir, tool string, args map[string]any) []byte {
	eventKey := "hook_event_name"
	if a == Crush {
		eventKey = "event"
	}
	b, err := json.Marshal(map[string]any{eventKey: event(a), "session_id": "tenet-guard-doctor", "cwd": dir, "tool_name": tool, "tool_input": args})
	if err != nil {
		panic(err) // strings
	}
	return b
}

// runHook runs a command line in a directory, with a call on its input.
func runHook(ctx context.Context, dir string, argv []string, in []byte) (Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, doctorWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	return Reply{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, err
}

// binary is what each agent's own program is called.
var binary = [numAgents]string{"claude", "codex", "gemini", "qwen", "crush", "opencode", "cursor-agent", "copilot"}

// client looks for the agent itself.
func (d *Doctor) client(ctx context.Context, guarded bool) {
	program, err := d.Look(binary[d.Agent])
	if err != nil {
		d.say(Note, "%s (%s) is not on the PATH, so only the command line was tried", d.Agent.Title(), binary[d.Agent])
		if d.Agent == Codex && guarded {
			d.say(Note, "Codex skips a hook that it does not trust without a word: open codex, type /hooks, and trust the one of tenet; again after each install")
		}
		return
	}
	if d.Agent == Codex && guarded {
		d.trust(ctx, program)
	}
}

// trust asks Codex whether it runs the hook.
func (d *Doctor) trust(ctx context.Context, program string) {
	hooks, err := CodexHooks(ctx, program, d.Setup.Place.Project, false)
	switch {
	case err != nil:
		d.say(Bad, "Codex could not be asked whether it trusts the hook: %v; open codex and type /hooks", err)
	case len(hooks) == 0:
		d.say(Bad, "Codex does not see the hook from this directory; a project's hooks count only where the project is trusted")
	}
	for _, h := range hooks {
		if h.Runs() {
			d.say(Good, "Codex trusts the hook (%s)", h.Trust)
			continue
		}
		d.say(Bad, "Codex skips the hook without a word: it is %s; trust it in codex with /hooks, or with: tenet guard trust codex", call.OneLine(h.Trust, 40))
	}
}

// holes name what the agent does not show its hooks at all.
func (d *Doctor) holes() {
	for _, h := range Holes(d.Agent) {
		d.say(Note, "%s", h)
	}
}

// Holes say what an agent does without asking any hook, as it was measured.
func Holes(a Agent) []string {
	switch a {
	case ClaudeCode:
		return []string{"Claude Code reads files that you name with @ without asking a hook, and runs no hook at all in its --bare and --safe-mode"}
	case Codex:
		return []string{"Codex asks no hook about text that is typed into a running program; shells and other programs that obey such text are blocked when they start"}
	case Crush:
		return []string{"Crush asks no hook about what a sub-agent does; starting one is asked about instead"}
	case OpenCode:
		return []string{"OpenCode drops a plugin that fails while it is loaded, without a word"}
	case Gemini, Qwen, Cursor, Copilot:
	}
	return nil
}
