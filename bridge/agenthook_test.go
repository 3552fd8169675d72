package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hook runs the guard of an agent in a project of its own, as the agent would.
type hook struct{ bin, dir string }

func newHook(t *testing.T) hook {
	t.Helper()
	h := hook{buildTenet(t), t.TempDir()}
	if err := os.MkdirAll(filepath.Join(h.dir, "work"), 0o755); err != nil {
		t.Fatal(err)
	}
	return h
}

type hookReply struct {
	code           int
	stdout, stderr string
}

func (r hookReply) blocked() bool { return r.code == 2 && strings.TrimSpace(r.stderr) != "" }

func (h hook) run(t *testing.T, agent, in string) hookReply {
	t.Helper()
	cmd := exec.Command(h.bin, strings.Fields("guard "+agent)...)
	cmd.Dir = filepath.Join(h.dir, "work")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.dir, "TENET_HOME=" + filepath.Join(h.dir, "tenet")}
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &errs
	_ = cmd.Run()
	return hookReply{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// call is a call in the form of an agent.
func (h hook) call(agent, tool, args string) string {
	event := map[string]string{"crush": `"event":"PreToolUse"`, "gemini": `"hook_event_name":"BeforeTool"`}[strings.Fields(agent)[0]]
	if event == "" {
		event = `"hook_event_name":"PreToolUse"`
	}
	return fmt.Sprintf(`{%s,"cwd":%q,"tool_name":%q,"tool_input":%s}`, event, filepath.Join(h.dir, "work"), tool, args)
}

func (h hook) ask(t *testing.T, agent, tool, args string) hookReply {
	t.Helper()
	return h.run(t, agent, h.call(agent, tool, args))
}

const (
	destroys = `{"command":"rm -rf /"}`
	builds   = `{"command":"make all"}`
)

// inner is the hookSpecificOutput of an answer; it must be the only member.
func (r hookReply) inner(t *testing.T) map[string]any {
	t.Helper()
	var m map[string]map[string]any
	if err := json.Unmarshal([]byte(r.stdout), &m); err != nil || len(m) != 1 {
		t.Fatalf("the answer has another form: %s", r.stdout)
	}
	return m["hookSpecificOutput"]
}

// TestProtocolCases: each failure of a hook protocol that hurt somebody, and what the
// running guard does there.
func TestProtocolCases(t *testing.T) {
	h := newHook(t)
	for id, check := range map[string]func(t *testing.T){
		"proto-cc-no-eventname": func(t *testing.T) {
			in := h.ask(t, "claude-code", "Bash", destroys).inner(t)
			if in["hookEventName"] != "PreToolUse" || in["permissionDecision"] != "deny" {
				t.Errorf("%v", in)
			}
		},
		"proto-codex-extra-field": func(t *testing.T) {
			if in := h.ask(t, "codex", "Bash", destroys).inner(t); len(in) != 3 {
				t.Errorf("a key too many or too few: %v", in)
			}
		},
		"proto-codex-empty-reason": func(t *testing.T) {
			for _, args := range []string{destroys, builds, `{}`, `{"command":""}`, `{"command":7}`} {
				r := h.ask(t, "codex", "Bash", args)
				if !r.blocked() || r.inner(t)["permissionDecisionReason"] == "" {
					t.Errorf("%s: %+v", args, r)
				}
			}
		},
		"proto-headless-ask": func(t *testing.T) {
			for _, agent := range []string{"claude-code --headless", "gemini --headless", "codex", "crush", "qwen", "opencode"} {
				if r := h.ask(t, agent, "run_shell_command", builds); !r.blocked() || !strings.Contains(r.stderr, "tenet rules add") {
					t.Errorf("%s: %+v", agent, r)
				}
			}
		},
		"proto-mcp-name": func(t *testing.T) {
			for agent, tool := range map[string]string{"codex": "mcp__my__odd_server__do", "crush": "mcp_my_odd_server_do", "gemini --headless": "mcp_server_tool", "opencode": "server_tool"} {
				if r := h.ask(t, agent, tool, `{}`); !r.blocked() || !strings.Contains(r.stderr, tool) {
					t.Errorf("%s %s: %+v", agent, tool, r)
				}
			}
		},
		"proto-crush-subagent": func(t *testing.T) {
			for _, tool := range []string{"agent", "agentic_fetch"} {
				if r := h.ask(t, "crush", tool, `{"prompt":"look around"}`); !r.blocked() {
					t.Errorf("%s: %+v", tool, r)
				}
			}
		},
		"proto-grok-truncated": func(t *testing.T) {
			in := strings.TrimSuffix(h.call("claude-code", "Bash", `{"command":"ls"}`), "}") + `,"toolInputTruncated":true}`
			if r := h.run(t, "claude-code", in); !r.blocked() {
				t.Errorf("%+v", r)
			}
		},
		"proto-gemini-claude-shape": func(t *testing.T) {
			var m map[string]string
			r := h.ask(t, "gemini", "run_shell_command", destroys)
			if err := json.Unmarshal([]byte(r.stdout), &m); err != nil || m["decision"] != "deny" || m["reason"] == "" || len(m) != 2 {
				t.Errorf("%+v", r)
			}
		},
		"proto-updated-input":  func(t *testing.T) { h.neverSays(t, "updatedInput", "updated_input", `"tool_input"`) },
		"proto-continue-false": func(t *testing.T) { h.neverSays(t, `"continue"`, `"allow"`) },
		"proto-crash": func(t *testing.T) {
			for _, in := range []string{"", "{", "null", `{"cwd":"/"}`, strings.Repeat("[", 100000), "\xff\xfe", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/"}`} {
				for _, agent := range []string{"claude-code", "codex", "gemini", "qwen", "crush", "opencode", "cursor", "copilot"} {
					if r := h.run(t, agent, in); !r.blocked() {
						t.Errorf("%s, %.40q: %+v", agent, in, r)
					}
				}
			}
		},
	} {
		t.Run(id, check)
	}
}

// neverSays looks for words that no answer may hold.
func (h hook) neverSays(t *testing.T, words ...string) {
	t.Helper()
	for _, agent := range []string{"claude-code", "codex", "gemini", "qwen", "crush", "opencode"} {
		for _, args := range []string{destroys, builds, `{"command":"ls"}`} {
			r := h.ask(t, agent, "run_shell_command", args)
			for _, w := range words {
				if strings.Contains(r.stdout, w) {
					t.Errorf("%s, %s: %s", agent, args, r.stdout)
				}
			}
		}
	}
}
