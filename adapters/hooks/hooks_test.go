package hooks_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tenet/adapters/hooks"
)

func runner(t *testing.T) hooks.Runner {
	t.Helper()
	return hooks.Runner{Dir: t.TempDir(), Session: "s", Env: []string{"PATH=" + os.Getenv("PATH"), "OPENAI_API_KEY=sk-secret", "KEEP=yes"}}
}

func TestAHookThatSucceedsPasses(t *testing.T) {
	r := runner(t)
	out, err := r.Run(t.Context(), `pwd; echo "$KEEP $TENET_SESSION [$OPENAI_API_KEY]" >&2`)
	want, _ := filepath.EvalSymlinks(r.Dir)
	if err != nil || !strings.Contains(out, want) || !strings.Contains(out, "yes s []") {
		t.Errorf("said %q, %v: it runs in the workspace, without credentials, and knows its session", out, err)
	}
}

func TestAHookThatFailsSaysHow(t *testing.T) {
	for command, says := range map[string]string{"echo no tests; exit 3": "exit status 3", "no-such-command-here": "exit status 127", "kill -9 $$": "killed"} {
		if _, err := runner(t).Run(t.Context(), command); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", command, err, says)
		}
	}
	r := runner(t)
	r.Dir = filepath.Join(r.Dir, "gone")
	if _, err := r.Run(t.Context(), "true"); err == nil {
		t.Error("a hook in a directory that is gone passed")
	}
}

func TestTheOutputOfAHookIsBoundedAndKeepsItsEnd(t *testing.T) {
	out, err := runner(t).Run(t.Context(), `i=0; while [ $i -lt 20000 ]; do echo "line $i of a long report"; i=$((i+1)); done`)
	if err != nil || len(out) > 20<<10 || !strings.Contains(out, "line 19999") || !strings.Contains(out, "left out") {
		t.Errorf("%d bytes, %v, ends %q", len(out), err, out[max(0, len(out)-60):])
	}
}

func TestAHookHasATimeLimit(t *testing.T) {
	r := runner(t)
	r.Limit = 50 * time.Millisecond
	if _, err := r.Run(t.Context(), "sleep 600 & sleep 600"); err == nil || !strings.Contains(err.Error(), "time limit of a hook") {
		t.Errorf("ended with %v", err)
	}
}

// A hook that ignores TERM is killed, and so is what it started in the background.
func TestACancelEndsTheWholeGroup(t *testing.T) {
	r := runner(t)
	fifo := filepath.Join(r.Dir, "started")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if b, err := os.ReadFile(fifo); err == nil && len(b) > 0 { // the hook is up
			cancel()
		}
	}()
	if _, err := r.Run(ctx, `trap "" TERM; sleep 600 & echo $! > child; echo up > started; sleep 600; sleep 600`); err == nil {
		t.Error("a cancelled hook passed")
	}
	pid, err := os.ReadFile(filepath.Join(r.Dir, "child"))
	if err != nil {
		t.Fatal(err)
	}
	for range 200 { // the kernel reaps it in its own time
		if _, err := os.Stat("/proc/" + strings.TrimSpace(string(pid))); err != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	b, _ := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
	if !strings.Contains(string(b), ") Z ") {
		t.Errorf("the hook's child lives: %s", b)
	}
}

func TestAChildThatKeepsThePipeDoesNotKeepTheHook(t *testing.T) {
	if out, err := runner(t).Run(t.Context(), "echo fine; sleep 600 &"); err != nil || !strings.Contains(out, "fine") {
		t.Errorf("said %q, %v", out, err)
	}
}
