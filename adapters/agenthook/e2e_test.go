//go:build e2e

package agenthook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// The clients that the guard's protocol was measured against. They are a gigabyte, so
// this is no part of the ordinary tests: make e2e.
const (
	claudeClient = "@anthropic-ai/claude-code@2.1.328"
	codexClient  = "@openai/codex@0.169.0"
)

// clientLimit bounds one run of a client, installLimit one install.
const (
	clientLimit  = 3 * time.Minute
	installLimit = 10 * time.Minute
)

// scriptedModel is a model that asks for two commands, a canary and a harmless one, in one
// reply, and ends the turn when it sees their results. It speaks both wire formats.
type scriptedModel struct {
	commands []string

	mu sync.Mutex
	// seen are the requests' bodies.
	seen []string
}

func (s *scriptedModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 16<<20))
	s.mu.Lock()
	s.seen = append(s.seen, r.URL.Path+" "+string(body))
	s.mu.Unlock()
	switch {
	case strings.HasSuffix(r.URL.Path, "/v1/messages"):
		s.messages(w, body)
	case strings.HasSuffix(r.URL.Path, "/v1/responses"):
		s.responses(w, body)
	default:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{}`)
	}
}

// events writes server-sent events.
func events(w http.ResponseWriter, list ...map[string]any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range list {
		b, _ := json.Marshal(e)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e["type"], b)
	}
}

// messages is the form that Claude Code reads.
func (s *scriptedModel) messages(w http.ResponseWriter, body []byte) {
	var q struct {
		Stream bool
		Tools  []struct{ Name string }
	}
	_ = json.Unmarshal(body, &q)
	usage := map[string]any{"input_tokens": 1, "output_tokens": 1}
	list := []map[string]any{{"type": "message_start", "message": map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "fake-model", "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage,
	}}}
	stop, n := "end_turn", 0
	block := func(start, delta map[string]any) {
		list = append(list,
			map[string]any{"type": "content_block_start", "index": n, "content_block": start},
			map[string]any{"type": "content_block_delta", "index": n, "delta": delta},
			map[string]any{"type": "content_block_stop", "index": n})
		n++
	}
	hasBash := false
	for _, t := range q.Tools {
		hasBash = hasBash || t.Name == "Bash"
	}
	if hasBash && !strings.Contains(string(body), "tool_result") {
		stop = "tool_use"
		for i, c := range s.commands {
			args, _ := json.Marshal(map[string]any{"command": c, "description": "scripted"})
			block(map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%06d", i), "name": "Bash", "input": map[string]any{}},
				map[string]any{"type": "input_json_delta", "partial_json": string(args)})
		}
	} else {
		block(map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": "done"})
	}
	list = append(list,
		map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": usage},
		map[string]any{"type": "message_stop"})
	events(w, list...)
}

// responses is the form that Codex reads.
func (s *scriptedModel) responses(w http.ResponseWriter, body []byte) {
	list := []map[string]any{{"type": "response.created", "response": map[string]any{"id": "resp_1"}}}
	done := func(item map[string]any) {
		list = append(list, map[string]any{"type": "response.output_item.done", "item": item})
	}
	if !strings.Contains(string(body), "function_call_output") {
		for i, c := range s.commands {
			args, _ := json.Marshal(map[string]any{"cmd": c})
			done(map[string]any{"type": "function_call", "id": fmt.Sprintf("fc_%d", i), "call_id": fmt.Sprintf("call_%06d", i), "name": "exec_command", "arguments": string(args)})
		}
	} else {
		done(map[string]any{"type": "message", "id": "m_1", "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": "done"}}})
	}
	list = append(list, map[string]any{"type": "response.completed", "response": map[string]any{
		"id": "resp_1", "usage": map[string]any{"input_tokens": 1, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil, "total_tokens": 2},
	}})
	events(w, list...)
}

// results is everything that a client sent back.
func (s *scriptedModel) results() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.seen, "\n")
}

// npmInstall puts a client into a directory. TENET_E2E names one that is kept between
// runs; without it each run downloads anew.
func npmInstall(t *testing.T, pkg, program string) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Fatalf("make e2e needs npm: %v", err)
	}
	dir := os.Getenv("TENET_E2E")
	if dir == "" {
		dir = t.TempDir()
	}
	dir = filepath.Join(dir, strings.NewReplacer("/", "-", "@", "").Replace(pkg))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "node_modules", ".bin", program)
	if _, err := os.Stat(bin); err == nil {
		return bin
	}
	ctx, cancel := context.WithTimeout(t.Context(), installLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "install", "--save-exact", "--no-audit", "--no-fund", "--allow-scripts="+pkg, pkg)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm install %s: %v\n%s", pkg, err, out)
	}
	return bin
}

// tenetProgram builds tenet as it is released, or takes the one that TENET_PROGRAM names.
func tenetProgram(t *testing.T) string {
	t.Helper()
	if built := os.Getenv("TENET_PROGRAM"); built != "" {
		return built
	}
	bin := filepath.Join(t.TempDir(), "tenet")
	cmd := exec.Command("go", "build", "-trimpath", "-o", bin, "tenet")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build tenet: %v\n%s", err, out)
	}
	return bin
}

// clientStage is a home, a workspace and a model for one run of a client.
type clientStage struct {
	home, work, tenet string
	model             *scriptedModel
	url               string
	env               []string
}

func newClientStage(t *testing.T) *clientStage {
	t.Helper()
	dir := t.TempDir()
	s := &clientStage{home: filepath.Join(dir, "home"), work: filepath.Join(dir, "work"), tenet: tenetProgram(t)}
	for _, d := range []string{s.home, s.work} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.model = &scriptedModel{commands: []string{"touch " + s.path("tenet-guard-canary"), "touch " + s.path("harmless")}}
	server := httptest.NewServer(s.model)
	t.Cleanup(server.Close)
	s.url = server.URL
	// Nothing of this process's own variables goes through.
	s.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "TENET_HOME=" + filepath.Join(dir, "tenet"), "TERM=dumb", "LANG=C.UTF-8", "SHELL=/bin/bash"}
	return s
}

func (s *clientStage) path(name string) string { return filepath.Join(s.work, name) }

func (s *clientStage) exists(name string) bool { _, err := os.Stat(s.path(name)); return err == nil }

// run runs a program on the stage, and says what it printed.
func (s *clientStage) run(t *testing.T, more []string, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clientLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.work, append(s.env, more...), 5*time.Second
	out, err := cmd.CombinedOutput()
	t.Logf("%s %s: %v", filepath.Base(program), strings.Join(args, " "), err)
	return string(out)
}

func (s *clientStage) claude(t *testing.T, client string) string {
	return s.run(t, []string{
		"ANTHROPIC_BASE_URL=" + s.url, "ANTHROPIC_API_KEY=sk-dummy-not-a-key", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "IS_SANDBOX=1",
	}, client, "-p", "please run the scripted commands", "--model", "fake-model", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions")
}

func (s *clientStage) codex(t *testing.T, client string, more ...string) string {
	t.Helper()
	config := fmt.Sprintf(`model = "fake-model"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "%s/v1"
wire_api = "responses"
env_key = "FAKE_API_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
`, s.url)
	name := filepath.Join(s.home, ".codex", "config.toml")
	if _, err := os.Stat(name); err != nil {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"exec", "--skip-git-repo-check", "-C", s.work, "--json"}, more...)
	return s.run(t, []string{"FAKE_API_KEY=sk-dummy", "RUST_LOG=error"}, client, append(args, "please run the scripted commands")...)
}

// TestEndToEndClaudeCode: the real client asks the guard that `tenet guard install`
// put into its settings; the canary does not run, the harmless command does. Without
// the guard both run, so it is the guard that blocks.
func TestEndToEndClaudeCode(t *testing.T) {
	client := npmInstall(t, claudeClient, "claude")
	s := newClientStage(t)
	out := s.claude(t, client)
	if !s.exists("tenet-guard-canary") || !s.exists("harmless") {
		t.Fatalf("without the guard the commands did not run, so nothing is shown:\n%s\n%.4000s", out, s.model.results())
	}
	s = newClientStage(t)
	t.Log(s.run(t, nil, s.tenet, "guard", "install", "claude-code", "--user", "--yes"))
	out = s.claude(t, client)
	s.proven(t, out)
	if !strings.Contains(s.model.results(), "tenet blocks Bash") {
		t.Errorf("the model was not told why:\n%s", out)
	}
}

// TestEndToEndCodex: an untrusted hook is skipped and the canary runs; after `tenet
// guard trust codex` the same client blocks it.
func TestEndToEndCodex(t *testing.T) {
	client := npmInstall(t, codexClient, "codex")
	s := newClientStage(t)
	s.env[0] = "PATH=" + filepath.Dir(client) + string(os.PathListSeparator) + os.Getenv("PATH")
	t.Log(s.run(t, nil, s.tenet, "guard", "install", "codex", "--user", "--yes"))
	out := s.codex(t, client)
	if !s.exists("tenet-guard-canary") {
		t.Fatalf("an untrusted hook blocked, or the client did not run:\n%s\n%.4000s", out, s.model.results())
	}
	if doctor := s.run(t, nil, s.tenet, "guard", "doctor", "codex"); !strings.Contains(doctor, "BAD  Codex skips the hook") {
		t.Errorf("the doctor does not see it:\n%s", doctor)
	}
	for _, name := range []string{"tenet-guard-canary", "harmless"} {
		_ = os.Remove(s.path(name))
	}
	t.Log(s.run(t, nil, s.tenet, "guard", "trust", "codex"))
	out = s.codex(t, client)
	s.proven(t, out)
	if doctor := s.run(t, nil, s.tenet, "guard", "doctor", "codex"); strings.Contains(doctor, "BAD") {
		t.Errorf("the doctor finds something bad:\n%s", doctor)
	}
}

// proven: the canary is blocked, the harmless command ran.
func (s *clientStage) proven(t *testing.T, out string) {
	t.Helper()
	if s.exists("tenet-guard-canary") {
		t.Errorf("the canary ran:\n%s", out)
	}
	if !s.exists("harmless") {
		t.Errorf("the harmless command did not run:\n%s\n%.4000s", out, s.model.results())
	}
}
