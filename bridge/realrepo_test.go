package bridge

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tenet/adapters/store"
)

// vetStory looks at a module that is not ours, makes a change and checks it with the
// module's own tool.
const vetStory = `
{"calls": [{"tool": "glob", "args": {"pattern": "**/*.go"}}, {"tool": "grep", "args": {"pattern": "func Match\\(", "path": "."}}]}
{"expect": "func Match(", "calls": [{"tool": "read", "args": {"path": "match.go", "limit": 20}}]}
{"expect": "package doublestar", "calls": [{"tool": "search_replace", "args": {"path": "match.go", "old": "package doublestar\n", "new": "package doublestar // checked\n"}}]}
{"calls": [{"tool": "bash", "args": {"command": "go vet ./... && git diff --stat"}}]}
{"expect": "1 file changed", "text": "vetted"}
`

// TestARealRepository runs the whole slice in a clone of a module from the module
// cache: it lists, greps, reads, edits and runs go vet, and the log verifies.
func TestARealRepository(t *testing.T) {
	src, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/bmatcuk/doublestar/v4").Output()
	if err != nil {
		t.Fatalf("find the module: %v", err)
	}
	dir := t.TempDir()
	repo, story := filepath.Join(dir, "repo"), filepath.Join(dir, "story")
	if err := os.CopyFS(repo, os.DirFS(strings.TrimSpace(string(src)))); err != nil {
		t.Fatal(err)
	}
	writable(t, repo)
	git(t, repo, "init", "--quiet")
	git(t, repo, "add", "--all")
	git(t, repo, "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "as released")
	if err := os.WriteFile(story, []byte(vetStory), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(buildTenet(t), "run", "--dir", repo, "--script", story, "--auto", "read,write,exec", "vet it")
	cmd.Env = append(os.Environ(), "TENET_HOME="+filepath.Join(dir, "th"), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "tenet log verify") {
		t.Fatalf("%v\n%s", err, out)
	}
	if b, err := os.ReadFile(filepath.Join(repo, "match.go")); err != nil || !strings.Contains(string(b), "package doublestar // checked") {
		t.Errorf("the edit is not there: %v", err)
	}
	logs, err := store.List(filepath.Join(dir, "th", "sessions"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	if report, err := store.Verify(logs[0].Path); err != nil || !report.OK() || len(report.Interrupted) > 0 {
		t.Errorf("%v\n%s", err, report.Text())
	}
}

// writable undoes the module cache's read-only modes.
func writable(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
