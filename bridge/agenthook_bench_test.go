package bridge

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// guarded is a call that is allowed: the whole way through settings, plan and gate.
const guarded = `{"session_id":"s","cwd":"DIR","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git status --short && ls -l src | head -n 5"}}`

// BenchmarkGuardProcess runs `tenet guard claude-code` as an agent does before each tool
// call, from exec to exit, beside the smallest Go program, and beside two other guards on
// the same command where they are on the PATH: `codex execpolicy check` and
// cc-safety-net (npm install @openai/codex@0.169.0 cc-safety-net).
func BenchmarkGuardProcess(b *testing.B) {
	dir := b.TempDir()
	ours := released(b, filepath.Join(dir, "tenet"), "..")
	if err := os.WriteFile(filepath.Join(dir, "hello.go"), []byte(hello), 0o644); err != nil {
		b.Fatal(err)
	}
	floor := released(b, filepath.Join(dir, "hello"), filepath.Join(dir, "hello.go"))
	work := filepath.Join(dir, "work")
	if err := os.MkdirAll(filepath.Join(work, "src"), 0o755); err != nil {
		b.Fatal(err)
	}
	in := strings.ReplaceAll(guarded, "DIR", work)
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TENET_HOME=" + filepath.Join(dir, "home")}
	guards := []struct {
		metric string
		argv   []string
		took   []time.Duration
	}{{metric: "ms", argv: []string{ours, "guard", "claude-code"}}, {metric: "x-hello", argv: []string{floor}}}
	if codex, err := nativeCodex(); err == nil {
		rules := filepath.Join(dir, "x.rules")
		if err := os.WriteFile(rules, []byte(`prefix_rule(pattern=["git","status"], decision="allow")`+"\n"), 0o644); err != nil {
			b.Fatal(err)
		}
		guards = append(guards, guards[1])
		guards[2].metric, guards[2].argv = "x-codex-execpolicy", []string{codex, "execpolicy", "check", "--rules", rules, "git", "status", "--short"}
	}
	if net, err := exec.LookPath("cc-safety-net"); err == nil {
		guards = append(guards, guards[1])
		guards[len(guards)-1].metric, guards[len(guards)-1].argv = "x-cc-safety-net", []string{net, "hook", "--claude-code"}
	}
	for b.Loop() {
		for i := range guards {
			cmd := exec.Command(guards[i].argv[0], guards[i].argv[1:]...)
			cmd.Dir, cmd.Env, cmd.Stdin = work, env, strings.NewReader(in)
			began := time.Now()
			if out, err := cmd.Output(); err != nil {
				b.Fatalf("%v: %v %s", guards[i].argv, err, out)
			}
			guards[i].took = append(guards[i].took, time.Since(began))
		}
	}
	mine := ms(guards[0].took)
	b.ReportMetric(mine, "ms")
	for _, g := range guards[1:] {
		b.ReportMetric(mine/ms(g.took), g.metric)
	}
}

// nativeCodex is Codex's own binary: what npm puts on the PATH starts node first.
func nativeCodex() (string, error) {
	program, err := exec.LookPath("codex")
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		found, _ := filepath.Glob(filepath.Join(filepath.Dir(real), "../../codex-*/vendor/*/bin/codex"))
		if len(found) > 0 {
			return found[0], nil
		}
	}
	return program, nil
}
