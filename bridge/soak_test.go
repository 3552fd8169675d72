package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tenet/adapters/store"
	"tenet/core/event"
)

// soakRounds is how many tool rounds one turn of the soak makes.
const soakRounds = 2000

// soakScript is a model that never stops working: it reads, writes, searches and runs,
// with results that differ, so that no recovery ends it.
func soakScript() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for i := range soakRounds {
		tool, args := "bash", map[string]any{"command": fmt.Sprintf("echo round %d; cat note.txt | wc -l", i)}
		switch i % 5 {
		case 1:
			tool, args = "read", map[string]any{"path": "note.txt"}
		case 2:
			tool, args = "grep", map[string]any{"pattern": fmt.Sprintf("line %d", i%40)}
		case 3:
			tool, args = "list_dir", map[string]any{"path": "."}
		case 4:
			args = map[string]any{"command": fmt.Sprintf("echo line %d >> note.txt", i)}
		}
		_ = enc.Encode(map[string]any{"text": strings.Repeat("thinking aloud. ", 8), "calls": []any{map[string]any{"tool": tool, "args": args}}})
	}
	_ = enc.Encode(map[string]any{"text": "done"})
	return b.Bytes()
}

// TestASoakOfRoundsKeepsItsMemoryAndLeavesNobody: two thousand rounds in one turn end
// answered, in bounded memory, with a sound log and no process left. What is bounded is what
// the collector found alive: the resident size that the system tells of a child counts the
// parent's too, from which it was forked.
func TestASoakOfRoundsKeepsItsMemoryAndLeavesNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("a soak is long")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "soak.rehearsal"), string(soakScript()))
	work := filepath.Join(dir, "work")
	write(t, filepath.Join(work, "note.txt"), "line 0\n")
	cmd := soakRun(t, work, filepath.Join(dir, "th"), "--max-rounds", fmt.Sprint(soakRounds+1), "--script", filepath.Join(dir, "soak.rehearsal"), "work")
	cmd.Env = append(cmd.Env, "GODEBUG=gctrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, tailOf(out))
	}
	live, collections := mostAlive(out)
	t.Logf("at most %d MiB alive in %d collections, CPU %v", live, collections, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	if most := 16; live > most || collections == 0 {
		t.Errorf("%d rounds kept %d MiB alive, more than %d, in %d collections", soakRounds, live, most, collections)
	}
	if left := leftBehind(t, dir); len(left) > 0 {
		t.Errorf("still running: %v", left)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "th", "sessions", "*"+store.Extension))
	if err != nil || len(logs) != 1 {
		t.Fatalf("%d logs, %v", len(logs), err)
	}
	records, report, err := store.Read(logs[0])
	if err != nil || !report.OK() {
		t.Fatalf("%v: %s", err, report.Text())
	}
	s, err := event.Fold(records)
	if err != nil || s.Rounds != soakRounds || s.Last.How != "answered" || len(s.Calls)+len(s.Disorders) != 0 {
		t.Errorf("%v: %d rounds, %+v, open %v, disorders %v", err, s.Rounds, s.Last, s.Unresolved(), s.Disorders)
	}
}

// mostAlive is the most mebibytes that the collector left, by its own trace.
func mostAlive(trace []byte) (most, collections int) {
	for _, m := range regexp.MustCompile(`(?m)^gc \d+ @.* \d+->\d+->(\d+) MB,`).FindAllSubmatch(trace, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		most, collections = max(most, n), collections+1
	}
	return most, collections
}

// soakRun is a run of tenet in a directory with homes of its own.
func soakRun(t *testing.T, dir, home string, args ...string) *exec.Cmd {
	cmd := exec.Command(buildTenet(t), append([]string{"run"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "TENET_HOME="+home, "OPENAI_BASE_URL=")
	return cmd
}

// leftBehind is the processes that have the directory in their environment.
func leftBehind(t *testing.T, dir string) (left []string) {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil || len(names) == 0 {
		t.Skip("without /proc nobody can say which processes are left")
	}
	for _, name := range names {
		if env, err := os.ReadFile(name); err == nil && bytes.Contains(env, []byte("TENET_HOME="+dir)) {
			left = append(left, name)
		}
	}
	return left
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func tailOf(b []byte) []byte { return b[max(0, len(b)-2000):] }

// TestRunsAtOnceInOneProjectAllFinish (case run-010): eight runs in one project and one
// home, started together, all end answered, each with a log of its own.
func TestRunsAtOnceInOneProjectAllFinish(t *testing.T) {
	dir := t.TempDir()
	work, home := filepath.Join(dir, "work"), filepath.Join(dir, "th")
	write(t, filepath.Join(work, "a.txt"), "one\n")
	script := filepath.Join(dir, "s.rehearsal")
	write(t, script, `{"calls": [{"tool": "bash", "args": {"command": "cat a.txt; echo x >> b.txt"}}]}`+"\n"+`{"text": "done"}`)
	var wg sync.WaitGroup
	for range 8 {
		cmd := soakRun(t, work, home, "--script", script, "go")
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("done")) {
				t.Errorf("%v: %s", err, tailOf(out))
			}
		})
	}
	wg.Wait()
	logs, err := filepath.Glob(filepath.Join(home, "sessions", "*"+store.Extension))
	if err != nil || len(logs) != 8 {
		t.Fatalf("%d logs, %v", len(logs), err)
	}
	for _, l := range logs {
		if report, err := store.Verify(l); err != nil || !report.OK() {
			t.Errorf("%v: %s", err, report.Text())
		}
	}
}
