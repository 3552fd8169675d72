package bridge

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tenet/adapters/rehearsal"
	"tenet/adapters/store"
)

// rehearsalPage is the code blocks of docs/rehearsal.md, in their order.
func rehearsalPage(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile("../docs/rehearsal.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for i, part := range strings.Split(string(b), "\n```") {
		if _, code, ok := strings.Cut(part, "\n"); ok && i%2 == 1 {
			blocks = append(blocks, code+"\n")
		}
	}
	return blocks
}

// blockOf is the one code block of the page that begins with a text.
func blockOf(t *testing.T, begin string) string {
	t.Helper()
	var found []string
	for _, b := range rehearsalPage(t) {
		if strings.HasPrefix(b, begin) {
			found = append(found, b)
		}
	}
	if len(found) != 1 {
		t.Fatalf("docs/rehearsal.md has %d code blocks that begin with %q, want 1", len(found), begin)
	}
	return found[0]
}

// TestTheRehearsalPageIsTrue does what the page tells a reader to do: its files in an
// empty directory, its command, and the story plays to its end, each expect met by
// what the shell and the files really gave.
func TestTheRehearsalPageIsTrue(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	for name, begin := range map[string]string{"fix.rehearsal": "// fix.rehearsal", "sum.sh": "# sum.sh", "test.sh": "# test.sh"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(blockOf(t, begin)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("sh", "-c", blockOf(t, "tenet run"))
	cmd.Dir = dir
	path := filepath.Dir(buildTenet(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	cmd.Env = append(os.Environ(), "PATH="+path, "HOME="+home, "TENET_HOME="+filepath.Join(home, "th"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "The test passes now.") {
		t.Fatalf("the page's command: %v\n%s", err, out)
	}
	if fixed, _ := os.ReadFile(filepath.Join(dir, "sum.sh")); !strings.Contains(string(fixed), "n=0\n") {
		t.Errorf("the story repaired nothing:\n%s", fixed)
	}
	logs, err := store.List(filepath.Join(home, "th", "sessions"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("%d logs, %v", len(logs), err)
	}
	if report, err := store.Verify(logs[0].Path); err != nil || !report.OK() {
		t.Errorf("%v\n%s", err, report.Text())
	}
}

// TestTheRehearsalPageIsGuarded: where the test did not fail, the story stops at the
// reply that expects it to, as the page promises.
func TestTheRehearsalPageIsGuarded(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"fix.rehearsal": blockOf(t, "// fix.rehearsal"), "test.sh": "echo ok\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(buildTenet(t), "run", "--script", "fix.rehearsal", "--auto", "read,write,exec", "go")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+home, "TENET_HOME="+filepath.Join(home, "th"))
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !strings.Contains(string(out), `drifted at reply 2`) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestEveryRehearsalOnThePageParses: a reader copies from any of them.
func TestEveryRehearsalOnThePageParses(t *testing.T) {
	replies := 0
	for _, b := range rehearsalPage(t) {
		if b[0] != '{' && !strings.HasPrefix(b, "//") {
			continue
		}
		s, err := rehearsal.Parse(strings.NewReader(b), "docs/rehearsal.md")
		if err != nil {
			t.Error(err)
			continue
		}
		replies += s.Len()
	}
	if replies < 6 {
		t.Errorf("%d replies were found on the page, want at least 6: the reader of the page went blind", replies)
	}
}
