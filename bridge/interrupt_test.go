package bridge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"tenet/core/event"
)

// TestASignalStopsTheTurnAndWhatItRuns: Ctrl+C and SIGTERM end a run that is inside
// a command: the command's group is gone, the log says that the turn was aborted and
// that the call may have partially run, and the exit code tells the two apart.
func TestASignalStopsTheTurnAndWhatItRuns(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		code   int
	}{{"interrupt", syscall.SIGINT, 130}, {"terminate", syscall.SIGTERM, 143}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			story := filepath.Join(dir, "story")
			script := `{"calls": [{"tool": "bash", "args": {"command": "sh -c 'sleep 1000 & echo $$ > pid.new; mv pid.new pid; sleep 1000'"}}]}` + "\n" + `{"text": "never"}`
			if err := os.WriteFile(story, []byte(script), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(buildTenet(t), "run", "--script", story, "--auto", "read,write,exec,outside", "--json", "go")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "TENET_HOME="+filepath.Join(dir, "th"))
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			records := bufio.NewScanner(out)
			records.Buffer(nil, 1<<20)
			read := func(until event.Kind) (last event.Record) {
				for records.Scan() {
					if err := json.Unmarshal(records.Bytes(), &last); err != nil {
						t.Fatal(err)
					}
					if last.Kind == until {
						return last
					}
				}
				return last
			}
			read(event.Dispatched)
			group := waitForGroup(t, filepath.Join(dir, "pid"), cmd)
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			result, end := read(event.Resulted), read(event.Ended)
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if left := alive(t, group); len(left) > 0 {
				t.Errorf("of the command's group %d these still run: %v", group, left)
			}
			if !strings.Contains(string(result.Body), "may have partially run") || !bytes.Contains(end.Body, []byte(`"how":"aborted"`)) {
				t.Errorf("result %s\nend %s", result.Body, end.Body)
			}
		})
	}
}

// waitForGroup waits until the command has written its process id, which is its
// group's as well.
func waitForGroup(t *testing.T, file string, cmd *exec.Cmd) int {
	t.Helper()
	for {
		b, err := os.ReadFile(file)
		if err == nil {
			pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
		if cmd.ProcessState != nil {
			t.Fatal("the run ended before its command started")
		}
	}
}

// alive lists the processes of a group that still run; one that ended and waits to
// be reaped does not.
func alive(t *testing.T, group int) (left []string) {
	t.Helper()
	out, err := exec.Command("ps", "-A", "-o", "pgid=,stat=,args=").Output()
	if err != nil {
		t.Fatalf("ps: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) > 1 && f[0] == strconv.Itoa(group) && !strings.HasPrefix(f[1], "Z") {
			left = append(left, strings.TrimSpace(line))
		}
	}
	return left
}
