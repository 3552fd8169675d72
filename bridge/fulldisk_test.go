package bridge

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAFullDisk runs a session whose log is on a file system of 64 KiB: the run
// fails with the disk's own words, what had been recorded is whole, and no step ran
// that the log does not hold. It needs the right to mount.
func TestAFullDisk(t *testing.T) {
	dir := t.TempDir()
	story := filepath.Join(dir, "story")
	var b strings.Builder
	for i := range 40 { // each call another, or the turn would end for repeating itself
		fmt.Fprintf(&b, `{"calls": [{"tool": "bash", "args": {"command": "echo step %d >> ran; head -c 3000 /dev/zero | tr '\\0' x"}}]}`+"\n", i)
	}
	b.WriteString(`{"text": "never"}`)
	if err := os.WriteFile(story, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	script := `mkdir home && mount -t tmpfs -o size=64k tmpfs home || exit 99
"$TENET" run --script story --auto read,write,exec go; echo "exit $?"
"$TENET" log verify; echo "verify $?"
grep -c '"steps":\[1\]' home/sessions/*.jsonl; wc -l < ran`
	cmd := exec.Command("unshare", "--mount", "sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TENET="+buildTenet(t), "HOME="+dir, "TENET_HOME="+filepath.Join(dir, "home"))
	out, err := cmd.CombinedOutput()
	text := string(out)
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == 99 || strings.Contains(text, "unshare failed") {
		t.Skipf("SKIPPED: a full disk cannot be made here, it takes the right to mount: %v\n%s", err, text)
	}
	for _, want := range []string{"exit 1\n", "no space left on device", "verify 0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the output lacks %q", want)
		}
	}
	counts := strings.Fields(text[strings.LastIndex(text, "verify 0")+len("verify 0"):])
	if len(counts) != 2 || counts[0] != counts[1] {
		t.Errorf("steps dispatched and steps that ran: %v", counts)
	}
	if t.Failed() {
		t.Logf("%s", text[max(0, len(text)-2000):])
	}
}
